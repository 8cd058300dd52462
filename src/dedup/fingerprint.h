/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * 128 bits that stand for a type's content. References to named structs, unions,
 * enumerations and typedefs count as (family, name) only, so that a type's fingerprint does
 * not depend on what else its unit knows; all others count by fingerprint.
 *
 * Names are numbers that differ between runs, hence so do fingerprints: nothing may be
 * ordered by them.
 */
#ifndef DEDUP_FINGERPRINT_H
#define DEDUP_FINGERPRINT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "model/unit.h"

struct fingerprint {
	uint64_t a;
	uint64_t b;
};

static inline bool fingerprint_equal(struct fingerprint x, struct fingerprint y)
{
	return ((x.a ^ y.a) | (x.b ^ y.b)) == 0;
}

/* The flags that are part of a type's identity: `class` or `struct` makes no difference. */
enum { FINGERPRINT_FLAGS = TYPE_SIGNED | TYPE_BOOL | TYPE_WIDE | TYPE_BITFIELDS };

/*
 * Fills fingerprints[0 .. type_count-1]. Slot 0 and absent types get what no type has.
 * unit_index is used only for types that are too entangled to be compared with those of other
 * units. False when out of memory.
 */
bool fingerprint_unit(const struct model_unit *unit, uint32_t unit_index, struct arena *scratch,
		      struct fingerprint *fingerprints);

#endif
