/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Types that refer to one other type or to none. */
#include "unit_cases.h"

#define BASE(b, name, size, ate) \
	LEAF((b), 0, base_type, NAME(name), SIZE(size), VALUE(encoding, data1, ate))

static void build_base_types(struct dwarf_builder *b)
{
	add_int(b, 0);
	BASE(b, "char", 1, DW_ATE_signed_char);
	BASE(b, "unsigned char", 1, 8);
	BASE(b, "_Bool", 1, DW_ATE_boolean);
	BASE(b, "float", 4, DW_ATE_float);
	BASE(b, "long double", 16, DW_ATE_float);
	BASE(b, "__int128", 16, DW_ATE_signed);
	BASE(b, "unsigned _BitInt(24)", 3, 7);
	BASE(b, "huge", 32, 7);
	BASE(b, "none", 0, 7);
}

static void base_types_by_encoding_and_size(void **state)
{
	static const char integers[] = "7 int __int128 16 signed\n"
				       "8 int __SANITIZED_FAKE_INT__ 4\n"
				       "9 int __SANITIZED_FAKE_INT__ 4\n"
				       "10 int __SANITIZED_FAKE_INT__ 4\n";
	static const struct dwarf_load_options no_floats = { .wide_enums = true };
	char expected[512];

	(void)state;
	snprintf(
		expected, sizeof(expected),
		"1 int int 4 signed\n2 int char 1 signed\n3 int unsigned char 1\n4 int _Bool 1 bool\n"
		"5 float float 4\n6 float long double 16\n%s",
		integers);
	check(build_base_types, expected);
	snprintf(
		expected, sizeof(expected),
		"1 int int 4 signed\n2 int char 1 signed\n3 int unsigned char 1\n4 int _Bool 1 bool\n"
		"5 int float 4\n6 int long double 16\n%s",
		integers);
	check_with(&no_floats, build_base_types, expected);
}

/* BTF has no complex numbers and no float of ten bytes: structs of the same size stand for them. */
static void build_odd_floats(struct dwarf_builder *b)
{
	BASE(b, "complex double", 16, DW_ATE_complex_float);
	BASE(b, "long double", 10, DW_ATE_float);
	BASE(b, "_Float16", 2, DW_ATE_float);
}

static void floats_without_a_kind_become_opaque(void **state)
{
	(void)state;
	check(build_odd_floats, "1 struct complex_double 16 { }\n"
				"2 struct long_double 10 { }\n"
				"3 float _Float16 2\n");
}

static void build_modifiers(struct dwarf_builder *b)
{
	LEAF(b, 1, pointer_type, SIZE(8), TYPE(2)); /* refers forward */
	LEAF(b, 2, const_type, TYPE(3));
	LEAF(b, 3, volatile_type, TYPE(4));
	LEAF(b, 4, restrict_type, TYPE(5));
	LEAF(b, 5, typedef, NAME("number"), TYPE(6));
	add_int(b, 6);
	LEAF(b, 7, pointer_type, SIZE(8)); /* void * */
	LEAF(b, 8, const_type);
	LEAF(b, 9, typedef, NAME_IN_PLACE("nul"));
	LEAF(b, 10, typedef, NAME_IN_PLACE("longer than eight"), TYPE(6));
	LEAF(b, 11, reference_type, SIZE(8), TYPE(6));
	LEAF(b, 12, rvalue_reference_type, SIZE(8), TYPE(6));
}

static void modifiers_keep_their_order_and_targets(void **state)
{
	(void)state;
	check(build_modifiers,
	      "1 pointer -> 2\n2 const -> 3\n3 volatile -> 4\n4 restrict -> 5\n"
	      "5 typedef number -> 6\n6 int int 4 signed\n7 pointer -> 0\n"
	      "8 const -> 0\n9 typedef nul -> 0\n10 typedef longer than eight -> 6\n"
	      "11 pointer -> 6\n12 pointer -> 6\n");
}

static void build_reference_forms(struct dwarf_builder *b)
{
	add_int(b, 1);
	LEAF(b, 0, pointer_type, VALUE(type, ref1, 1));
	LEAF(b, 0, pointer_type, VALUE(type, ref2, 1));
	LEAF(b, 0, pointer_type, VALUE(type, ref4, 1));
	LEAF(b, 0, pointer_type, VALUE(type, ref8, 1));
	LEAF(b, 0, pointer_type, VALUE(type, ref_udata, b->labels[1] - b->unit));
	/* Nothing there that is a type: void. */
	LEAF(b, 0, pointer_type, VALUE(type, ref_udata, 0));
	LEAF(b, 0, pointer_type, VALUE(type, ref_udata, b->labels[1] - b->unit + 1));
	LEAF(b, 0, pointer_type, VALUE(type, ref_udata, 1000000));
	LEAF(b, 0, pointer_type, VALUE(type, data1, 1));
	LEAF(b, 2, variable, NAME("variable"));
	LEAF(b, 0, pointer_type, TYPE(2));
}

static void references_of_every_form(void **state)
{
	(void)state;
	check(build_reference_forms,
	      "1 int int 4 signed\n2 pointer -> 1\n3 pointer -> 1\n4 pointer -> 1\n5 pointer -> 1\n"
	      "6 pointer -> 1\n7 pointer -> 0\n8 pointer -> 0\n9 pointer -> 0\n10 pointer -> 0\n"
	      "11 pointer -> 0\n");
}

static void build_aliases(struct dwarf_builder *b)
{
	add_int(b, 1);
	LEAF(b, 0, pointer_type, TYPE(3));
	LEAF(b, 3, atomic_type, TYPE(4)); /* _Atomic of a typedef without a name of int */
	LEAF(b, 4, typedef, TYPE(1));
	LEAF(b, 5, atomic_type, TYPE(6)); /* these two go in a circle */
	LEAF(b, 6, atomic_type, TYPE(5));
	LEAF(b, 0, pointer_type, TYPE(5));
	LEAF(b, 7, subrange_type, NAME("index"), TYPE(1), VALUE(upper_bound, data1, 9));
	LEAF(b, 0, pointer_type, TYPE(7));
	LEAF(b, 8, atomic_type);
	LEAF(b, 0, pointer_type, TYPE(8));
	OPEN(b, 0, structure_type, NAME("s"), SIZE(4));
	LEAF(b, 0, member, NAME("a"), TYPE(3), AT_BYTE(0));
	CLOSE(b);
}

/* What BTF has no word for has no slot either: references go to what it stands for. */
static void aliases_stand_for_their_target(void **state)
{
	(void)state;
	check(build_aliases, "1 int int 4 signed\n2 pointer -> 1\n3 pointer -> 0\n4 pointer -> 1\n"
			     "5 pointer -> 0\n6 struct s 4 { a 1 @0 }\n");
}

static void build_unspecified(struct dwarf_builder *b)
{
	LEAF(b, 1, unspecified_type, NAME("decltype(nullptr)"));
	LEAF(b, 2, unspecified_type, NAME("void"));
	LEAF(b, 0, typedef, NAME("nullptr_t"), TYPE(1));
	LEAF(b, 0, pointer_type, TYPE(2));
	OPEN(b, 0, namespace, NAME("std"));
	LEAF(b, 3, unspecified_type, NAME("type"));
	LEAF(b, 0, pointer_type, TYPE(3));
	CLOSE(b);
}

static void unspecified_types_are_void_but_nullptr(void **state)
{
	(void)state;
	check(build_unspecified,
	      "1 pointer -> 0\n2 typedef nullptr_t -> 1\n3 pointer -> 0\n4 pointer -> 0\n");
}

static void build_opaque(struct dwarf_builder *b)
{
	add_int(b, 1);
	LEAF(b, 2, subroutine_type);
	LEAF(b, 0, ptr_to_member_type, TYPE(1));
	LEAF(b, 0, ptr_to_member_type, TYPE(2));
	LEAF(b, 0, ptr_to_member_type, TYPE(2), SIZE(6));
	LEAF(b, 0, string_type, SIZE(80));
}

/* The C++ ABI that all but one compiler use: an offset, or a pointer and an adjustment. */
static void member_pointers_are_opaque(void **state)
{
	(void)state;
	for (size_t i = 0; i < SHAPES; i++)
		check_in(&shapes[i], &all_options, build_opaque,
			 shapes[i].address_size == 8 ?
				 "1 int int 4 signed\n2 function -> 0 ( )\n3 struct - 8 { }\n"
				 "4 struct - 16 { }\n5 struct - 6 { }\n6 struct - 80 { }\n" :
				 "1 int int 4 signed\n2 function -> 0 ( )\n3 struct - 4 { }\n"
				 "4 struct - 8 { }\n5 struct - 6 { }\n6 struct - 80 { }\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(base_types_by_encoding_and_size),
		cmocka_unit_test(floats_without_a_kind_become_opaque),
		cmocka_unit_test(modifiers_keep_their_order_and_targets),
		cmocka_unit_test(references_of_every_form),
		cmocka_unit_test(aliases_stand_for_their_target),
		cmocka_unit_test(unspecified_types_are_void_but_nullptr),
		cmocka_unit_test(member_pointers_are_opaque),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
