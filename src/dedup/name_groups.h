/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Classes that share a family and a name: definitions and what is declared in their place. */
#ifndef DEDUP_NAME_GROUPS_H
#define DEDUP_NAME_GROUPS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/vector.h"
#include "dedup/class_table.h"
#include "dedup/type_family.h"

/* What a declaration (or an enumeration without enumerators) of a group's name is. */
enum forward_meaning {
	FORWARD_PRIMARY = 0, /* what the name means nearly everywhere: the group's primary class */
	FORWARD_ITSELF, /* a type of its own: nothing shows which of several definitions it is */
	FORWARD_BOUND,  /* the type of the definition at bound_to, which is in the residue */
};

struct name_group {
	uint32_t name;
	enum type_family family;
	uint32_t first_class; /* of a chain through name_groups.next, in no order */
	uint32_t definition_count;
	uint32_t forward_count;
	uint32_t lowest_definition; /* the class with the lowest position, or 0 */
	uint32_t lowest_forward;
	uint32_t primary; /* the class that the name means outside of the residue */
	enum forward_meaning forward;
	bool is_decided;        /* it took more than the name to know what declarations are */
	type_position bound_to; /* the definition that decided it, or TYPE_POSITION_NONE */
	uint8_t reopenings;     /* times that this was taken back */
	bool is_pinned;         /* see residue.c */
};

struct name_groups {
	VECTOR(struct name_group) groups; /* [0] is no group */
	uint32_t *of_class;               /* per class: its group, 0: none */
	uint32_t *next;                   /* per class: another class of its group, or 0 */
	uint32_t *by_name;                /* open addressing: groups, or 0 */
	uint32_t by_name_mask;
};

/* Arrays are of `arena`; false when out of memory. */
bool name_groups_init(struct name_groups *groups, struct class_table *table, struct arena *arena);
void name_groups_deinit(struct name_groups *groups);

/* The group, or 0. */
uint32_t name_groups_find(const struct name_groups *groups, enum type_family family, uint32_t name);

#endif
