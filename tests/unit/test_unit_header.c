/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "dwarf/constants.h"
#include "dwarf/unit_header.h"

#define BYTES(string) (string), sizeof(string) - 1

/* DWARF 5, 7.5.1; DWARF 4, 7.5.1. The lengths count one byte of entries more than the header. */
static const struct header_case {
	const char *bytes;
	size_t header_size;
	bool is_big;
	bool is_types; /* .debug_types */
	struct unit_header header;
} header_cases[] = {
	{ BYTES("\x08\0\0\0\x02\0\x11\x22\0\0\x04"),
	  false,
	  false,
	  { .version = 2,
	    .unit_type = DW_UT_compile,
	    .address_size = 4,
	    .offset_size = 4,
	    .abbrev_offset = 0x2211,
	    .size = 12 } },
	{ BYTES("\x08\0\0\0\x03\0\x11\x22\0\0\x02"),
	  false,
	  false,
	  { .version = 3,
	    .unit_type = DW_UT_compile,
	    .address_size = 2,
	    .offset_size = 4,
	    .abbrev_offset = 0x2211,
	    .size = 12 } },
	{ BYTES("\x08\0\0\0\x04\0\x11\x22\0\0\x08"),
	  false,
	  false,
	  { .version = 4,
	    .unit_type = DW_UT_compile,
	    .address_size = 8,
	    .offset_size = 4,
	    .abbrev_offset = 0x2211,
	    .size = 12 } },
	{ BYTES("\0\0\0\x08\0\x04\0\0\x22\x11\x08"),
	  true,
	  false,
	  { .version = 4,
	    .unit_type = DW_UT_compile,
	    .address_size = 8,
	    .offset_size = 4,
	    .abbrev_offset = 0x2211,
	    .size = 12 } },
	{ BYTES("\xff\xff\xff\xff\x0c\0\0\0\0\0\0\0\x04\0\x11\x22\0\0\0\0\0\0\x08"),
	  false,
	  false,
	  { .version = 4,
	    .unit_type = DW_UT_compile,
	    .address_size = 8,
	    .offset_size = 8,
	    .abbrev_offset = 0x2211,
	    .size = 24 } },
	{ BYTES("\x14\0\0\0\x04\0\x11\x22\0\0\x08\1\2\3\4\5\6\7\x08\x17\0\0\0"),
	  false,
	  true,
	  { .version = 4,
	    .unit_type = DW_UT_type,
	    .address_size = 8,
	    .offset_size = 4,
	    .abbrev_offset = 0x2211,
	    .size = 24,
	    .signature = 0x0807060504030201,
	    .type_offset = 0x17 } },
	{ BYTES("\x09\0\0\0\x05\0\x01\x08\x11\x22\0\0"),
	  false,
	  false,
	  { .version = 5,
	    .unit_type = DW_UT_compile,
	    .address_size = 8,
	    .offset_size = 4,
	    .abbrev_offset = 0x2211,
	    .size = 13 } },
	{ BYTES("\x09\0\0\0\x05\0\x03\x04\x11\x22\0\0"),
	  false,
	  false,
	  { .version = 5,
	    .unit_type = DW_UT_partial,
	    .address_size = 4,
	    .offset_size = 4,
	    .abbrev_offset = 0x2211,
	    .size = 13 } },
	{ BYTES("\0\0\0\x09\0\x05\x01\x08\0\0\x22\x11"),
	  true,
	  false,
	  { .version = 5,
	    .unit_type = DW_UT_compile,
	    .address_size = 8,
	    .offset_size = 4,
	    .abbrev_offset = 0x2211,
	    .size = 13 } },
	{ BYTES("\x15\0\0\0\x05\0\x02\x08\x11\x22\0\0\1\2\3\4\5\6\7\x08\x18\0\0\0"),
	  false,
	  false,
	  { .version = 5,
	    .unit_type = DW_UT_type,
	    .address_size = 8,
	    .offset_size = 4,
	    .abbrev_offset = 0x2211,
	    .size = 25,
	    .signature = 0x0807060504030201,
	    .type_offset = 0x18 } },
	{ BYTES("\x15\0\0\0\x05\0\x06\x08\x11\x22\0\0\1\2\3\4\5\6\7\x08\x18\0\0\0"),
	  false,
	  false,
	  { .version = 5,
	    .unit_type = DW_UT_split_type,
	    .address_size = 8,
	    .offset_size = 4,
	    .abbrev_offset = 0x2211,
	    .size = 25,
	    .signature = 0x0807060504030201,
	    .type_offset = 0x18 } },
	{ BYTES("\x11\0\0\0\x05\0\x04\x08\x11\x22\0\0\1\2\3\4\5\6\7\x08"),
	  false,
	  false,
	  { .version = 5,
	    .unit_type = DW_UT_skeleton,
	    .address_size = 8,
	    .offset_size = 4,
	    .abbrev_offset = 0x2211,
	    .size = 21,
	    .signature = 0x0807060504030201 } },
	{ BYTES("\x11\0\0\0\x05\0\x05\x08\x11\x22\0\0\1\2\3\4\5\6\7\x08"),
	  false,
	  false,
	  { .version = 5,
	    .unit_type = DW_UT_split_compile,
	    .address_size = 8,
	    .offset_size = 4,
	    .abbrev_offset = 0x2211,
	    .size = 21,
	    .signature = 0x0807060504030201 } },
	/* the longest there is */
	{ BYTES("\xff\xff\xff\xff\x1d\0\0\0\0\0\0\0\x05\0\x02\x08\x11\x22\0\0\0\0\0\0"
		"\1\2\3\4\5\6\7\x08\x28\0\0\0\0\0\0\0"),
	  false,
	  false,
	  { .version = 5,
	    .unit_type = DW_UT_type,
	    .address_size = 8,
	    .offset_size = 8,
	    .abbrev_offset = 0x2211,
	    .size = 41,
	    .signature = 0x0807060504030201,
	    .type_offset = 0x28 } },
};
enum { HEADER_CASES = sizeof(header_cases) / sizeof(header_cases[0]) };

static bool swap_for(bool big)
{
	return big == (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__);
}

/* Reads from an exact copy of what a caller has to give. */
static enum unit_header_status read_at(const struct header_case *test, uint64_t offset,
				       uint64_t section_size, struct unit_header *header)
{
	uint64_t left = section_size - offset;
	size_t count = left < UNIT_HEADER_MAX_BYTES ? (size_t)left : UNIT_HEADER_MAX_BYTES;
	uint8_t *copy = calloc(1, count ? count : 1);
	enum unit_header_status status;

	assert_non_null(copy);
	memcpy(copy, test->bytes, count < test->header_size ? count : test->header_size);
	status = unit_header_read(copy, offset, section_size, swap_for(test->is_big),
				  test->is_types, header);
	free(copy);
	return status;
}

static void headers_of_all_versions_and_kinds(void **state)
{
	(void)state;
	for (size_t i = 0; i < HEADER_CASES; i++) {
		const struct unit_header *expected = &header_cases[i].header;
		struct unit_header header;

		assert_int_equal(read_at(&header_cases[i], 100, 100 + expected->size, &header),
				 UNIT_HEADER_OK);
		assert_int_equal(header.offset, 100);
		assert_int_equal(header.size, expected->size);
		assert_int_equal(header.header_size, header_cases[i].header_size);
		assert_int_equal(header.version, expected->version);
		assert_int_equal(header.unit_type, expected->unit_type);
		assert_int_equal(header.address_size, expected->address_size);
		assert_int_equal(header.offset_size, expected->offset_size);
		assert_int_equal(header.abbrev_offset, expected->abbrev_offset);
		assert_true(header.signature == expected->signature);
		assert_int_equal(header.type_offset, expected->type_offset);
		/* There may be more units behind. */
		assert_int_equal(read_at(&header_cases[i], 0, 1000, &header), UNIT_HEADER_OK);
	}
}

static void a_unit_cut_anywhere_is_truncated(void **state)
{
	(void)state;
	for (size_t i = 0; i < HEADER_CASES; i++) {
		for (uint64_t size = 0; size < header_cases[i].header.size; size++) {
			struct unit_header header;

			assert_int_equal(read_at(&header_cases[i], 7, 7 + size, &header),
					 UNIT_HEADER_TRUNCATED);
		}
	}
}

static void wrong_headers(void **state)
{
	static const struct {
		struct header_case test;
		enum unit_header_status status;
	} cases[] = {
		{ { BYTES("\x08\0\0\0\x01\0\0\0\0\0\x04"), .header = { .version = 1 } },
		  UNIT_HEADER_BAD_VERSION },
		{ { BYTES("\x08\0\0\0\x06\0\0\0\0\0\x04"), .header = { .version = 6 } },
		  UNIT_HEADER_BAD_VERSION },
		{ { BYTES("\x08\0\0\0\x00\0\0\0\0\0\x04"), .header = { .version = 0 } },
		  UNIT_HEADER_BAD_VERSION },
		{ { BYTES("\x08\0\0\0\x05\x05\0\0\0\0\x04"), .header = { .version = 255 } },
		  UNIT_HEADER_BAD_VERSION },
		{ { BYTES("\x08\0\0\0\x04\0\0\0\0\0\x00"), .header = { .version = 4 } },
		  UNIT_HEADER_BAD_ADDRESS_SIZE },
		{ { BYTES("\x08\0\0\0\x04\0\0\0\0\0\x03"), .header = { .version = 4 } },
		  UNIT_HEADER_BAD_ADDRESS_SIZE },
		{ { BYTES("\x08\0\0\0\x04\0\0\0\0\0\x10"), .header = { .version = 4 } },
		  UNIT_HEADER_BAD_ADDRESS_SIZE },
		{ { BYTES("\x09\0\0\0\x05\0\x00\x08\0\0\0\0"), .header = { .version = 5 } },
		  UNIT_HEADER_BAD_UNIT_TYPE },
		{ { BYTES("\x09\0\0\0\x05\0\x07\x08\0\0\0\0"), .header = { .version = 5 } },
		  UNIT_HEADER_BAD_UNIT_TYPE },
		{ { BYTES("\x09\0\0\0\x05\0\x80\x08\0\0\0\0"), .header = { .version = 5 } },
		  UNIT_HEADER_BAD_UNIT_TYPE },
		/* the length leaves no room for the header, though the section does */
		{ { BYTES("\x06\0\0\0\x04\0\0\0\0\0\x08"), .header = { .version = 4 } },
		  UNIT_HEADER_TRUNCATED },
		{ { BYTES("\x00\0\0\0\x04\0\0\0\0\0\x08"), .header = { .version = 4 } },
		  UNIT_HEADER_TRUNCATED },
		/* lengths so large that sums wrap */
		{ { BYTES("\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x04\0"),
		    .header = { .version = 0 } },
		  UNIT_HEADER_TRUNCATED },
		{ { BYTES("\xff\xff\xff\xff\xf4\xff\xff\xff\xff\xff\xff\xff\x04\0"),
		    .header = { .version = 0 } },
		  UNIT_HEADER_TRUNCATED },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct unit_header header;

		assert_int_equal(read_at(&cases[i].test, 0, 64, &header), cases[i].status);
		assert_int_equal(header.version, cases[i].test.header.version);
		assert_string_not_equal(unit_header_status_text(cases[i].status), "no error");
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(headers_of_all_versions_and_kinds),
		cmocka_unit_test(a_unit_cut_anywhere_is_truncated),
		cmocka_unit_test(wrong_headers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
