/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* What all calls do with their options first. */
#ifndef API_ENCODE_OPTIONS_H
#define API_ENCODE_OPTIONS_H

#include <smelt/encode.h>

#include "base/worker_pool.h"

/* Options of a caller that was built against an older (shorter) or newer header, in the form of this one. */
struct smelt_encode_options known_options(const struct smelt_encode_options *options);

/* Whether known options agree with each other and can be had for so many files. */
enum smelt_status check_request(const struct smelt_encode_options *options, size_t count,
				struct smelt_error *error);

/* The threads that known options ask for. */
enum smelt_status pool_of_options(const struct smelt_encode_options *options,
				  struct worker_pool **pool, struct smelt_error *error);

#endif
