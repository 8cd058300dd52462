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

void pass_clock_init(struct pass_clock *clock, struct smelt_encode_report *report)
{
	*clock = (struct pass_clock){
		.report = report,
		.wall_start = seconds_of(CLOCK_MONOTONIC),
		.cpu_start = seconds_of(CLOCK_PROCESS_CPUTIME_ID),
	};
}

void pass_clock_lap(struct pass_clock *clock, const char *name, enum pass_kind kind)
{
	struct smelt_encode_report *report = clock->report;
	struct pass_clock now;

	assert(report->pass_count < SMELT_PASS_MAX);
	pass_clock_init(&now, report);
	report->passes[report->pass_count++] = (struct smelt_pass_time){
		.name = name,
		.parallel = kind == PASS_PARALLEL,
		.wall_seconds = now.wall_start - clock->wall_start,
		.cpu_seconds = now.cpu_start - clock->cpu_start,
	};
	*clock = now;
}
