/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "btf/reader.h"
#include "btf/writer.h"
#include "support/btf_sample.h"

static void add_list_types(struct btf_writer *writer)
{
	btf_writer_int(writer, 1, 4, BTF_INT_SIGNED);
	btf_writer_record(writer, 5, btf_info(BTF_KIND_STRUCT, true, 2), 16);
	btf_writer_triple(writer, 10, 3, 0);
	btf_writer_triple(writer, 15, 1, 3u << BTF_BITFIELD_WIDTH_SHIFT | 64);
	btf_writer_record(writer, 0, btf_info(BTF_KIND_PTR, false, 0), 2);
}

static const struct btf_sample list_sample = {
	STRINGS("\0int\0list\0next\0bits"),
	.add_types = add_list_types,
};

static void check_list(const struct btf_view *view)
{
	const struct btf_record *list = btf_view_record(view, 2);
	const struct btf_member_part *members = btf_record_members(list);

	assert_int_equal(view->first_id, 1);
	assert_int_equal(view->end_id, 4);
	assert_int_equal(btf_view_own_count(view), 3);
	assert_int_equal(btf_view_kind(view, 0), BTF_KIND_VOID);
	assert_int_equal(btf_view_kind(view, 1), BTF_KIND_INT);
	assert_string_equal(btf_view_name(view, 1), "int");
	assert_int_equal(btf_view_record(view, 1)->words[0], BTF_INT_SIGNED << 24 | 32);
	assert_int_equal(btf_record_kind(list), BTF_KIND_STRUCT);
	assert_int_equal(btf_record_vlen(list), 2);
	assert_true(btf_record_flag(list));
	assert_int_equal(list->size_or_type, 16);
	assert_string_equal(btf_view_string(view, members[0].name), "next");
	assert_int_equal(members[0].type, 3);
	assert_string_equal(btf_view_string(view, members[1].name), "bits");
	assert_int_equal(members[1].place, 3u << BTF_BITFIELD_WIDTH_SHIFT | 64);
	assert_int_equal(btf_view_record(view, 3)->size_or_type, 2);
	assert_string_equal(btf_view_name(view, 3), "");
}

static void both_byte_orders_and_all_headers_are_read(void **state)
{
	static const uint32_t header_sizes[] = { 24, 32, 36, 64 };

	(void)state;
	for (unsigned i = 0; i < 16; i++) {
		struct btf_sample sample = list_sample;
		struct smelt_error error;
		struct btf_view view;
		uint8_t *data;
		size_t size;

		sample.is_big_endian = i & 1;
		sample.has_layout = i & 2 && i / 4 > 0; /* the short header cannot say */
		sample.header_bytes = header_sizes[i / 4];
		size = btf_sample_build(&sample, &data);
		assert_int_equal(btf_view_init(&view, data, size, NULL, &error), SMELT_OK);
		assert_int_equal(view.is_big_endian, sample.is_big_endian);
		check_list(&view);
		btf_view_deinit(&view);
		free(data);
	}
}

static void an_odd_address_is_fine(void **state)
{
	struct btf_view view;
	uint8_t *data, *moved;
	size_t size = btf_sample_build(&list_sample, &data);

	(void)state;
	moved = malloc(size + 1);
	memcpy(moved + 1, data, size);
	assert_int_equal(btf_view_init(&view, moved + 1, size, NULL, NULL), SMELT_OK);
	check_list(&view);
	btf_view_deinit(&view);
	free(moved);
	free(data);
}

static void add_module_types(struct btf_writer *writer)
{
	btf_writer_record(writer, 20, btf_info(BTF_KIND_TYPEDEF, false, 0), 2);
	btf_writer_record(writer, 1, btf_info(BTF_KIND_CONST, false, 0), 4);
}

static void add_second_types(struct btf_writer *writer)
{
	btf_writer_record(writer, 27, btf_info(BTF_KIND_PTR, false, 0), 5);
}

static void a_chain_of_bases_counts_on(void **state)
{
	static const struct btf_sample samples[] = {
		{ STRINGS("\0int\0list\0next\0bits"), .add_types = add_list_types },
		{ STRINGS("list_t"), .add_types = add_module_types, .is_big_endian = true },
		{ STRINGS("x"), .add_types = add_second_types },
		{ .add_types = NULL },
	};
	enum { COUNT = sizeof(samples) / sizeof(samples[0]) };
	struct btf_view views[COUNT];
	uint8_t *data[COUNT];

	(void)state;
	for (unsigned i = 0; i < COUNT; i++) {
		size_t size = btf_sample_build(&samples[i], &data[i]);

		assert_int_equal(
			btf_view_init(&views[i], data[i], size, i ? &views[i - 1] : NULL, NULL),
			SMELT_OK);
	}
	assert_int_equal(views[1].first_id, 4);
	assert_int_equal(views[1].string_origin, 20);
	assert_int_equal(views[2].first_id, 6);
	assert_int_equal(views[3].first_id, 7);
	assert_int_equal(views[3].end_id, 7);
	assert_int_equal(views[3].string_origin, views[3].string_end);
	assert_string_equal(btf_view_name(&views[3], 1), "int");
	assert_string_equal(btf_view_name(&views[3], 4), "list_t");
	assert_string_equal(btf_view_name(&views[3], 5), "int");
	assert_string_equal(btf_view_name(&views[3], 6), "x");
	assert_int_equal(btf_view_kind(&views[3], 0), BTF_KIND_VOID);
	assert_int_equal(btf_view_kind(&views[3], 4), BTF_KIND_TYPEDEF);
	for (unsigned i = 0; i < COUNT; i++) {
		btf_view_deinit(&views[i]);
		free(data[i]);
	}
}

static void add_all_kinds(struct btf_writer *writer)
{
	btf_writer_int(writer, 1, 4, 0);                                     /* 1 */
	btf_writer_record(writer, 0, btf_info(BTF_KIND_ARRAY, false, 0), 0); /* 2 */
	btf_writer_triple(writer, 1, 1, 7);
	btf_writer_record(writer, 2, btf_info(BTF_KIND_ENUM, false, 2), 4); /* 3 */
	btf_writer_pair(writer, 1, 99);
	btf_writer_pair(writer, 2, 99);
	btf_writer_record(writer, 2, btf_info(BTF_KIND_ENUM64, false, 1), 8); /* 4 */
	btf_writer_triple(writer, 3, 99, 99);
	btf_writer_record(writer, 0, btf_info(BTF_KIND_FUNC_PROTO, false, 2), 1); /* 5 */
	btf_writer_pair(writer, 4, 3);
	btf_writer_pair(writer, 0, 0);
	btf_writer_record(writer, 5, btf_info(BTF_KIND_FUNC, false, 1), 5);     /* 6 */
	btf_writer_variable(writer, 6, 2, BTF_LINKAGE_GLOBAL);                  /* 7 */
	btf_writer_record(writer, 1, btf_info(BTF_KIND_DATASEC, false, 2), 99); /* 8 */
	btf_writer_triple(writer, 7, 99, 99);
	btf_writer_triple(writer, 6, 99, 99);
	btf_writer_decl_tag(writer, 2, 6, 99);                               /* 9 */
	btf_writer_record(writer, 3, btf_info(BTF_KIND_UNION, false, 2), 4); /* 10 */
	btf_writer_triple(writer, 4, 3, 99);
	btf_writer_triple(writer, 5, 4, 99);
	btf_writer_record(writer, 1, btf_info(BTF_KIND_FWD, true, 0), 99);       /* 11 */
	btf_writer_record(writer, 1, btf_info(BTF_KIND_FLOAT, false, 0), 99);    /* 12 */
	btf_writer_record(writer, 1, btf_info(BTF_KIND_TYPE_TAG, false, 0), 11); /* 13 */
}

/* The text of all references of one sort: "WORD=VALUE ...". */
static void show(char *text, const struct btf_record *record,
		 const struct btf_references *references)
{
	text[0] = '\0';
	for (uint32_t i = 0; i < references->count; i++) {
		uint32_t word = btf_reference_word(references, i);

		sprintf(text + strlen(text), "%u=%u ", word, ((const uint32_t *)record)[word]);
	}
}

/* Kernel documentation, "Type Encoding": 99 stands where no reference is. */
static void references_of_each_kind_are_found(void **state)
{
	static const char *const expected[][2] = {
		{ "", "0=1 " },
		{ "3=1 4=1 ", "0=0 " },
		{ "", "0=2 3=1 5=2 " },
		{ "", "0=2 3=3 " },
		{ "2=1 4=3 6=0 ", "0=0 3=4 5=0 " },
		{ "2=5 ", "0=5 " },
		{ "2=2 ", "0=6 " },
		{ "3=7 6=6 ", "0=1 " },
		{ "2=6 ", "0=2 " },
		{ "4=3 7=4 ", "0=3 3=4 6=5 " },
		{ "", "0=1 " },
		{ "", "0=1 " },
		{ "2=11 ", "0=1 " },
	};
	enum { COUNT = sizeof(expected) / sizeof(expected[0]) };
	static const struct btf_sample sample = { STRINGS("\0a\0b\0c"),
						  .add_types = add_all_kinds };
	struct btf_view view;
	uint8_t *data;
	size_t size = btf_sample_build(&sample, &data);

	(void)state;
	assert_int_equal(btf_view_init(&view, data, size, NULL, NULL), SMELT_OK);
	assert_int_equal(view.end_id, COUNT + 1);
	for (uint32_t i = 0; i < COUNT; i++) {
		const struct btf_record *record = btf_view_record(&view, i + 1);
		struct btf_references types = btf_type_references(record);
		struct btf_references strings = btf_string_references(record);
		char text[200];

		show(text, record, &types);
		assert_string_equal(text, expected[i][0]);
		show(text, record, &strings);
		assert_string_equal(text, expected[i][1]);
	}
	btf_view_deinit(&view);
	free(data);
}

static void every_prefix_is_refused(void **state)
{
	static const struct btf_sample sample = { STRINGS("\0a\0b\0c"),
						  .add_types = add_all_kinds };
	struct smelt_error error;
	struct btf_view view;
	uint8_t *data;
	size_t size = btf_sample_build(&sample, &data);

	(void)state;
	for (size_t cut = 0; cut < size; cut++) {
		uint8_t *prefix = malloc(cut ? cut : 1);

		memcpy(prefix, data, cut);
		assert_int_equal(btf_view_init(&view, prefix, cut, NULL, &error), SMELT_BAD_DATA);
		assert_int_equal(strncmp(error.text, "offset 0x", 9), 0);
		free(prefix);
	}
	free(data);
}

/* One word of a good blob is another one; header words and, from 32 on, the records of add_all_kinds(). */
static void each_fault_is_named_with_its_place(void **state)
{
	static const struct {
		uint32_t offset, word;
		enum smelt_status status;
		const char *text;
	} cases[] = {
		{ 0, 0x0001eb9e, SMELT_BAD_DATA, "offset 0x0: not BTF" },
		{ 0, 0x0002eb9f, SMELT_UNSUPPORTED, "offset 0x2: version 2" },
		{ 0, 0x0401eb9f, SMELT_UNSUPPORTED, "offset 0x3: flags 0x4" },
		{ 4, 23, SMELT_BAD_DATA, "offset 0x4: a header of 23" },
		{ 4, 28, SMELT_BAD_DATA, "offset 0x4: a header of 28" },
		{ 4, UINT32_MAX, SMELT_BAD_DATA, "offset 0x4: a header of 4294967295" },
		{ 4, 36, SMELT_UNSUPPORTED, "offset 0x20: the header has a field" },
		{ 8, 0xfffffff0, SMELT_BAD_DATA, "offset 0x8: the section of types" },
		{ 12, 0xfffffff0, SMELT_BAD_DATA, "offset 0x8: the section of types" },
		{ 12, 0x114, SMELT_BAD_DATA,
		  "offset 0x10: the sections of types and strings overlap" },
		{ 16, 0x100, SMELT_BAD_DATA,
		  "offset 0x10: the sections of types and strings overlap" },
		{ 20, 8, SMELT_BAD_DATA, "offset 0x10: the section of strings" },
		{ 20, 6, SMELT_BAD_DATA, "the last string has no end" },
		{ 20, 0, SMELT_BAD_DATA, "offset 0x14: the section of strings is empty" },
		{ 12, 0x10f, SMELT_BAD_DATA, "offset 0xc: the section of types has 0x10f bytes" },
		{ 24, 0x10, SMELT_BAD_DATA,
		  "offset 0x18: the sections of types and layouts overlap" },
		{ 36, 0, SMELT_UNSUPPORTED, "offset 0x24: type 1: kind 0 is not known" },
		{ 36, 20u << 24, SMELT_UNSUPPORTED, "offset 0x24: type 1: kind 20 is not known" },
		{ 36, 4u << 24 | 0xffffff, SMELT_BAD_DATA,
		  "offset 0x24: type 1: 16777215 parts exceed" },
		{ 32, 7, SMELT_BAD_DATA,
		  "offset 0x20: type 1 refers to the string at 7, but there are 7" },
		{ 60, 14, SMELT_BAD_DATA,
		  "offset 0x3c: type 2 refers to type 14, but there are 14" },
		{ 64, UINT32_MAX, SMELT_BAD_DATA, "offset 0x40: type 2 refers to type 4294967295" },
		{ 84, 7, SMELT_BAD_DATA, "offset 0x54: type 3 refers to the string at 7" },
		{ 92, 7, SMELT_BAD_DATA, "offset 0x5c: type 3 refers to the string at 7" },
		{ 160, 4, SMELT_BAD_DATA,
		  "offset 0xa0: type 6 refers to type 4, which is not a FUNC_PROTO" },
		{ 160, 0, SMELT_BAD_DATA,
		  "offset 0xa0: type 6 refers to type 0, which is not a FUNC_PROTO" },
		{ 204, 1, SMELT_BAD_DATA,
		  "offset 0xcc: type 8 refers to type 1, which is not a VAR or FUNC" },
		{ 60, 2, SMELT_BAD_DATA, "offset 0x30: type 2 is defined by itself" },
		{ 260, 10, SMELT_BAD_DATA, "offset 0xe8: type 10 is defined by itself" },
	};
	static const struct btf_sample sample = { .string_bytes = 7,
						  .strings = "\0a\0b\0c",
						  .add_types = add_all_kinds };
	uint8_t *data;
	size_t size = btf_sample_build(&sample, &data);

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct btf_view view = { .end_id = 77 };
		struct smelt_error error = { 0 };
		uint32_t old;

		memcpy(&old, data + cases[i].offset, sizeof(old));
		memcpy(data + cases[i].offset, &cases[i].word, sizeof(old));
		assert_int_equal(btf_view_init(&view, data, size, NULL, &error), cases[i].status);
		if (!strstr(error.text, cases[i].text))
			fail_msg("case %zu: \"%s\", expected \"%s\"", i, error.text, cases[i].text);
		assert_int_equal(view.end_id, 77);
		memcpy(data + cases[i].offset, &old, sizeof(old));
	}
	free(data);
}

static void split_btf_asks_for_its_base(void **state)
{
	static const struct btf_sample sample = { STRINGS("list_t"),
						  .add_types = add_module_types };
	struct smelt_error error;
	struct btf_view view;
	uint8_t *data;
	size_t size = btf_sample_build(&sample, &data);

	(void)state;
	assert_int_equal(btf_view_init(&view, data, size, NULL, &error), SMELT_BAD_DATA);
	assert_non_null(strstr(error.text, "needs its base"));
	free(data);
}

/* Types in terms of others, to be found a loop or not; kernel/bpf/btf.c refuses the same ones. */
struct link {
	unsigned kind; /* enum btf_kind */
	uint32_t to;
};

static enum smelt_status check_links(const struct link *links, uint32_t count)
{
	struct btf_writer blob;
	struct btf_view view;
	enum smelt_status status;
	uint32_t bytes = 0;

	for (uint32_t i = 0; i < count; i++)
		bytes += btf_record_bytes(links[i].kind, links[i].kind == BTF_KIND_STRUCT);
	btf_writer_init(&blob, false);
	btf_writer_header(&blob, &(struct btf_section_sizes){ .types = bytes, .strings = 1 });
	for (uint32_t i = 0; i < count; i++) {
		bool is_struct = links[i].kind == BTF_KIND_STRUCT;

		btf_writer_record(&blob, 0, btf_info(links[i].kind, false, is_struct),
				  links[i].kind == BTF_KIND_ARRAY ? 0 : links[i].to);
		if (is_struct)
			btf_writer_triple(&blob, 0, links[i].to, 0);
		if (links[i].kind == BTF_KIND_ARRAY) /* the index type is no content */
			btf_writer_triple(&blob, links[i].to, i + 1, 1);
	}
	*btf_writer_extend(&blob, 1) = 0;
	assert_false(blob.failed);
	status = btf_view_init(&view, blob.data, blob.size, NULL, NULL);
	if (!status)
		btf_view_deinit(&view);
	btf_writer_deinit(&blob);
	return status;
}

static void types_made_of_themselves_are_refused(void **state)
{
	enum {
		PTR = BTF_KIND_PTR,
		CONST = BTF_KIND_CONST,
		TYPEDEF = BTF_KIND_TYPEDEF,
		STRUCT = BTF_KIND_STRUCT,
		ARRAY = BTF_KIND_ARRAY,
		PROTO = BTF_KIND_FUNC_PROTO,
	};
	static const struct {
		bool is_loop;
		uint32_t count;
		struct link links[4];
	} cases[] = {
		{ true, 1, { { PTR, 1 } } },
		{ true, 1, { { CONST, 1 } } },
		{ true, 2, { { PTR, 2 }, { CONST, 1 } } },
		{ true, 3, { { PTR, 3 }, { TYPEDEF, 2 }, { BTF_KIND_TYPE_TAG, 2 } } },
		{ true, 2, { { ARRAY, 2 }, { PTR, 1 } } },
		{ false, 2, { { STRUCT, 2 }, { PTR, 1 } } },
		{ true, 1, { { STRUCT, 1 } } },
		{ true, 4, { { STRUCT, 2 }, { ARRAY, 3 }, { TYPEDEF, 4 }, { CONST, 1 } } },
		{ true, 3, { { PTR, 0 }, { STRUCT, 3 }, { STRUCT, 2 } } },
		{ false, 4, { { STRUCT, 2 }, { STRUCT, 3 }, { PTR, 4 }, { ARRAY, 1 } } },
		{ false, 2, { { PTR, 2 }, { PROTO, 1 } } },
		{ false, 3, { { CONST, 2 }, { CONST, 3 }, { CONST, 0 } } },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_int_equal(check_links(cases[i].links, cases[i].count),
				 cases[i].is_loop ? SMELT_BAD_DATA : SMELT_OK);
}

/* Neither the stack nor the time may grow faster than the chain. */
static void long_chains_are_no_problem(void **state)
{
	enum { COUNT = 200000 };
	struct link *links = calloc(COUNT, sizeof(*links));

	(void)state;
	for (unsigned is_content = 0; is_content < 2; is_content++) {
		for (uint32_t i = 0; i < COUNT; i++)
			links[i] = (struct link){ is_content ? BTF_KIND_STRUCT : BTF_KIND_PTR,
						  i + 1 == COUNT ? 0 : i + 2 };
		assert_int_equal(check_links(links, COUNT), SMELT_OK);
		links[COUNT - 1].to = COUNT / 2;
		assert_int_equal(check_links(links, COUNT), SMELT_BAD_DATA);
	}
	free(links);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(both_byte_orders_and_all_headers_are_read),
		cmocka_unit_test(an_odd_address_is_fine),
		cmocka_unit_test(a_chain_of_bases_counts_on),
		cmocka_unit_test(references_of_each_kind_are_found),
		cmocka_unit_test(every_prefix_is_refused),
		cmocka_unit_test(each_fault_is_named_with_its_place),
		cmocka_unit_test(split_btf_asks_for_its_base),
		cmocka_unit_test(types_made_of_themselves_are_refused),
		cmocka_unit_test(long_chains_are_no_problem),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
