/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>

#include "load/die_index.h"

static uint32_t value_of(enum entity_kind kind, uint32_t number)
{
	return (uint32_t)kind << ENTITY_KIND_SHIFT | number;
}

/* Around the borders of blocks of 64 offsets, and far apart. */
static void entries_are_found_by_offset(void **state)
{
	static const uint32_t offsets[] = { 0,   1,   62,  63,   64,   65,      127,
					    128, 192, 255, 5000, 5001, 1000000, 1000063 };
	enum { COUNT = sizeof(offsets) / sizeof(offsets[0]) };
	struct die_index index = { 0 };

	(void)state;
	for (uint32_t i = 0; i < COUNT; i++) {
		assert_true(die_index_extend(&index, offsets[i] + 1));
		assert_int_equal(die_index_enter(&index, offsets[i]), i);
	}
	die_index_close(&index);
	for (uint32_t i = 0; i < COUNT; i++)
		assert_int_equal(die_index_find(&index, offsets[i]), 0); /* not finished */
	for (uint32_t i = COUNT; i-- > 0;)
		die_index_set(&index, i, ENTITY_TYPE, 100 + i);
	for (uint32_t i = 0; i < COUNT; i++)
		assert_int_equal(die_index_find(&index, offsets[i]),
				 value_of(ENTITY_TYPE, 100 + i));
	vector_deinit(&index.values);
	vector_deinit(&index.blocks);
}

static void offsets_in_between_are_none(void **state)
{
	struct die_index index = { 0 };
	uint32_t entered = 0;

	(void)state;
	assert_int_equal(die_index_find(&index, 0), 0);
	assert_true(die_index_extend(&index, 3000));
	for (uint32_t offset = 3; offset < 3000; offset += 7) {
		uint32_t number = die_index_enter(&index, offset);

		die_index_set(&index, number, ENTITY_ALIAS, offset);
		entered++;
	}
	die_index_close(&index);
	assert_int_equal(index.values.count, entered);
	for (uint32_t offset = 0; offset < 4000; offset++)
		assert_int_equal(die_index_find(&index, offset),
				 offset < 3000 && offset % 7 == 3 ? value_of(ENTITY_ALIAS, offset) :
								    0);
	assert_int_equal(die_index_find(&index, UINT32_MAX), 0);
	vector_deinit(&index.values);
	vector_deinit(&index.blocks);
}

static void kinds_and_numbers_share_a_word(void **state)
{
	static const enum entity_kind kinds[] = { ENTITY_TYPE, ENTITY_ALIAS, ENTITY_PARAMETER,
						  ENTITY_FUNCTION, ENTITY_VARIABLE };
	struct die_index index = { 0 };

	(void)state;
	assert_true(die_index_extend(&index, 5));
	for (uint32_t i = 0; i < 5; i++)
		die_index_set(&index, die_index_enter(&index, i), kinds[i], ENTITY_NUMBER_MASK);
	die_index_close(&index);
	for (uint32_t i = 0; i < 5; i++) {
		uint32_t value = die_index_find(&index, i);

		assert_int_equal(value >> ENTITY_KIND_SHIFT, kinds[i]);
		assert_int_equal(value & ENTITY_NUMBER_MASK, ENTITY_NUMBER_MASK);
	}
	vector_deinit(&index.values);
	vector_deinit(&index.blocks);
}

/* Workers use one for unit after unit; nothing of the last may be found. */
static void a_reset_index_is_empty(void **state)
{
	struct die_index index = { 0 };

	(void)state;
	for (int round = 0; round < 3; round++) {
		for (uint32_t offset = 0; offset < 1000; offset++)
			assert_int_equal(die_index_find(&index, offset), 0);
		assert_true(die_index_extend(&index, 1000));
		for (uint32_t offset = (uint32_t)round; offset < 1000; offset += 3)
			die_index_set(&index, die_index_enter(&index, offset), ENTITY_ALIAS,
				      offset);
		die_index_close(&index);
		for (uint32_t offset = 0; offset < 1000; offset++)
			assert_int_equal(die_index_find(&index, offset) != 0,
					 offset % 3 == (uint32_t)round);
		die_index_reset(&index);
	}
	vector_deinit(&index.values);
	vector_deinit(&index.blocks);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(entries_are_found_by_offset),
		cmocka_unit_test(offsets_in_between_are_none),
		cmocka_unit_test(kinds_and_numbers_share_a_word),
		cmocka_unit_test(a_reset_index_is_empty),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
