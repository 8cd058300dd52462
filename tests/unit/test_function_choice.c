/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "encode/function_choice.h"

enum {
	O = FUNCTION_OPTIMIZED_PARAMETERS,
	R = FUNCTION_UNEXPECTED_REGISTER,
	I = 1 << 20, /* here: its signature is not that of the first state */
	S = FUNCTION_SIGNATURE_CHANGED,
	U = FUNCTION_UNCERTAIN,
	X = FUNCTION_REORDERED,
	C = FUNCTION_OPTIMIZED_SYMBOL,
};

enum { STATES_MAX = 4, SYMBOLS_MAX = 3 };

struct test_state {
	uint64_t address;
	uint32_t flags;
	uint32_t symbol;
};

struct test_case {
	const char *what;
	struct test_state states[STATES_MAX];
	uint32_t count;
	uint64_t symbols[SYMBOLS_MAX];
	uint32_t symbol_count;
	bool is_ambiguous;
	bool has_true_signatures;
	bool is_lenient; /* feature consistent_func off */
	enum function_verdict verdict;
	uint32_t state;
};

static bool has_first_signature(void *context, uint32_t index)
{
	const struct test_case *test = context;

	return !((test->states[index].flags ^ test->states[0].flags) & I);
}

static void assert_choice(struct test_case *test)
{
	struct function_state states[STATES_MAX];
	const struct function_state *views[STATES_MAX];
	struct function_symbol symbols[SYMBOLS_MAX];
	uint32_t flags[STATES_MAX];
	struct function_candidates candidates = {
		.states = views,
		.count = test->count,
		.flags = flags,
		.symbols = symbols,
		.symbol_count = test->symbol_count,
		.is_ambiguous = test->is_ambiguous,
		.has_true_signatures = test->has_true_signatures,
		.skips_inconsistent = !test->is_lenient,
		.has_first_signature = has_first_signature,
		.context = test,
	};
	struct function_choice choice;

	for (uint32_t i = 0; i < test->count; i++) {
		states[i] = (struct function_state){
			.address = test->states[i].address,
			.flags = test->states[i].flags & ~(uint32_t)I,
			.symbol = test->states[i].symbol,
		};
		views[i] = &states[i];
	}
	for (uint32_t i = 0; i < test->symbol_count; i++)
		symbols[i] = (struct function_symbol){ .address = test->symbols[i] };
	choice = function_choose(&candidates);
	if (choice.verdict != test->verdict ||
	    (choice.verdict <= FUNCTION_ENCODED_AS_SYMBOL && choice.state != test->state))
		fail_msg("%s: verdict %d, state %u", test->what, choice.verdict, choice.state);
}

static void one_state_is_judged_by_its_flags(void **state)
{
	static const struct {
		uint32_t flags;
		enum function_verdict verdict;
	} cases[] = {
		{ 0, FUNCTION_ENCODED },
		{ R, FUNCTION_SKIPPED_REGISTER },
		{ U, FUNCTION_SKIPPED_UNCERTAIN },
		{ X, FUNCTION_SKIPPED_REORDERED },
		/* Parameters that are left out matter only if the caller has to know. */
		{ O, FUNCTION_ENCODED },
		{ C, FUNCTION_ENCODED },
		{ S, FUNCTION_ENCODED },
		{ O | C, FUNCTION_SKIPPED_OPTIMIZED },
		{ O | S, FUNCTION_SKIPPED_OPTIMIZED },
		/* Several reasons: the last of the list counts. */
		{ R | U, FUNCTION_SKIPPED_UNCERTAIN },
		{ R | U | X, FUNCTION_SKIPPED_REORDERED },
		{ R | U | X | O | C, FUNCTION_SKIPPED_OPTIMIZED },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct test_case test = {
			.what = "one state",
			.states = { { 1, cases[i].flags, 0 } },
			.count = 1,
			.symbols = { 1 },
			.symbol_count = 1,
			.verdict = cases[i].verdict,
		};

		assert_choice(&test);
		test.is_ambiguous = true;
		test.verdict = FUNCTION_SKIPPED_AMBIGUOUS;
		assert_choice(&test);
	}
}

static void states_of_a_function_share_their_faults(void **state)
{
	struct test_case cases[] = {
		{ .what = "a later state's register",
		  .states = { { 0, 0, 0 }, { 1, R, 0 } },
		  .count = 2,
		  .verdict = FUNCTION_SKIPPED_REGISTER },
		{ .what = "a later state's uncertainty",
		  .states = { { 0, 0, 0 }, { 1, 0, 0 }, { 2, U, 0 } },
		  .count = 3,
		  .verdict = FUNCTION_SKIPPED_UNCERTAIN },
		{ .what = "a later state's order",
		  .states = { { 0, 0, 0 }, { 1, X, 0 } },
		  .count = 2,
		  .verdict = FUNCTION_SKIPPED_REORDERED },
		{ .what = "signatures differ",
		  .states = { { 0, 0, 0 }, { 1, I, 0 } },
		  .count = 2,
		  .verdict = FUNCTION_SKIPPED_INCONSISTENT },
		{ .what = "signatures differ, which is allowed",
		  .states = { { 0, 0, 0 }, { 1, I, 0 } },
		  .count = 2,
		  .is_lenient = true,
		  .verdict = FUNCTION_ENCODED,
		  .state = 0 },
		{ .what = "signatures are not compared once a register is unexpected",
		  .states = { { 0, R, 0 }, { 1, I, 0 } },
		  .count = 2,
		  .verdict = FUNCTION_SKIPPED_REGISTER },
		{ .what = "two others that agree do not help",
		  .states = { { 0, 0, 0 }, { 1, I, 0 }, { 2, I, 0 } },
		  .count = 3,
		  .verdict = FUNCTION_SKIPPED_INCONSISTENT },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_choice(&cases[i]);
}

static void the_state_at_a_symbol_is_chosen(void **state)
{
	struct test_case cases[] = {
		{ .what = "the only state need not be at a symbol",
		  .states = { { 7, 0, 0 } },
		  .count = 1,
		  .symbols = { 1 },
		  .symbol_count = 1,
		  .verdict = FUNCTION_ENCODED,
		  .state = 0 },
		{ .what = "the one at a symbol",
		  .states = { { 0, 0, 0 }, { 7, 0, 0 }, { 1, 0, 0 } },
		  .count = 3,
		  .symbols = { 5, 1 },
		  .symbol_count = 2,
		  .verdict = FUNCTION_ENCODED,
		  .state = 2 },
		{ .what = "none at a symbol: the first",
		  .states = { { 0, 0, 0 }, { 7, 0, 0 } },
		  .count = 2,
		  .symbols = { 1 },
		  .symbol_count = 1,
		  .verdict = FUNCTION_ENCODED,
		  .state = 0 },
		{ .what = "one that is not optimised, even if later",
		  .states = { { 0, 0, 0 }, { 1, O | C, 0 }, { 1, O, 0 } },
		  .count = 3,
		  .symbols = { 1 },
		  .symbol_count = 1,
		  .verdict = FUNCTION_ENCODED,
		  .state = 2 },
		{ .what = "all at symbols are optimised",
		  .states = { { 0, 0, 0 }, { 1, O | C, 0 }, { 1, O | S, 0 } },
		  .count = 3,
		  .symbols = { 1 },
		  .symbol_count = 1,
		  .verdict = FUNCTION_SKIPPED_OPTIMIZED },
		{ .what = "a symbol of value 0 is where an abstract instance is (relocatable files)",
		  .states = { { 9, 0, 0 }, { 0, 0, 0 } },
		  .count = 2,
		  .symbols = { 0 },
		  .symbol_count = 1,
		  .verdict = FUNCTION_ENCODED,
		  .state = 1 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_choice(&cases[i]);
}

static void true_signatures_come_first(void **state)
{
	struct test_case cases[] = {
		{ .what = "a clone is encoded as what it is",
		  .states = { { 0, 0, 0 }, { 1, O | C, 3 } },
		  .count = 2,
		  .has_true_signatures = true,
		  .verdict = FUNCTION_ENCODED_AS_SYMBOL,
		  .state = 1 },
		{ .what = "ambiguity does not matter then",
		  .states = { { 1, 0, 3 } },
		  .count = 1,
		  .has_true_signatures = true,
		  .is_ambiguous = true,
		  .verdict = FUNCTION_ENCODED_AS_SYMBOL,
		  .state = 0 },
		{ .what = "nor do different signatures",
		  .states = { { 0, 0, 0 }, { 1, I, 3 } },
		  .count = 2,
		  .has_true_signatures = true,
		  .verdict = FUNCTION_ENCODED_AS_SYMBOL,
		  .state = 1 },
		{ .what = "an unexpected register does",
		  .states = { { 0, R, 0 }, { 1, 0, 3 } },
		  .count = 2,
		  .has_true_signatures = true,
		  .verdict = FUNCTION_SKIPPED_REGISTER },
		{ .what = "a fault of a later state reaches the first one only",
		  .states = { { 0, 0, 0 }, { 1, 0, 3 }, { 2, U, 0 } },
		  .count = 3,
		  .has_true_signatures = true,
		  .verdict = FUNCTION_ENCODED_AS_SYMBOL,
		  .state = 1 },
		{ .what = "without a symbol everything is as usual, but for optimised parameters",
		  .states = { { 1, O | S, 0 } },
		  .count = 1,
		  .has_true_signatures = true,
		  .verdict = FUNCTION_ENCODED,
		  .state = 0 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_choice(&cases[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_state_is_judged_by_its_flags),
		cmocka_unit_test(states_of_a_function_share_their_faults),
		cmocka_unit_test(the_state_at_a_symbol_is_chosen),
		cmocka_unit_test(true_signatures_come_first),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
