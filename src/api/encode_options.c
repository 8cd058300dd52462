/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#include "api/encode_options.h"

#include <assert.h>
#include <string.h>

#include "base/error.h"

struct smelt_encode_options known_options(const struct smelt_encode_options *options)
{
	struct smelt_encode_options known = { 0 };
	size_t size = options->struct_size;

	assert(size >= sizeof(options->struct_size));
	memcpy(&known, options, size < sizeof(known) ? size : sizeof(known));
	known.struct_size = sizeof(known);
	return known;
}

enum smelt_status check_request(const struct smelt_encode_options *options, size_t count,
				struct smelt_error *error)
{
	if (count > UINT32_MAX)
		return error_set(error, SMELT_BAD_ARGUMENT, "too many files");
	if (options->features & SMELT_BTF_DISTILLED_BASE && !options->base)
		return error_set(error, SMELT_BAD_ARGUMENT,
				 "the feature distilled_base needs a base");
	return SMELT_OK;
}

enum smelt_status pool_of_options(const struct smelt_encode_options *options,
				  struct worker_pool **pool, struct smelt_error *error)
{
	enum smelt_status status = worker_pool_create(options->jobs, pool, error);

	if (status)
		return status;
	worker_pool_set_shuffle(*pool, options->shuffle_seed);
	worker_pool_set_jobserver(*pool, options->jobserver);
	return SMELT_OK;
}
