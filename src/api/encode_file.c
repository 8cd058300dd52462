/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#include <assert.h>

#include <smelt/encode.h>

#include "api/encode_options.h"
#include "base/error.h"
#include "encode/encode.h"

static enum smelt_status encode_with_pool(const char *const *paths, uint32_t count,
					  const struct smelt_encode_options *options,
					  struct smelt_encode_report *report,
					  struct smelt_btf_blob *blob, struct smelt_error *error)
{
	struct encode_session session = { 0 };
	struct worker_pool *pool;
	enum smelt_status status = pool_of_options(options, &pool, error);

	if (status)
		return status;
	status = encode_session_init(&session, pool, error);
	if (!status)
		status = encode_files(&session, paths, count, options, report, blob, error);
	encode_session_deinit(&session);
	worker_pool_destroy(pool);
	return status;
}

enum smelt_status smelt_encode_files(const char *const *paths, size_t count,
				     const struct smelt_encode_options *options,
				     struct smelt_encode_report *report,
				     struct smelt_btf_blob *blob, struct smelt_error *error)
{
	const struct smelt_encode_options known = known_options(options);
	struct smelt_encode_report unwanted;
	enum smelt_status status;

	assert(count > 0);
	if (!report)
		report = &unwanted;
	*report = (struct smelt_encode_report){ 0 };
	status = check_request(&known, count, error);
	if (status)
		return status;
	return encode_with_pool(paths, (uint32_t)count, &known, report, blob, error);
}

enum smelt_status smelt_encode_file(const char *path, const struct smelt_encode_options *options,
				    struct smelt_encode_report *report, struct smelt_btf_blob *blob,
				    struct smelt_error *error)
{
	return smelt_encode_files(&path, 1, options, report, blob, error);
}
