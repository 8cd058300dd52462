/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#include <assert.h>
#include <string.h>

#include <smelt/encode.h>

#include "base/error.h"
#include "encode/encode.h"

/* Options of a caller that was built against an older (shorter) or newer header. */
static struct smelt_encode_options known_options(const struct smelt_encode_options *options)
{
	struct smelt_encode_options known = { 0 };
	size_t size = options->struct_size;

	assert(size >= sizeof(options->struct_size));
	memcpy(&known, options, size < sizeof(known) ? size : sizeof(known));
	known.struct_size = sizeof(known);
	return known;
}

enum smelt_status smelt_encode_files(const char *const *paths, size_t count,
				     const struct smelt_encode_options *options,
				     struct smelt_encode_report *report,
				     struct smelt_btf_blob *blob, struct smelt_error *error)
{
	const struct smelt_encode_options known = known_options(options);
	struct smelt_encode_report unwanted;

	assert(count > 0);
	if (!report)
		report = &unwanted;
	*report = (struct smelt_encode_report){ 0 };
	if (count > UINT32_MAX)
		return error_set(error, SMELT_BAD_ARGUMENT, "too many files");
	if (known.base_path)
		return error_set(error, SMELT_UNSUPPORTED, "%s: split BTF is not supported yet",
				 known.base_path);
	return encode_files(paths, (uint32_t)count, &known, report, blob, error);
}

enum smelt_status smelt_encode_file(const char *path, const struct smelt_encode_options *options,
				    struct smelt_encode_report *report, struct smelt_btf_blob *blob,
				    struct smelt_error *error)
{
	return smelt_encode_files(&path, 1, options, report, blob, error);
}
