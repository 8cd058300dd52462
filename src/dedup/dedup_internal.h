/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* What the files of this folder share about a deduplicator. See dedup.c for the whole. */
#ifndef DEDUP_DEDUP_INTERNAL_H
#define DEDUP_DEDUP_INTERNAL_H

#include <stdalign.h>

#include "base/arena.h"
#include "dedup/base_index.h"
#include "dedup/class_table.h"
#include "dedup/dedup.h"

/* On cache lines of its own. */
struct dedup_worker {
	alignas(64) struct arena kept; /* contents that the worker added */
	/* Classes 1 .. old_classes are known to be lower than all units this worker will get. */
	uint32_t old_classes;
	uint32_t older_classes; /* the same before the unit it got last */
};

struct dedup {
	struct worker_pool *pool;
	const struct base_index *base; /* or NULL */
	struct class_table *table;
	struct dedup_worker *workers;
	unsigned worker_count;
	struct arena arena; /* of settling and its results */

	/* Results. */
	const struct unit_record *units;
	uint32_t unit_count;
	struct name_table *names;     /* set only with a base */
	type_position added_position; /* of the type added by itself, and its class; 0: none */
	uint32_t added_class;
	uint32_t *class_numbers;  /* per class: its type outside the residue, or 0 */
	struct dedup_type *types; /* [1 .. type_count] */
	uint32_t type_count;
	struct dedup_first_use *first_uses;
	uint32_t first_use_count;
	uint32_t ambiguous_names;
};

#endif
