/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "btf/writer.h"

static void assert_bytes(const struct btf_writer *writer, const uint8_t *expected, size_t size)
{
	assert_false(writer->failed);
	assert_int_equal(writer->size, size);
	assert_memory_equal(writer->data, expected, size);
}

/* Kernel documentation, "BTF Type and String Encoding": name, info, size or type, then the kind's own. */
static void records_have_the_target_byte_order(void **state)
{
	static const uint8_t little[] = {
		0x01, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x01, 0x04, 0x00, 0x00, 0x00, /* INT */
		0x20, 0x00, 0x00, 0x01, 0x05, 0x00, 0x00, 0x00, 0x02, 0x00, 0x00, 0x84,
		0x08, 0x00, 0x00, 0x00, /* STRUCT */
		0x07, 0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x03,
		0x09, 0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0x20, 0x00, 0x00, 0x00,
	};
	static const uint8_t big[] = {
		0x00, 0x00, 0x00, 0x01, 0x01, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x04, 0x01,
		0x00, 0x00, 0x20, 0x00, 0x00, 0x00, 0x05, 0x84, 0x00, 0x00, 0x02, 0x00, 0x00,
		0x00, 0x08, 0x00, 0x00, 0x00, 0x07, 0x00, 0x00, 0x00, 0x01, 0x03, 0x00, 0x00,
		0x00, 0x00, 0x00, 0x00, 0x09, 0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0x20,
	};

	(void)state;
	for (int is_big_endian = 0; is_big_endian < 2; is_big_endian++) {
		struct btf_writer writer;

		btf_writer_init(&writer, is_big_endian);
		btf_writer_int(&writer, 1, 4, BTF_INT_SIGNED);
		btf_writer_record(&writer, 5, btf_info(BTF_KIND_STRUCT, true, 2), 8);
		btf_writer_triple(&writer, 7, 1, 3u << BTF_BITFIELD_WIDTH_SHIFT);
		btf_writer_triple(&writer, 9, 1, 32);
		assert_bytes(&writer, is_big_endian ? big : little, sizeof(little));
		btf_writer_deinit(&writer);
	}
}

static void tags_and_variables_have_a_word_of_their_own(void **state)
{
	static const uint8_t expected[] = {
		0x03, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x0e,
		0x02, 0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00, /* VAR, global */
		0x06, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x11,
		0x02, 0x00, 0x00, 0x00, 0xff, 0xff, 0xff, 0xff, /* DECL_TAG of the whole */
	};
	struct btf_writer writer;

	(void)state;
	btf_writer_init(&writer, false);
	btf_writer_variable(&writer, 3, 2, BTF_LINKAGE_GLOBAL);
	btf_writer_decl_tag(&writer, 6, 2, -1);
	assert_bytes(&writer, expected, sizeof(expected));
	btf_writer_deinit(&writer);
}

static void the_header_places_sections_one_after_the_other(void **state)
{
	static const uint8_t plain[] = {
		0x9f, 0xeb, 0x01, 0x00, 0x20, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
		0x00, 0x10, 0x00, 0x00, 0x00, 0x10, 0x00, 0x00, 0x00, 0x05, 0x00,
		0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
	};
	static const uint8_t with_layout[] = {
		0xeb, 0x9f, 0x01, 0x00, 0x00, 0x00, 0x00, 0x20, 0x00, 0x00, 0x00,
		0x00, 0x00, 0x00, 0x00, 0x10, 0x00, 0x00, 0x00, 0x60, 0x00, 0x00,
		0x00, 0x05, 0x00, 0x00, 0x00, 0x10, 0x00, 0x00, 0x00, 0x50,
	};
	struct btf_section_sizes sizes = { .types = 16, .strings = 5 };
	struct btf_writer writer;

	(void)state;
	btf_writer_init(&writer, false);
	btf_writer_header(&writer, &sizes);
	assert_bytes(&writer, plain, BTF_HEADER_BYTES);
	btf_writer_deinit(&writer);

	btf_writer_init(&writer, true);
	sizes.layout = btf_layout_section_bytes();
	btf_writer_header(&writer, &sizes);
	assert_bytes(&writer, with_layout, BTF_HEADER_BYTES);
	btf_writer_deinit(&writer);
}

/* What a reader that does not know a kind needs to step over it. */
static void the_layout_section_has_sizes_of_all_kinds(void **state)
{
	static const uint8_t sizes[][2] = {
		{ 0, 0 }, { 4, 0 },  { 0, 0 }, { 12, 0 }, { 0, 12 }, { 0, 12 }, { 0, 8 },
		{ 0, 0 }, { 0, 0 },  { 0, 0 }, { 0, 0 },  { 0, 0 },  { 0, 0 },  { 0, 8 },
		{ 4, 0 }, { 0, 12 }, { 0, 0 }, { 4, 0 },  { 0, 0 },  { 0, 12 },
	};
	struct btf_writer writer;

	(void)state;
	btf_writer_init(&writer, true);
	btf_writer_layout_section(&writer);
	assert_int_equal(writer.size, 80);
	for (unsigned kind = 0; kind < BTF_KIND_COUNT; kind++) {
		const uint8_t entry[] = { sizes[kind][0], sizes[kind][1], 0, 0 };

		assert_memory_equal(writer.data + 4 * kind, entry, 4);
		assert_int_equal(btf_record_bytes((enum btf_kind)kind, 3),
				 12 + sizes[kind][0] + 3 * sizes[kind][1]);
	}
	btf_writer_deinit(&writer);
}

static void a_full_stretch_takes_nothing_more(void **state)
{
	uint8_t room[20];
	struct btf_writer writer;

	(void)state;
	memset(room, 0xee, sizeof(room));
	btf_writer_init_over(&writer, room, 16, false);
	btf_writer_triple(&writer, 1, 2, 3);
	btf_writer_pair(&writer, 4, 5); /* 8 bytes, 4 are left */
	assert_true(writer.failed);
	btf_writer_u32(&writer, 6); /* would fit, but must not hide the gap */
	assert_true(writer.failed);
	assert_int_equal(writer.size, 12);
	for (size_t i = 12; i < sizeof(room); i++)
		assert_int_equal(room[i], 0xee);
	btf_writer_deinit(&writer);
}

static void a_buffer_grows_as_needed(void **state)
{
	struct btf_writer writer;

	(void)state;
	btf_writer_init(&writer, false);
	for (uint32_t i = 0; i < 100000; i++)
		btf_writer_u32(&writer, i);
	assert_false(writer.failed);
	assert_int_equal(writer.size, 400000);
	for (uint32_t i = 0; i < 100000; i += 999) {
		uint32_t value;

		memcpy(&value, writer.data + 4 * (size_t)i, sizeof(value));
		assert_int_equal(btf_writer_word(&writer, value), i);
	}
	btf_writer_deinit(&writer);
	assert_null(writer.data);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(records_have_the_target_byte_order),
		cmocka_unit_test(tags_and_variables_have_a_word_of_their_own),
		cmocka_unit_test(the_header_places_sections_one_after_the_other),
		cmocka_unit_test(the_layout_section_has_sizes_of_all_kinds),
		cmocka_unit_test(a_full_stretch_takes_nothing_more),
		cmocka_unit_test(a_buffer_grows_as_needed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
