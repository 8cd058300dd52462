/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * How many threads may work when the command line does not say: under `make -jN` that is for make's
 * jobserver to decide, token by token.
 */
#ifndef CLI_JOBSERVER_H
#define CLI_JOBSERVER_H

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>

#include <smelt/jobserver.h>

struct cli_jobserver {
	struct smelt_jobserver *connection; /* NULL: threads need no tokens */
	bool is_announced;                  /* by make, though perhaps not there */
	struct smelt_error error;           /* why it is not */
	sigset_t signals;                   /* that end the process and are waited for */
	pthread_t thread;
};

/*
 * Connects to the jobserver that MAKEFLAGS announces. From here on a signal that ends the
 * process gives its tokens back first; so call it before threads are made. No failure ends
 * the run: see is_announced and error.
 */
void cli_jobserver_init(struct cli_jobserver *jobserver);
void cli_jobserver_deinit(struct cli_jobserver *jobserver);

/*
 * How many threads to ask for: of all processors where tokens decide how many of them work, one where
 * make's jobserver cannot be reached. Without make, one, or what suits the machine if is_parallel.
 */
unsigned cli_jobserver_threads(const struct cli_jobserver *jobserver, bool is_parallel);

#endif
