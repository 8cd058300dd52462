/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Many units' types become one canonical set, in parallel and with a result that does
 * not depend on the order in which units arrive. See dedup.c for how.
 *
 *   dedup_create
 *   dedup_add_unit       from many threads, each unit once
 *   dedup_settle         after the last unit: numbers are final from here on
 *   dedup_type, ...      read only
 */
#ifndef DEDUP_DEDUP_H
#define DEDUP_DEDUP_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/name_table.h"
#include "base/worker_pool.h"
#include "model/unit.h"

struct base_index;
struct dedup;

/* Where a type stands in the sequence of all units' types. */
typedef uint64_t type_position;

static inline type_position type_position_of(uint32_t unit, uint32_t slot)
{
	return (type_position)unit << 32 | slot;
}

/* One type of the canonical set. `type` and the items' types are numbers of the set, 0 is void. */
struct dedup_type {
	type_position position; /* of its representative: the order of the set */
	struct model_type type; /* first_item is 0 */
	const struct model_item *items;
	uint32_t base_id; /* the type of the base that it is, or 0 */
};

/* A distinct content as first met, for the order in which strings are first used. */
struct dedup_first_use {
	type_position position;
	uint32_t name;
	uint32_t item_count;
	const struct model_item *items; /* only the names mean something here */
};

/*
 * base: NULL, or types that stand before those of all units; types of the result that are equal to one of
 * them say so. Runs may share it.
 */
enum smelt_status dedup_create(struct worker_pool *pool, unsigned hash_bits,
			       const struct base_index *base, struct dedup **dedup,
			       struct smelt_error *error);
void dedup_destroy(struct dedup *dedup);

/*
 * Adds a unit's types; record->classes (type_count of them, allocated by the caller) is filled.
 * References must be resolved: no TYPE_ALIAS targets. Each unit number once; lower is earlier. Of a pool whose jobs are
 * in order, a higher job must add a higher unit.
 */
enum smelt_status dedup_add_unit(struct dedup *dedup, uint32_t unit, const struct model_unit *types,
				 uint32_t *classes, struct worker *worker,
				 struct smelt_error *error);

/*
 * After a worker added a unit: those of its slots that are, so far, the lowest of their class, ascending; at most
 * type_count. A slot that is the lowest of all in the end is among them whatever the order of units.
 */
uint32_t dedup_lowest_slots(struct dedup *dedup, uint32_t unit, const uint32_t *classes,
			    uint32_t type_count, const struct worker *worker, uint32_t *slots);

/*
 * Adds one type without references at `position` (the `int` that arrays need), right behind the types of a
 * unit; returns its class or 0. At most once on a base.
 */
uint32_t dedup_add_type(struct dedup *dedup, type_position position, const struct model_type *type);

/*
 * Loads unit `unit` again, with the same slots as before, into worker scratch. Needed for the few units
 * where a name does not mean what it means elsewhere.
 */
typedef enum smelt_status (*dedup_reload_fn)(void *context, uint32_t unit, struct worker *worker,
					     struct model_unit *types, struct smelt_error *error);

/* All units, when none will be added any more. */
struct dedup_input {
	/*
	 * Records by unit number; they must outlive the dedup. Units without types may have no class
	 * array. Some entries of the class arrays change: then they are for dedup_number_of only.
	 */
	const struct unit_record *units;
	uint32_t unit_count;
	dedup_reload_fn reload;
	void *context; /* for reload */
	/* Only a base makes these needed: */
	struct name_table *names; /* of all units; gets frozen */
	type_position index_type; /* of the type that counts the elements of arrays, 0: none */
};

enum smelt_status dedup_settle(struct dedup *dedup, const struct dedup_input *input,
			       struct smelt_error *error);

/* Numbers are 1 .. dedup_type_count(). */
uint32_t dedup_type_count(const struct dedup *dedup);
const struct dedup_type *dedup_type(const struct dedup *dedup, uint32_t number);
/* Number of the type that slot `slot` of unit `unit` became; 0 for void. */
uint32_t dedup_number_of(const struct dedup *dedup, uint32_t unit, uint32_t slot);
/* The same for a class from dedup_add_type. */
uint32_t dedup_number_of_class(const struct dedup *dedup, uint32_t class_index);
/*
 * How often each type is defined in all units, where declarations do not count: added to counts[number], [0] to
 * [dedup_type_count()]. Looks at every type of the input, 4 ms for a kernel's.
 */
void dedup_count_definitions(const struct dedup *dedup, uint32_t *counts);
/* All distinct contents in order of position. */
const struct dedup_first_use *dedup_first_uses(const struct dedup *dedup, uint32_t *count);
/* Names with more than one definition. */
uint32_t dedup_ambiguous_names(const struct dedup *dedup);

#endif
