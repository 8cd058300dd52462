/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Shared by fingerprint.c and fingerprint_cycles.c. */
#ifndef DEDUP_FINGERPRINT_INTERNAL_H
#define DEDUP_FINGERPRINT_INTERNAL_H

#include "dedup/fingerprint.h"
#include "dedup/type_family.h"

/* A reference not computed yet; no computed one has these values of lane a. */
enum { REFERENCE_UNKNOWN = 0, REFERENCE_IN_PROGRESS = 1, REFERENCE_FIRST_KNOWN = 2 };

static inline uint64_t fingerprint_fold(uint64_t x, uint64_t y)
{
	unsigned __int128 product = (unsigned __int128)x * y;

	return (uint64_t)product ^ (uint64_t)(product >> 64);
}

/* All bits of the product; the lower lane is where tables look first, so it gets the best of them. */
static inline struct fingerprint fingerprint_multiply(uint64_t x, uint64_t y)
{
	unsigned __int128 product = (unsigned __int128)x * y;
	uint64_t high = (uint64_t)(product >> 64);

	return (struct fingerprint){ (uint64_t)product ^ high, high };
}

/* What a reference to `type` counts as, if that is (family, name). */
static inline struct fingerprint fingerprint_of_name(enum type_family family, uint32_t name)
{
	uint64_t label = (uint64_t)family << 32 | name;

	return (struct fingerprint){
		.a = fingerprint_fold(label ^ 0x5bd1e9955bd1e995, 0xc2b2ae3d27d4eb4f) |
		     REFERENCE_FIRST_KNOWN,
		.b = fingerprint_fold(label ^ 0x94d049bb133111eb, 0xd6e8feb86659fd93),
	};
}

/* Fingerprint of `type`; references[] must be known for all its references. */
struct fingerprint fingerprint_absorb(const struct model_unit *unit, const struct model_type *type,
				      const struct fingerprint *references);

/*
 * Computes the references that are unknown or in progress, where types refer to themselves
 * other than by name. False when out of memory.
 */
bool fingerprint_cycles(const struct model_unit *unit, uint32_t unit_index, struct arena *scratch,
			struct fingerprint *references);

#endif
