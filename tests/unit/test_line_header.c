/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Headers of line number programs, assembled by DWARF 5, 6.2.4 and DWARF 4, 6.2.4. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "dwarf/line_header.h"
#include "support/dwarf_builder.h"

struct shape {
	unsigned version;
	unsigned offset_size;
	bool is_big;
};

static const struct shape shapes[] = {
	{ 2, 4, false }, { 3, 8, true }, { 4, 4, true },  { 4, 8, false },
	{ 5, 4, false }, { 5, 4, true }, { 5, 8, false }, { 5, 8, true },
};
enum { SHAPES = sizeof(shapes) / sizeof(shapes[0]) };

static const char line_str[] = "/build\0include\0/usr/include\0a.c\0b.h";
static const char str[] = "unused\0c.h";

static void add_text(struct byte_string *out, const char *text)
{
	byte_string_add(out, text, strlen(text) + 1);
}

static void add_old_tables(struct byte_string *out)
{
	add_text(out, "include");
	add_text(out, "/usr/include");
	byte_string_u8(out, 0);
	add_text(out, "a.c");
	byte_string_add(out, "\x00\x81\x01\x05", 4); /* folder 0, a time of two bytes, a size */
	add_text(out, "b.h");
	byte_string_add(out, "\x01\x00\x00", 3);
	add_text(out, "c.h");
	byte_string_add(out, "\x02\x00\x00", 3);
	byte_string_u8(out, 0);
}

/* Paths in all forms a table may have; with checksums, as clang writes them, and an entry of a vendor. */
static void add_new_tables(struct byte_string *out, const struct shape *shape)
{
	const unsigned size = shape->offset_size;

	byte_string_add(out, "\x01\x01\x1f", 3); /* one format: path, line_strp */
	byte_string_u8(out, 3);
	byte_string_number(out, 0, size, shape->is_big);
	byte_string_number(out, 7, size, shape->is_big);
	byte_string_number(out, 15, size, shape->is_big);

	/* path string, directory_index udata, MD5 data16, vendor's block */
	byte_string_add(out, "\x04\x01\x08\x02\x0f\x05\x1e\x81\x40\x09", 10);
	byte_string_u8(out, 4);
	for (unsigned i = 0; i < 4; i++) {
		static const char *const names[] = { "a.c", "a.c", "b.h", "c.h" };

		add_text(out, names[i]);
		byte_string_u8(out, i > 0 ? (uint8_t)(i - 1) : 0);
		byte_string_add(out, "0123456789abcdef", 16);
		byte_string_add(out, "\x02xy", 3);
	}
}

static struct byte_string build(const struct shape *shape)
{
	struct byte_string body = { 0 }, out = { 0 };

	byte_string_number(&body, shape->version, 2, shape->is_big);
	if (shape->version >= 5)
		byte_string_add(&body, "\x08\x00", 2);
	byte_string_number(&body, 0, shape->offset_size, shape->is_big);
	byte_string_add(&body, "\x01\x01\x01\xfb\x0e", shape->version >= 4 ? 5 : 4);
	byte_string_add(&body, "\x04\x00\x01\x01", 4); /* opcode_base 4: three lengths */
	if (shape->version >= 5)
		add_new_tables(&body, shape);
	else
		add_old_tables(&body);

	byte_string_add(&out, "other", 5);
	if (shape->offset_size == 8)
		byte_string_number(&out, UINT32_MAX, 4, shape->is_big);
	byte_string_number(&out, body.size, shape->offset_size, shape->is_big);
	byte_string_add(&out, body.data, body.size);
	free(body.data);
	return out;
}

static struct line_sections sections_of(const struct shape *shape, const void *data, size_t size)
{
	return (struct line_sections){
		.line = { data, size },
		.str = { (const uint8_t *)str, sizeof(str) },
		.line_str = { (const uint8_t *)line_str, sizeof(line_str) },
		.swap = shape->is_big == (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__),
	};
}

static void check_file(const struct line_header *header, uint64_t file, const char *name,
		       const char *folder)
{
	assert_string_equal(header->files.items[file].name, name);
	if (folder)
		assert_string_equal(line_header_folder(header, file), folder);
	else
		assert_null(line_header_folder(header, file));
}

static void files_and_folders_of_all_versions(void **state)
{
	struct line_header header = { 0 };

	(void)state;
	for (size_t i = 0; i < SHAPES; i++) {
		struct byte_string bytes = build(&shapes[i]);
		struct line_sections sections = sections_of(&shapes[i], bytes.data, bytes.size);

		assert_int_equal(line_header_read(&header, &sections, 5), LINE_HEADER_OK);
		assert_int_equal(header.files.count, 4);
		check_file(&header, 1, "a.c", shapes[i].version >= 5 ? "/build" : NULL);
		check_file(&header, 2, "b.h", "include");
		check_file(&header, 3, "c.h", "/usr/include");
		if (shapes[i].version < 5)
			assert_null(header.files.items[0].name);
		else
			check_file(&header, 0, "a.c", "/build");
		free(bytes.data);
	}
	line_header_deinit(&header);
}

/* In memory of just its size, for tools that watch over that. */
static void every_prefix_is_refused(void **state)
{
	struct line_header header = { 0 };

	(void)state;
	for (size_t i = 0; i < SHAPES; i++) {
		struct byte_string bytes = build(&shapes[i]);

		for (size_t size = 0; size < bytes.size; size++) {
			uint8_t *copy = malloc(size + 1);
			struct line_sections sections;

			assert_non_null(copy);
			memcpy(copy, bytes.data, size);
			sections = sections_of(&shapes[i], copy, size);
			assert_int_not_equal(line_header_read(&header, &sections, 5),
					     LINE_HEADER_OK);
			assert_int_equal(header.files.count, 0);
			free(copy);
		}
		free(bytes.data);
	}
	line_header_deinit(&header);
}

/* A version 5 header with one folder table of one entry in `form`, and no files. */
static enum line_header_status read_folder(const char *entry, size_t size, unsigned form,
					   const char **folder)
{
	static const char start[] = "\x05\x00\x08\x00\0\0\0\0\x01\x01\x01\xfb\x0e\x01";
	const struct shape shape = { 5, 4, false };
	struct byte_string bytes = { 0 };
	struct line_header header = { 0 };
	struct line_sections sections;
	enum line_header_status status;

	byte_string_number(&bytes, sizeof(start) - 1 + 4 + size + 2, 4, false);
	byte_string_add(&bytes, start, sizeof(start) - 1);
	byte_string_u8(&bytes, 1);
	byte_string_u8(&bytes, 1);
	byte_string_u8(&bytes, (uint8_t)form);
	byte_string_u8(&bytes, 1);
	byte_string_add(&bytes, entry, size);
	byte_string_add(&bytes, "\x00\x00", 2);
	sections = sections_of(&shape, bytes.data, bytes.size);
	status = line_header_read(&header, &sections, 0);
	*folder = status == LINE_HEADER_OK ? header.folders.items[0] : NULL;
	line_header_deinit(&header);
	free(bytes.data);
	return status;
}

static void names_of_every_form(void **state)
{
	const char *folder;

	(void)state;
	assert_int_equal(read_folder("\x07\0\0\0", 4, 0x0e, &folder), LINE_HEADER_OK);
	assert_string_equal(folder, "c.h");
	assert_int_equal(read_folder("\x07\0\0\0", 4, 0x1f, &folder), LINE_HEADER_OK);
	assert_string_equal(folder, "include");
	/* only a .dwo file's own table of offsets could tell */
	assert_int_equal(read_folder("\x01", 1, 0x1a, &folder), LINE_HEADER_OK);
	assert_null(folder);
	assert_int_equal(read_folder("\xff\0\0\0", 4, 0x1f, &folder), LINE_HEADER_BAD_STRING);
	assert_int_equal(read_folder("\xff\0\0\0", 4, 0x0e, &folder), LINE_HEADER_BAD_STRING);
	assert_int_equal(read_folder("\0\0\0\0", 4, 0x06, &folder), LINE_HEADER_BAD_FORM);
	assert_int_equal(read_folder("\0\0\0\0", 4, 0x7f, &folder), LINE_HEADER_BAD_FORM);
}

static void unknown_versions_are_refused(void **state)
{
	struct line_header header = { 0 };

	(void)state;
	for (unsigned version = 0; version <= 6; version++) {
		const struct shape shape = { version, 4, false };
		struct byte_string bytes = build(&shape);
		struct line_sections sections = sections_of(&shape, bytes.data, bytes.size);

		assert_int_equal(line_header_read(&header, &sections, 5),
				 version < 2 || version > 5 ? LINE_HEADER_BAD_VERSION :
							      LINE_HEADER_OK);
		free(bytes.data);
	}
	line_header_deinit(&header);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(files_and_folders_of_all_versions),
		cmocka_unit_test(every_prefix_is_refused),
		cmocka_unit_test(names_of_every_form),
		cmocka_unit_test(unknown_versions_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
