/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* ctest-labels: thread */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/worker_pool.h"

static const unsigned worker_counts[] = { 0, 1, 2, 3, 8, 33 };
static const uint32_t job_counts[] = { 0, 1, 2, 3, 7, 8, 9, 63, 64, 65, 1000, 4097 };
static const uint64_t seeds[] = { 0, 1, 2, 0xdeadbeef, UINT64_MAX };

enum { JOBS_MAX = 4097 };

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))

/* Slot i belongs to job i; written without a lock, so the thread sanitizer sees a missing join. */
struct pass {
	unsigned runs[JOBS_MAX];
	uint32_t order[JOBS_MAX]; /* of claims; only with one worker */
	uint32_t claims;
};

static void count_run_job(void *argument, uint32_t job_index, struct worker *worker)
{
	struct pass *pass = argument;
	char *scratch;

	arena_reset(&worker->scratch);
	scratch = arena_alloc(&worker->scratch, 100);
	assert_non_null(scratch);
	memset(scratch, (int)worker->index, 100);
	pass->runs[job_index]++;
}

static void each_job_runs_once(void **state)
{
	struct pass *pass = calloc(1, sizeof(*pass));
	struct smelt_error error;

	(void)state;
	assert_non_null(pass);
	for (size_t w = 0; w < ARRAY_SIZE(worker_counts); w++) {
		struct worker_pool *pool;

		assert_int_equal(worker_pool_create(worker_counts[w], &pool, &error), SMELT_OK);
		for (size_t s = 0; s < ARRAY_SIZE(seeds); s++) {
			worker_pool_set_shuffle(pool, seeds[s]);
			for (size_t j = 0; j < ARRAY_SIZE(job_counts); j++) {
				memset(pass, 0, sizeof(*pass));
				worker_pool_run(pool, count_run_job, pass, job_counts[j]);
				for (uint32_t i = 0; i < JOBS_MAX; i++)
					assert_int_equal(pass->runs[i], i < job_counts[j]);
			}
		}
		worker_pool_destroy(pool);
	}
	free(pass);
}

static void note_order_job(void *argument, uint32_t job_index, struct worker *worker)
{
	struct pass *pass = argument;

	(void)worker;
	pass->order[pass->claims++] = job_index;
}

static void one_worker_runs_in_order_on_the_caller(void **state)
{
	struct pass *pass = calloc(1, sizeof(*pass));
	struct worker_pool *pool;

	(void)state;
	assert_non_null(pass);
	assert_int_equal(worker_pool_create(1, &pool, NULL), SMELT_OK);
	assert_int_equal(worker_pool_size(pool), 1);
	worker_pool_run(pool, note_order_job, pass, 1000);
	assert_int_equal(pass->claims, 1000);
	for (uint32_t i = 0; i < 1000; i++)
		assert_int_equal(pass->order[i], i);
	worker_pool_destroy(pool);
	free(pass);
}

/* A seed stands for one order, and different seeds for different ones; 0 for the natural one. */
static void a_seed_names_an_order(void **state)
{
	struct pass *passes = calloc(ARRAY_SIZE(seeds) + 1, sizeof(*passes));
	struct worker_pool *pool;

	(void)state;
	assert_non_null(passes);
	assert_int_equal(worker_pool_create(1, &pool, NULL), SMELT_OK);
	for (size_t s = 0; s < ARRAY_SIZE(seeds); s++) {
		worker_pool_set_shuffle(pool, seeds[s]);
		worker_pool_run(pool, note_order_job, &passes[s], 1000);
		for (size_t other = 0; other < s; other++)
			assert_memory_not_equal(passes[s].order, passes[other].order,
						1000 * sizeof(uint32_t));
	}
	worker_pool_set_shuffle(pool, seeds[1]);
	worker_pool_run(pool, note_order_job, &passes[ARRAY_SIZE(seeds)], 1000);
	assert_memory_equal(passes[ARRAY_SIZE(seeds)].order, passes[1].order,
			    1000 * sizeof(uint32_t));
	worker_pool_destroy(pool);
	free(passes);
}

struct meeting {
	pthread_mutex_t lock;
	pthread_cond_t all_here;
	unsigned arrived;
	unsigned expected;
	atomic_uint seen; /* bit per worker index */
};

/* Breaks the rule that jobs do not wait for each other, to prove that they run side by side. */
static void meet_job(void *argument, uint32_t job_index, struct worker *worker)
{
	struct meeting *meeting = argument;

	(void)job_index;
	atomic_fetch_or(&meeting->seen, 1u << worker->index);
	pthread_mutex_lock(&meeting->lock);
	meeting->arrived++;
	pthread_cond_broadcast(&meeting->all_here);
	while (meeting->arrived < meeting->expected)
		pthread_cond_wait(&meeting->all_here, &meeting->lock);
	pthread_mutex_unlock(&meeting->lock);
}

static void jobs_run_side_by_side(void **state)
{
	struct meeting meeting = { .lock = PTHREAD_MUTEX_INITIALIZER,
				   .all_here = PTHREAD_COND_INITIALIZER,
				   .expected = 4 };
	struct worker_pool *pool;

	(void)state;
	assert_int_equal(worker_pool_create(4, &pool, NULL), SMELT_OK);
	assert_int_equal(worker_pool_size(pool), 4);
	worker_pool_run(pool, meet_job, &meeting, 4);
	assert_int_equal(atomic_load(&meeting.seen), 0xf);
	worker_pool_destroy(pool);
}

struct sum {
	const uint64_t *inputs;
	uint64_t *outputs;
};

static void add_neighbours_job(void *argument, uint32_t job_index, struct worker *worker)
{
	const struct sum *sum = argument;

	(void)worker;
	sum->outputs[job_index] = sum->inputs[job_index] + sum->inputs[(job_index + 1) % 256];
}

/* Each pass reads what other workers wrote in the one before: the join must order the two. */
static void a_pass_sees_the_results_of_the_last(void **state)
{
	uint64_t numbers[2][256];
	struct worker_pool *pool;

	(void)state;
	for (size_t i = 0; i < 256; i++)
		numbers[0][i] = 1;
	assert_int_equal(worker_pool_create(8, &pool, NULL), SMELT_OK);
	worker_pool_set_shuffle(pool, 7);
	for (unsigned pass = 0; pass < 60; pass++) {
		struct sum sum = { numbers[pass % 2], numbers[(pass + 1) % 2] };

		worker_pool_run(pool, add_neighbours_job, &sum, 256);
	}
	for (size_t i = 0; i < 256; i++)
		assert_true(numbers[0][i] == UINT64_C(1) << 60);
	worker_pool_destroy(pool);
}

static void the_number_of_workers_is_clamped(void **state)
{
	struct worker_pool *pool;

	(void)state;
	assert_int_equal(worker_pool_create(0, &pool, NULL), SMELT_OK);
	assert_int_equal(worker_pool_size(pool), 1);
	worker_pool_destroy(pool);
	assert_int_equal(worker_pool_create(UINT32_MAX, &pool, NULL), SMELT_OK);
	assert_in_range(worker_pool_size(pool), 1, WORKER_POOL_MAX);
	worker_pool_destroy(pool);
	worker_pool_destroy(NULL);
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
struct roll {
	struct pass pass;
	unsigned jobs_of[WORKER_POOL_MAX]; /* by worker */
};

static void call_roll_job(void *argument, uint32_t job_index, struct worker *worker)
{
	struct roll *roll = argument;

	roll->pass.runs[job_index]++;
	roll->jobs_of[worker->index]++;
}
#endif

/* In a child with little address space (sanitizers need more than that; there it proves nothing). */
static void missing_threads_are_not_an_error(void **state)
{
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
	(void)state;
	skip();
#else
	int status;
	pid_t child = fork();

	(void)state;
	assert_true(child >= 0);
	if (child == 0) {
		static struct roll roll;
		struct rlimit limit = { 256u << 20, 256u << 20 };
		struct worker_pool *pool;

		/* 8 MB of stack each: room for some 30 of 100. */
		if (setrlimit(RLIMIT_AS, &limit) != 0 ||
		    worker_pool_create(100, &pool, NULL) != SMELT_OK)
			_exit(2);
		worker_pool_run(pool, call_roll_job, &roll, JOBS_MAX);
		for (uint32_t i = 0; i < JOBS_MAX; i++) {
			if (roll.pass.runs[i] != 1)
				_exit(4);
		}
		/* Or the limit was none, and this proves nothing. */
		if (roll.jobs_of[99] != 0)
			_exit(3);
		worker_pool_destroy(pool);
		_exit(0);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
#endif
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_job_runs_once),
		cmocka_unit_test(one_worker_runs_in_order_on_the_caller),
		cmocka_unit_test(a_seed_names_an_order),
		cmocka_unit_test(jobs_run_side_by_side),
		cmocka_unit_test(a_pass_sees_the_results_of_the_last),
		cmocka_unit_test(the_number_of_workers_is_clamped),
		cmocka_unit_test(missing_threads_are_not_an_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
