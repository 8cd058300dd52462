/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* ctest-labels: thread */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/first_failure.h"
#include "base/worker_pool.h"

static void no_failure_is_success(void **state)
{
	struct first_failure failure;
	struct smelt_error error = { .text = "untouched" };

	(void)state;
	first_failure_init(&failure);
	assert_false(first_failure_precedes(&failure, 0));
	assert_false(first_failure_precedes(&failure, UINT32_MAX - 1));
	assert_int_equal(first_failure_status(&failure, &error), SMELT_OK);
	assert_string_equal(error.text, "untouched");
	first_failure_deinit(&failure);
}

static void fail_from_3_on(void *argument, uint32_t job, struct worker *worker)
{
	struct first_failure *failure = argument;
	struct smelt_error error;

	(void)worker;
	if (job < 3 || first_failure_precedes(failure, job))
		return;
	(void)error_set(&error, SMELT_BAD_DATA, "job %u", (unsigned)job);
	first_failure_note(failure, job, SMELT_BAD_DATA, &error);
}

static void the_lowest_job_is_reported(void **state)
{
	(void)state;
	for (uint64_t seed = 0; seed < 20; seed++) {
		struct first_failure failure;
		struct worker_pool *pool;
		struct smelt_error error;

		first_failure_init(&failure);
		assert_int_equal(worker_pool_create(4, &pool, NULL), SMELT_OK);
		worker_pool_set_shuffle(pool, seed);
		worker_pool_run(pool, fail_from_3_on, &failure, 100);
		assert_true(first_failure_precedes(&failure, 4));
		assert_false(first_failure_precedes(&failure, 3));
		assert_int_equal(first_failure_status(&failure, &error), SMELT_BAD_DATA);
		assert_string_equal(error.text, "job 3");
		worker_pool_destroy(pool);
		first_failure_deinit(&failure);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_failure_is_success),
		cmocka_unit_test(the_lowest_job_is_reported),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
