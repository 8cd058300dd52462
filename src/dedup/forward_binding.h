/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Which of several definitions a forward declaration becomes: the one the incumbent's
 * sequential algorithm meets first. See forward_binding.c.
 */
#ifndef DEDUP_FORWARD_BINDING_H
#define DEDUP_FORWARD_BINDING_H

#include <stdbool.h>
#include <stdint.h>

#include "dedup/class_referrers.h"
#include "dedup/class_scan.h"
#include "dedup/name_groups.h"
#include "dedup/residue.h"

struct forward_binder {
	struct dedup *dedup;
	const struct name_groups *groups;
	const struct residue *residue; /* what is known of it so far */
	struct class_referrers referrers;
	uint32_t primitive_count;  /* entries of the incumbent's table before its first struct */
	type_position *composites; /* ascending: where structs, unions and typedefs were entered */
	uint32_t composite_count;
};

bool forward_binder_init(struct forward_binder *binder, struct dedup *dedup,
			 const struct name_groups *groups, const struct residue *residue);
void forward_binder_deinit(struct forward_binder *binder);

/*
 * Where the definition is that a declaration of the group's name becomes, TYPE_POSITION_NONE:
 * nowhere. `scan` knows the places of the group's classes and of what refers to them; the residue
 * is refined with the group pinned. False when out of memory.
 */
bool forward_binder_find(struct forward_binder *binder, const struct name_group *group,
			 const struct class_scan *scan, type_position *definition);

/* Enumerations: the class that those without enumerators become; the group has definitions. */
uint32_t forward_binder_enum(struct forward_binder *binder, const struct name_group *group);

#endif
