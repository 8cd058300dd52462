/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Times the passes of a run, one after the other. */
#ifndef ENCODE_PASS_CLOCK_H
#define ENCODE_PASS_CLOCK_H

#include <stdbool.h>

#include <smelt/encode.h>

#include "base/worker_pool.h"

struct pass_clock {
	struct smelt_encode_report *report;
	const struct worker_pool *pool;
	double wall_start;
	double cpu_start;
	double pool_start; /* CPU seconds of the pool's passes */
};

/* Appends to report->passes. The first pass starts now. */
void pass_clock_init(struct pass_clock *clock, struct smelt_encode_report *report,
		     const struct worker_pool *pool);

/* What was done since the last call (or _init) was pass `name`, a static string. */
void pass_clock_lap(struct pass_clock *clock, const char *name);

#endif
