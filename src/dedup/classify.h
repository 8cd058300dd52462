/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* A unit's types become classes: the part of deduplication that sees every type of the input. */
#ifndef DEDUP_CLASSIFY_H
#define DEDUP_CLASSIFY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "dedup/class_table.h"
#include "model/unit.h"

/*
 * Fills classes[0 .. type_count-1] with class indices, 0 for void and absent types. Contents of
 * new classes are kept in `kept`. old_classes: classes up to this one are known to have been met in lower units. Safe to call from many threads with arenas of their own. False
 * when out of memory.
 */
bool classify_unit(struct class_table *table, uint32_t unit_index, const struct model_unit *unit,
		   uint32_t old_classes, uint32_t *classes, struct arena *scratch,
		   struct arena *kept);

/* Makes all names of a unit final (unit->names is set). False when out of memory. */
bool classify_settle_names(const struct model_unit *unit);

/* Stores a new class's content; classes maps the slots that `type` refers to. */
bool classify_store_content(struct class_table *table, uint32_t class_index,
			    const struct model_type *type, const struct model_item *items,
			    const uint32_t *classes, struct arena *kept);

#endif
