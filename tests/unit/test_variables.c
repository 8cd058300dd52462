/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "encode/variables.h"

#define LETTERS_16 "abcdefghijklmnop"
#define LETTERS_128 \
	LETTERS_16 LETTERS_16 LETTERS_16 LETTERS_16 LETTERS_16 LETTERS_16 LETTERS_16 LETTERS_16

static void names_are_those_the_kernel_allows(void **state)
{
	static const struct {
		const char *name;
		bool is_valid;
	} cases[] = {
		{ "x", true },
		{ "_", true },
		{ ".LC0", true },
		{ "a.b_c9", true },
		{ "__per_cpu_start", true },
		{ "", false },
		{ "9lives", false },
		{ "a b", false },
		{ "a-b", false },
		{ "ns::x", false },
		{ "stra\xc3\x9f"
		  "e",
		  false },
		{ LETTERS_128, true },
		{ LETTERS_128 "q", false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		if (variable_name_is_valid(cases[i].name) != cases[i].is_valid)
			fail_msg("'%s'", cases[i].name);
	}
}

static void helpers_of_the_kernel_build_are_internal(void **state)
{
	static const struct {
		const char *name;
		bool is_internal;
	} cases[] = {
		{ "__UNIQUE_ID_license249", true },
		{ "__tpstrtab_sched_switch", true },
		{ "__exitcall_fini", true },
		{ "__gendwarfksyms_ptr_x", true },
		{ "__func_stack_frame_non_standard_x", true },
		{ "__unique_id", false },
		{ "_UNIQUE_ID", false },
		{ "x__UNIQUE_ID", false },
		{ "__exitcall", false },
		{ "", false },
		{ "_", false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_int_equal(variable_name_is_internal(cases[i].name), cases[i].is_internal);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_are_those_the_kernel_allows),
		cmocka_unit_test(helpers_of_the_kernel_build_are_internal),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
