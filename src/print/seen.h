/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Texts that were seen before. Types are the same to somebody who looks at them if their texts are, so this
 * is how a type that many units and files define is shown once. Texts are kept as 128-bit hashes: a
 * program has some 10^4 types, and the chance that any two of 10^6 different texts collide is below 10^-26.
 */
#ifndef PRINT_SEEN_H
#define PRINT_SEEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct seen_set {
	struct seen_entry *entries;
	uint32_t count;
	uint32_t capacity; /* 0 or a power of two */
};

void seen_set_deinit(struct seen_set *set);
/* *number: of the text, in the order of arrival; *is_new: it was not there. False when out of memory. */
bool seen_set_add(struct seen_set *set, const char *text, size_t size, uint32_t *number,
		  bool *is_new);

#endif
