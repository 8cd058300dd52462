/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Which classes refer to a name, directly or through types without a name. */
#ifndef DEDUP_CLASS_REFERRERS_H
#define DEDUP_CLASS_REFERRERS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vector.h"
#include "dedup/class_table.h"
#include "dedup/name_groups.h"

/* References of all classes, turned around when first asked for: few inputs need them. */
struct class_referrers {
	struct class_table *table;
	const struct name_groups *groups;
	uint32_t *first;     /* per class, and the end */
	uint32_t *referrers; /* NULL: not filled yet */
	uint32_t *seen;      /* per class: last search that met it */
	uint32_t search;
};

void class_referrers_init(struct class_referrers *referrers, struct class_table *table,
			  const struct name_groups *groups);
void class_referrers_deinit(struct class_referrers *referrers);

struct class_list {
	VECTOR(uint32_t) classes;
};

/*
 * Appends the structs, unions and typedefs that refer to the group's name. False when out of
 * memory.
 */
bool class_referrers_of(struct class_referrers *referrers, const struct name_group *group,
			struct class_list *found);

#endif
