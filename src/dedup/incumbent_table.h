/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * How full the incumbent's table of candidates is when it comes to a type.
 *
 * It keeps the types that stay in a hash table, candidates of equal content in a list that the
 * next one is put in front of, and each time the table grows all lists are reversed. So which
 * of several candidates is tried first depends on how many types it has kept by then. It goes over
 * all units twice: for types without references, then for structs, unions and typedefs.
 */
#ifndef DEDUP_INCUMBENT_TABLE_H
#define DEDUP_INCUMBENT_TABLE_H

#include <stdbool.h>
#include <stdint.h>

#include "dedup/class_scan.h"
#include "dedup/name_groups.h"
#include "dedup/residue.h"

struct incumbent_table {
	type_position *primitives; /* ascending: where types without references were entered */
	type_position *composites; /* the same for structs, unions, typedefs */
	uint32_t primitive_count;
	uint32_t composite_count;
};

/*
 * From the residue as it is; `scan` knows all places of the classes in it. `table` is zeroed or
 * was filled before. False when out of memory.
 */
bool incumbent_table_fill(struct incumbent_table *table, const struct residue *residue,
			  const struct name_groups *groups, const struct class_scan *scan);
void incumbent_table_deinit(struct incumbent_table *table);

/* Entries when the struct, union or typedef at `position` is looked up. */
uint64_t incumbent_table_at_composite(const struct incumbent_table *table, type_position position);
/* The same for a base type, a declaration or an enumeration. */
uint64_t incumbent_table_at_primitive(const struct incumbent_table *table, type_position position);

/* How often the lists have been reversed once the table has had `entries`. */
uint32_t incumbent_table_reversals(uint64_t entries);

#endif
