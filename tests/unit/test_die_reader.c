/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "dwarf/constants.h"
#include "dwarf/die_reader.h"

/* Bytes of entries, with what the reader needs after them, and a reader over them. */
struct fixture {
	struct plan_pool plans;
	struct abbrev_table abbrevs;
	struct die_reader reader;
	uint8_t *bytes;
};

enum { READABLE = 16 };

static void set_up(struct fixture *fixture, const char *abbrevs, size_t abbrevs_size,
		   const void *entries, size_t size, const struct plan_context *context)
{
	uint64_t fault_offset;

	plan_pool_init(&fixture->plans);
	abbrev_table_init(&fixture->abbrevs, &fixture->plans);
	assert_int_equal(abbrev_table_compile(&fixture->abbrevs, (const uint8_t *)abbrevs,
					      abbrevs_size, 0, context, &fault_offset),
			 ABBREV_OK);
	fixture->bytes = malloc(size + READABLE);
	assert_non_null(fixture->bytes);
	memcpy(fixture->bytes, entries, size);
	memset(fixture->bytes + size, 0xaa, READABLE); /* looks like the start of anything */
	fixture->reader = (struct die_reader){
		.bytes = fixture->bytes,
		.end = fixture->bytes + size,
		.position = fixture->bytes,
		.abbrevs = &fixture->abbrevs,
		.context = *context,
	};
}

static void tear_down(struct fixture *fixture)
{
	free(fixture->bytes);
	abbrev_table_deinit(&fixture->abbrevs);
	plan_pool_deinit(&fixture->plans);
}

static const struct plan_context usual = { .version = 5, .address_size = 8, .offset_size = 4 };

/* One value: its bytes in either byte order, and what it means. */
struct value_case {
	uint16_t form;
	uint8_t address_size;
	uint8_t offset_size;
	uint8_t version;
	const char *little;
	const char *big;
	size_t size;
	enum die_value_class value_class;
	uint64_t number;
	uint32_t
		value_size; /* blocks and strings: number then counts from the value's first byte */
};

#define BYTES(little, big) little, big, sizeof(little) - 1

/* DWARF 5, 7.5.5 and 7.5.6 */
static const struct value_case value_cases[] = {
	{ 0x01, 8, 4, 5, BYTES("\1\2\3\4\5\6\7\10", "\10\7\6\5\4\3\2\1"), VALUE_ADDRESS,
	  0x0807060504030201, 0 },
	{ 0x01, 4, 4, 5, BYTES("\1\2\3\4", "\4\3\2\1"), VALUE_ADDRESS, 0x04030201, 0 },
	{ 0x01, 2, 4, 5, BYTES("\1\2", "\2\1"), VALUE_ADDRESS, 0x0201, 0 },
	{ 0x03, 8, 4, 5, BYTES("\2\0ab", "\0\2ab"), VALUE_BLOCK, 2, 2 },
	{ 0x04, 8, 4, 5, BYTES("\2\0\0\0ab", "\0\0\0\2ab"), VALUE_BLOCK, 4, 2 },
	{ 0x05, 8, 4, 5, BYTES("\xfe\xff", "\xff\xfe"), VALUE_UNSIGNED, 0xfffe, 0 },
	{ 0x06, 8, 4, 5, BYTES("\1\2\3\xf4", "\xf4\3\2\1"), VALUE_UNSIGNED, 0xf4030201, 0 },
	{ 0x07, 8, 4, 5, BYTES("\1\2\3\4\5\6\7\xf8", "\xf8\7\6\5\4\3\2\1"), VALUE_UNSIGNED,
	  0xf807060504030201, 0 },
	{ 0x08, 8, 4, 5, BYTES("abc\0", "abc\0"), VALUE_STRING, 0, 3 },
	{ 0x08, 8, 4, 5, BYTES("\0", "\0"), VALUE_STRING, 0, 0 },
	{ 0x09, 8, 4, 5, BYTES("\3abc", "\3abc"), VALUE_BLOCK, 1, 3 },
	{ 0x0a, 8, 4, 5, BYTES("\3abc", "\3abc"), VALUE_BLOCK, 1, 3 },
	{ 0x0b, 8, 4, 5, BYTES("\xff", "\xff"), VALUE_UNSIGNED, 0xff, 0 },
	{ 0x0c, 8, 4, 5, BYTES("\1", "\1"), VALUE_UNSIGNED, 1, 0 },
	{ 0x0d, 8, 4, 5, BYTES("\x7f", "\x7f"), VALUE_SIGNED, UINT64_MAX, 0 },
	{ 0x0d, 8, 4, 5, BYTES("\xff\0", "\xff\0"), VALUE_SIGNED, 127, 0 },
	{ 0x0e, 8, 4, 5, BYTES("\1\2\3\4", "\4\3\2\1"), VALUE_STRP, 0x04030201, 0 },
	{ 0x0e, 8, 8, 5, BYTES("\1\2\3\4\5\0\0\0", "\0\0\0\5\4\3\2\1"), VALUE_STRP, 0x0504030201,
	  0 },
	{ 0x0f, 8, 4, 5, BYTES("\xe5\x8e\x26", "\xe5\x8e\x26"), VALUE_UNSIGNED, 624485, 0 },
	{ 0x10, 8, 4, 5, BYTES("\1\2\3\4", "\4\3\2\1"), VALUE_REFERENCE_ADDRESS, 0x04030201, 0 },
	{ 0x10, 8, 4, 2, BYTES("\1\2\3\4\5\0\0\0", "\0\0\0\5\4\3\2\1"), VALUE_REFERENCE_ADDRESS,
	  0x0504030201, 0 },
	{ 0x11, 8, 4, 5, BYTES("\xf1", "\xf1"), VALUE_REFERENCE, 0xf1, 0 },
	{ 0x12, 8, 4, 5, BYTES("\1\xf2", "\xf2\1"), VALUE_REFERENCE, 0xf201, 0 },
	{ 0x13, 8, 4, 5, BYTES("\1\2\3\xf4", "\xf4\3\2\1"), VALUE_REFERENCE, 0xf4030201, 0 },
	{ 0x14, 8, 4, 5, BYTES("\1\2\3\4\5\6\7\10", "\10\7\6\5\4\3\2\1"), VALUE_REFERENCE,
	  0x0807060504030201, 0 },
	{ 0x15, 8, 4, 5, BYTES("\x80\1", "\x80\1"), VALUE_REFERENCE, 128, 0 },
	{ 0x17, 8, 4, 5, BYTES("\1\2\3\4", "\4\3\2\1"), VALUE_SECTION_OFFSET, 0x04030201, 0 },
	{ 0x17, 8, 8, 5, BYTES("\1\2\3\4\5\0\0\0", "\0\0\0\5\4\3\2\1"), VALUE_SECTION_OFFSET,
	  0x0504030201, 0 },
	{ 0x18, 8, 4, 5, BYTES("\2\x91\0", "\2\x91\0"), VALUE_BLOCK, 1, 2 },
	{ 0x18, 8, 4, 5, BYTES("\0", "\0"), VALUE_BLOCK, 1, 0 },
	{ 0x18, 8, 4, 5, BYTES("\x82\0\x91\0", "\x82\0\x91\0"), VALUE_BLOCK, 2, 2 },
	{ 0x19, 8, 4, 5, BYTES("", ""), VALUE_UNSIGNED, 1, 0 },
	{ 0x1a, 8, 4, 5, BYTES("\x80\1", "\x80\1"), VALUE_STRING_INDEX, 128, 0 },
	{ 0x1b, 8, 4, 5, BYTES("\x80\1", "\x80\1"), VALUE_ADDRESS_INDEX, 128, 0 },
	{ 0x1c, 8, 4, 5, BYTES("\1\2\3\4", "\4\3\2\1"), VALUE_REFERENCE_ALT, 0x04030201, 0 },
	{ 0x1d, 8, 4, 5, BYTES("\1\2\3\4", "\4\3\2\1"), VALUE_STRP_ALT, 0x04030201, 0 },
	{ 0x1e, 8, 4, 5, BYTES("0123456789abcdef", "0123456789abcdef"), VALUE_BLOCK, 0, 16 },
	{ 0x1f, 8, 4, 5, BYTES("\1\2\3\4", "\4\3\2\1"), VALUE_LINE_STRP, 0x04030201, 0 },
	{ 0x20, 8, 4, 5, BYTES("\1\2\3\4\5\6\7\10", "\10\7\6\5\4\3\2\1"), VALUE_REFERENCE_SIGNATURE,
	  0x0807060504030201, 0 },
	{ 0x22, 8, 4, 5, BYTES("\x80\1", "\x80\1"), VALUE_LIST_INDEX, 128, 0 },
	{ 0x23, 8, 4, 5, BYTES("\x80\1", "\x80\1"), VALUE_LIST_INDEX, 128, 0 },
	{ 0x24, 8, 4, 5, BYTES("\1\2\3\4\5\6\7\10", "\10\7\6\5\4\3\2\1"), VALUE_REFERENCE_ALT,
	  0x0807060504030201, 0 },
	{ 0x25, 8, 4, 5, BYTES("\xf1", "\xf1"), VALUE_STRING_INDEX, 0xf1, 0 },
	{ 0x26, 8, 4, 5, BYTES("\1\2", "\2\1"), VALUE_STRING_INDEX, 0x0201, 0 },
	{ 0x27, 8, 4, 5, BYTES("\1\2\3", "\3\2\1"), VALUE_STRING_INDEX, 0x030201, 0 },
	{ 0x28, 8, 4, 5, BYTES("\1\2\3\4", "\4\3\2\1"), VALUE_STRING_INDEX, 0x04030201, 0 },
	{ 0x29, 8, 4, 5, BYTES("\xf1", "\xf1"), VALUE_ADDRESS_INDEX, 0xf1, 0 },
	{ 0x2a, 8, 4, 5, BYTES("\1\2", "\2\1"), VALUE_ADDRESS_INDEX, 0x0201, 0 },
	{ 0x2b, 8, 4, 5, BYTES("\1\2\3", "\3\2\1"), VALUE_ADDRESS_INDEX, 0x030201, 0 },
	{ 0x2c, 8, 4, 5, BYTES("\1\2\3\4", "\4\3\2\1"), VALUE_ADDRESS_INDEX, 0x04030201, 0 },
	{ 0x1f01, 8, 4, 4, BYTES("\x80\1", "\x80\1"), VALUE_ADDRESS_INDEX, 128, 0 },
	{ 0x1f02, 8, 4, 4, BYTES("\x80\1", "\x80\1"), VALUE_STRING_INDEX, 128, 0 },
	{ 0x1f20, 8, 4, 4, BYTES("\1\2\3\4", "\4\3\2\1"), VALUE_REFERENCE_ALT, 0x04030201, 0 },
	{ 0x1f21, 8, 4, 4, BYTES("\1\2\3\4", "\4\3\2\1"), VALUE_STRP_ALT, 0x04030201, 0 },
};
enum { VALUE_CASES = sizeof(value_cases) / sizeof(value_cases[0]) };

/* An abbreviation of a variable: unknown data2, const_value in a form, upper_bound data1. */
static size_t value_abbrev(char *abbrev, unsigned form)
{
	static const char start[] = "\x01\x34\x00\x41\x05\x1c";
	size_t size = sizeof(start) - 1;

	memcpy(abbrev, start, size);
	for (; form >= 0x80; form >>= 7)
		abbrev[size++] = (char)((form & 0x7f) | 0x80);
	abbrev[size++] = (char)form;
	memcpy(abbrev + size, "\x2f\x0b\x00\x00", 5); /* and the table's end */
	return size + 5;
}

/* The entry's bytes: code, two of the unknown attribute, the value, 0x5a, then `padding` zeros. */
static size_t value_entry(uint8_t *entry, const char *prefix, size_t prefix_size,
			  const struct value_case *test, bool big)
{
	size_t size = 0;

	memcpy(entry, "\x01\xee\xee", 3);
	size = 3;
	memcpy(entry + size, prefix, prefix_size);
	size += prefix_size;
	memcpy(entry + size, big ? test->big : test->little, test->size);
	size += test->size;
	entry[size++] = 0x5a;
	return size;
}

static struct plan_context context_of(const struct value_case *test, bool big)
{
	return (struct plan_context){
		.version = test->version,
		.address_size = test->address_size,
		.offset_size = test->offset_size,
		.swap = big == (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__),
	};
}

typedef void (*read_values_fn)(struct die_reader *reader, const struct die_plan *plan,
			       struct die_values *values);

static void check_value_by(read_values_fn read, struct fixture *fixture,
			   const struct value_case *test, size_t entry_size, size_t value_at)
{
	struct die_values values;
	const struct die_value *value = &values.values[ATTR_CONST_VALUE];
	const struct die_plan *plan;

	fixture->reader.position = fixture->bytes;
	plan = die_reader_next(&fixture->reader);
	assert_non_null(plan);
	assert_int_equal(fixture->reader.position - fixture->bytes, 1);
	read(&fixture->reader, plan, &values);
	assert_int_equal(fixture->reader.fault, DIE_OK);
	assert_int_equal(fixture->reader.position - fixture->bytes, entry_size);
	assert_int_equal(values.present, ATTR_BIT(ATTR_CONST_VALUE) | ATTR_BIT(ATTR_UPPER_BOUND));
	assert_int_equal(value->value_class, test->value_class);
	if (test->value_class == VALUE_BLOCK || test->value_class == VALUE_STRING) {
		assert_int_equal(value->number, value_at + test->number);
		assert_int_equal(value->size, test->value_size);
	} else {
		assert_true(value->number == test->number);
	}
	assert_int_equal(values.values[ATTR_UPPER_BOUND].number, 0x5a);
	/* And over it, without a look at the values. */
	fixture->reader.position = fixture->bytes + 1;
	die_reader_skip(&fixture->reader, plan);
	assert_int_equal(fixture->reader.fault, DIE_OK);
	assert_int_equal(fixture->reader.position - fixture->bytes, entry_size);
}

static void check_value(struct fixture *fixture, const struct value_case *test, size_t entry_size,
			size_t value_at)
{
	check_value_by(die_reader_values, fixture, test, entry_size, value_at);
	check_value_by(die_reader_details, fixture, test, entry_size, value_at);
}

/*
 * Far from the unit's end commonest forms are read a quick way that near the end steps aside: with no byte
 * to spare up to more than any value has.
 */
static void values_of_every_form(void **state)
{
	(void)state;
	for (size_t i = 0; i < 2 * VALUE_CASES; i++) {
		const struct value_case *test = &value_cases[i / 2];
		bool big = i % 2 != 0;
		struct plan_context context = context_of(test, big);
		char abbrev[32];
		size_t abbrev_size = value_abbrev(abbrev, test->form);

		for (size_t padding = 0; padding < 12; padding++) {
			uint8_t entry[64] = { 0 };
			size_t size = value_entry(entry, "", 0, test, big);
			struct fixture fixture;

			set_up(&fixture, abbrev, abbrev_size, entry, size + padding, &context);
			check_value(&fixture, test, size, 3);
			tear_down(&fixture);
		}
	}
}

/* DW_FORM_indirect: the form is in the data. */
static void indirect_values_of_every_form(void **state)
{
	(void)state;
	for (size_t i = 0; i < 2 * VALUE_CASES; i++) {
		const struct value_case *test = &value_cases[i / 2];
		bool big = i % 2 != 0;
		struct plan_context context = context_of(test, big);
		char abbrev[32], form[2] = { (char)test->form };
		size_t abbrev_size = value_abbrev(abbrev, DW_FORM_indirect);
		size_t form_size = 1;
		uint8_t entry[64] = { 0 };
		struct fixture fixture;
		size_t size;

		if (test->form >= 0x80) {
			form[0] = (char)((test->form & 0x7f) | 0x80);
			form[1] = (char)(test->form >> 7);
			form_size = 2;
		}
		size = value_entry(entry, form, form_size, test, big);
		set_up(&fixture, abbrev, abbrev_size, entry, size, &context);
		check_value(&fixture, test, size, 3 + form_size);
		tear_down(&fixture);
	}
}

/* A unit that ends inside a value is noticed at that value, whichever way it is read. */
static void values_cut_anywhere(void **state)
{
	(void)state;
	for (size_t i = 0; i < 2 * VALUE_CASES; i++) {
		const struct value_case *test = &value_cases[i / 2];
		bool big = i % 2 != 0;
		struct plan_context context = context_of(test, big);
		char abbrev[32];
		size_t abbrev_size = value_abbrev(abbrev, test->form);
		uint8_t entry[64] = { 0 };
		size_t size = value_entry(entry, "", 0, test, big);

		for (size_t cut = 1; cut < size; cut++) {
			struct fixture fixture;
			struct die_values values;
			const struct die_plan *plan;

			set_up(&fixture, abbrev, abbrev_size, entry, cut, &context);
			plan = die_reader_next(&fixture.reader);
			assert_non_null(plan);
			die_reader_values(&fixture.reader, plan, &values);
			assert_int_equal(fixture.reader.fault, DIE_TRUNCATED);
			assert_true(fixture.reader.fault_offset >= 1);
			assert_true(fixture.reader.fault_offset <= cut);
			assert_ptr_equal(fixture.reader.position, fixture.reader.end);
			fixture.reader.fault = DIE_OK;
			fixture.reader.position = fixture.bytes + 1;
			die_reader_skip(&fixture.reader, plan);
			assert_int_equal(fixture.reader.fault, DIE_TRUNCATED);
			assert_ptr_equal(fixture.reader.position, fixture.reader.end);
			tear_down(&fixture);
		}
	}
}

static void indirect_forms_that_are_none(void **state)
{
	static const struct {
		const char *bytes;
		size_t size;
		size_t fault_offset;
	} cases[] = {
		{ "\x01\xee\xee\x16\x0b\x01\x5a\0\0\0", 10, 3 }, /* indirect again */
		{ "\x01\xee\xee\x80\x80\x04\x5a\0\0\0", 10, 3 }, /* above 16 bits */
		{ "\x01\xee\xee\x7f\x5a\0\0\0\0\0", 10, 4 },     /* unknown */
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char abbrev[32];
		size_t abbrev_size = value_abbrev(abbrev, DW_FORM_indirect);
		struct fixture fixture;
		struct die_values values;
		const struct die_plan *plan;

		set_up(&fixture, abbrev, abbrev_size, cases[i].bytes, cases[i].size, &usual);
		plan = die_reader_next(&fixture.reader);
		die_reader_values(&fixture.reader, plan, &values);
		assert_int_equal(fixture.reader.fault, DIE_BAD_FORM);
		assert_int_equal(fixture.reader.fault_offset, cases[i].fault_offset);
		assert_ptr_equal(fixture.reader.position, fixture.reader.end);
		tear_down(&fixture);
	}
}

/* DWARF 5, 7.5.3: the number follows the form. */
static void an_indirect_constant_is_in_the_data(void **state)
{
	char abbrev[32];
	size_t abbrev_size = value_abbrev(abbrev, DW_FORM_indirect);
	struct fixture fixture;
	struct die_values values;

	(void)state;
	set_up(&fixture, abbrev, abbrev_size, "\x01\xee\xee\x21\x7e\x5a", 6, &usual);
	die_reader_values(&fixture.reader, die_reader_next(&fixture.reader), &values);
	assert_int_equal(fixture.reader.fault, DIE_OK);
	assert_true((int64_t)values.values[ATTR_CONST_VALUE].number == -2);
	assert_int_equal(values.values[ATTR_UPPER_BOUND].number, 0x5a);
	tear_down(&fixture);
}

/* Codes are LEB128 numbers of any length; the commonest have one or two bytes. */
static void codes_of_every_length(void **state)
{
	/* 1: pointer; 128: const; 16384: volatile; 65536: restrict; 1 << 40: typedef */
	static const char abbrevs[] = "\x01\x0f\x00\x00\x00"
				      "\x80\x01\x26\x00\x00\x00"
				      "\x80\x80\x01\x35\x00\x00\x00"
				      "\x80\x80\x04\x37\x00\x00\x00"
				      "\x80\x80\x80\x80\x80\x20\x16\x00\x00\x00";
	static const struct {
		const char *bytes;
		size_t size;
		unsigned tag; /* 0: NULL */
		enum die_fault fault;
	} cases[] = {
		{ "\x01", 1, 0x0f, DIE_OK },
		{ "\x81\x00", 2, 0x0f, DIE_OK },
		{ "\x81\x80\x80\x80\x00", 5, 0x0f, DIE_OK },
		{ "\x80\x01", 2, 0x26, DIE_OK },
		{ "\x80\x81\x00", 3, 0x26, DIE_OK },
		{ "\x80\x80\x01", 3, 0x35, DIE_OK },
		{ "\x80\x80\x04", 3, 0x37, DIE_OK },
		{ "\x80\x80\x80\x80\x80\x20", 6, 0x16, DIE_OK },
		{ "\x00", 1, 0, DIE_OK },
		{ "\x80\x00", 2, 0, DIE_OK },
		{ "\x80\x80\x00", 3, 0, DIE_OK },
		{ "\x02", 1, 0, DIE_BAD_ABBREV },
		{ "\x82\x00", 2, 0, DIE_BAD_ABBREV },
		{ "\xff\x7f", 2, 0, DIE_BAD_ABBREV },
		{ "\x81\x80\x01", 3, 0, DIE_BAD_ABBREV },
		{ "\xff\xff\xff\xff\x0f", 5, 0, DIE_BAD_ABBREV }, /* UINT32_MAX */
		{ "\x81\x80\x80\x80\x10", 5, 0, DIE_BAD_ABBREV }, /* 1 in the low 32 bits */
		{ "\x80", 1, 0, DIE_TRUNCATED },
		{ "\x80\x80", 2, 0, DIE_TRUNCATED },
		{ "\x80\x80\x80\x80\x80", 5, 0, DIE_TRUNCATED },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		/* What lies behind the unit must not complete its last number. */
		static const uint8_t behind[] = { 0xaa, 0x00, 0x01 };

		for (size_t k = 0; k < sizeof(behind); k++) {
			struct fixture fixture;
			const struct die_plan *plan;

			set_up(&fixture, abbrevs, sizeof(abbrevs), cases[i].bytes, cases[i].size,
			       &usual);
			fixture.bytes[cases[i].size] = behind[k];
			plan = die_reader_next(&fixture.reader);
			assert_int_equal(plan ? plan->tag : 0, cases[i].tag);
			assert_int_equal(fixture.reader.fault, cases[i].fault);
			assert_int_equal(fixture.reader.fault_offset, 0);
			assert_ptr_equal(fixture.reader.position, fixture.reader.end);
			assert_int_equal(fixture.reader.die_count, cases[i].tag != 0);
			tear_down(&fixture);
		}
	}
}

/* At the end of the unit lists end, as often as one asks. */
static void missing_null_entries(void **state)
{
	struct fixture fixture;

	(void)state;
	set_up(&fixture, "\x01\x0f\x00\x00\x00", 6, "\x01", 1, &usual);
	assert_non_null(die_reader_next(&fixture.reader));
	for (int i = 0; i < 3; i++)
		assert_null(die_reader_next(&fixture.reader));
	assert_int_equal(fixture.reader.fault, DIE_OK);
	assert_ptr_equal(fixture.reader.position, fixture.reader.end);
	tear_down(&fixture);
}

/* 1: struct with children; 2: with children, sibling ref4; 3: member data1; 4: with children, udata, sibling ref4 */
static const char tree_abbrevs[] = "\x01\x13\x01\x0b\x0b\x00\x00"
				   "\x02\x13\x01\x0b\x0b\x01\x13\x00\x00"
				   "\x03\x0d\x00\x38\x0b\x00\x00"
				   "\x04\x13\x01\x41\x0f\x01\x13\x00\x00";

/* Stepping over an entry and all below it, with and without the short cut. */
static void trees_are_stepped_over(void **state)
{
	static const struct {
		const char *bytes;
		size_t size;
		size_t end; /* where the next entry is */
		enum die_fault fault;
	} cases[] = {
		{ "\x03\x07\x55", 3, 2, DIE_OK },
		{ "\x01\x08\x00\x55", 4, 3, DIE_OK },
		{ "\x01\x08\x03\x00\x03\x00\x00\x55", 8, 7, DIE_OK },
		{ "\x01\x08\x01\x08\x01\x08\x00\x00\x00\x55", 10, 9, DIE_OK },
		/* sibling at 9: what is between is not looked at */
		{ "\x02\x08\x09\x00\x00\x00\xff\xff\xff\x55", 10, 9, DIE_OK },
		/* inside a tree without one */
		{ "\x01\x08\x02\x08\x0b\x00\x00\x00\xff\xff\xff\x00\x55", 13, 12, DIE_OK },
		/* in a layout that is not fixed it is not used */
		{ "\x04\x80\x01\x0a\x00\x00\x00\x03\x01\x00\x55", 11, 10, DIE_OK },
		/* to the unit's end, and of an entry whose list is empty */
		{ "\x02\x08\x07\x00\x00\x00\x00", 7, 7, DIE_OK },
		/* into itself, back, beyond the unit */
		{ "\x02\x08\x05\x00\x00\x00\x00\x55", 8, 0, DIE_BAD_SIBLING },
		{ "\x02\x08\x00\x00\x00\x00\x00\x55", 8, 0, DIE_BAD_SIBLING },
		{ "\x02\x08\x09\x00\x00\x00\x00\x55", 8, 0, DIE_BAD_SIBLING },
		{ "\x02\x08\xff\xff\xff\xff\x00\x55", 8, 0, DIE_BAD_SIBLING },
		/* lists end with the unit */
		{ "\x01\x08", 2, 2, DIE_OK },
		{ "\x01\x08\x01\x08\x03\x01", 6, 6, DIE_OK },
		/* damage below */
		{ "\x01\x08\x03", 3, 0, DIE_TRUNCATED },
		{ "\x01\x08\x7f\x00", 4, 0, DIE_BAD_ABBREV },
		{ "\x02\x08\x07\x00\x00", 5, 0, DIE_TRUNCATED },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct fixture fixture;
		const struct die_plan *plan;

		set_up(&fixture, tree_abbrevs, sizeof(tree_abbrevs), cases[i].bytes, cases[i].size,
		       &usual);
		plan = die_reader_next(&fixture.reader);
		assert_non_null(plan);
		die_reader_skip_tree(&fixture.reader, plan);
		if (fixture.reader.fault != cases[i].fault)
			fail_msg("case %zu: %s", i, die_fault_text(fixture.reader.fault));
		if (cases[i].fault == DIE_OK)
			assert_int_equal(fixture.reader.position - fixture.bytes, cases[i].end);
		else
			assert_ptr_equal(fixture.reader.position, fixture.reader.end);
		tear_down(&fixture);
	}
}

/* Stepping over needs no stack, so that depth does not matter. */
static void deep_trees_are_stepped_over(void **state)
{
	enum { DEPTH = 100000 };
	char *bytes = malloc(3 * DEPTH + 1);
	struct fixture fixture;

	(void)state;
	assert_non_null(bytes);
	for (size_t i = 0; i < DEPTH; i++)
		memcpy(bytes + 2 * i, "\x01\x08", 2);
	memset(bytes + 2 * (size_t)DEPTH, 0, DEPTH);
	bytes[3 * DEPTH] = 0x55;
	set_up(&fixture, tree_abbrevs, sizeof(tree_abbrevs), bytes, 3 * DEPTH + 1, &usual);
	die_reader_skip_tree(&fixture.reader, die_reader_next(&fixture.reader));
	assert_int_equal(fixture.reader.fault, DIE_OK);
	assert_int_equal(fixture.reader.position - fixture.bytes, 3 * DEPTH);
	assert_int_equal(fixture.reader.die_count, DEPTH);
	tear_down(&fixture);
	free(bytes);
}

static void siblings_of_either_byte_order(void **state)
{
	static const struct plan_context swapped = {
		.version = 5, .address_size = 8, .offset_size = 4, .swap = true
	};
	struct fixture fixture;

	(void)state;
	set_up(&fixture, tree_abbrevs, sizeof(tree_abbrevs),
	       "\x02\x08\x00\x00\x00\x09\xff\xff\xff\x55", 10, &swapped);
	die_reader_skip_tree(&fixture.reader, die_reader_next(&fixture.reader));
	assert_int_equal(fixture.reader.position - fixture.bytes, 9);
	tear_down(&fixture);
}

/* Fixed fields: the same value in one, two and four bytes, in both byte orders. */
static void fixed_fields_are_masked_loads(void **state)
{
	/* enumerator: const_value data1, data2, data4 */
	static const struct {
		const char *abbrev;
		const char *little;
		const char *big;
		size_t size;
		uint32_t value;
	} cases[] = {
		{ "\x01\x28\x00\x1c\x0b\x00\x00", BYTES("\x01\xf1", "\x01\xf1"), 0xf1 },
		{ "\x01\x28\x00\x1c\x05\x00\x00", BYTES("\x01\xf1\xf2", "\x01\xf2\xf1"), 0xf2f1 },
		{ "\x01\x28\x00\x1c\x06\x00\x00",
		  BYTES("\x01\xf1\xf2\xf3\xf4", "\x01\xf4\xf3\xf2\xf1"), 0xf4f3f2f1 },
	};

	(void)state;
	for (size_t i = 0; i < 2 * sizeof(cases) / sizeof(cases[0]); i++) {
		bool big = i % 2 != 0;
		struct plan_context context = usual;
		const struct die_plan *plan;
		struct fixture fixture;
		const uint8_t *base;

		context.swap = big == (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__);
		set_up(&fixture, cases[i / 2].abbrev, 8,
		       big ? cases[i / 2].big : cases[i / 2].little, cases[i / 2].size, &context);
		plan = die_reader_next(&fixture.reader);
		base = die_reader_fixed(&fixture.reader, plan);
		assert_non_null(base);
		assert_int_equal(plan_field_load(&plan->value, base, context.swap),
				 cases[i / 2].value);
		assert_ptr_equal(fixture.reader.position, fixture.reader.end);
		tear_down(&fixture);
	}
}

static void a_name_in_place_needs_its_end(void **state)
{
	/* pointer: name string, byte_size data1 */
	static const char abbrevs[] = "\x01\x0f\x00\x03\x08\x0b\x0b\x00\x00";
	static const struct {
		const char *bytes;
		size_t size;
		bool is_good;
	} cases[] = {
		{ "\x01"
		  "ab\0\x08",
		  5, true },
		{ "\x01"
		  "ab\0",
		  4, false },
		{ "\x01"
		  "ab",
		  3, false },
		{ "\x01", 1, false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct fixture fixture;
		const struct die_plan *plan;
		const uint8_t *base;

		set_up(&fixture, abbrevs, sizeof(abbrevs), cases[i].bytes, cases[i].size, &usual);
		plan = die_reader_next(&fixture.reader);
		base = die_reader_fixed(&fixture.reader, plan);
		assert_int_equal(base != NULL, cases[i].is_good);
		assert_int_equal(fixture.reader.fault, cases[i].is_good ? DIE_OK : DIE_TRUNCATED);
		if (base != NULL)
			assert_int_equal(*base, 8);
		tear_down(&fixture);
	}
}

/* The first fault is the one that is reported. */
static void faults_stick(void **state)
{
	struct fixture fixture;

	(void)state;
	set_up(&fixture, "\x01\x0f\x00\x00\x00", 6, "\x01\x02\x01", 3, &usual);
	assert_non_null(die_reader_next(&fixture.reader));
	assert_null(die_reader_next(&fixture.reader));
	assert_int_equal(fixture.reader.fault, DIE_BAD_ABBREV);
	assert_int_equal(fixture.reader.fault_offset, 1);
	die_reader_fail(&fixture.reader, DIE_TOO_DEEP, fixture.bytes + 2);
	assert_int_equal(fixture.reader.fault, DIE_BAD_ABBREV);
	assert_int_equal(fixture.reader.fault_offset, 1);
	assert_null(die_reader_next(&fixture.reader));
	tear_down(&fixture);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values_of_every_form),
		cmocka_unit_test(indirect_values_of_every_form),
		cmocka_unit_test(values_cut_anywhere),
		cmocka_unit_test(indirect_forms_that_are_none),
		cmocka_unit_test(an_indirect_constant_is_in_the_data),
		cmocka_unit_test(codes_of_every_length),
		cmocka_unit_test(missing_null_entries),
		cmocka_unit_test(trees_are_stepped_over),
		cmocka_unit_test(deep_trees_are_stepped_over),
		cmocka_unit_test(siblings_of_either_byte_order),
		cmocka_unit_test(fixed_fields_are_masked_loads),
		cmocka_unit_test(a_name_in_place_needs_its_end),
		cmocka_unit_test(faults_stick),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
