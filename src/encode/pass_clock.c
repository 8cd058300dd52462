/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#include "encode/pass_clock.h"

#include <assert.h>
#include <time.h>

static double seconds_of(clockid_t id)
{
	struct timespec time;

	if (clock_gettime(id, &time) != 0)
		return 0;
	return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

void pass_clock_init(struct pass_clock *clock, struct smelt_encode_report *report,
		     const struct worker_pool *pool)
{
	*clock = (struct pass_clock){
		.report = report,
		.pool = pool,
		.wall_start = seconds_of(CLOCK_MONOTONIC),
		.cpu_start = seconds_of(CLOCK_PROCESS_CPUTIME_ID),
		.pool_start = worker_pool_cpu_seconds(pool),
	};
}

void pass_clock_lap(struct pass_clock *clock, const char *name)
{
	struct smelt_encode_report *report = clock->report;
	struct pass_clock now;

	assert(report->pass_count < SMELT_PASS_MAX);
	pass_clock_init(&now, report, clock->pool);
	report->passes[report->pass_count++] = (struct smelt_pass_time){
		.name = name,
		.wall_seconds = now.wall_start - clock->wall_start,
		.cpu_seconds = now.cpu_start - clock->cpu_start,
		.serial_cpu_seconds =
			now.cpu_start - clock->cpu_start - (now.pool_start - clock->pool_start),
	};
	*clock = now;
}
