/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* --timings: where the time and memory of a run went. */
#ifndef PAHOLE_RUN_REPORT_H
#define PAHOLE_RUN_REPORT_H

#include <stdio.h>

#include <smelt/encode.h>

/* Clocks at one moment, in seconds. */
struct run_clock {
	double wall;
	double cpu; /* of all threads of the process */
};

struct run_clock run_clock_now(void);

struct run_report {
	struct run_clock start; /* of the program's work */
	struct smelt_encode_report encode;
	struct smelt_pass_time write; /* of the output; name NULL: not reached */
	uint64_t files;               /* that were added up */
};

/* Adds the counts of one of many files. Passes of files that are encoded side by side have no times of their own. */
void run_report_add(struct run_report *report, const struct smelt_encode_report *file);

/* Up to the moment of the call. */
void run_report_print(const struct run_report *report, FILE *stream);

#endif
