/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Files of several units: which belong together, which are wanted. */
#include "unit_cases.h"

/* Not in constants.h: the library has no use for it. */
enum { DW_AT_import = 0x18 };

/* A file from several units; what is checked is the whole of unit 0, which stands for all when merged. */
static void check_merged(void (*build)(struct dwarf_builder *), const char *expected)
{
	for (size_t i = 0; i < SHAPES; i++) {
		struct dwarf_builder b;
		struct loaded_dwarf loaded;
		char *text;

		dwarf_builder_init(&b, &shapes[i]);
		build(&b);
		loaded_dwarf_open(&loaded, &b, &all_options);
		for (uint32_t unit = dwarf_loader_unit_count(loaded.loader); unit-- > 0;)
			loaded_dwarf_unit(&loaded, unit);
		if (loaded.status)
			fail_msg("%s", loaded.error.text);
		assert_int_equal(dwarf_loader_unit_count(loaded.loader), 1);
		assert_true(dwarf_loader_file_unit_count(loaded.loader) > 1);
		text = loaded_dwarf_text(&loaded);
		assert_string_equal(text, expected);
		free(text);
		loaded_dwarf_close(&loaded);
		dwarf_builder_deinit(&b);
	}
}

static void build_cross_references(struct dwarf_builder *b)
{
	begin(b);
	LEAF(b, 0, pointer_type, VALUE(type, ref_addr, 1)); /* forward into another unit */
	LEAF(b, 2, typedef, NAME("t"), TYPE(2));
	end(b);
	begin(b);
	add_int(b, 1);
	LEAF(b, 0, pointer_type, TYPE(1));
	OPEN(b, 0, structure_type, NAME("s"), SIZE(4));
	LEAF(b, 0, member, NAME("m"), VALUE(type, ref_addr, 2), AT_BYTE(0));
	CLOSE(b);
	end(b);
}

static void units_that_refer_to_each_other_become_one(void **state)
{
	(void)state;
	check_merged(build_cross_references,
		     "1 pointer -> 3\n2 typedef t -> 2\n3 int int 4 signed\n"
		     "4 pointer -> 3\n5 struct s 4 { m 2 @0 }\n");
}

static void build_type_unit(struct dwarf_builder *b)
{
	begin(b);
	add_int(b, 1);
	/* gcc: a stub with the signature; clang: the reference itself */
	LEAF(b, 2, structure_type, FLAG(declaration),
	     VALUE(signature, ref_sig8, 0x1234567890abcdef));
	LEAF(b, 0, pointer_type, TYPE(2));
	LEAF(b, 0, pointer_type, VALUE(type, ref_sig8, 0x1234567890abcdef));
	LEAF(b, 0, pointer_type, VALUE(type, ref_sig8, 0x1111));
	end(b);
	dwarf_type_unit_begin(b, 0x1234567890abcdef, 3);
	OPEN(b, 0, type_unit, VALUE(language, data1, 0x0c));
	LEAF(b, 4, base_type, NAME("char"), SIZE(1), VALUE(encoding, data1, DW_ATE_signed_char));
	OPEN(b, 3, structure_type, NAME("far"), SIZE(1));
	LEAF(b, 0, member, NAME("c"), TYPE(4), AT_BYTE(0));
	CLOSE(b);
	end(b);
}

static void types_by_signature(void **state)
{
	(void)state;
	check_merged(build_type_unit,
		     "1 int int 4 signed\n2 pointer -> 6\n3 pointer -> 6\n4 pointer -> 0\n"
		     "5 int char 1 signed\n6 struct far 1 { c 5 @0 }\n");
}

static void build_partial_unit(struct dwarf_builder *b)
{
	dwarf_unit_begin(b, DW_UT_partial);
	OPEN(b, 1, partial_unit);
	add_int(b, 2);
	end(b);
	begin(b);
	LEAF(b, 0, imported_unit, VALUE(import, ref_addr, 1));
	LEAF(b, 0, pointer_type, VALUE(type, ref_addr, 2));
	end(b);
}

static void partial_units_belong_to_those_that_import_them(void **state)
{
	(void)state;
	check_merged(build_partial_unit, "1 int int 4 signed\n2 pointer -> 1\n");
}

static void units_are_filtered_by_language_and_name(void **state)
{
	static const uint16_t c11[] = { 0x1d, 0x0c }; /* the builder's units are C99 */
	static const uint16_t rust[] = { DW_LANG_Rust };
	static const struct {
		struct dwarf_load_options options;
		bool is_excluded;
	} cases[] = {
		{ { .languages = NULL }, false },
		{ { .languages = c11, .language_count = 2 }, false },
		{ { .languages = rust, .language_count = 1 }, true },
		{ { .languages = c11, .language_count = 2, .languages_excluded = true }, true },
		{ { .languages = rust, .language_count = 1, .languages_excluded = true }, false },
		{ { .unit_exclude_prefix = "unit." }, true },
		{ { .unit_exclude_prefix = "nit" }, false },
		{ { .unit_exclude_prefix = "unit.cc" }, false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct dwarf_builder b;
		struct loaded_dwarf loaded;

		dwarf_builder_init(&b, &shapes[i]);
		begin(&b);
		add_int(&b, 1);
		end(&b);
		loaded_dwarf_open(&loaded, &b, &cases[i].options);
		loaded_dwarf_unit(&loaded, 0);
		assert_int_equal(loaded.status, SMELT_OK);
		assert_int_equal(loaded.record.is_excluded, cases[i].is_excluded);
		assert_int_equal(loaded.types.type_count, cases[i].is_excluded ? 1 : 2);
		loaded_dwarf_close(&loaded);
		dwarf_builder_deinit(&b);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(units_that_refer_to_each_other_become_one),
		cmocka_unit_test(types_by_signature),
		cmocka_unit_test(partial_units_belong_to_those_that_import_them),
		cmocka_unit_test(units_are_filtered_by_language_and_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
