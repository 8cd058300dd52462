/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * A function is described by several units, and by each twice when it was inlined or cloned.
 * Which of these states is encoded, or why none is.
 */
#ifndef ENCODE_FUNCTION_CHOICE_H
#define ENCODE_FUNCTION_CHOICE_H

#include <stdbool.h>
#include <stdint.h>

#include "load/symbol_groups.h"
#include "model/unit.h"

enum function_verdict {
	FUNCTION_NONE, /* no unit describes it */
	FUNCTION_ENCODED,
	FUNCTION_ENCODED_AS_SYMBOL, /* with its true signature, under the full name of the symbol */
	FUNCTION_SKIPPED_REGISTER,
	FUNCTION_SKIPPED_INCONSISTENT,
	FUNCTION_SKIPPED_UNCERTAIN,
	FUNCTION_SKIPPED_REORDERED,
	FUNCTION_SKIPPED_OPTIMIZED,
	FUNCTION_SKIPPED_AMBIGUOUS,
};

struct function_candidates {
	const struct function_state *const *states; /* in the order of units; at least one */
	uint32_t count;
	uint32_t *flags;                       /* room for one per state; changed */
	const struct function_symbol *symbols; /* of the group */
	uint32_t symbol_count;
	bool is_ambiguous;        /* the group is */
	bool has_true_signatures; /* feature true_signature */
	bool skips_inconsistent;  /* feature consistent_func */
	/* Whether state `index` has the signature of state 0. */
	bool (*has_first_signature)(void *context, uint32_t index);
	void *context;
};

struct function_choice {
	enum function_verdict verdict;
	uint32_t state; /* index, when encoded */
};

struct function_choice function_choose(const struct function_candidates *candidates);

#endif
