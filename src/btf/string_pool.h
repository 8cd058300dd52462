/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The string section of a blob that one thread writes: each string once, in the order of
 * first use. (string_table.h does the same for many threads that know all names beforehand.)
 * A pool may continue the section of a base; what that has is not added again.
 */
#ifndef BTF_STRING_POOL_H
#define BTF_STRING_POOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vector.h"

struct string_pool {
	const struct string_pool *base; /* or NULL */
	uint32_t origin;                /* offset of the section's first byte */
	VECTOR(char) bytes;             /* the section */
	uint32_t *slots;                /* places in `bytes` + 1, by hash; 0: free */
	uint32_t slot_count;            /* power of two, or 0 */
	uint32_t used;                  /* slots */
	bool failed;                    /* out of memory, or 4 GiB are full */
};

/* base: outlives the pool and gets no more strings; or NULL: then offset 0 is the empty string. */
void string_pool_init(struct string_pool *pool, const struct string_pool *base);
void string_pool_deinit(struct string_pool *pool);

/* Offset of a NUL-terminated text. A pool that `failed` says 0 from then on: check once at the end. */
uint32_t string_pool_add(struct string_pool *pool, const char *text);

#endif
