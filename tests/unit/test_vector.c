/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>

#include "base/vector.h"

static void pushed_items_stay_in_order(void **state)
{
	VECTOR(uint32_t) numbers = { 0 };

	(void)state;
	for (uint32_t i = 0; i < 100000; i++) {
		uint32_t *slot = vector_push(&numbers);

		assert_non_null(slot);
		*slot = i;
	}
	assert_int_equal(numbers.count, 100000);
	for (uint32_t i = 0; i < 100000; i++)
		assert_int_equal(numbers.items[i], i);
	vector_deinit(&numbers);
	assert_null(numbers.items);
	assert_int_equal(numbers.count + numbers.capacity, 0);
}

/* A million pushes copy each item a bounded number of times, and waste at most half. */
static void growth_is_geometric(void **state)
{
	VECTOR(uint64_t) numbers = { 0 };
	size_t capacity = 0;
	unsigned growths = 0;

	(void)state;
	for (uint64_t i = 0; i < 1000000; i++) {
		assert_non_null(vector_push(&numbers));
		growths += numbers.capacity != capacity;
		capacity = numbers.capacity;
	}
	assert_in_range(growths, 1, 40);
	assert_in_range(capacity, 1000000, 1500000);
	vector_deinit(&numbers);
}

static void reserve_makes_room_at_once(void **state)
{
	static const size_t counts[] = { 0, 1, 15, 16, 17, 1000, 1000000 };

	(void)state;
	for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
		VECTOR(char) bytes = { 0 };

		assert_true(vector_reserve(&bytes, counts[i]));
		assert_true(bytes.capacity >= counts[i]);
		assert_int_equal(bytes.count, 0);
		vector_deinit(&bytes);
	}
}

static void impossible_sizes_change_nothing(void **state)
{
	static const size_t counts[] = { SIZE_MAX, SIZE_MAX / 2, SIZE_MAX / 8, SIZE_MAX / 16 };
	VECTOR(uint64_t) numbers = { 0 };
	uint64_t *items;

	(void)state;
	*vector_push(&numbers) = 42;
	items = numbers.items;
	for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
		size_t capacity = numbers.capacity;

		assert_false(vector_reserve(&numbers, counts[i]));
		assert_int_equal(numbers.capacity, capacity);
		assert_ptr_equal(numbers.items, items);
		assert_int_equal(numbers.items[0], 42);
	}
	vector_deinit(&numbers);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pushed_items_stay_in_order),
		cmocka_unit_test(growth_is_geometric),
		cmocka_unit_test(reserve_makes_room_at_once),
		cmocka_unit_test(impossible_sizes_change_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
