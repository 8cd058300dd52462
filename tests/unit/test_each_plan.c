/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "encode/encode_each.h"

enum { MANY = 1000, MB = 1000 * 1000 };

static void one_worker_shares_nothing(void **state)
{
	const uint64_t sizes[] = { 1000 * MB, 10 * MB, 1 * MB };

	(void)state;
	assert_int_equal(each_shared_count(sizes, 3, 1), 0);
	assert_int_equal(each_shared_count(sizes, 0, 1), 0);
	assert_int_equal(each_shared_count(sizes, 0, 8), 0);
}

static void one_file_takes_all_workers(void **state)
{
	const uint64_t size = 1000 * MB;

	(void)state;
	for (unsigned workers = 2; workers <= 512; workers *= 2)
		assert_int_equal(each_shared_count(&size, 1, workers), 1);
	/* If there is work for them. */
	assert_int_equal(each_shared_count(&(uint64_t){ MB / 10 }, 1, 8), 0);
}

static void files_that_fill_the_workers_go_side_by_side(void **state)
{
	uint64_t sizes[MANY];

	(void)state;
	for (uint32_t i = 0; i < MANY; i++)
		sizes[i] = 10 * MB;
	assert_int_equal(each_shared_count(sizes, 2, 2), 0);
	assert_int_equal(each_shared_count(sizes, 8, 8), 0);
	assert_int_equal(each_shared_count(sizes, MANY, 8), 0);
	/* Files of no size at all, too. */
	for (uint32_t i = 0; i < MANY; i++)
		sizes[i] = 0;
	assert_int_equal(each_shared_count(sizes, MANY, 8), 0);
}

/* Three on two workers: the third would keep one waiting. */
static void an_odd_file_is_shared(void **state)
{
	const uint64_t sizes[] = { 10 * MB, 10 * MB, 10 * MB };

	(void)state;
	assert_int_equal(each_shared_count(sizes, 3, 2), 1);
}

/* As the modules of a kernel are: 70 MB, some of 20, a thousand of 0.5. */
static void the_largest_is_shared_when_it_would_be_last(void **state)
{
	uint64_t sizes[MANY];

	(void)state;
	for (uint32_t i = 0; i < MANY; i++)
		sizes[i] = i == 0 ? 70 * MB : i < 6 ? 20 * MB : MB / 2;
	assert_int_equal(each_shared_count(sizes, MANY, 2), 0);
	assert_int_equal(each_shared_count(sizes, MANY, 8), 0);
	assert_int_equal(each_shared_count(sizes, MANY, 16), 1);
	assert_in_range(each_shared_count(sizes, MANY, 64), 1, 6);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_worker_shares_nothing),
		cmocka_unit_test(one_file_takes_all_workers),
		cmocka_unit_test(files_that_fill_the_workers_go_side_by_side),
		cmocka_unit_test(an_odd_file_is_shared),
		cmocka_unit_test(the_largest_is_shared_when_it_would_be_last),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
