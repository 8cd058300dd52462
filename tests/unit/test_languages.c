/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Names of languages and their DWARF codes (DWARF 5, table 7.17). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <smelt/encode.h>

/* The codes a kernel build or a C and C++ program can meet. */
static void common_names_have_their_codes(void **state)
{
	static const struct {
		const char *name;
		uint16_t code;
	} cases[] = {
		{ "c89", 0x01 },   { "c", 0x02 },     { "c++", 0x04 },   { "c99", 0x0c },
		{ "go", 0x16 },    { "c++03", 0x19 }, { "c++11", 0x1a }, { "rust", 0x1c },
		{ "c11", 0x1d },   { "dylan", 0x20 }, { "c++14", 0x21 }, { "fortran08", 0x23 },
		{ "bliss", 0x25 }, { "asm", 0x8001 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_int_equal(smelt_language_code(cases[i].name), cases[i].code);
}

/* Every code up to the last of DWARF 5 has exactly one name, whatever its case. */
static void names_cover_dwarf_5(void **state)
{
	static const char *const names[] = {
		"Ada83",     "ADA95",     "asm",       "bliss",     "C",
		"c89",       "C99",       "c11",       "C++",       "c++03",
		"C++11",     "c++14",     "cobol74",   "cobol85",   "D",
		"dylan",     "fortran77", "fortran90", "fortran95", "fortran03",
		"fortran08", "Go",        "Haskell",   "java",      "julia",
		"modula2",   "modula3",   "objc",      "ObjC++",    "OCaml",
		"opencl",    "pascal83",  "pli",       "python",    "RenderScript",
		"Rust",      "swift",     "upc",
	};
	uint64_t seen = 0;

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		uint16_t code = smelt_language_code(names[i]);

		assert_int_not_equal(code, 0);
		code = code == 0x8001 ? 0 : code; /* the only one out of the row */
		assert_true(code <= 0x25);
		assert_false(seen & UINT64_C(1) << code);
		seen |= UINT64_C(1) << code;
	}
	assert_int_equal(seen, (UINT64_C(1) << 0x26) - 1);
}

static void other_words_are_unknown(void **state)
{
	static const char *const names[] = { "", "c++17", "c17", "rust ", " c", "klingon", "zig" };

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		assert_int_equal(smelt_language_code(names[i]), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(common_names_have_their_codes),
		cmocka_unit_test(names_cover_dwarf_5),
		cmocka_unit_test(other_words_are_unknown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
