/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * What a struct or union needs in source beyond its members, so that a compiler lays it out as it is.
 *
 * Source as it is shown has the members in order, attributes for alignment that is recorded or guessed, and
 * `packed` where that was inferred. Often that is enough. Where a compiler would come to something else the type gets a
 * plan: packed, with unnamed fields in all gaps, which leaves the compiler no choice.
 */
#ifndef LAYOUT_SOURCE_H
#define LAYOUT_SOURCE_H

#include "layout/layout.h"

struct source_plan {
	uint64_t *gaps;     /* per entry of the body: bits to fill before it */
	uint64_t end_gap;   /* bits to fill after the last; UNION: the size, if no member has it */
	uint32_t alignment; /* bytes, for an attribute; 0: none */
};

struct source_layouts {
	struct layouts *layouts;
	uint32_t *alignments; /* per type that was planned: as its source says; 0: not planned */
	const struct source_plan **plans; /* per type; NULL: needs none */
	VECTOR(struct facts_frame) stack; /* of source_layouts_alignment() */
	bool out_of_memory;
};

enum smelt_status source_layouts_init(struct source_layouts *source, struct layouts *layouts,
				      struct smelt_error *error);
void source_layouts_deinit(struct source_layouts *source);

/*
 * Plans a STRUCT or UNION. Types of its members that are defined in the same source come first. False
 * when out of memory.
 */
bool source_layouts_plan(struct source_layouts *source, uint32_t type);

/*
 * Alignment of an object of a type as its source says, in bytes, with forced alignments of what is inside; plans
 * what it takes to know.
 */
uint32_t source_layouts_alignment(struct source_layouts *source, uint32_t type);

#endif
