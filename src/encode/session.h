/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * What a run needs besides its input, so that many small runs, one after the other, do not make it anew
 * each: threads, buffers, memory that has been touched before.
 */
#ifndef ENCODE_SESSION_H
#define ENCODE_SESSION_H

#include "base/arena.h"
#include "base/worker_pool.h"
#include "load/dwarf_load.h"

/* One per worker: memory of its results, which live as long as the run. */
struct run_worker {
	_Alignas(64) struct arena arena;
};

struct encode_session {
	struct worker_pool *pool;
	struct run_worker *workers;
	struct load_context *loading;
	struct arena arena;
};

/* pool: must outlive the session. To be deinitialised also after a failure. */
enum smelt_status encode_session_init(struct encode_session *session, struct worker_pool *pool,
				      struct smelt_error *error);
/* Nothing of the last run is left afterwards but room for the next one. */
void encode_session_reset(struct encode_session *session);
/* A zeroed session is fine. */
void encode_session_deinit(struct encode_session *session);

#endif
