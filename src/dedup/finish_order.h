/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The order in which a unit's reference types (pointers, qualifiers, arrays, functions) are
 * finished when each waits for those it refers to, lowest slot first. Of equal reference types
 * the incumbent keeps the one finished first, so a pointer in slot 10 to a `const` in slot 50
 * makes slot 50 represent its kind, not an equal `const` in slot 20.
 */
#ifndef DEDUP_FINISH_ORDER_H
#define DEDUP_FINISH_ORDER_H

#include <stdint.h>

#include "base/arena.h"
#include "model/unit.h"

/* Slots of all reference types in that order, in `arena`, or NULL when out of memory. */
uint32_t *finish_order(const struct model_unit *unit, struct arena *arena, uint32_t *count);

#endif
