/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * One line on a terminal that says how far long work has come. Nothing appears when
 * stderr is not a terminal or the work is quick, and nothing of it stays.
 * Any thread may update and erase.
 */
#ifndef CLI_PROGRESS_LINE_H
#define CLI_PROGRESS_LINE_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

struct cli_progress_line {
	pthread_mutex_t lock;
	const char *program;
	const char *things;  /* that are counted */
	const char *subject; /* what is worked on, without its folders, or NULL */
	struct timespec start;
	double delay_seconds; /* nothing is shown before */
	bool enabled;
	unsigned shown_columns; /* of the line on screen; 0: none */
};

/* The texts must live as long as the line; path may be NULL. */
void cli_progress_line_init(struct cli_progress_line *line, const char *program, const char *things,
			    const char *path, double delay_seconds);
/* Erases the line. */
void cli_progress_line_deinit(struct cli_progress_line *line);

void cli_progress_line_update(struct cli_progress_line *line, uint64_t done, uint64_t total);
/* To be called before anything else is printed on stderr. */
void cli_progress_line_erase(struct cli_progress_line *line);

#endif
