/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Of the jobs of a pass that fail, the lowest one is reported, whichever fails first: what the user sees
 * does not depend on timing.
 */
#ifndef BASE_FIRST_FAILURE_H
#define BASE_FIRST_FAILURE_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

struct first_failure {
	_Atomic uint32_t job; /* UINT32_MAX: none so far */
	pthread_mutex_t lock; /* for what follows */
	enum smelt_status status;
	struct smelt_error error;
};

void first_failure_init(struct first_failure *failure);
void first_failure_deinit(struct first_failure *failure);

/* Whether a lower job failed: this one need not run. A lower one must, it may fail as well. */
static inline bool first_failure_precedes(const struct first_failure *failure, uint32_t job)
{
	return atomic_load_explicit(&failure->job, memory_order_relaxed) < job;
}

/* Thread-safe. */
void first_failure_note(struct first_failure *failure, uint32_t job, enum smelt_status status,
			const struct smelt_error *error);

/* After the pass. */
enum smelt_status first_failure_status(const struct first_failure *failure,
				       struct smelt_error *error);

#endif
