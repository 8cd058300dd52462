/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * A pool of workers and passes of numbered jobs. worker_pool_run() is a barrier:
 * it returns when every job of the pass is done. Jobs of a pass are claimed from
 * a counter, lowest first (or in a pseudo-random order, for tests), and must not
 * wait for each other. Idle workers sleep on a condition variable. With one
 * worker the jobs run on the calling thread. Threads are made when a pass first has
 * a job for them.
 */
#ifndef BASE_WORKER_POOL_H
#define BASE_WORKER_POOL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/jobserver.h"

struct worker_pool;

struct worker {
	unsigned index;       /* 0 <= index < worker_pool_size(); 0 is the calling thread */
	struct arena scratch; /* for one job; the job resets it when it starts */
};

typedef void (*worker_job_fn)(void *argument, uint32_t job_index, struct worker *worker);

/* workers is clamped to 1 .. WORKER_POOL_MAX. Fewer threads than asked for is not an error. */
enum { WORKER_POOL_MAX = 512 };
enum smelt_status worker_pool_create(unsigned workers, struct worker_pool **pool,
				     struct smelt_error *error);
void worker_pool_destroy(struct worker_pool *pool);
/* Worker indices are below this; not all need to work in a pass. */
unsigned worker_pool_size(const struct worker_pool *pool);

/* Seed 0 restores the natural order. */
void worker_pool_set_shuffle(struct worker_pool *pool, uint64_t seed);
/*
 * Whether jobs are claimed lowest first. Then what a worker can see when it has ended a job was done by jobs lower than
 * the next one it gets.
 */
bool worker_pool_is_in_order(const struct worker_pool *pool);

/*
 * From now on a thread works only while it has a token; the caller needs none. Tokens are taken when
 * a pass starts and while it runs, and given back when the thread finds no more
 * jobs. NULL: threads need none.
 */
void worker_pool_set_jobserver(struct worker_pool *pool, struct smelt_jobserver *jobserver);

void worker_pool_run(struct worker_pool *pool, worker_job_fn job, void *argument,
		     uint32_t job_count);

/* CPU seconds of the whole process during passes so far; not while one runs. */
double worker_pool_cpu_seconds(const struct worker_pool *pool);

#endif
