/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#include "base/first_failure.h"

void first_failure_init(struct first_failure *failure)
{
	*failure = (struct first_failure){ .job = UINT32_MAX };
	pthread_mutex_init(&failure->lock, NULL);
}

void first_failure_deinit(struct first_failure *failure)
{
	pthread_mutex_destroy(&failure->lock);
}

void first_failure_note(struct first_failure *failure, uint32_t job, enum smelt_status status,
			const struct smelt_error *error)
{
	pthread_mutex_lock(&failure->lock);
	if (job < atomic_load(&failure->job)) {
		atomic_store(&failure->job, job);
		failure->status = status;
		failure->error = *error;
	}
	pthread_mutex_unlock(&failure->lock);
}

enum smelt_status first_failure_status(const struct first_failure *failure,
				       struct smelt_error *error)
{
	if (failure->status && error)
		*error = failure->error;
	return failure->status;
}
