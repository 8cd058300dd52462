/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Sorting by position in time linear in the number of entries. */
#ifndef DEDUP_POSITION_SORT_H
#define DEDUP_POSITION_SORT_H

#include <stddef.h>
#include <stdint.h>

#include "dedup/dedup.h"

struct positioned {
	type_position position;
	uint32_t index; /* what stands there */
};

/* Sorts items[0 .. count-1] by position, which must differ; `spare` has room for as many. */
void position_sort(struct positioned *items, struct positioned *spare, size_t count);

#endif
