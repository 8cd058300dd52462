/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Many files, each on its own; what smelt_encode_each() does, see <smelt/encode_each.h>. */
#ifndef ENCODE_ENCODE_EACH_H
#define ENCODE_ENCODE_EACH_H

#include <smelt/encode_each.h>

#include "base/worker_pool.h"

enum smelt_status encode_each(struct worker_pool *pool, const char *const *paths, uint32_t count,
			      const struct smelt_encode_options *options,
			      const struct smelt_each_callbacks *callbacks,
			      struct smelt_error *error);

/*
 * How many of the largest files to encode with all workers on one at a time, before the rest is
 * encoded side by side with one worker each. sizes: in bytes, descending.
 */
uint32_t each_shared_count(const uint64_t *sizes, uint32_t count, unsigned workers);

#endif
