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

void forward_binder_init(struct forward_binder *binder, struct dedup *dedup,
			 const struct name_groups *groups, const struct residue *residue);
void forward_binder_deinit(struct forward_binder *binder);

/*
 * Lists what the incumbent's table holds, from the residue as it is. `scan` knows all places of
 * the classes in it. Before forward_binder_next. False when out of memory.
 */
bool forward_binder_list_entries(struct forward_binder *binder, const struct class_scan *scan);

/* A name whose declarations have to be bound. */
struct open_name {
	struct name_group *group;
	type_position definition; /* what they become, or TYPE_POSITION_NONE */
	type_position event;      /* of the type whose comparison binds them */
};

struct open_names {
	VECTOR(struct open_name) names;
};

/*
 * Finds the earliest comparison that binds any of the names (of very many names: the earliest for
 * each), and sets `definition` of those that are bound; none if there is no such comparison.
 * `scan` knows the places of the groups' classes and of what refers to them; the residue is
 * refined with the groups pinned. False when out of memory.
 */
bool forward_binder_next(struct forward_binder *binder, struct open_names *open,
			 const struct class_scan *scan);

/* Enumerations: the class that those without enumerators become; the group has definitions. */
uint32_t forward_binder_enum(struct forward_binder *binder, const struct name_group *group);

#endif
