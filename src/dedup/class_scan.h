/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* All places at which some classes occur, found by reading the class arrays of all units. */
#ifndef DEDUP_CLASS_SCAN_H
#define DEDUP_CLASS_SCAN_H

#include <stdbool.h>
#include <stdint.h>

#include "dedup/dedup.h"

struct class_scan {
	uint32_t *first; /* per class: index of its first place; [class_count + 1] is the end */
	type_position *positions; /* by class, then ascending */
};

/* wanted: per class, 1 for those to find, else 0. False when out of memory. */
bool class_scan_init(struct class_scan *scan, struct dedup *dedup, const uint8_t *wanted);
void class_scan_deinit(struct class_scan *scan);

static inline uint32_t class_scan_count(const struct class_scan *scan, uint32_t class_index)
{
	return scan->first[class_index + 1] - scan->first[class_index];
}

static inline const type_position *class_scan_places(const struct class_scan *scan,
						     uint32_t class_index)
{
	return scan->positions + scan->first[class_index];
}

#endif
