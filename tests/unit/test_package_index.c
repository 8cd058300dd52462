/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Indices written by hand from DWARF 5, 7.3.5.3, and its predecessor's description. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "dwarf/package_index.h"
#include "support/dwarf_builder.h"

enum { SLOTS = 4, UNITS = 3, COLUMNS = 5 };

/* Three units: the second one's slot is the first one's, the third one's the second one's. */
static const uint64_t ids[SLOTS] = { UINT64_C(0x300000004), 0, UINT64_C(0x7700000003),
				     UINT64_C(0x200000000) };
static const uint32_t rows[SLOTS] = { 2, 0, 1, 3 };

static uint32_t offset_of(uint32_t row, uint32_t column)
{
	return 1000 * row + 10 * column;
}

static struct byte_string build(unsigned version, bool is_big_endian)
{
	/* one that nobody wants comes first */
	const uint32_t columns[COLUMNS] = { 4, version == 2 ? 2 : 1, 3, 5, 6 };
	struct byte_string bytes = { 0 };

	if (version == 2) {
		byte_string_number(&bytes, 2, 4, is_big_endian);
	} else {
		byte_string_number(&bytes, version, 2, is_big_endian);
		byte_string_number(&bytes, 0, 2, is_big_endian);
	}
	byte_string_number(&bytes, COLUMNS, 4, is_big_endian);
	byte_string_number(&bytes, UNITS, 4, is_big_endian);
	byte_string_number(&bytes, SLOTS, 4, is_big_endian);
	for (unsigned i = 0; i < SLOTS; i++)
		byte_string_number(&bytes, ids[i], 8, is_big_endian);
	for (unsigned i = 0; i < SLOTS; i++)
		byte_string_number(&bytes, rows[i], 4, is_big_endian);
	for (unsigned i = 0; i < COLUMNS; i++)
		byte_string_number(&bytes, columns[i], 4, is_big_endian);
	for (uint32_t row = 0; row < UNITS; row++) {
		for (uint32_t column = 0; column < COLUMNS; column++)
			byte_string_number(&bytes, offset_of(row, column), 4, is_big_endian);
	}
	return bytes;
}

static void check_index(const struct package_index *index)
{
	uint32_t row = 99;

	assert_int_equal(index->row_count, UNITS);
	for (unsigned i = 0; i < SLOTS; i++) {
		if (rows[i] == 0)
			continue;
		assert_true(package_index_find(index, ids[i], &row));
		assert_int_equal(row, rows[i] - 1);
		assert_int_equal(package_index_offset(index, row, PACKAGE_INFO), offset_of(row, 1));
		assert_int_equal(package_index_offset(index, row, PACKAGE_ABBREV),
				 offset_of(row, 2));
		assert_int_equal(package_index_offset(index, row, PACKAGE_LISTS),
				 offset_of(row, 3));
		assert_int_equal(package_index_offset(index, row, PACKAGE_STR_OFFSETS),
				 offset_of(row, 4));
	}
	assert_false(package_index_find(index, 1, &row));
	assert_false(package_index_find(index, 2, &row));
}

static void units_are_found_by_their_id(void **state)
{
	(void)state;
	for (unsigned i = 0; i < 4; i++) {
		bool is_big_endian = i & 1;
		struct byte_string bytes = build(i < 2 ? 2 : 5, is_big_endian);
		struct package_index index;

		assert_true(package_index_read(
			&index, bytes.data, bytes.size,
			is_big_endian == (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__)));
		check_index(&index);
		free(bytes.data);
	}
}

static void an_index_that_is_cut_is_none(void **state)
{
	struct byte_string bytes = build(5, false);

	(void)state;
	for (size_t size = 0; size < bytes.size; size++) {
		uint8_t *copy = malloc(size ? size : 1);
		struct package_index index;

		assert_non_null(copy);
		memcpy(copy, bytes.data, size);
		assert_false(package_index_read(&index, copy, size, false));
		free(copy);
	}
	free(bytes.data);
}

static void bad_fields_are_refused_or_harmless(void **state)
{
	static const struct {
		unsigned offset;
		uint32_t value;
	} bad[] = {
		{ 0, 3 },          { 0, 6 },          { 4, 33 },
		{ 4, 0xffffffff }, { 8, UNITS + 1 },  { 8, 0xffffffff },
		{ 12, SLOTS - 1 }, { 12, SLOTS * 2 }, { 12, 0xffffffff },
	};
	struct package_index index;
	uint32_t row;

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct byte_string bytes = build(5, false);

		memcpy(bytes.data + bad[i].offset, &bad[i].value, 4);
		assert_false(package_index_read(&index, bytes.data, bytes.size, false));
		free(bytes.data);
	}
	for (unsigned slot = 0; slot < SLOTS; slot++) {
		struct byte_string bytes = build(5, false);
		const uint32_t beyond = UNITS + 1;

		/* a row that is not there; no slot is free any more */
		memcpy(bytes.data + 16 + 8 * SLOTS + 4 * slot, &beyond, 4);
		assert_true(package_index_read(&index, bytes.data, bytes.size, false));
		assert_false(package_index_find(&index, ids[slot], &row));
		assert_false(package_index_find(&index, 1, &row));
		free(bytes.data);
	}
}

static void an_empty_index_has_no_units(void **state)
{
	static const uint8_t bytes[16] = { 5 };
	struct package_index index = { 0 };
	uint32_t row;

	(void)state;
	assert_false(package_index_find(&index, 0, &row));
	assert_true(package_index_read(&index, bytes, sizeof(bytes), false));
	assert_int_equal(index.row_count, 0);
	assert_false(package_index_find(&index, 0, &row));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(units_are_found_by_their_id),
		cmocka_unit_test(an_index_that_is_cut_is_none),
		cmocka_unit_test(bad_fields_are_refused_or_harmless),
		cmocka_unit_test(an_empty_index_has_no_units),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
