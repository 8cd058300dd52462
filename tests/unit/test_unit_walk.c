/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Units assembled by hand and the types they mean, by docs/encoding.md, sections 1 to 3 and 6. Each
 * case is loaded in every shape of DWARF below: versions, byte orders, sizes, layouts that the
 * loader's short paths take and layouts that they must leave alone. The types must be the same.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/loaded_dwarf.h"

#define LITTLE_5 .version = 5, .address_size = 8, .offset_size = 4
#define BIG_4 .version = 4, .address_size = 8, .offset_size = 4, .is_big_endian = true
static const struct dwarf_shape shapes[] = {
	{ LITTLE_5 },
	{ LITTLE_5, .is_padded = true },
	{ BIG_4 },
	{ BIG_4, .is_padded = true },
	{ .version = 3, .address_size = 4, .offset_size = 4, .is_big_endian = true },
	{ .version = 2, .address_size = 4, .offset_size = 4 },
	{ .version = 5, .address_size = 8, .offset_size = 8 },
	/* codes of one and two bytes, two and three, looked up by index and by search */
	{ LITTLE_5, .first_code = 126 },
	{ BIG_4, .first_code = 16382 },
	{ LITTLE_5, .first_code = 65534 },
	{ LITTLE_5, .first_code = UINT64_C(1) << 40 },
	/* null entries that an assembler padded */
	{ LITTLE_5, .null_size = 2 },
	{ BIG_4, .is_padded = true, .null_size = 3 },
};
enum { SHAPES = sizeof(shapes) / sizeof(shapes[0]) };

/* Not in constants.h: the library has no use for them. */
enum { DW_TAG_entry_nobody_knows = 0x4080, DW_AT_import = 0x18 };

typedef void (*build_fn)(struct dwarf_builder *builder);

static const struct dwarf_load_options all_options = {
	.floats = true,
	.wide_enums = true,
	.type_tags = true,
	.decl_tags = true,
	.variables = true,
};

static void begin(struct dwarf_builder *b)
{
	dwarf_unit_begin(b, DW_UT_compile);
	OPEN(b, 0, compile_unit, NAME("unit.c"), VALUE(language, data1, 0x0c));
}

static void end(struct dwarf_builder *b)
{
	CLOSE(b);
	dwarf_unit_end(b);
}

static void add_int(struct dwarf_builder *b, uint32_t label)
{
	LEAF(b, label, base_type, NAME("int"), SIZE(4), VALUE(encoding, data1, DW_ATE_signed));
}

/* The content of one unit is built by `build`; begin() and end() are around it. */
static void check_in(const struct dwarf_shape *shape, const struct dwarf_load_options *options,
		     build_fn build, const char *expected)
{
	struct dwarf_builder builder;
	struct loaded_dwarf loaded;
	char *text;

	dwarf_builder_init(&builder, shape);
	begin(&builder);
	build(&builder);
	end(&builder);
	loaded_dwarf_open(&loaded, &builder, options);
	loaded_dwarf_unit(&loaded, 0);
	if (loaded.status)
		fail_msg("%s", loaded.error.text);
	text = loaded_dwarf_text(&loaded);
	if (strcmp(text, expected) != 0)
		print_error("version %u, %s endian, padded %d, first code %" PRIu64 "\n",
			    shape->version, shape->is_big_endian ? "big" : "little",
			    shape->is_padded, shape->first_code);
	assert_string_equal(text, expected);
	free(text);
	loaded_dwarf_close(&loaded);
	dwarf_builder_deinit(&builder);
}

static void check_with(const struct dwarf_load_options *options, build_fn build,
		       const char *expected)
{
	for (size_t i = 0; i < SHAPES; i++)
		check_in(&shapes[i], options, build, expected);
}

static void check(build_fn build, const char *expected)
{
	check_with(&all_options, build, expected);
}

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

static void build_members(struct dwarf_builder *b)
{
	add_int(b, 1);
	OPEN(b, 2, structure_type, NAME("plain"), SIZE(16));
	LEAF(b, 0, member, NAME("a"), TYPE(1), AT_BYTE(0));
	LEAF(b, 0, member, NAME_IN_PLACE("b"), TYPE(1), AT_BYTE(4));
	LEAF(b, 0, member, NAME("c"), TYPE(1), VALUE(data_member_location, implicit_const, 8));
	LEAF(b, 0, member, TYPE(1), VALUE(data_member_location, data2, 12));
	CLOSE(b);
	OPEN(b, 3, union_type, NAME("either"), SIZE(4));
	LEAF(b, 0, member, NAME("a"), TYPE(1));
	LEAF(b, 0, member, NAME("whole"), TYPE(2), VALUE(data_member_location, udata, 0));
	CLOSE(b);
	OPEN(b, 4, structure_type, SIZE(8));
	LEAF(b, 0, member, NAME("x"), TYPE(1),
	     BLOCK(data_member_location, block1, "\x23\x04")); /* DW_OP_plus_uconst 4 */
	LEAF(b, 0, member, NAME("y"), TYPE(1),
	     BLOCK(data_member_location, block1, "\x10\x80\x01")); /* DW_OP_constu 128 */
	CLOSE(b);
	LEAF(b, 5, structure_type, NAME("empty"), SIZE(0));
	OPEN(b, 6, class_type, NAME("klass"), VALUE(byte_size, data4, 70000));
	LEAF(b, 0, inheritance, TYPE(2), AT_BYTE(0));
	LEAF(b, 0, member, NAME("far"), TYPE(1), VALUE(data_member_location, data4, 69996));
	CLOSE(b);
}

static void members_of_structs_and_unions(void **state)
{
	(void)state;
	check(build_members, "1 int int 4 signed\n"
			     "2 struct plain 16 { a 1 @0, b 1 @32, c 1 @64, - 1 @96 }\n"
			     "3 union either 4 { a 1 @0, whole 2 @0 }\n"
			     "4 struct - 8 { x 1 @32, y 1 @1024 }\n"
			     "5 struct empty 0 { }\n"
			     "6 struct klass 70000 class { far 1 @559968 }\n");
}

static void build_nested(struct dwarf_builder *b)
{
	add_int(b, 1);
	OPEN(b, 2, structure_type, NAME("outer"), SIZE(16));
	LEAF(b, 0, member, NAME("a"), TYPE(1), AT_BYTE(0));
	OPEN(b, 3, structure_type, NAME("middle"), SIZE(12));
	LEAF(b, 0, member, NAME("b"), TYPE(1), AT_BYTE(0));
	OPEN(b, 4, union_type, NAME("inner"), SIZE(4));
	LEAF(b, 0, member, NAME("c"), TYPE(1));
	CLOSE(b);
	LEAF(b, 0, member, NAME("d"), TYPE(4), AT_BYTE(4));
	LEAF(b, 5, pointer_type, SIZE(8), TYPE(2));
	LEAF(b, 0, member, NAME("e"), TYPE(5), AT_BYTE(8));
	CLOSE(b);
	LEAF(b, 0, member, NAME("f"), TYPE(3), AT_BYTE(4));
	CLOSE(b);
}

/* A type gets its slot when its description ends. docs/encoding.md, 3.1 */
static void nested_types_come_before_what_they_are_in(void **state)
{
	(void)state;
	check(build_nested, "1 int int 4 signed\n"
			    "2 union inner 4 { c 1 @0 }\n"
			    "3 pointer -> 5\n"
			    "4 struct middle 12 { b 1 @0, d 2 @32, e 3 @64 }\n"
			    "5 struct outer 16 { a 1 @0, f 4 @32 }\n");
}

static void build_new_bitfields(struct dwarf_builder *b)
{
	add_int(b, 1);
	OPEN(b, 0, structure_type, NAME("bits"), SIZE(8));
	LEAF(b, 0, member, NAME("a"), TYPE(1), VALUE(bit_size, data1, 3),
	     VALUE(data_bit_offset, data1, 0));
	LEAF(b, 0, member, NAME("b"), TYPE(1), VALUE(bit_size, data1, 29),
	     VALUE(data_bit_offset, data1, 3));
	LEAF(b, 0, member, NAME("whole"), TYPE(1), AT_BYTE(4));
	CLOSE(b);
	OPEN(b, 0, structure_type, NAME("none"), SIZE(4)); /* clang: a plain member by its bit */
	LEAF(b, 0, member, NAME("a"), TYPE(1), VALUE(data_bit_offset, udata, 32));
	CLOSE(b);
	OPEN(b, 0, structure_type, NAME("odd"), SIZE(4));
	LEAF(b, 0, member, NAME("a"), TYPE(1), VALUE(data_bit_offset, data2, 300));
	CLOSE(b);
}

static void bitfields_by_their_first_bit(void **state)
{
	(void)state;
	check(build_new_bitfields,
	      "1 int int 4 signed\n"
	      "2 struct bits 8 bitfields { a 1 @0:3, b 1 @3:29, whole 1 @32 }\n"
	      "3 struct none 4 { a 1 @32 }\n"
	      "4 struct odd 4 bitfields { a 1 @300 }\n");
}

#define OLD_BITFIELD(b, name, bytes, offset, size, location)                                 \
	LEAF((b), 0, member, NAME(name), TYPE(2), SIZE(bytes), VALUE(bit_size, data1, size), \
	     VALUE(bit_offset, sdata, offset), AT_BYTE(location))

static void build_old_bitfields(struct dwarf_builder *b)
{
	add_int(b, 1);
	LEAF(b, 2, typedef, NAME("number"), TYPE(1));
	OPEN(b, 0, structure_type, NAME("bits"), SIZE(8));
	OLD_BITFIELD(b, "a", 4, 29, 3, 0);
	OLD_BITFIELD(b, "b", 4, 24, 5, 4);
	/* the storage unit's size from the type, through the typedef */
	LEAF(b, 0, member, NAME("c"), TYPE(2), VALUE(bit_size, data1, 8),
	     VALUE(bit_offset, data1, 16), AT_BYTE(4));
	/* reaches before its storage unit: packed structs of gcc, little endian */
	OLD_BITFIELD(b, "d", 4, 20, 20, 1);
	OLD_BITFIELD(b, "e", 1, -2, 4, 3);
	CLOSE(b);
}

/* DWARF 3, 5.6.6: bit_offset counts from the most significant bit of the storage unit. */
static void bitfields_from_the_other_end(void **state)
{
	(void)state;
	for (size_t i = 0; i < SHAPES; i++)
		check_in(&shapes[i], &all_options, build_old_bitfields,
			 shapes[i].is_big_endian ?
				 "1 int int 4 signed\n2 typedef number -> 1\n"
				 "3 struct bits 8 bitfields { a 2 @29:3, b 2 @56:5, c 2 @48:8, "
				 "d 2 @28:20, e 2 @22:4 }\n" :
				 "1 int int 4 signed\n2 typedef number -> 1\n"
				 "3 struct bits 8 bitfields { a 2 @0:3, b 2 @35:5, c 2 @40:8, "
				 "d 2 @0:20, e 2 @30:4 }\n");
}

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

static void build_forwards(struct dwarf_builder *b)
{
	LEAF(b, 1, structure_type, NAME("s"), FLAG(declaration));
	LEAF(b, 2, union_type, NAME("u"), FLAG(declaration));
	LEAF(b, 3, class_type, NAME("c"), FLAG(declaration));
	LEAF(b, 0, structure_type, NAME("defined"), VALUE(declaration, flag, 0), SIZE(1));
	OPEN(b, 0, structure_type, NAME("declared"), FLAG(declaration));
	LEAF(b, 0, typedef, NAME("inside"), TYPE(1));
	CLOSE(b);
}

static void declarations_become_forwards(void **state)
{
	(void)state;
	check(build_forwards, "1 struct_forward s\n2 union_forward u\n3 struct_forward c class\n"
			      "4 struct defined 1 { }\n5 typedef inside -> 1\n"
			      "6 struct_forward declared\n");
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

#define TAG_NAMES(kind, text) NAME("btf_" kind "_tag"), TEXT(const_value, strp, text)

static void build_type_tags(struct dwarf_builder *b)
{
	add_int(b, 1);
	OPEN(b, 0, pointer_type, TYPE(1)); /* clang, gcc 16 */
	LEAF(b, 0, LLVM_annotation, TAG_NAMES("type", "user"));
	LEAF(b, 0, LLVM_annotation, TAG_NAMES("decl", "not a type tag"));
	LEAF(b, 0, LLVM_annotation, TAG_NAMES("type", "rcu"));
	CLOSE(b);
	LEAF(b, 11, GNU_annotation, TAG_NAMES("type", "rcu"));
	LEAF(b, 10, GNU_annotation, TAG_NAMES("type", "user"), VALUE(GNU_annotation, ref4, 11));
	LEAF(b, 0, pointer_type, TYPE(1), VALUE(GNU_annotation, ref4, 10));
	LEAF(b, 0, pointer_type, VALUE(GNU_annotation, ref4, 11)); /* shares one; void */
	LEAF(b, 12, GNU_annotation, TAG_NAMES("decl", "ends it"), VALUE(GNU_annotation, ref4, 11));
	LEAF(b, 13, GNU_annotation, TAG_NAMES("type", "one"), VALUE(GNU_annotation, ref4, 12));
	LEAF(b, 0, pointer_type, TYPE(1), VALUE(GNU_annotation, ref4, 13));
	LEAF(b, 0, pointer_type, TYPE(1), VALUE(GNU_annotation, ref4, 12));
	OPEN(b, 0, const_type, TYPE(1)); /* honoured on pointers only */
	LEAF(b, 0, LLVM_annotation, TAG_NAMES("type", "user"));
	CLOSE(b);
}

/* docs/encoding.md, 6: the two compilers' forms give opposite orders. */
static void type_tags_stand_between_pointer_and_pointee(void **state)
{
	static const struct dwarf_load_options no_tags = { .floats = true };

	(void)state;
	check(build_type_tags, "1 int int 4 signed\n"
			       "2 tag user -> 1\n3 tag rcu -> 2\n4 pointer -> 3\n"
			       "5 tag user -> 6\n6 tag rcu -> 1\n7 pointer -> 5\n"
			       "8 tag rcu -> 0\n9 pointer -> 8\n"
			       "10 tag one -> 1\n11 pointer -> 10\n"
			       "12 pointer -> 1\n13 const -> 1\n");
	check_with(&no_tags, build_type_tags,
		   "1 int int 4 signed\n2 pointer -> 1\n3 pointer -> 1\n4 pointer -> 0\n"
		   "5 pointer -> 1\n6 pointer -> 1\n7 const -> 1\n");
}

static void build_tag_circle(struct dwarf_builder *b)
{
	LEAF(b, 10, GNU_annotation, TAG_NAMES("decl", "d"), VALUE(GNU_annotation, ref4, 11));
	LEAF(b, 11, GNU_annotation, TAG_NAMES("decl", "d"), VALUE(GNU_annotation, ref4, 10));
	LEAF(b, 1, structure_type, NAME("s"), SIZE(0), VALUE(GNU_annotation, ref4, 10));
}

static void a_circle_of_annotations_ends(void **state)
{
	(void)state;
	check(build_tag_circle, "1 struct s 0 { }\n");
}

static void build_static_members(struct dwarf_builder *b)
{
	add_int(b, 1);
	OPEN(b, 0, structure_type, NAME("s"), SIZE(4));
	LEAF(b, 0, member, NAME("shared"), TYPE(1), FLAG(external), FLAG(declaration));
	LEAF(b, 0, member, NAME("own"), TYPE(1), AT_BYTE(0));
	LEAF(b, 0, variable, NAME("also_shared"), TYPE(1), FLAG(external), FLAG(declaration));
	OPEN(b, 0, subprogram, NAME("method"), FLAG(declaration));
	LEAF(b, 2, pointer_type, TYPE(1));
	LEAF(b, 0, formal_parameter, TYPE(2));
	CLOSE(b);
	CLOSE(b);
}

/* DWARF 4 describes them as members without a place, DWARF 5 as variables. */
static void static_members_are_no_members(void **state)
{
	(void)state;
	check(build_static_members,
	      "1 int int 4 signed\n2 pointer -> 1\n3 struct s 4 { own 1 @0 }\n");
}

static void build_specification(struct dwarf_builder *b)
{
	OPEN(b, 0, namespace, NAME("space"));
	LEAF(b, 1, structure_type, NAME("known"), FLAG(declaration));
	LEAF(b, 2, enumeration_type, NAME("choice"), FLAG(declaration), SIZE(4));
	CLOSE(b);
	LEAF(b, 0, structure_type, SIZE(4), VALUE(specification, ref4, 1));
	OPEN(b, 0, enumeration_type, SIZE(4), VALUE(specification, ref4, 2));
	ENUMERATOR(b, "A", data1, 1);
	CLOSE(b);
	LEAF(b, 0, structure_type, NAME("own"), SIZE(4), VALUE(specification, ref4, 1));
}

static void a_completed_type_takes_its_declarations_name(void **state)
{
	(void)state;
	check(build_specification, "1 struct_forward known\n2 enum choice 4 { }\n"
				   "3 struct known 4 { }\n4 enum choice 4 { A 1 }\n"
				   "5 struct own 4 { }\n");
}

/* At address 0, however long addresses are. */
static void add_static(struct dwarf_builder *b, const char *name)
{
	static const uint8_t location[9] = { DW_OP_addr };
	const struct dwarf_attribute_value attributes[] = {
		NAME(name),
		TYPE(1),
		{ .attribute = DW_AT_location,
		  .form = DW_FORM_block1,
		  .bytes = location,
		  .size = 1 + b->shape.address_size },
	};

	dwarf_entry(b, 0, DW_TAG_variable, false, attributes, 3);
}

static void build_bodies(struct dwarf_builder *b)
{
	add_int(b, 1);
	OPEN(b, 0, subprogram, NAME("f"), FLAG(external));
	LEAF(b, 0, formal_parameter, NAME("p"), TYPE(1));
	OPEN(b, 0, lexical_block);
	LEAF(b, 0, variable, NAME("v"), TYPE(1));
	OPEN(b, 0, structure_type, NAME("local"), SIZE(4));
	LEAF(b, 0, member, NAME("m"), TYPE(1), AT_BYTE(0));
	CLOSE(b);
	OPEN(b, 0, inlined_subroutine);
	LEAF(b, 0, formal_parameter, TYPE(1));
	OPEN(b, 0, lexical_block);
	LEAF(b, 0, typedef, NAME("deep"), TYPE(1));
	CLOSE(b);
	CLOSE(b);
	OPEN(b, 0, call_site, VALUE(low_pc, addr, 16));
	LEAF(b, 0, typedef, NAME("unseen"), TYPE(1));
	CLOSE(b);
	LEAF(b, 0, label, NAME("out"));
	CLOSE(b);
	LEAF(b, 0, typedef, NAME("after"), TYPE(1));
	CLOSE(b);
	OPEN(b, 0, namespace);
	OPEN(b, 0, namespace, NAME("nested"));
	LEAF(b, 0, typedef, NAME("spaced"), TYPE(1));
	CLOSE(b);
	CLOSE(b);
	OPEN(b, 0, entry_nobody_knows);
	LEAF(b, 0, typedef, NAME("unseen"), TYPE(1));
	CLOSE(b);
}

/* docs/encoding.md, 2.9 */
static void types_are_found_in_bodies_and_namespaces(void **state)
{
	(void)state;
	check(build_bodies, "1 int int 4 signed\n2 struct local 4 { m 1 @0 }\n3 typedef deep -> 1\n"
			    "4 typedef after -> 1\n5 typedef spaced -> 1\n");
}

/*
 * A static variable of a function, after blocks in its body: no variable of the unit, which an
 * early end of the body would make it.
 */
static void bodies_end_with_their_own_null_entry(void **state)
{
	const struct elf_part_symbol symbol = { .name = "f",
						.value = 0x1000,
						.info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC),
						.section = 1 };

	(void)state;
	for (size_t i = 0; i < SHAPES; i++) {
		struct dwarf_builder b;
		struct loaded_dwarf loaded;

		dwarf_builder_init(&b, &shapes[i]);
		elf_builder_add_symbol(&b.elf, &symbol);
		begin(&b);
		add_int(&b, 1);
		OPEN(&b, 0, subprogram, NAME("f"), FLAG(external));
		OPEN(&b, 0, lexical_block);
		OPEN(&b, 0, lexical_block);
		LEAF(&b, 0, variable, NAME("automatic"), TYPE(1));
		CLOSE(&b);
		CLOSE(&b);
		add_static(&b, "local");
		CLOSE(&b);
		add_static(&b, "global");
		end(&b);
		loaded_dwarf_open(&loaded, &b, &all_options);
		loaded_dwarf_unit(&loaded, 0);
		assert_int_equal(loaded.status, SMELT_OK);
		assert_int_equal(loaded.record.variable_count, 1);
		assert_string_equal(name_table_text(dwarf_loader_names(loaded.loader),
						    loaded.record.variables[0].name),
				    "global");
		loaded_dwarf_close(&loaded);
		dwarf_builder_deinit(&b);
	}
}

static void build_siblings(struct dwarf_builder *b)
{
	OPEN(b, 0, structure_type, NAME("s"), SIZE(4), VALUE(sibling, ref4, 2));
	LEAF(b, 0, member, NAME("m"), TYPE(2), AT_BYTE(0));
	CLOSE(b);
	add_int(b, 2);
	OPEN(b, 0, entry_nobody_knows, VALUE(sibling, ref4, 3));
	OPEN(b, 0, lexical_block);
	CLOSE(b);
	CLOSE(b);
	LEAF(b, 3, pointer_type, TYPE(2));
}

static void siblings_are_only_short_cuts(void **state)
{
	(void)state;
	check(build_siblings, "1 struct s 4 { m 2 @0 }\n2 int int 4 signed\n3 pointer -> 2\n");
}

/* Rust puts members in the order it likes. docs/encoding.md, 2.5 */
static void members_of_rust_come_in_order_of_offset(void **state)
{
	(void)state;
	for (size_t i = 0; i < SHAPES; i++) {
		struct dwarf_builder b;
		struct loaded_dwarf loaded;
		char *text;

		dwarf_builder_init(&b, &shapes[i]);
		dwarf_unit_begin(&b, DW_UT_compile);
		OPEN(&b, 0, compile_unit, VALUE(language, data2, DW_LANG_Rust));
		add_int(&b, 1);
		OPEN(&b, 0, structure_type, NAME("s"), SIZE(12));
		LEAF(&b, 0, member, NAME("c"), TYPE(1), AT_BYTE(8));
		LEAF(&b, 0, member, NAME("a"), TYPE(1), AT_BYTE(0));
		LEAF(&b, 0, member, NAME("b"), TYPE(1), AT_BYTE(4));
		LEAF(&b, 0, member, NAME("z"), TYPE(1), AT_BYTE(0));
		CLOSE(&b);
		end(&b);
		loaded_dwarf_open(&loaded, &b, &all_options);
		loaded_dwarf_unit(&loaded, 0);
		text = loaded_dwarf_text(&loaded);
		assert_string_equal(text, "1 int int 4 signed\n"
					  "2 struct s 12 { a 1 @0, z 1 @0, b 1 @32, c 1 @64 }\n");
		free(text);
		loaded_dwarf_close(&loaded);
		dwarf_builder_deinit(&b);
	}
}

static void build_decl_tags(struct dwarf_builder *b)
{
	add_int(b, 1);
	LEAF(b, 10, GNU_annotation, TAG_NAMES("decl", "chained"));
	OPEN(b, 0, structure_type, NAME("s"), SIZE(8), VALUE(GNU_annotation, ref4, 10));
	LEAF(b, 0, inheritance, TYPE(1), AT_BYTE(0));
	OPEN(b, 0, member, NAME("m"), TYPE(1), AT_BYTE(4), VALUE(GNU_annotation, ref4, 10));
	LEAF(b, 0, LLVM_annotation, TAG_NAMES("decl", "member"));
	CLOSE(b);
	LEAF(b, 0, GNU_annotation, TAG_NAMES("decl", "whole"));
	CLOSE(b);
	OPEN(b, 0, union_type, NAME("u"), SIZE(8), VALUE(GNU_annotation, ref4, 10));
	LEAF(b, 0, LLVM_annotation, TAG_NAMES("decl", "union"));
	CLOSE(b);
	OPEN(b, 0, typedef, NAME("t"), TYPE(1), VALUE(GNU_annotation, ref4, 10));
	LEAF(b, 0, LLVM_annotation, TAG_NAMES("decl", "typedef"));
	CLOSE(b);
	OPEN(b, 0, class_type, NAME("c"), SIZE(8));
	LEAF(b, 0, LLVM_annotation, TAG_NAMES("decl", "class"));
	CLOSE(b);
}

/* docs/encoding.md, 6, the table of owners */
static void decl_tags_of_types_and_their_order(void **state)
{
	static const struct {
		uint32_t type;
		const char *value;
		int32_t component;
	} expected[] = { { 2, "member", 1 },   { 2, "chained", 1 }, { 2, "whole", -1 },
			 { 2, "chained", -1 }, { 3, "union", -1 },  { 4, "typedef", -1 } };

	(void)state;
	for (size_t i = 0; i < SHAPES; i++) {
		struct dwarf_builder b;
		struct loaded_dwarf loaded;

		dwarf_builder_init(&b, &shapes[i]);
		elf_builder_add_symbol(&b.elf, &(struct elf_part_symbol){ .name = "x" });
		begin(&b);
		build_decl_tags(&b);
		end(&b);
		loaded_dwarf_open(&loaded, &b, &all_options);
		loaded_dwarf_unit(&loaded, 0);
		assert_int_equal(loaded.status, SMELT_OK);
		assert_int_equal(loaded.record.type_tag_count, 6);
		for (size_t k = 0; k < 6; k++) {
			const struct type_tag_record *record = &loaded.record.type_tags[k];

			assert_int_equal(record->type, expected[k].type);
			assert_int_equal(record->tag.component, expected[k].component);
			assert_string_equal(name_table_text(dwarf_loader_names(loaded.loader),
							    record->tag.value),
					    expected[k].value);
		}
		loaded_dwarf_close(&loaded);
		dwarf_builder_deinit(&b);
	}
}

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

/* Producers may leave out null entries at a unit's end, and put more there than are needed. */
static void lists_may_end_with_the_unit(void **state)
{
	(void)state;
	for (size_t i = 0; i < 2 * SHAPES; i++) {
		struct dwarf_builder b;
		struct loaded_dwarf loaded;
		char *text;

		dwarf_builder_init(&b, &shapes[i / 2]);
		begin(&b);
		add_int(&b, 1);
		OPEN(&b, 0, structure_type, NAME("s"), SIZE(4));
		LEAF(&b, 0, member, NAME("m"), TYPE(1), AT_BYTE(0));
		for (int nulls = 0; i % 2 && nulls < 5; nulls++)
			CLOSE(&b);
		dwarf_unit_end(&b);
		loaded_dwarf_open(&loaded, &b, &all_options);
		loaded_dwarf_unit(&loaded, 0);
		text = loaded_dwarf_text(&loaded);
		assert_string_equal(text, "1 int int 4 signed\n2 struct s 4 { m 1 @0 }\n");
		free(text);
		loaded_dwarf_close(&loaded);
		dwarf_builder_deinit(&b);
	}
}

static void build_nothing(struct dwarf_builder *b)
{
	(void)b;
}

static void an_empty_unit_has_no_types(void **state)
{
	(void)state;
	check(build_nothing, "");
}

/* The unit's bytes end in the middle of an entry. */
static void damage_end(struct dwarf_builder *b)
{
	LEAF(b, 0, pointer_type, VALUE(byte_size, data8, 8));
	b->info.size -= 4;
}

static void damage_code(struct dwarf_builder *b)
{
	byte_string_uleb128(b->out, b->shape.first_code + 100);
}

static void damage_string(struct dwarf_builder *b)
{
	LEAF(b, 0, structure_type, VALUE(name, strp, 0x10000), SIZE(4));
}

static void damage_string_index(struct dwarf_builder *b)
{
	LEAF(b, 0, structure_type, VALUE(name, strx, 7), SIZE(4));
}

static void damage_sibling(struct dwarf_builder *b)
{
	add_int(b, 1);
	OPEN(b, 0, entry_nobody_knows, VALUE(sibling, ref4, 1));
}

static void damage_depth(struct dwarf_builder *b)
{
	for (int i = 0; i < 2000; i++)
		OPEN(b, 0, namespace);
}

static void damage_depth_of_structs(struct dwarf_builder *b)
{
	for (int i = 0; i < 2000; i++)
		OPEN(b, 0, structure_type, SIZE(1));
}

static void damage_depth_of_bodies(struct dwarf_builder *b)
{
	for (int i = 0; i < 2000; i++)
		OPEN(b, 0, subprogram);
}

/* Every error says which file, section and offsets it is about; none is a crash. */
static void damaged_units_are_bad_data(void **state)
{
	static const struct {
		build_fn damage;
		const char *cause;
	} cases[] = {
		{ damage_end, "an entry runs beyond its unit" },
		{ damage_code, "abbreviation code without abbreviation" },
		{ damage_string, "string outside its section" },
		{ damage_string_index, "string outside its section" },
		{ damage_depth, "entries nested too deeply" },
		{ damage_depth_of_structs, "entries nested too deeply" },
		{ damage_depth_of_bodies, "entries nested too deeply" },
	};

	(void)state;
	for (size_t i = 0; i < SHAPES * sizeof(cases) / sizeof(cases[0]); i++) {
		struct dwarf_builder b;
		struct loaded_dwarf loaded;

		dwarf_builder_init(&b, &shapes[i % SHAPES]);
		begin(&b);
		end(&b); /* so that the damaged one is not at offset 0 */
		begin(&b);
		cases[i / SHAPES].damage(&b);
		dwarf_unit_end(&b);
		loaded_dwarf_open(&loaded, &b, &all_options);
		loaded_dwarf_unit(&loaded, 1);
		if (loaded.status != SMELT_BAD_DATA)
			fail_msg("shape %zu: no error: %s", i % SHAPES, cases[i / SHAPES].cause);
		assert_non_null(strstr(loaded.error.text, loaded.path));
		assert_non_null(strstr(loaded.error.text, ": .debug_info: unit at offset 0x"));
		assert_non_null(strstr(loaded.error.text, ": entry at offset 0x"));
		assert_non_null(strstr(loaded.error.text, cases[i / SHAPES].cause));
		loaded_dwarf_close(&loaded);
		dwarf_builder_deinit(&b);
	}
}

static void a_sibling_that_points_back_is_bad_data(void **state)
{
	struct dwarf_builder b;
	struct loaded_dwarf loaded;

	(void)state;
	dwarf_builder_init(&b, &shapes[0]);
	begin(&b);
	damage_sibling(&b);
	CLOSE(&b);
	end(&b);
	loaded_dwarf_open(&loaded, &b, &all_options);
	loaded_dwarf_unit(&loaded, 0);
	assert_int_equal(loaded.status, SMELT_BAD_DATA);
	assert_non_null(strstr(loaded.error.text, "sibling reference does not point forward"));
	loaded_dwarf_close(&loaded);
	dwarf_builder_deinit(&b);
}

/* Cut at every byte: an error or fewer types, never a read outside. */
static void a_unit_may_end_anywhere(void **state)
{
	(void)state;
	for (size_t shape = 0; shape < SHAPES; shape++) {
		for (size_t cut = 1;; cut++) {
			struct dwarf_builder b;
			struct loaded_dwarf loaded;
			size_t start;

			dwarf_builder_init(&b, &shapes[shape]);
			begin(&b);
			start = b.info.size;
			build_modifiers(&b);
			build_members(&b);
			build_arrays(&b);
			build_function_types(&b);
			CLOSE(&b);
			if (start + cut > b.info.size) {
				dwarf_builder_deinit(&b);
				break;
			}
			/* Labels behind the cut are still known, their places are not. */
			b.fixups.count = 0;
			b.info.size = start + cut;
			dwarf_unit_end(&b);
			loaded_dwarf_open(&loaded, &b, &all_options);
			loaded_dwarf_unit(&loaded, 0);
			assert_true(loaded.status == SMELT_OK || loaded.status == SMELT_BAD_DATA);
			loaded_dwarf_close(&loaded);
			dwarf_builder_deinit(&b);
		}
	}
}

static void build_string_forms(struct dwarf_builder *b)
{
	/* .debug_str: "\0" "unit.c\0" then what is added here; index 2 of the offsets is "first" */
	uint64_t first = dwarf_string(b, "first");
	struct byte_string offsets = { 0 };
	unsigned size = b->shape.offset_size;

	if (b->shape.version >= 5) {
		byte_string_number(&offsets, 0, size, false);
		byte_string_number(&offsets, 0, size, false);
		if (size == 4)
			offsets.size = 8;
	}
	for (uint64_t i = 0; i < 3; i++)
		byte_string_number(&offsets, i == 2 ? first : 0, size, b->shape.is_big_endian);
	elf_builder_add_data(&b->elf, ".debug_str_offsets", offsets.data, offsets.size);
	elf_builder_add_data(&b->elf, ".debug_line_str", "x\0second", 9);
	free(offsets.data);
	LEAF(b, 0, structure_type, NAME("first"), SIZE(1));
	LEAF(b, 0, structure_type, NAME_IN_PLACE("first"), SIZE(1));
	LEAF(b, 0, structure_type, VALUE(name, strx, 2), SIZE(1));
	LEAF(b, 0, structure_type, VALUE(name, strx1, 2), SIZE(1));
	LEAF(b, 0, structure_type, VALUE(name, strx2, 2), SIZE(1));
	LEAF(b, 0, structure_type, VALUE(name, strx3, 2), SIZE(1));
	LEAF(b, 0, structure_type, VALUE(name, strx4, 2), SIZE(1));
	LEAF(b, 0, structure_type, VALUE(name, line_strp, 2), SIZE(1));
	LEAF(b, 0, structure_type, VALUE(name, strp, first + 2), SIZE(1));
	LEAF(b, 0, structure_type, NAME(""), SIZE(1));
}

static void names_of_every_form(void **state)
{
	(void)state;
	check(build_string_forms,
	      "1 struct first 1 { }\n2 struct first 1 { }\n3 struct first 1 { }\n"
	      "4 struct first 1 { }\n5 struct first 1 { }\n6 struct first 1 { }\n"
	      "7 struct first 1 { }\n8 struct second 1 { }\n9 struct rst 1 { }\n"
	      "10 struct - 1 { }\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(base_types_by_encoding_and_size),
		cmocka_unit_test(floats_without_a_kind_become_opaque),
		cmocka_unit_test(modifiers_keep_their_order_and_targets),
		cmocka_unit_test(references_of_every_form),
		cmocka_unit_test(members_of_structs_and_unions),
		cmocka_unit_test(nested_types_come_before_what_they_are_in),
		cmocka_unit_test(bitfields_by_their_first_bit),
		cmocka_unit_test(bitfields_from_the_other_end),
		cmocka_unit_test(enumerations),
		cmocka_unit_test(arrays_multiply_their_dimensions),
		cmocka_unit_test(function_types_and_their_parameters),
		cmocka_unit_test(declarations_become_forwards),
		cmocka_unit_test(aliases_stand_for_their_target),
		cmocka_unit_test(unspecified_types_are_void_but_nullptr),
		cmocka_unit_test(member_pointers_are_opaque),
		cmocka_unit_test(type_tags_stand_between_pointer_and_pointee),
		cmocka_unit_test(a_circle_of_annotations_ends),
		cmocka_unit_test(static_members_are_no_members),
		cmocka_unit_test(a_completed_type_takes_its_declarations_name),
		cmocka_unit_test(types_are_found_in_bodies_and_namespaces),
		cmocka_unit_test(bodies_end_with_their_own_null_entry),
		cmocka_unit_test(siblings_are_only_short_cuts),
		cmocka_unit_test(members_of_rust_come_in_order_of_offset),
		cmocka_unit_test(decl_tags_of_types_and_their_order),
		cmocka_unit_test(units_that_refer_to_each_other_become_one),
		cmocka_unit_test(types_by_signature),
		cmocka_unit_test(partial_units_belong_to_those_that_import_them),
		cmocka_unit_test(units_are_filtered_by_language_and_name),
		cmocka_unit_test(lists_may_end_with_the_unit),
		cmocka_unit_test(an_empty_unit_has_no_types),
		cmocka_unit_test(names_of_every_form),
		cmocka_unit_test(damaged_units_are_bad_data),
		cmocka_unit_test(a_sibling_that_points_back_is_bad_data),
		cmocka_unit_test(a_unit_may_end_anywhere),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
