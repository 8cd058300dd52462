/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "base/byte_reader.h"

#define BYTES(string) (string), sizeof(string) - 1

/* Swaps when the data is big endian here, or little endian there. */
static bool swap_for(bool big)
{
	return big == (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__);
}

static void numbers_in_both_byte_orders(void **state)
{
	static const char bytes[] = "\xf1\xf2\xf3\xf4\xf5\xf6\xf7\xf8";
	static const struct {
		unsigned size;
		uint64_t little;
		uint64_t big;
	} cases[] = {
		{ 1, 0xf1, 0xf1 },
		{ 2, 0xf2f1, 0xf1f2 },
		{ 3, 0xf3f2f1, 0xf1f2f3 },
		{ 4, 0xf4f3f2f1, 0xf1f2f3f4 },
		{ 8, 0xf8f7f6f5f4f3f2f1, 0xf1f2f3f4f5f6f7f8 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		for (int big = 0; big < 2; big++) {
			struct byte_reader reader = byte_reader_over(bytes, 8, swap_for(big));

			assert_true(byte_reader_unsigned(&reader, cases[i].size) ==
				    (big ? cases[i].big : cases[i].little));
			assert_int_equal(reader.fault, READER_OK);
			assert_int_equal(byte_reader_left(&reader), 8 - cases[i].size);
		}
	}
}

static void a_number_that_is_cut_names_its_place(void **state)
{
	static const unsigned sizes[] = { 1, 2, 3, 4, 8 };

	(void)state;
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		for (unsigned there = 0; there < sizes[i]; there++) {
			struct byte_reader reader = byte_reader_over(
				"\x2a\x01\x02\x03\x04\x05\x06\x07", 1 + there, false);

			assert_int_equal(byte_reader_u8(&reader), 0x2a);
			(void)byte_reader_unsigned(&reader, sizes[i]);
			assert_int_equal(reader.fault, READER_TRUNCATED);
			assert_int_equal(reader.fault_offset, 1);
			assert_int_equal(byte_reader_left(&reader), 0);
		}
	}
}

/* DWARF 5, tables C.1 and C.2 have the first ones. */
static const struct {
	const char *bytes;
	size_t size;
	uint64_t as_unsigned;
	int64_t as_signed;
} leb128_cases[] = {
	{ BYTES("\x02"), 2, 2 },
	{ BYTES("\x7f"), 127, -1 },
	{ BYTES("\x80\x01"), 128, 128 },
	{ BYTES("\x81\x01"), 129, 129 },
	{ BYTES("\xb9\x64"), 12857, -3527 },
	{ BYTES("\x7e"), 126, -2 },
	{ BYTES("\xff\x00"), 127, 127 },
	{ BYTES("\x81\x7f"), 16257, -127 },
	{ BYTES("\x80\x7f"), 16256, -128 },
	{ BYTES("\xff\x7e"), 16255, -129 },
	{ BYTES("\x00"), 0, 0 },
	{ BYTES("\x3f"), 63, 63 },
	{ BYTES("\x40"), 64, -64 },
	{ BYTES("\x80\x80\x80\x00"), 0, 0 }, /* longer than needed, as assemblers pad */
	{ BYTES("\xff\xff\xff\x7f"), 0xfffffff, -1 },
	{ BYTES("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"), UINT64_MAX, -1 },
	{ BYTES("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x00"), INT64_MAX, INT64_MAX },
	{ BYTES("\x80\x80\x80\x80\x80\x80\x80\x80\x80\x7f"), UINT64_C(1) << 63, INT64_MIN },
	{ BYTES("\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x00"), 0, 0 },
	{ BYTES("\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x7f"), UINT64_MAX,
	  -1 },
};

static void leb128_numbers(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(leb128_cases) / sizeof(leb128_cases[0]); i++) {
		struct byte_reader first =
			byte_reader_over(leb128_cases[i].bytes, leb128_cases[i].size, false);
		struct byte_reader second = first;

		assert_true(byte_reader_uleb128(&first) == leb128_cases[i].as_unsigned);
		assert_true(byte_reader_sleb128(&second) == leb128_cases[i].as_signed);
		assert_int_equal(first.fault, READER_OK);
		assert_int_equal(second.fault, READER_OK);
		assert_int_equal(byte_reader_left(&first), 0);
		assert_int_equal(byte_reader_left(&second), 0);
	}
}

/* An error must name the byte where the number starts, not where the input ran out. */
static void every_prefix_of_a_leb128_number_is_truncated(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(leb128_cases) / sizeof(leb128_cases[0]); i++) {
		for (size_t size = 0; size < leb128_cases[i].size; size++) {
			char bytes[32] = "\x2a";
			struct byte_reader first, second;

			memcpy(bytes + 1, leb128_cases[i].bytes, size);
			first = byte_reader_over(bytes, 1 + size, false);
			byte_reader_u8(&first);
			second = first;
			assert_int_equal(byte_reader_uleb128(&first), 0);
			assert_int_equal(byte_reader_sleb128(&second), 0);
			assert_int_equal(first.fault, READER_TRUNCATED);
			assert_int_equal(second.fault, READER_TRUNCATED);
			assert_int_equal(first.fault_offset, 1);
			assert_int_equal(second.fault_offset, 1);
		}
	}
}

static void endless_leb128_numbers_are_a_fault(void **state)
{
	char bytes[40];
	struct byte_reader first, second;

	(void)state;
	memset(bytes, 0x80, sizeof(bytes));
	first = byte_reader_over(bytes, sizeof(bytes), false);
	second = first;
	assert_int_equal(byte_reader_uleb128(&first), 0);
	assert_int_equal(byte_reader_sleb128(&second), 0);
	assert_int_equal(first.fault, READER_LEB128_TOO_LONG);
	assert_int_equal(second.fault, READER_LEB128_TOO_LONG);
	assert_int_equal(first.fault_offset, 0);
	assert_int_equal(second.fault_offset, 0);
}

static void strings_end_inside(void **state)
{
	struct byte_reader reader = byte_reader_over("ab\0\0cd", 6, false);

	(void)state;
	assert_string_equal(byte_reader_string(&reader), "ab");
	assert_string_equal(byte_reader_string(&reader), "");
	assert_null(byte_reader_string(&reader));
	assert_int_equal(reader.fault, READER_TRUNCATED);
	assert_int_equal(reader.fault_offset, 4);
	reader = byte_reader_over("", 0, false);
	assert_null(byte_reader_string(&reader));
	assert_int_equal(reader.fault, READER_TRUNCATED);
}

static void sizes_that_wrap_are_truncated(void **state)
{
	static const uint64_t sizes[] = { 4, UINT32_MAX, UINT64_MAX, UINT64_MAX - 2 };

	(void)state;
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		struct byte_reader reader = byte_reader_over("abc", 3, false);

		assert_null(byte_reader_bytes(&reader, sizes[i]));
		assert_int_equal(reader.fault, READER_TRUNCATED);
	}
}

/* The first fault stays; whatever is read after it is 0 and moves nothing, so that loops end. */
static void faults_stick(void **state)
{
	struct byte_reader reader = byte_reader_over("\x01\x02\x03", 3, false);

	(void)state;
	assert_int_equal(byte_reader_u8(&reader), 1);
	assert_int_equal(byte_reader_u32(&reader), 0);
	assert_int_equal(reader.fault, READER_TRUNCATED);
	assert_int_equal(reader.fault_offset, 1);
	assert_int_equal(byte_reader_u8(&reader), 0);
	assert_int_equal(byte_reader_u16(&reader), 0);
	assert_int_equal(byte_reader_u64(&reader), 0);
	assert_int_equal(byte_reader_uleb128(&reader), 0);
	assert_int_equal(byte_reader_sleb128(&reader), 0);
	assert_null(byte_reader_string(&reader));
	assert_int_equal(reader.fault_offset, 1);
	assert_ptr_equal(reader.position, reader.end);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_in_both_byte_orders),
		cmocka_unit_test(a_number_that_is_cut_names_its_place),
		cmocka_unit_test(leb128_numbers),
		cmocka_unit_test(every_prefix_of_a_leb128_number_is_truncated),
		cmocka_unit_test(endless_leb128_numbers_are_a_fault),
		cmocka_unit_test(strings_end_inside),
		cmocka_unit_test(sizes_that_wrap_are_truncated),
		cmocka_unit_test(faults_stick),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
