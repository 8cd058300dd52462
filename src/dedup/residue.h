/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Types that mean something else in their own unit than types of the same class elsewhere,
 * because they reach a definition that is not the primary one of its name. See residue.c.
 */
#ifndef DEDUP_RESIDUE_H
#define DEDUP_RESIDUE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/vector.h"
#include "dedup/class_scan.h"
#include "dedup/dedup_internal.h"
#include "dedup/name_groups.h"

/*
 * Reference number `number` of a node's type (type_reference_at) is to node `target` of its unit.
 */
struct residue_edge {
	uint32_t number;
	uint32_t target;
};

/*
 * A unit's part. Nodes are in the order in which representatives are chosen: types whose lowest
 * instance counts by slot, then reference types as they are finished.
 */
struct residue_unit {
	uint32_t unit;
	uint32_t node_count;
	uint32_t lowest_count; /* nodes of the first sort */
	uint32_t edge_count;
	uint32_t *slots;
	uint32_t *first_edge; /* node_count + 1 */
	struct residue_edge *edges;
	uint8_t *is_active; /* 1: reaches a seed other than through a pinned name; see residue.c */
	uint64_t *active_slots; /* the same as a bit per slot */
	uint32_t *versions;     /* index + 1, of active nodes */
};

/* Instances of one class that are one type. */
struct type_version {
	uint32_t class_index;
	uint32_t unit; /* index into residue.units: of the representative */
	uint32_t node;
	/* False: declarations only, whose definition (of class_index) is not in the residue. */
	bool has_representative;
};

struct residue {
	struct dedup *dedup;
	struct name_groups *groups;
	struct arena *arenas;       /* per worker */
	struct residue_unit *units; /* by unit number */
	uint32_t unit_count;
	uint32_t *index_of_unit;              /* per unit: index + 1, or 0 */
	VECTOR(struct type_version) versions; /* in the order of unit, then node */
};

/*
 * Loads the units with an instance of a class flagged in is_seed (per class; `scan` knows their
 * places) and keeps what reaches such an instance. `residue` may hold an earlier state.
 */
enum smelt_status residue_build(struct residue *residue, struct dedup *dedup,
				struct name_groups *groups, const uint8_t *is_seed,
				const struct class_scan *scan, dedup_reload_fn reload,
				void *context, struct smelt_error *error);
void residue_deinit(struct residue *residue);

/* Decides which nodes are active and which of them are one type. False when out of memory. */
bool residue_refine(struct residue *residue, const uint8_t *is_seed);

static inline bool residue_has(const struct residue *residue, type_position position)
{
	uint32_t slot = type_position_slot(position);
	uint32_t index =
		residue->index_of_unit ? residue->index_of_unit[type_position_unit(position)] : 0;

	return index != 0 && residue->units[index - 1].active_slots[slot / 64] >> slot % 64 & 1;
}

/*
 * The version of the type at `position` (index + 1), which is no reference type; 0 if it is not
 * in the residue.
 */
uint32_t residue_version_at(const struct residue *residue, type_position position);

static inline uint32_t residue_class(const struct residue *residue, const struct residue_unit *unit,
				     uint32_t node)
{
	return residue->dedup->units[unit->unit].classes[unit->slots[node]];
}

static inline type_position residue_position(const struct residue_unit *unit, uint32_t node)
{
	return type_position_of(unit->unit, unit->slots[node]);
}

/* A declaration that stands for a definition in some unit. */
static inline bool residue_is_bound(const struct residue *residue, uint32_t class_index)
{
	const struct name_group *group =
		&residue->groups->groups.items[residue->groups->of_class[class_index]];

	return group->forward == FORWARD_BOUND &&
	       type_is_forward(&class_entry(residue->dedup->table, class_index)->content->type);
}

#endif
