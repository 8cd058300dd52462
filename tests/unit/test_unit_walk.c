/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The way through a unit: where types are found, where lists end, damage; names of every form. */
#include "unit_cases.h"

/* Not in constants.h: the library has no use for it. */
enum { DW_TAG_entry_nobody_knows = 0x4080 };

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

static void build_some_of_all(struct dwarf_builder *b)
{
	add_int(b, 1);
	LEAF(b, 2, pointer_type, SIZE(8), TYPE(3));
	LEAF(b, 3, const_type, TYPE(4));
	LEAF(b, 4, typedef, NAME_IN_PLACE("nul"), TYPE(5));
	LEAF(b, 0, typedef, NAME_IN_PLACE("longer than eight"), TYPE(1));
	OPEN(b, 5, structure_type, NAME("s"), SIZE(16));
	LEAF(b, 0, member, NAME("a"), TYPE(1), AT_BYTE(0));
	LEAF(b, 0, member, NAME_IN_PLACE("b"), TYPE(1), AT_BYTE(4));
	LEAF(b, 0, member, NAME("c"), TYPE(1), VALUE(data_member_location, implicit_const, 8));
	LEAF(b, 0, member, TYPE(1), BLOCK(data_member_location, block1, "\x23\x0c"));
	CLOSE(b);
	OPEN(b, 0, enumeration_type, NAME("e"), SIZE(4));
	LEAF(b, 0, enumerator, NAME("A"), VALUE(const_value, sdata, -1));
	LEAF(b, 0, enumerator, NAME_IN_PLACE("B"), VALUE(const_value, data1, 1));
	CLOSE(b);
	OPEN(b, 6, array_type, TYPE(2));
	LEAF(b, 0, subrange_type, TYPE(1), VALUE(upper_bound, data1, 3));
	LEAF(b, 0, subrange_type, TYPE(1), VALUE(count, data2, 300));
	CLOSE(b);
	OPEN(b, 0, subroutine_type, TYPE(6));
	LEAF(b, 0, formal_parameter, TYPE(1));
	LEAF(b, 0, unspecified_parameters);
	CLOSE(b);
	OPEN(b, 0, subprogram, NAME("f"), FLAG(external), TYPE(1));
	LEAF(b, 0, formal_parameter, NAME("p"), TYPE(2));
	OPEN(b, 0, lexical_block);
	LEAF(b, 0, variable, NAME("v"), TYPE(1));
	CLOSE(b);
	CLOSE(b);
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
			build_some_of_all(&b);
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
		cmocka_unit_test(types_are_found_in_bodies_and_namespaces),
		cmocka_unit_test(bodies_end_with_their_own_null_entry),
		cmocka_unit_test(siblings_are_only_short_cuts),
		cmocka_unit_test(lists_may_end_with_the_unit),
		cmocka_unit_test(an_empty_unit_has_no_types),
		cmocka_unit_test(damaged_units_are_bad_data),
		cmocka_unit_test(a_sibling_that_points_back_is_bad_data),
		cmocka_unit_test(a_unit_may_end_anywhere),
		cmocka_unit_test(names_of_every_form),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
