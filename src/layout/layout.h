/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Where the members of a struct or union lie, what is between them, and what that says about
 * the type. Found out when first asked for, and kept; it depends on the type and those it
 * contains, never on what was asked before.
 */
#ifndef LAYOUT_LAYOUT_H
#define LAYOUT_LAYOUT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "layout/facts.h"
#include "model/program.h"

/*
 * One entry of the body. An ordinary member's storage is its bytes; that of a bit field is the
 * unit of its declared type, aligned to the type's size, that holds its first bit. Of an entry
 * without a place in the object (`is_placed` is false) all else is 0.
 */
struct member_layout {
	uint64_t offset;     /* bytes from the start of the aggregate to the storage */
	uint64_t size;       /* bytes of the storage */
	uint64_t bit_offset; /* from the start of the aggregate */
	int64_t hole;     /* bytes after it up to the next one; below 0 if that is in its storage */
	int64_t bit_hole; /* bits after it up to the next one or the end of its unit */
	uint32_t bit_position; /* of a bit field in its storage, by the numbering of the target */
	uint32_t
		alignment; /* bytes, forced: recorded, or guessed if the program does not record; or 0 */
	uint16_t bit_size; /* 0: no bit field */
	bool is_placed;    /* counts in the sums, and can have a hole after it */
};

/* Members that are structs themselves: what is inside these. */
struct nested_layout_counts {
	uint32_t with_padding, with_bit_padding, with_holes, with_bit_holes;
	uint64_t padding, bit_padding, holes, bit_holes;
	uint32_t flexible_at_end, flexible_inside;
};

struct aggregate_layout {
	uint64_t size;                 /* bytes */
	struct member_layout *members; /* per entry of the body */
	const uint32_t *order;         /* of the entries, by offset; NULL: as they are */
	uint32_t member_count;         /* data members and bases */
	uint32_t static_count;
	uint32_t alignment; /* bytes, forced: recorded or guessed; or 0 */

	/* STRUCT only: */
	int64_t first_hole; /* bytes before the first member */
	int64_t first_bit_hole;
	uint64_t padding;
	uint64_t bit_padding;
	uint32_t hole_count, bit_hole_count;
	uint64_t hole_sum, bit_hole_sum;     /* holes below 0 do not count */
	uint64_t member_sum, bit_member_sum; /* bytes of ordinary members, bits of bit fields */
	uint64_t largest_hole;
	uint32_t aligned_member_count; /* with a forced alignment */
	uint32_t forced_hole_count;    /* before such members */
	uint64_t forced_hole_sum;
	bool is_packed; /* some member could not lie where it lies otherwise */
};

struct layouts {
	struct facts_table facts;
	const struct program *program;
	const struct aggregate_layout **by_type; /* NULL: not asked for yet */
	uint32_t cacheline_size;
	struct arena arena;
	bool out_of_memory; /* some result since then is NULL */
};

/* `program` must outlive it. cacheline_size: bytes, not 0. */
enum smelt_status layouts_init(struct layouts *layouts, const struct program *program,
			       uint32_t cacheline_size, struct smelt_error *error);
void layouts_deinit(struct layouts *layouts);

const struct aggregate_layout *layouts_compute(struct layouts *layouts, uint32_t type);

/* Of a STRUCT or UNION; NULL when out of memory. */
static inline const struct aggregate_layout *layout_of(struct layouts *layouts, uint32_t type)
{
	const struct aggregate_layout *layout = layouts->by_type[type];

	return layout ? layout : layouts_compute(layouts, type);
}

/*
 * Another layout of a STRUCT: entries in this order, at these offsets (bits, by entry), of this size (bytes). Lives
 * as long as `layouts`, as do `order`'s values, which are copied. NULL when out of memory.
 */
const struct aggregate_layout *layout_arrange(struct layouts *layouts, uint32_t type,
					      const uint32_t *order, const uint64_t *bit_offsets,
					      uint64_t size);

/* Index of the n-th entry in the order in which entries are looked at and shown. */
static inline uint32_t layout_entry(const struct aggregate_layout *layout, uint32_t n)
{
	return layout->order ? layout->order[n] : n;
}

/* Of a STRUCT. */
struct nested_layout_counts layout_nested_counts(struct layouts *layouts, uint32_t type);

/*
 * Whether a struct that is a member of `outer` shows there that it is packed: it lies where
 * its members could not lie otherwise, and it is not `outer` that is packed.
 */
bool layout_member_is_packed(struct layouts *layouts, uint32_t outer, uint32_t member_index);

/* --show_first_biggest_size_base_type_member */
struct biggest_member {
	const char *name; /* NULL: none */
	uint64_t offset;  /* bytes from the start of the outer aggregate */
	uint64_t size;
};

/*
 * The first member, looking into aggregates, whose type is the largest of those that fit in an
 * address; or the first that is larger than an address.
 */
struct biggest_member layout_biggest_member(struct layouts *layouts, uint32_t type);

#endif
