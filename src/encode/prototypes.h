/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Function prototypes, each distinct one once. Those that are types of the set come first;
 * then, by name, those of the functions that are encoded. The first of several equal
 * ones stands for all. Threads may add at the same time: what a place in the table finally names is the
 * lowest order, which does not depend on who came first.
 */
#ifndef ENCODE_PROTOTYPES_H
#define ENCODE_PROTOTYPES_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "dedup/dedup.h"
#include "model/unit.h"

/*
 * Instead of a number of the set: a pointer to a type in the arena of a BPF program, which no unit has; the
 * rest is the number of what it points to.
 */
enum { PROTOTYPE_ARENA_POINTER = INT32_MIN };

struct prototype {
	uint32_t hash;
	uint32_t return_type; /* number of the set */
	uint32_t parameter_count;
	struct function_parameter parameters[]; /* types are numbers of the set, too */
};

struct prototype_table {
	const struct dedup_type *types; /* [n - 1] is number n */
	uint32_t type_count;
	const struct prototype **functions; /* per function; NULL: not encoded */
	_Atomic uint32_t
		*places; /* order of a prototype: number, or type_count + 1 + function; 0: free */
	uint32_t place_mask;
	uint32_t hash_mask;
};

/* hash_bits: how many bits of a hash are used, 0: all. NULL when out of memory. */
struct prototype_table *prototype_table_create(const struct dedup_type *types, uint32_t type_count,
					       uint32_t function_count, unsigned hash_bits);
void prototype_table_destroy(struct prototype_table *table);

/* number: of a TYPE_FUNCTION. */
void prototype_table_add_type(struct prototype_table *table, uint32_t number);

/* Fills prototype->hash, keeps `prototype`; the place tells later who stands for it. */
uint32_t prototype_table_add(struct prototype_table *table, uint32_t function,
			     struct prototype *prototype);

/* After all have been added: order of the prototype that stands for those at `place`. */
static inline uint32_t prototype_table_first(const struct prototype_table *table, uint32_t place)
{
	return atomic_load_explicit(&table->places[place], memory_order_relaxed);
}

static inline uint32_t prototype_order_of_function(const struct prototype_table *table,
						   uint32_t function)
{
	return table->type_count + 1 + function;
}

/* Whether `order` is that of a type of the set (which it is the number of). */
static inline bool prototype_is_type(const struct prototype_table *table, uint32_t order)
{
	return order <= table->type_count;
}

static inline uint32_t prototype_function_of(const struct prototype_table *table, uint32_t order)
{
	return order - table->type_count - 1;
}

#endif
