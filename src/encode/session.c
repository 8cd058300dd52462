/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#include "encode/session.h"

#include <stdlib.h>

enum smelt_status encode_session_init(struct encode_session *session, struct worker_pool *pool,
				      struct smelt_error *error)
{
	unsigned worker_count = worker_pool_size(pool);

	*session = (struct encode_session){ .pool = pool };
	arena_init(&session->arena);
	session->workers = aligned_alloc(_Alignof(struct run_worker),
					 worker_count * sizeof(*session->workers));
	if (!session->workers)
		return error_no_memory(error);
	for (unsigned i = 0; i < worker_count; i++)
		arena_init(&session->workers[i].arena);
	return load_context_create(&session->loading, error);
}

void encode_session_reset(struct encode_session *session)
{
	load_context_reset(session->loading);
	for (unsigned i = 0; i < worker_pool_size(session->pool); i++)
		arena_reset(&session->workers[i].arena);
	arena_reset(&session->arena);
}

void encode_session_deinit(struct encode_session *session)
{
	load_context_destroy(session->loading);
	for (unsigned i = 0; session->workers && i < worker_pool_size(session->pool); i++)
		arena_deinit(&session->workers[i].arena);
	free(session->workers);
	arena_deinit(&session->arena);
	*session = (struct encode_session){ 0 };
}
