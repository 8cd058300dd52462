/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* From the bytes of one abbreviation to its plan. */
#ifndef DWARF_PLAN_COMPILER_H
#define DWARF_PLAN_COMPILER_H

#include "dwarf/abbrev_plan.h"

/* Sizes of the forms below FORM_SIZES, worked out once per table; -1: in the data, -2: unknown form. */
enum { FORM_SIZES = 0x2d };

struct plan_compiler {
	struct plan_pool *pool; /* takes the operations */
	const struct plan_context *context;
	int8_t form_sizes[FORM_SIZES];
	struct die_plan plan;
	uint32_t skip;      /* fixed bytes since the last operation */
	uint32_t long_skip; /* fixed bytes since the last skip operation */
	uint32_t offset;    /* fixed bytes since the start, or since a leading name in place */
	bool is_fixed;
	bool has_variable;   /* some attribute's size is in the data */
	bool is_declaration; /* DW_AT_declaration in a form that says so without data */
	bool is_first;
};

/* What plans keep of an attribute DW_AT_*; ATTR_UNWANTED: nothing. */
enum die_attr plan_attr(uint64_t attribute);

void plan_compiler_init(struct plan_compiler *state, struct plan_pool *pool,
			const struct plan_context *context);

/*
 * Compiles the abbreviation whose tag is at the reader's position to state->plan; *bad is the place
 * of what is wrong, where that is not the tag.
 */
enum abbrev_status plan_compile(struct plan_compiler *state, struct byte_reader *reader,
				const uint8_t **bad);

/* *fast is of kind FAST_NONE unless everything fits. */
void plan_make_fast(const struct die_plan *plan, struct fast_plan *fast);

#endif
