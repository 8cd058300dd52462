/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#include <assert.h>
#include <string.h>

#include <smelt/encode_each.h>

#include "api/encode_options.h"
#include "base/error.h"
#include "encode/encode_each.h"

static struct smelt_each_callbacks known_callbacks(const struct smelt_each_callbacks *callbacks)
{
	struct smelt_each_callbacks known = { 0 };
	size_t size = callbacks->struct_size;

	assert(size >= sizeof(callbacks->struct_size));
	memcpy(&known, callbacks, size < sizeof(known) ? size : sizeof(known));
	return known;
}

enum smelt_status smelt_encode_each(const char *const *paths, size_t count,
				    const struct smelt_encode_options *options,
				    const struct smelt_each_callbacks *callbacks,
				    struct smelt_error *error)
{
	const struct smelt_encode_options known = known_options(options);
	const struct smelt_each_callbacks calls = known_callbacks(callbacks);
	struct worker_pool *pool;
	enum smelt_status status;

	status = check_request(&known, count, error);
	if (!status)
		status = pool_of_options(&known, &pool, error);
	if (status)
		return status;
	status = encode_each(pool, paths, (uint32_t)count, &known, &calls, error);
	worker_pool_destroy(pool);
	return status;
}
