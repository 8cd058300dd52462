/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Sorts many texts by byte order. Names of a program have long common prefixes, so
 * comparing whole texts pair by pair would be most of the cost; see text_sort.c.
 */
#ifndef BASE_TEXT_SORT_H
#define BASE_TEXT_SORT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/worker_pool.h"

struct text_key {
	const char *text; /* no NUL within its size */
	uint32_t size;
	uint32_t value;  /* the caller's */
	uint64_t prefix; /* the sort's own */
};

/* Equal texts keep their order. False when out of memory (the order is then undefined). */
bool text_sort(struct text_key *keys, uint32_t count);

/* The same with the pool's help; in any case the same result. Not from within a job. */
bool text_sort_parallel(struct text_key *keys, uint32_t count, struct worker_pool *pool);

#endif
