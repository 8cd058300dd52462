/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * worker_pool_run() describes the pass under the lock, wakes the threads, works
 * itself, then sleeps until the last thread is done. Inside a pass the only shared
 * write is the fetch_add that claims a job. A thread remembers the number of the
 * last pass it took part in; since a pass does not end before all its participants are
 * done, no participant can miss one. With a jobserver a pass may get more
 * participants on the way.
 */
#include "base/worker_pool.h"

#include <assert.h>
#include <pthread.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <time.h>

enum { CACHELINE_BYTES = 64 };

/* One worker, on cache lines of its own: its arena changes with every allocation. */
struct worker_slot {
	alignas(CACHELINE_BYTES) struct worker worker;
	struct worker_pool *pool;
	pthread_t thread; /* not set for slot 0 */
};

struct worker_pool {
	pthread_mutex_t lock;
	pthread_cond_t pass_started;
	pthread_cond_t pass_finished;

	/* Under the lock. */
	uint64_t pass_number;
	unsigned participants;    /* workers 0 .. participants-1 take part in the pass */
	unsigned threads_running; /* participants but the caller that are not done yet */
	unsigned thread_count;    /* made so far: workers 1 .. thread_count */
	unsigned thread_limit;    /* as many as can be made */
	bool is_stopping;

	/* Written by the caller between passes, read by participants during one. */
	worker_job_fn job;
	void *argument;
	uint32_t job_count;
	uint64_t shuffle_seed;
	struct smelt_jobserver *jobserver; /* or NULL */
	double cpu_seconds;                /* of the process, during passes */

	unsigned size;
	struct worker_slot *slots;

	/* When to ask for more tokens. */
	alignas(CACHELINE_BYTES) atomic_uint_least64_t next_request_ns;
	/* Wider than job_count, so that the claims that find nothing cannot wrap it. */
	alignas(CACHELINE_BYTES) atomic_uint_least64_t next_claim;
};

/* Other processes do not finish more often than this matters. */
enum { TOKEN_REQUEST_INTERVAL_NS = 2 * 1000 * 1000 };

/*
 * Position `claim` of a pseudo-random permutation of 0 .. count-1. Each step below
 * is a bijection of the numbers below the next power of two; walking on until the
 * result is below `count` makes one of the numbers that count.
 */
static uint32_t shuffled_index(uint64_t seed, uint32_t claim, uint32_t count)
{
	unsigned bits = count > 1 ? 32 - (unsigned)__builtin_clz(count - 1) : 1;
	uint32_t mask = UINT32_MAX >> (32 - bits);
	unsigned shift = (bits + 1) / 2;
	uint32_t x = claim;

	do {
		uint64_t key = seed;

		for (int round = 0; round < 4; round++) {
			key = key * 6364136223846793005u + 1442695040888963407u;
			x = (x * ((uint32_t)(key >> 32) | 1) + (uint32_t)(key >> 16)) & mask;
			x ^= x >> shift;
		}
	} while (x >= count);
	return x;
}

static uint64_t coarse_now_ns(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC_COARSE, &time);
	return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static void *thread_main(void *argument);

/* Under the lock. A limit on threads costs speed, not the run. */
static bool add_thread(struct worker_pool *pool)
{
	struct worker_slot *slot = &pool->slots[pool->thread_count + 1];

	if (pthread_create(&slot->thread, NULL, thread_main, slot) != 0) {
		pool->thread_limit = pool->thread_count;
		return false;
	}
	pool->thread_count++;
	return true;
}

/* Under the lock, in a pass: up to `count` more threads work on it. */
static void admit_threads(struct worker_pool *pool, unsigned count)
{
	unsigned admitted = 0;

	if (count > pool->thread_limit - (pool->participants - 1))
		count = pool->thread_limit - (pool->participants - 1);
	if (pool->jobserver && count > 0)
		count = jobserver_take(pool->jobserver, count);
	while (admitted < count) {
		if (pool->participants > pool->thread_count && !add_thread(pool))
			break;
		pool->participants++;
		pool->threads_running++;
		admitted++;
	}
	if (pool->jobserver && admitted < count)
		jobserver_give(pool->jobserver, count - admitted);
	if (admitted > 0)
		pthread_cond_broadcast(&pool->pass_started);
}

/* Called between jobs: tokens that others gave back meanwhile are of use while jobs are left. */
static void request_threads(struct worker_pool *pool)
{
	uint64_t due = atomic_load_explicit(&pool->next_request_ns, memory_order_relaxed);
	uint64_t now = coarse_now_ns();
	uint64_t claimed;

	if (now < due || !atomic_compare_exchange_strong(&pool->next_request_ns, &due,
							 now + TOKEN_REQUEST_INTERVAL_NS))
		return;
	pthread_mutex_lock(&pool->lock);
	claimed = atomic_load_explicit(&pool->next_claim, memory_order_relaxed);
	if (claimed < pool->job_count) {
		uint64_t left = pool->job_count - claimed;

		admit_threads(pool, left < pool->size ? (unsigned)left : pool->size);
	}
	pthread_mutex_unlock(&pool->lock);
}

static void run_jobs(struct worker_pool *pool, struct worker *worker)
{
	const uint32_t count = pool->job_count;

	for (;;) {
		uint64_t claim =
			atomic_fetch_add_explicit(&pool->next_claim, 1, memory_order_relaxed);
		uint32_t index = (uint32_t)claim;

		if (claim >= count)
			return;
		if (pool->shuffle_seed)
			index = shuffled_index(pool->shuffle_seed, index, count);
		pool->job(pool->argument, index, worker);
		if (pool->jobserver)
			request_threads(pool);
	}
}

static void *thread_main(void *argument)
{
	struct worker_slot *slot = argument;
	struct worker_pool *pool = slot->pool;
	uint64_t seen_pass = 0;

	pthread_mutex_lock(&pool->lock);
	for (;;) {
		while (!pool->is_stopping &&
		       (pool->pass_number == seen_pass || slot->worker.index >= pool->participants))
			pthread_cond_wait(&pool->pass_started, &pool->lock);
		if (pool->is_stopping)
			break;
		seen_pass = pool->pass_number;

		pthread_mutex_unlock(&pool->lock);
		run_jobs(pool, &slot->worker);
		if (pool->jobserver)
			jobserver_give(pool->jobserver, 1);
		pthread_mutex_lock(&pool->lock);
		if (--pool->threads_running == 0)
			pthread_cond_signal(&pool->pass_finished);
	}
	pthread_mutex_unlock(&pool->lock);
	return NULL;
}

enum smelt_status worker_pool_create(unsigned workers, struct worker_pool **pool,
				     struct smelt_error *error)
{
	struct worker_pool *created;

	if (workers < 1)
		workers = 1;
	if (workers > WORKER_POOL_MAX)
		workers = WORKER_POOL_MAX;

	created = aligned_alloc(CACHELINE_BYTES, sizeof(*created));
	if (!created)
		return error_no_memory(error);
	*created = (struct worker_pool){ 0 };
	created->slots = aligned_alloc(CACHELINE_BYTES, workers * sizeof(*created->slots));
	if (!created->slots) {
		free(created);
		return error_no_memory(error);
	}
	/* None of these can fail on Linux with default attributes. */
	pthread_mutex_init(&created->lock, NULL);
	pthread_cond_init(&created->pass_started, NULL);
	pthread_cond_init(&created->pass_finished, NULL);
	atomic_init(&created->next_claim, 0);
	atomic_init(&created->next_request_ns, 0);
	created->size = workers;
	created->thread_limit = workers - 1;

	for (unsigned i = 0; i < workers; i++) {
		created->slots[i] = (struct worker_slot){ .worker.index = i, .pool = created };
		arena_init(&created->slots[i].worker.scratch);
	}
	*pool = created;
	return SMELT_OK;
}

void worker_pool_destroy(struct worker_pool *pool)
{
	if (!pool)
		return;
	pthread_mutex_lock(&pool->lock);
	pool->is_stopping = true;
	pthread_cond_broadcast(&pool->pass_started);
	pthread_mutex_unlock(&pool->lock);

	for (unsigned i = 1; i <= pool->thread_count; i++)
		pthread_join(pool->slots[i].thread, NULL);
	for (unsigned i = 0; i < pool->size; i++)
		arena_deinit(&pool->slots[i].worker.scratch);
	pthread_cond_destroy(&pool->pass_finished);
	pthread_cond_destroy(&pool->pass_started);
	pthread_mutex_destroy(&pool->lock);
	free(pool->slots);
	free(pool);
}

unsigned worker_pool_size(const struct worker_pool *pool)
{
	return pool->size;
}

void worker_pool_set_shuffle(struct worker_pool *pool, uint64_t seed)
{
	pool->shuffle_seed = seed;
}

bool worker_pool_is_in_order(const struct worker_pool *pool)
{
	return pool->shuffle_seed == 0;
}

void worker_pool_set_jobserver(struct worker_pool *pool, struct smelt_jobserver *jobserver)
{
	pool->jobserver = jobserver;
}

static double process_cpu_seconds(void)
{
	struct timespec time;

	if (clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time) != 0)
		return 0;
	return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

double worker_pool_cpu_seconds(const struct worker_pool *pool)
{
	return pool->cpu_seconds;
}

void worker_pool_run(struct worker_pool *pool, worker_job_fn job, void *argument,
		     uint32_t job_count)
{
	double start = process_cpu_seconds();

	if (job_count == 0)
		return;

	pthread_mutex_lock(&pool->lock);
	assert(pool->threads_running == 0); /* a job must not start a pass */
	pool->job = job;
	pool->argument = argument;
	pool->job_count = job_count;
	pool->participants = 1;
	atomic_store_explicit(&pool->next_claim, 0, memory_order_relaxed);
	atomic_store_explicit(&pool->next_request_ns, coarse_now_ns() + TOKEN_REQUEST_INTERVAL_NS,
			      memory_order_relaxed);
	pool->pass_number++;
	admit_threads(pool, job_count - 1);
	pthread_mutex_unlock(&pool->lock);

	run_jobs(pool, &pool->slots[0].worker);

	pthread_mutex_lock(&pool->lock);
	while (pool->threads_running > 0)
		pthread_cond_wait(&pool->pass_finished, &pool->lock);
	pthread_mutex_unlock(&pool->lock);
	pool->cpu_seconds += process_cpu_seconds() - start;
}
