/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The DWARF of some files as one BTF; what smelt_encode_files() does, see <smelt/encode.h>. */
#ifndef ENCODE_ENCODE_H
#define ENCODE_ENCODE_H

#include <smelt/encode.h>

#include "encode/session.h"

/*
 * session: new or reset. path_count > 0. options: without jobs, jobserver and shuffle_seed, which are the pool's.
 * report: filled as far as the run comes; zeroed by the caller. blob: untouched on failure.
 */
enum smelt_status encode_files(struct encode_session *session, const char *const *paths,
			       uint32_t path_count, const struct smelt_encode_options *options,
			       struct smelt_encode_report *report, struct smelt_btf_blob *blob,
			       struct smelt_error *error);

#endif
