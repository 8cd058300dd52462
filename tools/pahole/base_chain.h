/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The base of --btf_base. The option given last counts; one that turns out to be split itself is taken to continue
 * the one given before it.
 */
#ifndef PAHOLE_BASE_CHAIN_H
#define PAHOLE_BASE_CHAIN_H

#include <smelt/encode.h>

#include "options.h"

struct base_chain {
	struct smelt_btf_base *bases[PAHOLE_BASES_MAX];
	size_t count;
	const char *path; /* the one that an error is about */
};

/* *base: NULL if the option was not given. To be deinitialised in any case. */
enum smelt_status base_chain_init(struct base_chain *chain, const struct pahole_options *options,
				  const struct smelt_encode_options *encode,
				  const struct smelt_btf_base **base, struct smelt_error *error);
void base_chain_deinit(struct base_chain *chain);

#endif
