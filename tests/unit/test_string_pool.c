/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "btf/string_pool.h"

static void strings_are_kept_once_in_the_order_of_first_use(void **state)
{
	struct string_pool base, pool;

	(void)state;
	string_pool_init(&base, NULL);
	assert_int_equal(string_pool_add(&base, ""), 0);
	assert_int_equal(string_pool_add(&base, "int"), 1);
	assert_int_equal(string_pool_add(&base, "char"), 5);
	assert_int_equal(string_pool_add(&base, "int"), 1);
	assert_int_equal(string_pool_add(&base, "har"), 10);
	assert_int_equal(base.bytes.count, 14);

	string_pool_init(&pool, &base);
	assert_int_equal(string_pool_add(&pool, ""), 0);
	assert_int_equal(string_pool_add(&pool, "x"), 14);
	assert_int_equal(string_pool_add(&pool, "char"), 5);
	assert_int_equal(string_pool_add(&pool, "y"), 16);
	assert_int_equal(string_pool_add(&pool, "x"), 14);
	assert_int_equal(pool.bytes.count, 4);
	assert_memory_equal(pool.bytes.items, "x\0y", 4);
	assert_false(base.failed || pool.failed);
	string_pool_deinit(&pool);
	string_pool_deinit(&base);
}

static void a_table_that_grows_forgets_nothing(void **state)
{
	enum { COUNT = 5000 };
	struct string_pool pool;
	char text[16];

	(void)state;
	string_pool_init(&pool, NULL);
	for (unsigned round = 0; round < 2; round++) {
		uint32_t expected = 1;

		for (unsigned i = 0; i < COUNT; i++) {
			snprintf(text, sizeof(text), "%u", i);
			assert_int_equal(string_pool_add(&pool, text), expected);
			expected += (uint32_t)strlen(text) + 1;
		}
		assert_int_equal(pool.bytes.count, expected);
	}
	string_pool_deinit(&pool);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(strings_are_kept_once_in_the_order_of_first_use),
		cmocka_unit_test(a_table_that_grows_forgets_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
