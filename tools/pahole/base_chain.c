/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#include "base_chain.h"

/* Opens the first `count` bases as far as the last one needs them. */
static enum smelt_status open_bases(struct base_chain *chain, const struct pahole_options *options,
				    size_t count, const struct smelt_encode_options *encode,
				    struct smelt_error *error)
{
	const char *path = options->base_paths[count - 1];
	struct smelt_btf_base *opened;
	enum smelt_status status = smelt_btf_base_open(path, NULL, encode, &opened, error);

	/* Its types refer to some that it does not have. */
	if (status == SMELT_BAD_DATA && count > 1) {
		status = open_bases(chain, options, count - 1, encode, error);
		if (!status)
			status = smelt_btf_base_open(path, chain->bases[chain->count - 1], encode,
						     &opened, error);
		else
			path = chain->path;
	}
	chain->path = path;
	if (!status)
		chain->bases[chain->count++] = opened;
	return status;
}

enum smelt_status base_chain_init(struct base_chain *chain, const struct pahole_options *options,
				  const struct smelt_encode_options *encode,
				  const struct smelt_btf_base **base, struct smelt_error *error)
{
	enum smelt_status status = SMELT_OK;

	*chain = (struct base_chain){ 0 };
	if (options->base_count > 0)
		status = open_bases(chain, options, options->base_count, encode, error);
	*base = chain->count > 0 ? chain->bases[chain->count - 1] : NULL;
	return status;
}

void base_chain_deinit(struct base_chain *chain)
{
	while (chain->count > 0)
		smelt_btf_base_close(chain->bases[--chain->count]);
}
