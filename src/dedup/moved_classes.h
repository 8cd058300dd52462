/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Representatives of classes whose first instance turned out to be residue. */
#ifndef DEDUP_MOVED_CLASSES_H
#define DEDUP_MOVED_CLASSES_H

#include "dedup/class_scan.h"
#include "dedup/residue.h"

/*
 * node_counts: per class, its nodes in the residue; `scan` knows the places of classes that have
 * any. *moved (to be freed): per class the position of its representative outside of the residue,
 * TYPE_POSITION_NONE if it is nowhere else, 0 (where no type is) if it has not changed.
 */
enum smelt_status moved_classes_find(type_position **moved, const struct residue *residue,
				     const struct class_scan *scan, const uint32_t *node_counts,
				     dedup_reload_fn reload, void *context,
				     struct smelt_error *error);

#endif
