/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Another order of a struct's members in which it is smaller.
 *
 * What moves are blocks: a member, or a run of bit fields with whatever shares their storage, which keeps its
 * inner layout. Base classes, what compilers put first, a flexible array at the end and members without size stay
 * where they are, the latter in front of what they are in front of. A layout that comes out is one that a C
 * compiler gives to the members in that order: alignments, natural and forced, are kept, and the
 * size is a multiple of the largest.
 *
 * Up to REORGANIZE_EXACT_MAX blocks the result is the smallest there is. With more it is that too unless some
 * size is no multiple of its alignment; then what is found is good, and never larger than before.
 */
#ifndef LAYOUT_REORGANIZE_H
#define LAYOUT_REORGANIZE_H

#include "base/vector.h"
#include "layout/source.h"

enum { REORGANIZE_EXACT_MAX = 8 };

/* A member was moved: the blocks that start with these entries of the struct's body. */
struct reorganize_move {
	uint32_t entry;
	uint32_t after_before; /* UINT32_MAX: it was the first */
	uint32_t after_now;    /* UINT32_MAX: it is the first */
	uint64_t size;         /* of the struct with this move and those before it */
	size_t order;          /* index into orders: entries of the body in their order then */
};

struct reorganized {
	uint32_t entry_count;
	VECTOR(struct reorganize_move) moves; /* none: it stays as it is */
	VECTOR(uint32_t) orders;              /* entry_count for each move */
	uint64_t old_size;
	uint64_t new_size;
};

struct reorganize_options {
	bool keeps_cachelines; /* members stay in the group of cache lines that a forced alignment starts */
	bool wants_moves; /* or just the size */
};

/* `source` is filled as far as needed. False when out of memory. */
bool reorganize(struct source_layouts *source, uint32_t type,
		const struct reorganize_options *options, struct reorganized *result);
void reorganized_deinit(struct reorganized *result);

/*
 * Where each entry lies with the body in this order, bits from the start; `offsets` has room for all entries.
 * False when out of memory.
 */
bool reorganize_place(struct source_layouts *source, uint32_t type, const uint32_t *order,
		      uint64_t *offsets);

#endif
