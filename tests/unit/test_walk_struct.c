/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Structs and unions: members, bitfields, declarations. */
#include "unit_cases.h"

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
	LEAF(b, 0, enumerator, NAME("A"), VALUE(const_value, data1, 1));
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(members_of_structs_and_unions),
		cmocka_unit_test(nested_types_come_before_what_they_are_in),
		cmocka_unit_test(bitfields_by_their_first_bit),
		cmocka_unit_test(bitfields_from_the_other_end),
		cmocka_unit_test(declarations_become_forwards),
		cmocka_unit_test(static_members_are_no_members),
		cmocka_unit_test(a_completed_type_takes_its_declarations_name),
		cmocka_unit_test(members_of_rust_come_in_order_of_offset),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
