/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Signals are blocked in all threads but one, which waits for them: a token that another thread has
 * just read is accounted for under a lock, which a handler could not take.
 */
#include "cli/jobserver.h"

#include <stdlib.h>
#include <unistd.h>

/* Sent to the waiting thread alone, to end it. */
static int end_signal(void)
{
	return SIGRTMIN;
}

/* Of those that people and build systems send. One that is ignored stays so. */
static void find_signals(sigset_t *signals)
{
	static const int candidates[] = { SIGHUP, SIGINT, SIGQUIT, SIGTERM };

	sigemptyset(signals);
	sigaddset(signals, end_signal());
	for (size_t i = 0; i < sizeof(candidates) / sizeof(candidates[0]); i++) {
		struct sigaction action;

		if (sigaction(candidates[i], NULL, &action) == 0 && action.sa_handler == SIG_DFL)
			sigaddset(signals, candidates[i]);
	}
}

static void *wait_for_signal(void *argument)
{
	struct cli_jobserver *jobserver = argument;
	int number;

	if (sigwait(&jobserver->signals, &number) != 0 || number == end_signal())
		return NULL;
	smelt_jobserver_abandon(jobserver->connection);
	/* The process ends as it would have; the signal is still blocked everywhere else. */
	pthread_sigmask(SIG_UNBLOCK, &jobserver->signals, NULL);
	(void)raise(number);
	return NULL;
}

static void disconnect(struct cli_jobserver *jobserver)
{
	smelt_jobserver_close(jobserver->connection);
	jobserver->connection = NULL;
}

void cli_jobserver_init(struct cli_jobserver *jobserver)
{
	*jobserver = (struct cli_jobserver){ 0 };
	if (smelt_jobserver_open(getenv("MAKEFLAGS"), &jobserver->connection, &jobserver->error)) {
		jobserver->is_announced = true;
		return;
	}
	if (!jobserver->connection)
		return;
	jobserver->is_announced = true;
	find_signals(&jobserver->signals);
	pthread_sigmask(SIG_BLOCK, &jobserver->signals, NULL);
	if (pthread_create(&jobserver->thread, NULL, wait_for_signal, jobserver) == 0)
		return;
	/* No threads at all, so no need for tokens. */
	pthread_sigmask(SIG_UNBLOCK, &jobserver->signals, NULL);
	disconnect(jobserver);
}

void cli_jobserver_deinit(struct cli_jobserver *jobserver)
{
	if (!jobserver->connection)
		return;
	/* It may be on the way to end the process; then this does not return. */
	pthread_kill(jobserver->thread, end_signal());
	pthread_join(jobserver->thread, NULL);
	disconnect(jobserver);
	pthread_sigmask(SIG_UNBLOCK, &jobserver->signals, NULL);
}

unsigned cli_jobserver_threads(const struct cli_jobserver *jobserver, bool is_parallel)
{
	long processors = sysconf(_SC_NPROCESSORS_ONLN);
	long threads = 1;

	if (jobserver->connection)
		threads = processors;
	else if (!jobserver->is_announced && is_parallel)
		threads = processors * 11 / 10; /* some wait for the disk */
	return threads > 1 ? (unsigned)threads : 1;
}
