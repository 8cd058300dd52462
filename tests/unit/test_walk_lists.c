/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Enumerations, arrays and function types. */
#include "unit_cases.h"

#define ENUMERATOR(b, name, form, value) \
	LEAF((b), 0, enumerator, NAME(name), VALUE(const_value, form, value))

static void build_enums(struct dwarf_builder *b)
{
	add_int(b, 1);
	OPEN(b, 0, enumeration_type, NAME("plain"), SIZE(4));
	ENUMERATOR(b, "A", data1, 0);
	ENUMERATOR(b, "B", data1, 200); /* fixed sizes are zero-extended */
	ENUMERATOR(b, "C", data4, 0xffffffff);
	ENUMERATOR(b, "D", implicit_const, 5);
	CLOSE(b);
	OPEN(b, 0, enumeration_type, NAME("minus"), TYPE(1), SIZE(4));
	ENUMERATOR(b, "M", sdata, -1);
	ENUMERATOR(b, "N", implicit_const, -2);
	CLOSE(b);
	OPEN(b, 0, enumeration_type, NAME("wide"), TYPE(1), SIZE(8));
	ENUMERATOR(b, "W", data8, UINT64_C(0x8000000000000000));
	CLOSE(b);
	OPEN(b, 0, enumeration_type, SIZE(8));
	ENUMERATOR(b, "X", udata, 1);
	CLOSE(b);
	LEAF(b, 0, enumeration_type, NAME("later"), FLAG(declaration));
	OPEN(b, 0, enumeration_type, NAME("small"), SIZE(1));
	ENUMERATOR(b, "S", data1, 1);
	CLOSE(b);
}

static void enumerations(void **state)
{
	static const struct dwarf_load_options narrow = { .floats = true };

	(void)state;
	check(build_enums, "1 int int 4 signed\n"
			   "2 enum plain 4 { A 0, B 200, C 4294967295, D 5 }\n"
			   "3 enum minus 4 signed { M -1, N -2 }\n"
			   "4 enum wide 8 signed wide { W -9223372036854775808 }\n"
			   "5 enum - 8 wide { X 1 }\n"
			   "6 enum later 4 { }\n"
			   "7 enum small 1 { S 1 }\n");
	check_with(&narrow, build_enums,
		   "1 int int 4 signed\n"
		   "2 enum plain 4 { A 0, B 200, C 4294967295, D 5 }\n"
		   "3 enum minus 4 { M 4294967295, N 4294967294 }\n"
		   "4 enum wide 8 { W 0 }\n"
		   "5 enum - 8 { X 1 }\n"
		   "6 enum later 4 { }\n"
		   "7 enum small 1 { S 1 }\n");
}

#define BOUND(b, at, form, value) LEAF((b), 0, subrange_type, TYPE(1), VALUE(at, form, value))

static void build_arrays(struct dwarf_builder *b)
{
	add_int(b, 1);
	OPEN(b, 0, array_type, TYPE(1));
	BOUND(b, upper_bound, data1, 3);
	CLOSE(b);
	OPEN(b, 0, array_type, TYPE(1));
	BOUND(b, upper_bound, data1, 1);
	BOUND(b, upper_bound, implicit_const, 2);
	BOUND(b, count, data2, 300);
	CLOSE(b);
	OPEN(b, 0, array_type, TYPE(1)); /* int[] of gcc, and a count of clang */
	LEAF(b, 0, subrange_type, TYPE(1));
	CLOSE(b);
	OPEN(b, 0, array_type, TYPE(1)); /* int[0] of gcc */
	BOUND(b, upper_bound, sdata, -1);
	CLOSE(b);
	OPEN(b, 0, array_type, TYPE(1));
	BOUND(b, upper_bound, data4, 0xffffffff);
	BOUND(b, upper_bound, data1, 1);
	CLOSE(b);
	OPEN(b, 0, array_type, TYPE(1)); /* variable length */
	BOUND(b, upper_bound, ref4, 1);
	CLOSE(b);
	OPEN(b, 0, array_type, TYPE(1));
	LEAF(b, 0, subrange_type, BLOCK(upper_bound, block1, "\x31"), VALUE(count, data1, 5));
	CLOSE(b);
	LEAF(b, 0, array_type, TYPE(1)); /* no subrange: one element */
	OPEN(b, 0, array_type, TYPE(1));
	CLOSE(b);
	OPEN(b, 0, array_type, TYPE(1)); /* 2^32 elements */
	BOUND(b, upper_bound, data4, 0xffff);
	BOUND(b, upper_bound, data4, 0xffff);
	CLOSE(b);
	OPEN(b, 0, array_type, TYPE(1));
	BOUND(b, count, data8, UINT64_C(0x100000007));
	CLOSE(b);
}

static void arrays_multiply_their_dimensions(void **state)
{
	(void)state;
	check(build_arrays, "1 int int 4 signed\n2 array -> 1 x 4\n3 array -> 1 x 1800\n"
			    "4 array -> 1 x 0\n5 array -> 1 x 0\n6 array -> 1 x 0\n"
			    "7 array -> 1 x 0\n8 array -> 1 x 0\n9 array -> 1 x 1\n"
			    "10 array -> 1 x 1\n11 array -> 1 x 0\n12 array -> 1 x 7\n");
}

static void build_function_types(struct dwarf_builder *b)
{
	add_int(b, 1);
	OPEN(b, 0, subroutine_type, FLAG(external), TYPE(1));
	LEAF(b, 0, formal_parameter, TYPE(1));
	LEAF(b, 0, formal_parameter, NAME("named"), TYPE(3));
	CLOSE(b);
	LEAF(b, 0, subroutine_type);
	OPEN(b, 0, subroutine_type);
	LEAF(b, 0, unspecified_parameters);
	CLOSE(b);
	OPEN(b, 0, subroutine_type, TYPE(1));
	LEAF(b, 0, formal_parameter, TYPE(1));
	LEAF(b, 3, pointer_type, TYPE(1)); /* a type among the parameters */
	LEAF(b, 0, formal_parameter);      /* void, as unresolved types are */
	LEAF(b, 0, unspecified_parameters);
	CLOSE(b);
}

static void function_types_and_their_parameters(void **state)
{
	(void)state;
	check(build_function_types, "1 int int 4 signed\n"
				    "2 function -> 1 ( - 1, named 5 )\n"
				    "3 function -> 0 ( )\n"
				    "4 function -> 0 ( - 0 )\n"
				    "5 pointer -> 1\n"
				    "6 function -> 1 ( - 1, - 0, - 0 )\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(enumerations),
		cmocka_unit_test(arrays_multiply_their_dimensions),
		cmocka_unit_test(function_types_and_their_parameters),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
