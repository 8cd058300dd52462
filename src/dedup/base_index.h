/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The types of a base, which stand before all types of a run: how to find one that is like a
 * given type. Built once; any number of runs in any number of threads may read it.
 *
 * A type's key is a hash of what tells it apart when its references are known: the name of a named type,
 * whatever its kind; the members of a nameless struct, union or enumeration; all of the others.
 */
#ifndef DEDUP_BASE_INDEX_H
#define DEDUP_BASE_INDEX_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/text_index.h"
#include "base/worker_pool.h"
#include "dedup/type_family.h"
#include "dedup/type_words.h"
#include "model/unit.h"

/* No id of the base; 0 is void. */
enum { BASE_NONE = UINT32_MAX };

/* What the index is built over; all of it must outlive the index. */
struct base_types {
	/*
	 * Slots are the base's type ids; what the model has no kind for is absent. Names are offsets in `texts`;
	 * `names` is NULL.
	 */
	struct model_unit unit;
	uint32_t index_type; /* id of the type that counts the elements of all its arrays, or 0 */
	/* Ids that the incumbent does not enter into its table of candidates: ascending. */
	const uint32_t *unlisted;
	uint32_t unlisted_count;
	/* NULL, in tests only: names are those of the run. */
	const struct text_index *texts;
	uint32_t text_end; /* above all offsets */
};

struct base_index {
	struct base_types types;
	uint32_t *heads; /* by key: lowest id of a chain, 0: none */
	uint32_t *next;  /* per id: next one of its chain, ascending, or 0 */
	uint64_t key_mask;
};

/*
 * hash_bits: how many bits of a key are used, 0: all (others are for tests). Memory is that of `arena`: 8
 * to 12 bytes per type.
 */
enum smelt_status base_index_create(const struct base_types *types, unsigned hash_bits,
				    struct worker_pool *pool, struct arena *arena,
				    struct base_index **index, struct smelt_error *error);

/*
 * Key of a type of `unit`. references: ids of what it refers to (type_reference_at), NULL: those are in
 * the type itself. Not looked at for types with a name and for structs, unions and enumerations.
 */
uint64_t base_index_key(const struct model_unit *unit, const struct model_type *type,
			const uint32_t *references);
uint64_t base_index_name_key(uint32_t name);

/*
 * First id that may have the key, 0: none; then by base_index_next. Chains hold others as well.
 */
static inline uint32_t base_index_first(const struct base_index *index, uint64_t key)
{
	return index->heads[key & index->key_mask];
}

static inline uint32_t base_index_next(const struct base_index *index, uint32_t id)
{
	return index->next[id];
}

/* Ids, 0 is void. */
static inline uint32_t base_index_count(const struct base_index *index)
{
	return index->types.unit.type_count;
}

/*
 * Lowest id above `after` of a type with the words of `type` that refers to `references`
 * (type_reference_count of them; not looked at for enumerations), or 0.
 */
uint32_t base_index_find(const struct base_index *index, struct type_in_unit type,
			 const uint32_t *references, uint32_t after);

static inline const struct model_type *base_index_type(const struct base_index *index, uint32_t id)
{
	return &index->types.unit.types[id];
}

/* How many types are in the incumbent's table of candidates before `id` is entered. */
uint32_t base_index_listed_before(const struct base_index *index, uint32_t id);

#endif
