/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#include "encode/function_choice.h"

/* Beside enum function_flag. */
enum { FUNCTION_INCONSISTENT = 1 << 16 };

/* What one state has, the function has. */
enum {
	SHARED_FLAGS = FUNCTION_UNEXPECTED_REGISTER | FUNCTION_INCONSISTENT | FUNCTION_UNCERTAIN |
		       FUNCTION_REORDERED,
	/* Signatures of functions with these need no comparing. */
	SETTLED_FLAGS = FUNCTION_UNEXPECTED_REGISTER | FUNCTION_INCONSISTENT | FUNCTION_REORDERED,
};

/*
 * Each state in turn shares its flags with the first one, so the first has all in the end and a later one
 * those of the states up to it.
 */
static void share_flags(const struct function_candidates *candidates)
{
	uint32_t *flags = candidates->flags;

	for (uint32_t i = 0; i < candidates->count; i++)
		flags[i] = candidates->states[i]->flags;
	for (uint32_t i = 1; i < candidates->count; i++) {
		uint32_t shared = (flags[0] | flags[i]) & SHARED_FLAGS;

		if (!(shared & SETTLED_FLAGS) &&
		    !candidates->has_first_signature(candidates->context, i))
			shared |= FUNCTION_INCONSISTENT;
		flags[0] |= shared;
		flags[i] |= shared;
	}
}

/* A state at the address of a symbol with a suffix: the clone itself, with what it really takes. */
static bool find_true_signature(const struct function_candidates *candidates, uint32_t *index)
{
	for (uint32_t i = 0; i < candidates->count; i++) {
		if (candidates->states[i]->symbol == 0 ||
		    candidates->flags[i] & (FUNCTION_UNEXPECTED_REGISTER | FUNCTION_UNCERTAIN))
			continue;
		*index = i;
		return true;
	}
	return false;
}

/* The parameters are not those of the source, and without true signatures there is no saying how. */
static bool is_optimized(const struct function_candidates *candidates, uint32_t index)
{
	uint32_t flags = candidates->flags[index];

	return !candidates->has_true_signatures && flags & FUNCTION_OPTIMIZED_PARAMETERS &&
	       flags & (FUNCTION_SIGNATURE_CHANGED | FUNCTION_OPTIMIZED_SYMBOL);
}

static bool is_at_symbol(const struct function_candidates *candidates, uint32_t index)
{
	for (uint32_t i = 0; i < candidates->symbol_count; i++) {
		if (candidates->symbols[i].address == candidates->states[index]->address)
			return true;
	}
	return false;
}

/* The state that stands for the function: one at the address of a symbol, not optimised if possible. */
static uint32_t choose_canonical(const struct function_candidates *candidates)
{
	uint32_t first = UINT32_MAX;

	if (candidates->count == 1)
		return 0;
	for (uint32_t i = 0; i < candidates->count; i++) {
		if (!is_at_symbol(candidates, i))
			continue;
		if (!is_optimized(candidates, i))
			return i;
		if (first == UINT32_MAX)
			first = i;
	}
	return first == UINT32_MAX ? 0 : first;
}

/* Several reasons may apply; the order in which one wins is that of the incumbent's messages. */
static enum function_verdict judge(const struct function_candidates *candidates, uint32_t canonical)
{
	uint32_t flags = candidates->flags[0];

	if (is_optimized(candidates, canonical))
		return FUNCTION_SKIPPED_OPTIMIZED;
	if (flags & FUNCTION_REORDERED)
		return FUNCTION_SKIPPED_REORDERED;
	if (flags & FUNCTION_UNCERTAIN)
		return FUNCTION_SKIPPED_UNCERTAIN;
	if (flags & FUNCTION_INCONSISTENT && candidates->skips_inconsistent)
		return FUNCTION_SKIPPED_INCONSISTENT;
	if (flags & FUNCTION_UNEXPECTED_REGISTER)
		return FUNCTION_SKIPPED_REGISTER;
	return FUNCTION_ENCODED;
}

struct function_choice function_choose(const struct function_candidates *candidates)
{
	struct function_choice choice = { .verdict = FUNCTION_ENCODED_AS_SYMBOL };

	share_flags(candidates);
	if (candidates->has_true_signatures && find_true_signature(candidates, &choice.state))
		return choice;
	choice.verdict = FUNCTION_SKIPPED_AMBIGUOUS;
	if (candidates->is_ambiguous)
		return choice;
	choice.state = choose_canonical(candidates);
	choice.verdict = judge(candidates, choice.state);
	return choice;
}
