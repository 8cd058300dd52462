/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "encode/type_record.h"

/* Names are letters; the string table gives them offsets 1, 3, 5, ... in the order of the alphabet. */
struct fixture {
	struct name_table *names;
	struct string_table strings;
};

static uint32_t name_of(const struct fixture *fixture, const char *text)
{
	return name_table_intern(fixture->names, text, strlen(text));
}

static int set_up(void **state)
{
	struct fixture *fixture = calloc(1, sizeof(*fixture));
	struct string_share share;
	uint8_t section[64];

	*state = fixture;
	if (name_table_create("a\0b\0c\0d\0e", 10, NULL, &fixture->names, NULL))
		return 1;
	for (const char *letter = "a\0b\0c\0d\0e\0"; *letter; letter += 2)
		name_of(fixture, letter);
	name_table_freeze(fixture->names);
	if (string_table_init(&fixture->strings, fixture->names, NULL, 0, NULL))
		return 1;
	string_share_init(&share, 0);
	for (const char *letter = "a\0b\0c\0d\0e\0"; *letter; letter += 2)
		string_share_use(&share, &fixture->strings, name_of(fixture, letter));
	string_share_settle(&share, &fixture->strings);
	if (string_table_place(&fixture->strings, &share, 1, NULL))
		return 1;
	string_share_write(&share, &fixture->strings, section);
	string_share_deinit(&share);
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *fixture = *state;

	string_table_deinit(&fixture->strings);
	name_table_destroy(fixture->names);
	free(fixture);
	return 0;
}

/* Offsets of the letters. */
enum { A = 1, B = 3, C = 5, D = 7, E = 9 };

enum { WORDS_MAX = 16 };

/* Numbers 0 .. 9 have ids 0, 101 .. 109, so that one cannot pass for the other. */
static const uint32_t ids[] = { 0, 101, 102, 103, 104, 105, 106, 107, 108, 109 };

static struct issue_log assert_record(const struct fixture *fixture, const struct dedup_type *type,
				      const uint32_t *words, uint32_t word_count)
{
	const struct record_context context = {
		.ids = ids,
		.strings = &fixture->strings,
		.index_type = 199,
		.unnamed_name = name_of(fixture, "e"),
	};
	const struct record_options options = { .has_enum64 = true };
	struct issue_log issues = { 0 };
	uint32_t room[WORDS_MAX];
	struct btf_writer writer;

	btf_writer_init_over(&writer, room, sizeof(room), __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
	type_record_write(&writer, type, &context);
	assert_false(writer.failed);
	assert_int_equal(writer.size, word_count * 4);
	assert_memory_equal(room, words, writer.size);
	assert_int_equal(type_record_bytes(type, &options, &issues), writer.size);
	return issues;
}

#define INFO(kind, flag, vlen) ((uint32_t)(flag) << 31 | (uint32_t)(kind) << 24 | (vlen))

static void each_kind_has_its_record(void **state)
{
	const struct fixture *fixture = *state;
	uint32_t a = name_of(fixture, "a");
	const struct {
		struct model_type type;
		uint32_t words[7];
		uint32_t word_count;
	} cases[] = {
		{ { .kind = TYPE_INT, .name = a, .size = 4, .flags = TYPE_SIGNED },
		  { A, INFO(1, 0, 0), 4, 1 << 24 | 32 },
		  4 },
		{ { .kind = TYPE_INT, .name = a, .size = 1, .flags = TYPE_BOOL },
		  { A, INFO(1, 0, 0), 1, 4 << 24 | 8 },
		  4 },
		{ { .kind = TYPE_INT, .name = a, .size = 16 }, { A, INFO(1, 0, 0), 16, 128 }, 4 },
		{ { .kind = TYPE_FLOAT, .name = a, .size = 8 }, { A, INFO(16, 0, 0), 8 }, 3 },
		{ { .kind = TYPE_POINTER, .type = 3 }, { 0, INFO(2, 0, 0), 103 }, 3 },
		{ { .kind = TYPE_POINTER }, { 0, INFO(2, 0, 0), 0 }, 3 },
		{ { .kind = TYPE_CONST, .type = 3 }, { 0, INFO(10, 0, 0), 103 }, 3 },
		{ { .kind = TYPE_VOLATILE, .type = 3 }, { 0, INFO(9, 0, 0), 103 }, 3 },
		{ { .kind = TYPE_RESTRICT, .type = 3 }, { 0, INFO(11, 0, 0), 103 }, 3 },
		{ { .kind = TYPE_TYPEDEF, .name = a, .type = 3 }, { A, INFO(8, 0, 0), 103 }, 3 },
		{ { .kind = TYPE_TAG, .name = a, .type = 3 }, { A, INFO(18, 0, 0), 103 }, 3 },
		{ { .kind = TYPE_ARRAY, .type = 3, .size = 7 },
		  { 0, INFO(3, 0, 0), 0, 103, 199, 7 },
		  6 },
		{ { .kind = TYPE_STRUCT, .name = a, .size = 12 }, { A, INFO(4, 0, 0), 12 }, 3 },
		{ { .kind = TYPE_UNION, .size = 12 }, { 0, INFO(5, 0, 0), 12 }, 3 },
		{ { .kind = TYPE_ENUM, .name = a, .size = 4 }, { A, INFO(6, 0, 0), 4 }, 3 },
		{ { .kind = TYPE_ENUM, .size = 8, .flags = TYPE_WIDE | TYPE_SIGNED },
		  { 0, INFO(19, 1, 0), 8 },
		  3 },
		{ { .kind = TYPE_FUNCTION, .type = 3 }, { 0, INFO(13, 0, 0), 103 }, 3 },
		{ { .kind = TYPE_STRUCT_FORWARD, .name = a }, { A, INFO(7, 0, 0), 0 }, 3 },
		{ { .kind = TYPE_UNION_FORWARD, .name = a }, { A, INFO(7, 1, 0), 0 }, 3 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct dedup_type type = { .type = cases[i].type };
		struct issue_log issues =
			assert_record(fixture, &type, cases[i].words, cases[i].word_count);

		for (unsigned kind = 0; kind < ISSUE_KIND_COUNT; kind++)
			assert_int_equal(issues.issues[kind].count, 0);
	}
}

static uint64_t member_value(uint64_t bit_offset, unsigned bit_size)
{
	return bit_offset << 8 | bit_size;
}

static void parts_follow_the_record(void **state)
{
	const struct fixture *fixture = *state;
	uint32_t b = name_of(fixture, "b");
	uint32_t c = name_of(fixture, "c");
	const struct model_item members[] = { { b, 1, member_value(0, 3) },
					      { 0, 0, member_value(32, 0) } };
	const struct model_item values[] = { { b, 0, (uint64_t)-1 }, { c, 0, UINT32_MAX } };
	const struct model_item parameters[] = { { b, 1, 0 }, { 0, 0, 0 } };
	const struct {
		struct dedup_type type;
		uint32_t words[9];
		uint32_t word_count;
	} cases[] = {
		{ { .type = { .kind = TYPE_STRUCT,
			      .size = 8,
			      .flags = TYPE_BITFIELDS,
			      .item_count = 2 },
		    .items = members },
		  { 0, INFO(4, 1, 2), 8, B, 101, 3 << 24, 0, 0, 32 },
		  9 },
		{ { .type = { .kind = TYPE_ENUM, .size = 4, .flags = TYPE_SIGNED, .item_count = 2 },
		    .items = values },
		  { 0, INFO(6, 1, 2), 4, B, 0xffffffff, C, 0xffffffff },
		  7 },
		{ { .type = { .kind = TYPE_ENUM, .size = 8, .flags = TYPE_WIDE, .item_count = 2 },
		    .items = values },
		  { 0, INFO(19, 0, 2), 8, B, 0xffffffff, 0xffffffff, C, 0xffffffff, 0 },
		  9 },
		{ { .type = { .kind = TYPE_FUNCTION, .type = 2, .item_count = 2 },
		    .items = parameters },
		  { 0, INFO(13, 0, 2), 102, B, 101, 0, 0 },
		  7 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_record(fixture, &cases[i].type, cases[i].words, cases[i].word_count);
}

enum { FAR = 0x1000000 }; /* bits: 2 MiB */

/* A member that cannot be placed is left out; it never gets another place. */
static void members_out_of_reach_are_left_out(void **state)
{
	const struct fixture *fixture = *state;
	uint32_t a = name_of(fixture, "a");
	const struct {
		uint8_t kind;
		uint8_t flags;
		uint64_t members[3]; /* values */
		uint32_t words[11];
		uint32_t word_count;
		int64_t indices[4];
	} cases[] = {
		/* Without bit fields offsets have 32 bits. */
		{ TYPE_STRUCT,
		  0,
		  { member_value(0, 0), member_value(0xfffffff8, 0),
		    member_value(UINT64_C(1) << 32, 0) },
		  { A, INFO(4, 0, 2), 9, 0, 101, 0, 0, 101, 0xfffffff8 },
		  9,
		  { 0, 1, -1, 2 } },
		/* With bit fields 24: the form is taken that keeps more members. */
		{ TYPE_STRUCT,
		  TYPE_BITFIELDS,
		  { member_value(0, 3), member_value(FAR, 0), member_value(FAR + 64, 0) },
		  { A, INFO(4, 0, 2), 9, 0, 101, FAR, 0, 101, FAR + 64 },
		  9,
		  { -1, 0, 1, 2 } },
		{ TYPE_STRUCT,
		  TYPE_BITFIELDS,
		  { member_value(0, 3), member_value(3, 4), member_value(FAR, 0) },
		  { A, INFO(4, 1, 2), 9, 0, 101, 3 << 24, 0, 101, 4 << 24 | 3 },
		  9,
		  { 0, 1, -1, 2 } },
		{ TYPE_STRUCT,
		  TYPE_BITFIELDS,
		  { member_value(0, 3), member_value(FAR, 2), member_value(64, 0) },
		  { A, INFO(4, 1, 2), 9, 0, 101, 3 << 24, 0, 101, 64 },
		  9,
		  { 0, -1, 1, 2 } },
		/* A start within a byte without a width means nothing. */
		{ TYPE_STRUCT,
		  TYPE_BITFIELDS,
		  { member_value(0, 3), member_value(5, 0), member_value(8, 1) },
		  { A, INFO(4, 1, 2), 9, 0, 101, 3 << 24, 0, 101, 1 << 24 | 8 },
		  9,
		  { 0, -1, 1, 2 } },
		{ TYPE_UNION,
		  0,
		  { member_value(0, 0), member_value(8, 0), member_value(0, 0) },
		  { A, INFO(5, 0, 2), 9, 0, 101, 0, 0, 101, 0 },
		  9,
		  { 0, -1, 1, 2 } },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct model_item members[3];
		struct dedup_type type = {
			.type = { .kind = cases[i].kind,
				  .flags = cases[i].flags,
				  .name = a,
				  .size = 9,
				  .item_count = 3 },
			.items = members,
		};
		struct issue_log issues;

		for (int k = 0; k < 3; k++)
			members[k] = (struct model_item){ 0, 1, cases[i].members[k] };
		issues = assert_record(fixture, &type, cases[i].words, cases[i].word_count);
		assert_int_equal(issues.issues[ISSUE_MEMBER].count, 1);
		assert_int_equal(issues.issues[ISSUE_MEMBER].first_name, a);
		for (uint32_t k = 0; k < 4; k++)
			assert_int_equal(type_record_member_index(&type, k), cases[i].indices[k]);
	}
}

static void what_btf_forbids_is_changed(void **state)
{
	const struct fixture *fixture = *state;
	uint32_t a = name_of(fixture, "a");
	const struct model_item wide[] = { { a, 0, UINT64_C(0x500000001) } };
	const struct model_item low[] = { { a, 0, (uint64_t)INT32_MIN - 1 } };
	const struct {
		struct dedup_type type;
		uint32_t words[5];
		uint32_t word_count;
		enum issue_kind issue;
	} cases[] = {
		{ { .type = { .kind = TYPE_TYPEDEF, .type = 1 } },
		  { E, INFO(8, 0, 0), 101 },
		  3,
		  ISSUE_TYPE_UNNAMED },
		{ { .type = { .kind = TYPE_STRUCT_FORWARD } },
		  { E, INFO(7, 0, 0), 0 },
		  3,
		  ISSUE_TYPE_UNNAMED },
		{ { .type = { .kind = TYPE_FLOAT, .name = a, .size = 10 } },
		  { A, INFO(4, 0, 0), 10 },
		  3,
		  ISSUE_FLOAT_SIZE },
		{ { .type = { .kind = TYPE_ENUM, .name = a, .size = 3 } },
		  { A, INFO(6, 0, 0), 2 },
		  3,
		  ISSUE_ENUM_SIZE },
		{ { .type = { .kind = TYPE_ENUM, .name = a, .size = 16, .flags = TYPE_WIDE } },
		  { A, INFO(19, 0, 0), 8 },
		  3,
		  ISSUE_ENUM_SIZE },
		{ { .type = { .kind = TYPE_ENUM, .name = a, .size = 4, .item_count = 1 },
		    .items = wide },
		  { A, INFO(6, 0, 1), 4, A, 1 },
		  5,
		  ISSUE_ENUM_VALUE },
		{ { .type = { .kind = TYPE_ENUM, .name = a, .size = 4, .item_count = 1 },
		    .items = low },
		  { A, INFO(6, 0, 1), 4, A, 0x7fffffff },
		  5,
		  ISSUE_ENUM_VALUE },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct issue_log issues =
			assert_record(fixture, &cases[i].type, cases[i].words, cases[i].word_count);

		assert_int_equal(issues.issues[cases[i].issue].count, 1);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(each_kind_has_its_record, set_up, tear_down),
		cmocka_unit_test_setup_teardown(parts_follow_the_record, set_up, tear_down),
		cmocka_unit_test_setup_teardown(members_out_of_reach_are_left_out, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(what_btf_forbids_is_changed, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
