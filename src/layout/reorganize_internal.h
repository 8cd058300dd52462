/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Blocks of members that move together, and the search over their orders. */
#ifndef LAYOUT_REORGANIZE_INTERNAL_H
#define LAYOUT_REORGANIZE_INTERNAL_H

#include "layout/reorganize.h"

struct block {
	uint32_t first; /* place in the original order of the entries that count */
	uint32_t count;
	uint64_t size;            /* bytes from its start to its end */
	uint64_t alignment;       /* bytes */
	uint64_t first_alignment; /* of the first entry alone: where a compiler puts it */
	uint64_t bits;  /* from its start to the last bit; size * 8 unless it ends in a bit field */
	uint32_t group; /* may not move among blocks of others */
	bool starts_in_bits; /* the first entry is a bit field: nothing may be open before it */
	bool is_fixed;       /* stays at its place in the order */
};

struct search {
	struct source_layouts *source;
	const struct program_type *type;
	const struct program_member *members;
	const struct aggregate_layout *layout;
	VECTOR(struct block) blocks;
	uint32_t *entries; /* data members and bases, in their order */
	uint32_t entry_count;
	uint64_t alignment; /* of the struct */
	uint64_t lowest;    /* no order is smaller */
	uint64_t best;
	uint32_t *order; /* of blocks, while searching */
	uint32_t *best_order;
	bool *is_used;
};

static inline const struct member_layout *reorganize_layout(const struct search *search,
							    uint32_t place)
{
	return &search->layout->members[search->entries[place]];
}

static inline uint64_t round_up(uint64_t position, uint64_t unit)
{
	return (position + unit - 1) / unit * unit;
}

bool reorganize_search_init(struct search *search, uint32_t number);
void reorganize_search_deinit(struct search *search);
/* False when out of memory. */
bool reorganize_make_blocks(struct search *search, bool keeps_cachelines);

#endif
