/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Whether two descriptions of a function agree. Looser than equality of types: const does
 * not matter where the other side has none, and what has a name is compared by name only.
 */
#ifndef ENCODE_SIGNATURE_H
#define ENCODE_SIGNATURE_H

#include <stdbool.h>
#include <stdint.h>

#include "dedup/dedup.h"

/* types[n - 1] is number n; a and b are numbers, 0 is void. */
bool signature_types_match(const struct dedup_type *types, uint32_t a, uint32_t b);

#endif
