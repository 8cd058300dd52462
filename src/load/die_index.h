/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * What became of each DIE that others may refer to, by its offset.
 *
 * DIEs are entered in ascending order of offset, as they are met, and get their value when they are
 * finished. For each block of 64 offsets there is a bitmap of those that were entered and the number of
 * entries before the block, so that a look-up is a population count, without a branch to mispredict, in
 * a quarter of a byte per byte of DWARF: it stays in the first-level cache where a slot per offset would not.
 * The numbers are counted once all DIEs are entered; look-ups come after that.
 */
#ifndef LOAD_DIE_INDEX_H
#define LOAD_DIE_INDEX_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vector.h"

enum entity_kind {
	ENTITY_TYPE,      /* number: slot; 0: none, or not finished */
	ENTITY_ALIAS,     /* number: index of the reference it stands for */
	ENTITY_PARAMETER, /* number: index into parameters */
	ENTITY_FUNCTION,
	ENTITY_VARIABLE,
};

struct die_index_block {
	uint64_t entered; /* a bit per offset */
	uint32_t first;   /* entries before this block */
};

struct die_index {
	VECTOR(uint32_t) values; /* kind << 29 | number, in order of offset */
	VECTOR(struct die_index_block) blocks;
};

enum { ENTITY_KIND_SHIFT = 29 };

#define ENTITY_NUMBER_MASK ((UINT32_C(1) << ENTITY_KIND_SHIFT) - 1)

static inline void die_index_reset(struct die_index *index)
{
	index->values.count = 0;
	index->blocks.count = 0;
}

/* Makes room for offsets below `end`, which may grow between entries. False when out of memory. */
bool die_index_extend(struct die_index *index, uint64_t end);

/* All DIEs are entered. */
void die_index_close(struct die_index *index);

/*
 * Marks a function that counts bits in a loop: x86-64 has an instruction for it only since v2, so the function is compiled
 * for both and chosen when the program starts. (Sanitizers run before that is possible.)
 */
#if defined(__x86_64__) && !defined(__POPCNT__) && !defined(__SANITIZE_ADDRESS__) && \
	!defined(__SANITIZE_THREAD__) && defined(__GNUC__) && !defined(__clang__)
#define BITS_IN_HARDWARE __attribute__((target_clones("popcnt", "default")))
#else
#define BITS_IN_HARDWARE
#endif

struct die_index_place {
	uint32_t offset;
	uint32_t slot;
};

/*
 * The DIEs that became certain types, by ascending offset. wanted: a bit per slot; as many as are set have room in
 * `places`. Functions have slots from first_function_slot on, unless that is 0. Returns their number.
 */
size_t die_index_places(const struct die_index *index, const uint64_t *wanted,
			uint32_t first_function_slot, struct die_index_place *places);

/* Number of the new entry; UINT32_MAX when out of memory. Offsets must ascend, below the end. */
static inline uint32_t die_index_enter(struct die_index *index, uint32_t offset)
{
	uint32_t *value = vector_push(&index->values);

	if (value == NULL)
		return UINT32_MAX;
	*value = 0;
	index->blocks.items[offset / 64].entered |= UINT64_C(1) << (offset % 64);
	return (uint32_t)index->values.count - 1;
}

static inline void die_index_set(struct die_index *index, uint32_t number, enum entity_kind kind,
				 uint32_t value)
{
	index->values.items[number] = (uint32_t)kind << ENTITY_KIND_SHIFT | value;
}

/* The value of the DIE at `offset`; 0 when it was not entered. */
static inline uint32_t die_index_find(const struct die_index *index, uint32_t offset)
{
	const struct die_index_block *block;
	uint64_t bit = UINT64_C(1) << (offset % 64);

	if (offset / 64 >= index->blocks.count)
		return 0;
	block = &index->blocks.items[offset / 64];
	if (!(block->entered & bit))
		return 0;
	return index->values
		.items[block->first + (uint32_t)__builtin_popcountll(block->entered & (bit - 1))];
}

#endif
