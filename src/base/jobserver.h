/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Tokens of GNU make's jobserver, which <smelt/jobserver.h> opens. A token is a byte in a pipe, and must go
 * back as the byte it was. GNU make manual, 13.1 "Sharing Job Slots with GNU make".
 */
#ifndef BASE_JOBSERVER_H
#define BASE_JOBSERVER_H

#include <smelt/jobserver.h>

/* Takes up to `count` tokens, those that are there now; returns how many. Thread-safe. */
unsigned jobserver_take(struct smelt_jobserver *jobserver, unsigned count);
/* Gives back `count` of those taken. Thread-safe. */
void jobserver_give(struct smelt_jobserver *jobserver, unsigned count);

#endif
