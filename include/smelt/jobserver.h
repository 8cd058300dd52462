/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/**
 * @file
 * GNU make's jobserver, as its client.
 *
 * `make -jN` keeps N - 1 tokens for all processes below it; each process may keep
 * one processor busy and another one for each token it takes. With a jobserver in
 * its options a call of this library takes tokens while it has work for more
 * threads, never waits for one, and gives each back as soon as its thread is idle.
 *
 * Tokens that a process takes to its grave are lost to the whole build, so a program
 * must also give them back when a signal ends it: smelt_jobserver_abandon().
 */
#ifndef SMELT_JOBSERVER_H
#define SMELT_JOBSERVER_H

#include <smelt/error.h>

#ifdef __cplusplus
extern "C" {
#endif

struct smelt_jobserver;

/**
 * Connects to the jobserver that `makeflags` (the environment variable MAKEFLAGS, may be
 * NULL) announces: a pair of descriptors or the path of a fifo.
 *
 * @param jobserver  out: caller owns it; NULL when none is announced; untouched on failure
 * @return SMELT_OK; another status when one is announced that is not there, as
 *         in a recipe that make does not take for one of make's own (no `+`)
 */
enum smelt_status smelt_jobserver_open(const char *makeflags, struct smelt_jobserver **jobserver,
				       struct smelt_error *error);

/** Gives all tokens back. No call that uses it may be running. NULL is fine. */
void smelt_jobserver_close(struct smelt_jobserver *jobserver);

/**
 * Gives all tokens back, though threads may still use them, and takes none from then on: for a
 * process that is about to end. Any thread may call it, a signal handler may not.
 */
void smelt_jobserver_abandon(struct smelt_jobserver *jobserver);

#ifdef __cplusplus
}
#endif

#endif
