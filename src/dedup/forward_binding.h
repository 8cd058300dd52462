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
#include "dedup/incumbent_table.h"
#include "dedup/name_groups.h"
#include "dedup/residue.h"

struct forward_binder {
	struct dedup *dedup;
	const struct name_groups *groups;
	const struct residue *residue; /* what is known of it so far */
	struct class_referrers referrers;
	struct incumbent_table table; /* filled before forward_binder_next */
};

void forward_binder_init(struct forward_binder *binder, struct dedup *dedup,
			 const struct name_groups *groups, const struct residue *residue);
void forward_binder_deinit(struct forward_binder *binder);

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

#endif
