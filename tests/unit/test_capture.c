/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* What is read of types that are shown, in every shape of DWARF. */
#include "support/captured_text.h"
#include "unit_cases.h"

static const struct dwarf_load_options display = { .display = true };

/* All types of a unit. */
static char *capture_all(struct loaded_dwarf *loaded, uint32_t unit)
{
	struct capture capture = { 0 };
	uint32_t count, *slots;
	char *text;

	loaded_dwarf_unit(loaded, unit);
	if (loaded->status)
		fail_msg("%s", loaded->error.text);
	count = loaded->types.type_count - 1;
	slots = calloc(count + 1, sizeof(*slots));
	assert_non_null(slots);
	for (uint32_t i = 0; i < count; i++)
		slots[i] = i + 1;
	loaded->status = dwarf_loader_capture(loaded->loader, unit, slots, count, &loaded->worker,
					      &capture, &loaded->error);
	free(slots);
	if (loaded->status)
		fail_msg("%s", loaded->error.text);
	assert_int_equal(capture.types.count, count);
	text = captured_text(&capture, dwarf_loader_names(loaded->loader));
	capture_deinit(&capture);
	return text;
}

static void check_file(const struct dwarf_shape *shape, const struct dwarf_load_options *options,
		       build_fn build, const char *expected)
{
	struct dwarf_builder b;
	struct loaded_dwarf loaded;
	char *text;

	dwarf_builder_init(&b, shape);
	build(&b);
	loaded_dwarf_open(&loaded, &b, options);
	text = capture_all(&loaded, 0);
	if (strcmp(text, expected) != 0)
		print_error("version %u, %s endian, padded %d, first code %" PRIu64 "\n",
			    shape->version, shape->is_big_endian ? "big" : "little",
			    shape->is_padded, shape->first_code);
	assert_string_equal(text, expected);
	free(text);
	loaded_dwarf_close(&loaded);
	dwarf_builder_deinit(&b);
}

static void check_files(build_fn build, const char *expected)
{
	for (size_t i = 0; i < SHAPES; i++)
		check_file(&shapes[i], &display, build, expected);
}

static void begin_in(struct dwarf_builder *b, unsigned language)
{
	dwarf_unit_begin(b, DW_UT_compile);
	OPEN(b, 0, compile_unit, NAME("unit"), VALUE(language, data2, language));
}

#define LINE(number) VALUE(decl_line, data1, number)

/* ---- Simple types ---- */

static void build_simple(struct dwarf_builder *b)
{
	begin(b);
	add_int(b, 1);
	LEAF(b, 0, base_type, NAME("double"), SIZE(8), VALUE(encoding, data1, DW_ATE_float));
	LEAF(b, 2, pointer_type, TYPE(1), SIZE(8));
	LEAF(b, 0, pointer_type);
	LEAF(b, 0, const_type, TYPE(2));
	LEAF(b, 0, volatile_type, TYPE(2));
	LEAF(b, 0, restrict_type, TYPE(2));
	LEAF(b, 0, atomic_type, TYPE(1));
	LEAF(b, 0, reference_type, TYPE(1));
	LEAF(b, 0, rvalue_reference_type, TYPE(1));
	LEAF(b, 0, typedef, NAME("number"), TYPE(1), LINE(7));
	LEAF(b, 0, structure_type, NAME("declared"), FLAG(declaration));
	LEAF(b, 0, union_type, NAME_IN_PLACE("u"), FLAG(declaration));
	LEAF(b, 0, unspecified_type, NAME("decltype(nullptr)"));
	LEAF(b, 0, string_type, SIZE(80));
	OPEN(b, 0, subroutine_type, TYPE(1), FLAG(artificial));
	LEAF(b, 0, formal_parameter, TYPE(2));
	LEAF(b, 0, formal_parameter, TYPE(1), NAME("n"));
	LEAF(b, 0, unspecified_parameters);
	CLOSE(b);
	LEAF(b, 0, subroutine_type);
	end(b);
}

static void simple_types(void **state)
{
	char expected[1024];

	(void)state;
	for (size_t i = 0; i < SHAPES; i++) {
		snprintf(
			expected, sizeof(expected),
			"1 int int 4 signed\n2 float double 8\n3 pointer -> 1\n4 pointer\n"
			"5 const -> 3\n6 volatile -> 3\n7 restrict -> 3\n8 atomic -> 1\n"
			"9 reference -> 1\n10 rvalue_reference -> 1\n11 typedef number -> 1 line 7\n"
			"12 struct_forward declared\n13 union_forward u\n"
			"14 unspecified decltype(nullptr) %u\n15 string 80\n"
			"16 function -> 1 ( - 3, n 1, - 0 )\n17 function ( )\n",
			shapes[i].address_size);
		check_file(&shapes[i], &display, build_simple, expected);
	}
}

static void build_enums(struct dwarf_builder *b)
{
	begin(b);
	LEAF(b, 1, base_type, NAME("unsigned"), SIZE(4), VALUE(encoding, data1, 7));
	add_int(b, 2);
	LEAF(b, 3, typedef, NAME("number"), TYPE(2));
	OPEN(b, 0, enumeration_type, NAME("e"), SIZE(4), TYPE(3), LINE(3));
	LEAF(b, 0, enumerator, NAME("A"), VALUE(const_value, sdata, -1));
	LEAF(b, 0, enumerator, NAME("B"), VALUE(const_value, data1, 2));
	CLOSE(b);
	OPEN(b, 0, enumeration_type, NAME("u"), SIZE(8), TYPE(1));
	LEAF(b, 0, enumerator, NAME("C"), VALUE(const_value, data1, 200));
	CLOSE(b);
	OPEN(b, 0, enumeration_type, SIZE(1));
	LEAF(b, 0, enumerator, NAME("D"), VALUE(const_value, sdata, -2));
	CLOSE(b);
	LEAF(b, 0, enumeration_type, NAME("later"), FLAG(declaration));
	end(b);
}

static void enumerations(void **state)
{
	(void)state;
	check_files(build_enums, "1 int unsigned 4\n2 int int 4 signed\n3 typedef number -> 2\n"
				 "4 enum e 4 -> 3 line 3 signed { A -1, B 2 }\n"
				 "5 enum u 8 -> 1 wide { C 200 }\n"
				 "6 enum 1 signed { D -2 }\n"
				 "7 enum later declaration { }\n");
}

static void build_arrays_in(struct dwarf_builder *b, unsigned language)
{
	begin_in(b, language);
	add_int(b, 1);
	OPEN(b, 0, array_type, TYPE(1));
	LEAF(b, 0, subrange_type, TYPE(1), VALUE(upper_bound, data1, 4));
	LEAF(b, 0, subrange_type, TYPE(1), VALUE(count, data1, 3));
	LEAF(b, 0, subrange_type, VALUE(lower_bound, sdata, -1), VALUE(upper_bound, sdata, 1));
	CLOSE(b);
	OPEN(b, 0, array_type, TYPE(1));
	LEAF(b, 0, subrange_type, TYPE(1));
	LEAF(b, 0, subrange_type, VALUE(lower_bound, data1, 0), VALUE(upper_bound, sdata, -1));
	LEAF(b, 0, subrange_type, VALUE(lower_bound, data1, 0),
	     VALUE(upper_bound, data4, 0xffffffff));
	LEAF(b, 0, subrange_type, VALUE(upper_bound, ref4, 1));
	CLOSE(b);
	LEAF(b, 0, array_type, TYPE(1));
	OPEN(b, 0, array_type, TYPE(1), FLAG(GNU_vector), SIZE(16));
	LEAF(b, 0, subrange_type, TYPE(1), VALUE(lower_bound, data1, 0),
	     VALUE(upper_bound, data1, 3));
	CLOSE(b);
	end(b);
}

static void build_arrays(struct dwarf_builder *b)
{
	build_arrays_in(b, 0x0c);
}

static void build_fortran_arrays(struct dwarf_builder *b)
{
	build_arrays_in(b, DW_LANG_Fortran95);
}

static void arrays(void **state)
{
	(void)state;
	check_files(build_arrays, "1 int int 4 signed\n2 array -> 1 [5][3][3]\n"
				  "3 array -> 1 [0][0][0][0]\n4 array -> 1 [0]\n"
				  "5 array -> 1 vector [4]\n");
	check_files(build_fortran_arrays, "1 int int 4 signed\n2 array -> 1 [4][3][3]\n"
					  "3 array -> 1 [0][0][0][0]\n4 array -> 1 [0]\n"
					  "5 array -> 1 vector [4]\n");
}

/* ---- Structs ---- */

static void build_struct(struct dwarf_builder *b)
{
	begin(b);
	add_int(b, 1);
	OPEN(b, 0, structure_type, NAME("s"), SIZE(64), VALUE(alignment, data1, 64), LINE(9));
	LEAF(b, 0, member, NAME("a"), TYPE(1), AT_BYTE(0), LINE(10));
	LEAF(b, 0, member, NAME("b"), TYPE(1), AT_BYTE(32), VALUE(alignment, udata, 32));
	LEAF(b, 0, member, NAME("c"), TYPE(1), VALUE(bit_size, data1, 3),
	     VALUE(data_bit_offset, data2, 288));
	LEAF(b, 0, member, TYPE(1), AT_BYTE(40));
	CLOSE(b);
	OPEN(b, 0, union_type, NAME("u"), SIZE(4));
	LEAF(b, 0, member, NAME("a"), TYPE(1));
	CLOSE(b);
	OPEN(b, 0, structure_type, NAME("empty"), SIZE(0));
	CLOSE(b);
	end(b);
}

static void structs_and_unions(void **state)
{
	(void)state;
	check_files(build_struct, "1 int int 4 signed\n2 struct s 64 align 64 line 9 bitfields "
				  "{ a 1 @0, b 1 @256 align 32, c 1 @288:3, - 1 @320 }\n"
				  "3 union u 4 { a 1 @0 }\n4 struct empty { }\n");
}

#define OLD_BITFIELD(b, name, bytes, offset, size, location)                                 \
	LEAF((b), 0, member, NAME(name), TYPE(2), SIZE(bytes), VALUE(bit_size, data1, size), \
	     VALUE(bit_offset, sdata, offset), AT_BYTE(location))

static void build_old_bitfields(struct dwarf_builder *b)
{
	begin(b);
	add_int(b, 1);
	LEAF(b, 2, typedef, NAME("number"), TYPE(1));
	OPEN(b, 0, structure_type, NAME("bits"), SIZE(8));
	OLD_BITFIELD(b, "a", 4, 29, 3, 0);
	LEAF(b, 0, member, NAME("c"), TYPE(2), VALUE(bit_size, data1, 8),
	     VALUE(bit_offset, data1, 16), AT_BYTE(4));
	OLD_BITFIELD(b, "e", 1, -2, 4, 3);
	OLD_BITFIELD(b, "f", 4, 0, 32, 4);
	CLOSE(b);
	end(b);
}

/* DWARF 3, 5.6.6: bit_offset counts from the most significant bit of the storage unit. */
static void bitfields_from_the_other_end(void **state)
{
	static const struct dwarf_load_options fixed = { .display = true,
							 .fixup_silly_bitfields = true };
	static const char start[] = "1 int int 4 signed\n2 typedef number -> 1\n3 struct bits 8 "
				    "bitfields { ";
	char expected[256];

	(void)state;
	for (size_t i = 0; i < SHAPES; i++) {
		snprintf(expected, sizeof(expected), "%s%s, f 2 @32:32 }\n", start,
			 shapes[i].is_big_endian ? "a 2 @29:3, c 2 @48:8, e 2 @22:4" :
						   "a 2 @0:3, c 2 @40:8, e 2 @30:4");
		check_file(&shapes[i], &display, build_old_bitfields, expected);
		snprintf(expected, sizeof(expected), "%s%s, f 2 @32 }\n", start,
			 shapes[i].is_big_endian ? "a 2 @29:3, c 2 @48:8, e 2 @22:4" :
						   "a 2 @0:3, c 2 @40:8, e 2 @30:4");
		check_file(&shapes[i], &fixed, build_old_bitfields, expected);
	}
}

#define ACCESS(kind) VALUE(accessibility, data1, DW_ACCESS_##kind)

static void build_class(struct dwarf_builder *b)
{
	static const char slot_2[] = { DW_OP_constu, 2 };
	static const struct dwarf_attribute_value in_vtable = { .attribute =
									DW_AT_vtable_elem_location,
								.form = DW_FORM_block1,
								.bytes = slot_2,
								.size = 2 };

	begin_in(b, 0x04);
	add_int(b, 1);
	OPEN(b, 2, class_type, NAME("base"), SIZE(8));
	CLOSE(b);
	OPEN(b, 3, class_type, NAME("derived"), SIZE(24), VALUE(containing_type, ref4, 2));
	LEAF(b, 0, inheritance, TYPE(2), AT_BYTE(8), ACCESS(public));
	LEAF(b, 0, inheritance, TYPE(2), BLOCK(data_member_location, block1, "\x12\x06"),
	     VALUE(virtuality, data1, DW_VIRTUALITY_virtual));
	LEAF(b, 0, member, NAME("_vptr"), TYPE(1), AT_BYTE(0), FLAG(artificial));
	LEAF(b, 0, member, NAME("count"), TYPE(1), FLAG(external), FLAG(declaration),
	     VALUE(const_value, sdata, -5));
	LEAF(b, 0, variable, NAME("total"), TYPE(1), FLAG(external), FLAG(declaration));
	LEAF(b, 0, member, NAME("x"), TYPE(1), AT_BYTE(16), ACCESS(protected));
	OPEN(b, 0, structure_type, NAME("inner"), SIZE(4), ACCESS(private));
	LEAF(b, 0, member, NAME("y"), TYPE(1), AT_BYTE(0));
	CLOSE(b);
	LEAF(b, 0, typedef, NAME("self"), TYPE(3));
	LEAF(b, 0, pointer_type, TYPE(3)); /* no entry of the class */
	OPEN(b, 0, subprogram, NAME("method"), TEXT(linkage_name, strp, "_Zm"), TYPE(1),
	     FLAG(external), FLAG(declaration),
	     VALUE(virtuality, data1, DW_VIRTUALITY_pure_virtual), in_vtable, ACCESS(public));
	LEAF(b, 0, formal_parameter, TYPE(3), FLAG(artificial));
	LEAF(b, 0, formal_parameter, TYPE(1), NAME("n"));
	LEAF(b, 0, unspecified_parameters);
	CLOSE(b);
	LEAF(b, 0, subprogram, NAME("small"), VALUE(inline, data1, DW_INL_declared_inlined),
	     VALUE(low_pc, addr, 0x1000), VALUE(high_pc, data4, 0x20));
	CLOSE(b);
	LEAF(b, 0, ptr_to_member_type, TYPE(1), VALUE(containing_type, ref4, 3));
	end(b);
}

static void classes(void **state)
{
	char expected[1024];

	(void)state;
	for (size_t i = 0; i < SHAPES; i++) {
		snprintf(expected, sizeof(expected),
			 "1 int int 4 signed\n2 struct base 8 class { }\n"
			 "3 struct inner 4 in derived { y 1 @0 }\n4 typedef self -> 6 in derived\n"
			 "5 pointer -> 6 in derived\n"
			 "6 struct derived 24 class { public base 2 @64, virtual base 2, "
			 "artificial _vptr 1 @0, static count 1 = -5, static total 1, "
			 "protected x 1 @128, private type 3, type 4, "
			 "public method method/_Zm -> 1 ( - 6, n 1, - 0 ) slot 2 external "
			 "declaration virtual pure, "
			 "method small -> 0 ( ) at 0x1000+32 inline inlined }\n"
			 "7 member_pointer %u -> 1 of 6\n",
			 shapes[i].address_size);
		check_file(&shapes[i], &display, build_class, expected);
	}
}

static void build_rust(struct dwarf_builder *b)
{
	begin_in(b, DW_LANG_Rust);
	add_int(b, 1);
	OPEN(b, 0, structure_type, NAME("e"), SIZE(16));
	OPEN(b, 0, variant_part, VALUE(discr, ref4, 2));
	LEAF(b, 2, member, TYPE(1), AT_BYTE(8), FLAG(artificial));
	OPEN(b, 0, variant, VALUE(discr_value, data1, 7));
	LEAF(b, 0, member, NAME("A"), TYPE(1), AT_BYTE(0));
	CLOSE(b);
	OPEN(b, 0, variant, BLOCK(discr_list, block1, "\x00\x09\x00\x0a"));
	CLOSE(b);
	OPEN(b, 0, variant);
	LEAF(b, 0, member, NAME("B"), TYPE(1), AT_BYTE(4));
	OPEN(b, 0, variant_part, TYPE(1));
	LEAF(b, 0, variant);
	CLOSE(b);
	CLOSE(b);
	CLOSE(b);
	OPEN(b, 0, structure_type, NAME("A"), SIZE(4));
	CLOSE(b);
	CLOSE(b);
	OPEN(b, 0, structure_type, NAME("shuffled"), SIZE(12));
	LEAF(b, 0, member, NAME("c"), TYPE(1), AT_BYTE(8));
	OPEN(b, 0, structure_type, NAME("inside"), SIZE(4));
	CLOSE(b);
	LEAF(b, 0, member, NAME("a"), TYPE(1), AT_BYTE(0));
	LEAF(b, 0, member, NAME("b"), TYPE(1), AT_BYTE(4));
	LEAF(b, 0, member, NAME("none"), TYPE(1), AT_BYTE(4));
	CLOSE(b);
	end(b);
}

static void variants_and_the_order_of_rust(void **state)
{
	(void)state;
	check_files(build_rust,
		    "1 int int 4 signed\n2 struct A 4 in e { }\n"
		    "3 struct e 16 { variants by 1 @64 7 { A 1 @0 } 9 { } default "
		    "{ B 1 @32, variants by 1 @0 default { } }, type 2 }\n"
		    "4 struct inside 4 in shuffled { }\n"
		    "5 struct shuffled 12 { a 1 @0, type 4, b 1 @32, none 1 @32, c 1 @64 }\n");
}

static void build_scopes(struct dwarf_builder *b)
{
	begin_in(b, 0x04);
	OPEN(b, 0, namespace, NAME("outer"));
	OPEN(b, 0, namespace);
	LEAF(b, 0, typedef, NAME("t"));
	CLOSE(b);
	OPEN(b, 0, class_type, NAME("c"), SIZE(1));
	LEAF(b, 1, class_type, NAME("later"), FLAG(declaration));
	OPEN(b, 0, subprogram, NAME("f"));
	LEAF(b, 0, typedef, NAME("local"));
	CLOSE(b);
	CLOSE(b);
	CLOSE(b);
	/* completes what the class declared */
	OPEN(b, 0, class_type, VALUE(specification, ref4, 1), SIZE(2));
	CLOSE(b);
	OPEN(b, 0, subprogram, VALUE(low_pc, addr, 16));
	LEAF(b, 0, typedef, NAME("local"));
	CLOSE(b);
	end(b);
}

static void scopes(void **state)
{
	(void)state;
	check_files(build_scopes,
		    "1 typedef t in outer::-\n2 struct_forward later class in outer::c\n"
		    "3 typedef local in outer::c::f\n"
		    "4 struct c 1 class in outer { type 2, method f -> 0 ( ) }\n"
		    "5 struct later 2 class in outer::c { }\n6 typedef local in -\n");
}

/* ---- Files of several units ---- */

static void build_merged(struct dwarf_builder *b)
{
	begin(b);
	LEAF(b, 0, pointer_type, VALUE(type, ref_addr, 1));
	end(b);
	begin(b);
	add_int(b, 1);
	OPEN(b, 3, structure_type, NAME("s"), SIZE(4), LINE(2));
	LEAF(b, 0, member, NAME("m"), VALUE(type, ref_addr, 1), AT_BYTE(0));
	CLOSE(b);
	end(b);
	begin(b);
	LEAF(b, 0, typedef, NAME("t"), VALUE(type, ref_addr, 3));
	end(b);
}

static void units_that_refer_to_each_other(void **state)
{
	(void)state;
	check_files(build_merged, "1 pointer -> 2\n2 int int 4 unit 1 signed\n"
				  "3 struct s 4 line 2 unit 1 { m 2 @0 }\n"
				  "4 typedef t -> 3 unit 2\n");
}

/* A few of many, and where they are from. */
static void some_types_of_a_unit(void **state)
{
	const uint32_t slots[] = { 2, 11 };
	struct capture capture = { 0 };
	struct loaded_dwarf loaded;
	struct dwarf_builder b;
	char *text;

	(void)state;
	dwarf_builder_init(&b, &shapes[0]);
	build_simple(&b);
	loaded_dwarf_open(&loaded, &b, &display);
	loaded_dwarf_unit(&loaded, 0);
	assert_int_equal(dwarf_loader_capture(loaded.loader, 0, slots, 2, &loaded.worker, &capture,
					      &loaded.error),
			 SMELT_OK);
	text = captured_text(&capture, dwarf_loader_names(loaded.loader));
	assert_string_equal(text, "2 float double 8\n11 typedef number -> 1 line 7\n");
	free(text);
	assert_int_equal(capture.units.count, 1);
	assert_string_equal(capture.units.items[0].unit.name, "unit.c");
	assert_int_equal(capture.units.items[0].unit.language, 0x0c);
	/* DWARF 5's header has 12 bytes, the unit's DIE 1 + 4 + 1, `int` 1 + 4 + 1 + 1. */
	assert_int_equal(capture.types.items[0].origin.offset, 12 + 6 + 7);
	capture_deinit(&capture);
	loaded_dwarf_close(&loaded);
	dwarf_builder_deinit(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(simple_types),
		cmocka_unit_test(enumerations),
		cmocka_unit_test(arrays),
		cmocka_unit_test(structs_and_unions),
		cmocka_unit_test(bitfields_from_the_other_end),
		cmocka_unit_test(classes),
		cmocka_unit_test(variants_and_the_order_of_rust),
		cmocka_unit_test(scopes),
		cmocka_unit_test(units_that_refer_to_each_other),
		cmocka_unit_test(some_types_of_a_unit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
