/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Which of several enumerations one without enumerators becomes. */
#ifndef DEDUP_ENUM_BINDING_H
#define DEDUP_ENUM_BINDING_H

#include <stdint.h>

#include "dedup/class_scan.h"
#include "dedup/incumbent_table.h"
#include "dedup/name_groups.h"

/*
 * A class of the group, which has enumerations with and without enumerators. `scan` knows the
 * places of all of them. Returns 0 when out of memory.
 */
uint32_t enum_binding_find(const struct incumbent_table *table, struct class_table *classes,
			   const struct name_groups *groups, const struct name_group *group,
			   const struct class_scan *scan);

#endif
