/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#include "api/encode_options.h"
#include "base/worker_pool.h"
#include "encode/base.h"

enum smelt_status smelt_btf_base_open(const char *path, const struct smelt_btf_base *parent,
				      const struct smelt_encode_options *options,
				      struct smelt_btf_base **base, struct smelt_error *error)
{
	const struct smelt_encode_options known = known_options(options);
	struct worker_pool *pool;
	enum smelt_status status = pool_of_options(&known, &pool, error);

	if (status)
		return status;
	status = encode_base_open(path, parent, pool, known.hash_bits, base, error);
	worker_pool_destroy(pool);
	return status;
}

void smelt_btf_base_close(struct smelt_btf_base *base)
{
	encode_base_close(base);
}
