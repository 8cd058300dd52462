/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <elf.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

#include "elf/elf_file.h"
#include "support/elf_builder.h"

enum { ZLIB = 1, ZSTD = 2, ZDEBUG = 3 };

static const char content[] = "abc abc abc abc abc abc abc abc abc abc abc abc the end";
enum { CONTENT_SIZE = sizeof(content) };

/* A compressed section: header (with the size it claims) and stream. */
struct compressed {
	bool is_64bit;
	bool is_big_endian;
	int format;
	uint32_t type; /* for the header, if not that of the format */
	uint64_t claim;
	uint8_t stream[4096];
	size_t stream_size;
};

static void append_stream(struct compressed *section, const void *data, size_t size)
{
	uint8_t *end = section->stream + section->stream_size;
	size_t room = sizeof(section->stream) - section->stream_size;

	if (section->format == ZSTD) {
		section->stream_size += ZSTD_compress(end, room, data, size, 3);
	} else {
		uLongf used = room;

		assert_int_equal(compress(end, &used, data, size), Z_OK);
		section->stream_size += used;
	}
	section->claim += size;
}

static struct compressed compressed_content(bool is_64bit, bool is_big_endian, int format)
{
	struct compressed section = { .is_64bit = is_64bit,
				      .is_big_endian = is_big_endian,
				      .format = format,
				      .type = format == ZSTD ? ZSTD : ZLIB };

	append_stream(&section, content, CONTENT_SIZE);
	return section;
}

static size_t write_header(const struct compressed *section, uint8_t *bytes)
{
	bool big = section->is_big_endian;

	if (section->format == ZDEBUG) {
		memcpy(bytes, "ZLIB", 4);
		put_u64(bytes + 4, section->claim, true);
		return 12;
	}
	put_u32(bytes, section->type, big);
	if (section->is_64bit) {
		put_u32(bytes + 4, 0, big);
		put_u64(bytes + 8, section->claim, big);
		put_u64(bytes + 16, 1, big);
		return 24;
	}
	put_u32(bytes + 4, (uint32_t)section->claim, big);
	put_u32(bytes + 8, 1, big);
	return 12;
}

/* A file with the section cut to `size` bytes (SIZE_MAX: whole). */
static struct elf_file *open_compressed(const struct compressed *section, size_t size)
{
	uint8_t bytes[sizeof(section->stream) + 24];
	size_t header_size = write_header(section, bytes);
	struct elf_part part = {
		.name = section->format == ZDEBUG ? ".zdebug_str" : ".debug_str",
		.type = SHT_PROGBITS,
		.flags = section->format == ZDEBUG ? 0 : SHF_COMPRESSED,
		.data = bytes,
		.size = header_size + section->stream_size,
		.alignment = 1,
	};
	struct elf_builder builder;
	struct smelt_error error;
	struct elf_file *file = NULL;
	char *path;

	memcpy(bytes + header_size, section->stream, section->stream_size);
	if (size < part.size)
		part.size = size;
	elf_builder_init(&builder, section->is_64bit, section->is_big_endian, ET_EXEC, EM_NONE);
	elf_builder_add(&builder, &part);
	path = elf_builder_write(&builder);
	assert_int_equal(elf_file_open(path, &file, &error), SMELT_OK);
	test_file_remove(path);
	elf_builder_deinit(&builder);
	return file;
}

/* Loads the one section of the file, which it closes. */
static void assert_fails(struct elf_file *file, enum smelt_status status, const char *text)
{
	struct smelt_error error;
	struct elf_bytes bytes;
	char buffer[1];

	assert_int_equal(elf_section_load(file, 1, &bytes, &error), status);
	assert_non_null(strstr(error.text, "debug_str: "));
	assert_non_null(strstr(error.text, text));
	assert_false(elf_section_is_plain(file, 1));
	assert_int_equal(elf_section_read(file, 1, 0, buffer, 1, &error), SMELT_BAD_ARGUMENT);
	elf_file_close(file);
}

static void assert_loads(struct elf_file *file, const void *expected, size_t size)
{
	static const uint8_t zeros[16];
	struct smelt_error error;
	struct elf_bytes bytes;

	assert_int_equal(elf_file_find_section(file, ".debug_str"), 1);
	assert_false(elf_section_is_plain(file, 1));
	assert_int_equal(elf_section_content_size(file, 1), size);
	if (elf_section_load(file, 1, &bytes, &error))
		fail_msg("%s", error.text);
	assert_int_equal(bytes.size, size);
	assert_memory_equal(bytes.data, expected, size);
	assert_memory_equal(bytes.data + size, zeros, 16);
	elf_file_close(file);
}

static void every_format_in_every_shape(void **state)
{
	(void)state;
	for (int format = ZLIB; format <= ZDEBUG; format++) {
		for (int shape = 0; shape < 4; shape++) {
			const struct compressed section =
				compressed_content(shape & 1, shape & 2, format);

			assert_loads(open_compressed(&section, SIZE_MAX), content, CONTENT_SIZE);
		}
	}
}

/* Writers that compress in parallel leave several streams. */
static void streams_one_after_the_other(void **state)
{
	(void)state;
	for (int format = ZLIB; format <= ZDEBUG; format++) {
		struct compressed section = compressed_content(true, false, format);
		char twice[2 * CONTENT_SIZE];

		append_stream(&section, content, CONTENT_SIZE);
		memcpy(twice, content, CONTENT_SIZE);
		memcpy(twice + CONTENT_SIZE, content, CONTENT_SIZE);
		assert_loads(open_compressed(&section, SIZE_MAX), twice, sizeof(twice));
	}
}

static void every_prefix_fails(void **state)
{
	(void)state;
	for (int format = ZLIB; format <= ZDEBUG; format++) {
		const struct compressed section = compressed_content(true, true, format);
		size_t size = section.stream_size + (format == ZDEBUG ? 12 : 24);

		for (size_t length = 1; length < size; length++)
			assert_fails(open_compressed(&section, length), SMELT_BAD_DATA, ": ");
	}
}

static void every_damaged_byte_is_survived(void **state)
{
	(void)state;
	for (int format = ZLIB; format <= ZDEBUG; format++) {
		const struct compressed original = compressed_content(false, false, format);

		for (size_t i = 0; i < original.stream_size; i++) {
			struct compressed section = original;
			struct elf_bytes bytes;
			struct elf_file *file;

			section.stream[i] ^= 0x41;
			file = open_compressed(&section, SIZE_MAX);
			elf_section_load(file, 1, &bytes, NULL);
			elf_file_close(file);
		}
	}
}

static void wrong_sizes_fail(void **state)
{
	static const struct {
		int format;
		uint64_t claim;
		const char *text;
	} cases[] = {
		{ ZLIB, CONTENT_SIZE - 1, "more than it claims" },
		{ ZLIB, CONTENT_SIZE + 1, "less than it claims" },
		{ ZLIB, 0, "more than it claims" },
		{ ZDEBUG, CONTENT_SIZE + 1, "less than it claims" },
		{ ZSTD, CONTENT_SIZE - 1, "too small" },
		{ ZSTD, CONTENT_SIZE + 1, "less than it claims" },
		/* Bombs, or damage: refused before any memory is asked for. */
		{ ZLIB, 1 << 20, "compressed bytes claim to hold 1048576" },
		{ ZDEBUG, UINT64_MAX, "compressed bytes claim to hold" },
		{ ZSTD, 1u << 31, "compressed bytes claim to hold 2147483648" },
		{ ZSTD, UINT64_MAX - 8, "compressed bytes claim to hold" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct compressed section = compressed_content(true, false, cases[i].format);

		section.claim = cases[i].claim;
		assert_fails(open_compressed(&section, SIZE_MAX), SMELT_BAD_DATA, cases[i].text);
	}
}

/* The best that the formats can do must not be taken for a bomb. */
static void honest_high_ratios_are_accepted(void **state)
{
	enum { SIZE = 2 << 20 };
	uint8_t *zeros = calloc(1, SIZE);

	(void)state;
	for (int format = ZLIB; format <= ZDEBUG; format++) {
		struct compressed section = { .is_64bit = true,
					      .format = format,
					      .type = format == ZSTD ? ZSTD : ZLIB };

		append_stream(&section, zeros, SIZE);
		assert_loads(open_compressed(&section, SIZE_MAX), zeros, SIZE);
	}
	free(zeros);
}

static void unknown_formats_are_named(void **state)
{
	struct compressed section = compressed_content(true, false, ZLIB);
	struct elf_builder builder;
	struct smelt_error error;
	struct elf_file *file;
	char *path;

	(void)state;
	section.type = 77;
	assert_fails(open_compressed(&section, SIZE_MAX), SMELT_UNSUPPORTED,
		     "unknown compression type 77");

	elf_builder_init(&builder, true, false, ET_EXEC, EM_NONE);
	elf_builder_add_data(&builder, ".zdebug_str", "just strings here", 18);
	path = elf_builder_write(&builder);
	assert_int_equal(elf_file_open(path, &file, &error), SMELT_OK);
	test_file_remove(path);
	elf_builder_deinit(&builder);
	assert_fails(file, SMELT_BAD_DATA, "no compression header");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_format_in_every_shape),
		cmocka_unit_test(streams_one_after_the_other),
		cmocka_unit_test(every_prefix_fails),
		cmocka_unit_test(every_damaged_byte_is_survived),
		cmocka_unit_test(wrong_sizes_fail),
		cmocka_unit_test(honest_high_ratios_are_accepted),
		cmocka_unit_test(unknown_formats_are_named),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
