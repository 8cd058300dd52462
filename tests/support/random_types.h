/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Random programs: a few named types with one or several definitions each, and units that each
 * know some of them, in some order. Equal seeds and options give equal units.
 */
#ifndef TESTS_SUPPORT_RANDOM_TYPES_H
#define TESTS_SUPPORT_RANDOM_TYPES_H

#include <stdbool.h>
#include <stdint.h>

#include "support/type_builder.h"

struct random_types_options {
	uint64_t seed;
	uint32_t unit_count;
	uint32_t name_count;        /* up to RANDOM_TYPES_NAMES */
	uint32_t variant_count;     /* definitions per name, up to RANDOM_TYPES_VARIANTS */
	uint32_t odd_percent;       /* of units' choices that are not the first definition */
	uint32_t forward_percent;   /* of names of a unit that are only declared */
	uint32_t duplicate_percent; /* of uses of a type that get a copy of it */
	bool has_unions;            /* some names are those of unions or of both */
	bool has_enums;
};

enum { RANDOM_TYPES_NAMES = 12, RANDOM_TYPES_VARIANTS = 3 };

/* builders[0 .. unit_count-1] are initialised. */
void random_types_build(const struct random_types_options *options, struct type_builder *builders);

/* Small generator, the same everywhere. */
uint64_t random_types_next(uint64_t *state);

#endif
