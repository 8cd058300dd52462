/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * What became of each DIE that others may refer to, by its offset.
 *
 * DIEs are entered in ascending order of offset, as they are met, and get their value when they are
 * finished. Offsets are found by the number of the first entry in their block of 64 bytes and a short
 * walk from there; two small arrays stay in the cache where a slot per byte would not.
 */
#ifndef LOAD_DIE_INDEX_H
#define LOAD_DIE_INDEX_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vector.h"

enum entity_kind {
	ENTITY_NONE = 0,
	ENTITY_TYPE,      /* number: slot */
	ENTITY_ALIAS,     /* number: index of the reference it stands for */
	ENTITY_PARAMETER, /* number: index into parameters */
	ENTITY_FUNCTION,
	ENTITY_VARIABLE,
};

struct die_entity {
	uint32_t offset;
	uint32_t value; /* kind << 29 | number */
};

struct die_index {
	VECTOR(struct die_entity) entities;
	VECTOR(uint32_t) block_first;
};

enum { DIE_INDEX_BLOCK_SHIFT = 6, ENTITY_KIND_SHIFT = 29 };

#define ENTITY_NUMBER_MASK ((UINT32_C(1) << ENTITY_KIND_SHIFT) - 1)

static inline void die_index_reset(struct die_index *index)
{
	index->entities.count = 0;
	index->block_first.count = 0;
}

/* Number of the new entry; UINT32_MAX when out of memory. Offsets must ascend. */
static inline uint32_t die_index_enter(struct die_index *index, uint32_t offset)
{
	size_t block = offset >> DIE_INDEX_BLOCK_SHIFT;
	uint32_t number = (uint32_t)index->entities.count;
	struct die_entity *entity;

	if (!vector_reserve(&index->block_first, block + 1))
		return UINT32_MAX;
	while (index->block_first.count <= block)
		index->block_first.items[index->block_first.count++] = number;
	entity = vector_push(&index->entities);
	if (entity == NULL)
		return UINT32_MAX;
	*entity = (struct die_entity){ .offset = offset };
	return number;
}

static inline void die_index_set(struct die_index *index, uint32_t number, enum entity_kind kind,
				 uint32_t value)
{
	index->entities.items[number].value = (uint32_t)kind << ENTITY_KIND_SHIFT | value;
}

/* The value of the DIE at `offset`; 0 (ENTITY_NONE) when it was not entered. */
static inline uint32_t die_index_find(const struct die_index *index, uint32_t offset)
{
	size_t block = offset >> DIE_INDEX_BLOCK_SHIFT;

	if (block >= index->block_first.count)
		return 0;
	for (size_t i = index->block_first.items[block]; i < index->entities.count; i++) {
		if (index->entities.items[i].offset >= offset)
			return index->entities.items[i].offset == offset ?
				       index->entities.items[i].value :
				       0;
	}
	return 0;
}

#endif
