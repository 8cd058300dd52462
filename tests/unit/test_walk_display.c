/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Types loaded for display: nothing is turned into what BTF has, and what looks different is different. */
#include "unit_cases.h"

static const struct dwarf_load_options display = { .display = true };

static void build_base_types(struct dwarf_builder *b)
{
	LEAF(b, 0, base_type, NAME("int"), SIZE(4), VALUE(encoding, data1, DW_ATE_signed));
	LEAF(b, 0, base_type, NAME("odd"), SIZE(3), VALUE(encoding, data1, 7));
	LEAF(b, 0, base_type, NAME("x87"), SIZE(10), VALUE(encoding, data1, DW_ATE_float));
	LEAF(b, 0, base_type, NAME("complex double"), SIZE(16),
	     VALUE(encoding, data1, DW_ATE_complex_float));
	LEAF(b, 0, base_type, NAME("_Decimal32"), SIZE(4),
	     VALUE(encoding, data1, DW_ATE_decimal_float));
	LEAF(b, 0, base_type, NAME("bool"), SIZE(1), VALUE(encoding, data1, DW_ATE_boolean));
	LEAF(b, 0, base_type, SIZE(2));
}

static void base_types_stay_what_they_are(void **state)
{
	(void)state;
	check_with(&display, build_base_types,
		   "1 int int 4 signed\n2 int odd 3\n3 float x87 10\n"
		   "4 float complex double 16\n5 float _Decimal32 4\n6 int bool 1 bool\n"
		   "7 int - 2\n");
}

static void build_kinds_that_btf_lacks(struct dwarf_builder *b)
{
	add_int(b, 1);
	OPEN(b, 2, structure_type, NAME("s"), SIZE(8));
	CLOSE(b);
	LEAF(b, 0, reference_type, TYPE(1), SIZE(8));
	LEAF(b, 0, rvalue_reference_type, TYPE(1), SIZE(8));
	LEAF(b, 0, atomic_type, TYPE(1));
	LEAF(b, 0, ptr_to_member_type, TYPE(1), VALUE(containing_type, ref4, 2));
	LEAF(b, 0, unspecified_type, NAME("decltype(nullptr)"));
	LEAF(b, 3, unspecified_type);
	LEAF(b, 0, string_type, SIZE(12));
	LEAF(b, 0, pointer_type, TYPE(3));
}

static void kinds_that_btf_lacks_are_kept(void **state)
{
	char expected[512];

	(void)state;
	for (size_t i = 0; i < SHAPES; i++) {
		snprintf(expected, sizeof(expected),
			 "1 int int 4 signed\n2 struct s 8 { }\n3 reference -> 1\n"
			 "4 rvalue_reference -> 1\n5 atomic -> 1\n6 member_pointer -> 1 in 2 %u\n"
			 "7 unspecified decltype(nullptr) 0\n8 string - 12\n9 pointer -> 0\n",
			 shapes[i].address_size);
		check_in(&shapes[i], &display, build_kinds_that_btf_lacks, expected);
	}
}

static void build_bases(struct dwarf_builder *b)
{
	add_int(b, 1);
	OPEN(b, 2, class_type, NAME("base"), SIZE(4));
	LEAF(b, 0, member, NAME("i"), TYPE(1), AT_BYTE(0));
	CLOSE(b);
	OPEN(b, 0, class_type, NAME("derived"), SIZE(12));
	LEAF(b, 0, member, NAME("v"), TYPE(1), AT_BYTE(0));
	LEAF(b, 0, inheritance, TYPE(2), AT_BYTE(4));
	LEAF(b, 0, member, NAME("j"), TYPE(1), AT_BYTE(8));
	CLOSE(b);
}

static void base_classes_are_members_without_a_name(void **state)
{
	(void)state;
	check_with(&display, build_bases,
		   "1 int int 4 signed\n2 struct base 4 class { i 1 @0 }\n"
		   "3 struct derived 12 class { v 1 @0, - 2 @32, j 1 @64 }\n");
}

/* ---- What must not look the same ---- */

typedef void (*check_fn)(const struct loaded_dwarf *loaded);

static void load_and(const struct dwarf_load_options *options, build_fn build,
		     check_fn check_loaded)
{
	for (size_t i = 0; i < SHAPES; i++) {
		struct dwarf_builder b;
		struct loaded_dwarf loaded;

		dwarf_builder_init(&b, &shapes[i]);
		begin(&b);
		build(&b);
		end(&b);
		loaded_dwarf_open(&loaded, &b, options);
		loaded_dwarf_unit(&loaded, 0);
		assert_int_equal(loaded.status, SMELT_OK);
		check_loaded(&loaded);
		loaded_dwarf_close(&loaded);
		dwarf_builder_deinit(&b);
	}
}

static bool look_the_same(const struct model_unit *unit, uint32_t left, uint32_t right)
{
	const struct model_type *a = &unit->types[left], *b = &unit->types[right];

	if (a->name != b->name || a->type != b->type || a->size != b->size || a->kind != b->kind ||
	    a->item_count != b->item_count)
		return false;
	for (uint32_t i = 0; i < a->item_count; i++) {
		if (unit->items[a->first_item + i].value != unit->items[b->first_item + i].value)
			return false;
	}
	return true;
}

#define DIMENSION(b, count) \
	LEAF((b), 0, subrange_type, TYPE(1), VALUE(upper_bound, data1, (count)-1))

static void build_arrays(struct dwarf_builder *b)
{
	add_int(b, 1);
	OPEN(b, 0, array_type, TYPE(1));
	DIMENSION(b, 2);
	DIMENSION(b, 3);
	CLOSE(b);
	OPEN(b, 0, array_type, TYPE(1));
	DIMENSION(b, 3);
	DIMENSION(b, 2);
	CLOSE(b);
	OPEN(b, 0, array_type, TYPE(1));
	DIMENSION(b, 6);
	CLOSE(b);
	OPEN(b, 0, array_type, TYPE(1), FLAG(GNU_vector));
	DIMENSION(b, 6);
	CLOSE(b);
	OPEN(b, 0, array_type, TYPE(1));
	DIMENSION(b, 1);
	DIMENSION(b, 6);
	CLOSE(b);
	/* The same in other words: a form of another size for the first dimension only. */
	OPEN(b, 0, array_type, TYPE(1));
	LEAF(b, 0, subrange_type, TYPE(1), VALUE(upper_bound, udata, 1));
	DIMENSION(b, 3);
	CLOSE(b);
}

static void check_arrays(const struct loaded_dwarf *loaded)
{
	assert_int_equal(loaded->types.type_count, 8);
	for (uint32_t a = 2; a < 7; a++) {
		for (uint32_t b = a + 1; b < 7; b++)
			assert_false(look_the_same(&loaded->types, a, b));
	}
	assert_true(look_the_same(&loaded->types, 2, 7));
}

static void arrays_differ_by_their_dimensions(void **state)
{
	(void)state;
	load_and(&display, build_arrays, check_arrays);
}

/* Slot by slot: the structs named "x" of one build, in the order they end. */
static void build_scopes(struct dwarf_builder *b)
{
	LEAF(b, 0, structure_type, NAME("x"), FLAG(declaration)); /* 1 */
	OPEN(b, 0, namespace, NAME("a"));
	LEAF(b, 0, structure_type, NAME("x"), FLAG(declaration)); /* 2 */
	OPEN(b, 0, namespace, NAME("b"));
	LEAF(b, 0, structure_type, NAME("x"), FLAG(declaration)); /* 3 */
	CLOSE(b);
	CLOSE(b);
	OPEN(b, 0, namespace, NAME("b"));
	LEAF(b, 0, structure_type, NAME("x"), FLAG(declaration)); /* 4 */
	CLOSE(b);
	OPEN(b, 0, structure_type, NAME("c"), SIZE(1));
	LEAF(b, 0, typedef, NAME("x")); /* 5 */
	OPEN(b, 0, subprogram, NAME("f"));
	OPEN(b, 0, lexical_block);
	LEAF(b, 0, structure_type, NAME("x"), FLAG(declaration)); /* 6 */
	CLOSE(b);
	CLOSE(b);
	CLOSE(b); /* 7 */
	OPEN(b, 0, subprogram, NAME("f"));
	LEAF(b, 0, structure_type, NAME("x"), FLAG(declaration)); /* 8 */
	CLOSE(b);
	OPEN(b, 0, namespace);
	LEAF(b, 0, structure_type, NAME("x"), FLAG(declaration)); /* 9 */
	CLOSE(b);
	OPEN(b, 0, namespace, NAME("a"));
	OPEN(b, 0, namespace, NAME("b"));
	LEAF(b, 0, structure_type, NAME("x"), FLAG(declaration)); /* 10: the same as 3 */
	CLOSE(b);
	CLOSE(b);
}

static void check_scopes(const struct loaded_dwarf *loaded)
{
	const struct model_type *types = loaded->types.types;
	uint32_t plain = types[1].name;

	assert_int_equal(loaded->types.type_count, 11);
	assert_string_equal(name_table_text(dwarf_loader_names(loaded->loader), plain), "x");
	for (uint32_t i = 1; i <= 9; i++) {
		for (uint32_t k = i + 1; k <= 9 && i != 7; k++) {
			if (k != 7)
				assert_int_not_equal(types[i].name, types[k].name);
		}
	}
	assert_int_equal(types[3].name, types[10].name);
	assert_string_equal(name_table_text(dwarf_loader_names(loaded->loader), types[7].name),
			    "c");
}

static void names_count_with_their_scope(void **state)
{
	(void)state;
	load_and(&display, build_scopes, check_scopes);
}

/* BTF knows no scopes. */
static void check_no_scopes(const struct loaded_dwarf *loaded)
{
	for (uint32_t i = 2; i <= 10; i++) {
		if (i != 7)
			assert_int_equal(loaded->types.types[i].name, loaded->types.types[1].name);
	}
}

static void names_for_btf_count_without_scope(void **state)
{
	(void)state;
	load_and(&all_options, build_scopes, check_no_scopes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(base_types_stay_what_they_are),
		cmocka_unit_test(kinds_that_btf_lacks_are_kept),
		cmocka_unit_test(base_classes_are_members_without_a_name),
		cmocka_unit_test(arrays_differ_by_their_dimensions),
		cmocka_unit_test(names_count_with_their_scope),
		cmocka_unit_test(names_for_btf_count_without_scope),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
