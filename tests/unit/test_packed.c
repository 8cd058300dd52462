/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Structs passed in memory that must have been declared packed, by docs/encoding.md, 4.4, and which
 * functions are uncertain because of them. The layouts are those gcc gives the declarations beside them.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "support/loaded_dwarf.h"

/* No registers on this machine: every parameter is beyond them. */
static const struct dwarf_shape i386 = { .version = 5,
					 .address_size = 4,
					 .offset_size = 4,
					 .machine = EM_386 };

enum { CHAR = 1, SHORT, INT, LONG_LONG, POINTER, FIRST_STRUCT };

struct member {
	uint32_t type;
	uint16_t bit_offset;
	uint8_t bit_size; /* 0: ordinary, at a byte */
};

struct layout {
	const char *what;
	uint8_t size;
	struct member members[6]; /* type 0: no more */
	bool is_packed;
};

static void add_types(struct dwarf_builder *b)
{
	LEAF(b, CHAR, base_type, NAME("char"), SIZE(1), VALUE(encoding, data1, 6));
	LEAF(b, SHORT, base_type, NAME("short"), SIZE(2), VALUE(encoding, data1, 5));
	LEAF(b, INT, base_type, NAME("int"), SIZE(4), VALUE(encoding, data1, 5));
	LEAF(b, LONG_LONG, base_type, NAME("long long"), SIZE(8), VALUE(encoding, data1, 5));
	LEAF(b, POINTER, pointer_type, SIZE(4), TYPE(INT));
}

static void add_struct(struct dwarf_builder *b, uint32_t label, const char *name,
		       const struct layout *layout)
{
	if (name != NULL)
		OPEN(b, label, structure_type, NAME(name), SIZE(layout->size));
	else
		OPEN(b, label, structure_type, SIZE(layout->size));
	for (size_t i = 0; i < 6 && layout->members[i].type != 0; i++) {
		const struct member *m = &layout->members[i];

		if (m->bit_size != 0)
			LEAF(b, 0, member, NAME("m"), TYPE(m->type),
			     VALUE(bit_size, data1, m->bit_size),
			     VALUE(data_bit_offset, data2, m->bit_offset));
		else
			LEAF(b, 0, member, NAME("m"), TYPE(m->type), AT_BYTE(m->bit_offset / 8));
	}
	CLOSE(b);
}

static void begin(struct dwarf_builder *b, const struct dwarf_shape *shape)
{
	static const uint8_t text[16];
	const struct elf_part_symbol symbol = { .name = "f",
						.value = 0x1000,
						.info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC),
						.section = 1 };

	dwarf_builder_init(b, shape);
	elf_builder_add_data(&b->elf, ".text", text, sizeof(text));
	elf_builder_add_symbol(&b->elf, &symbol);
	dwarf_unit_begin(b, DW_UT_compile);
	OPEN(b, 0, compile_unit, NAME("unit.c"));
	add_types(b);
}

/* f with these parameters, `before` of them ints. */
static void add_function(struct dwarf_builder *b, size_t before, const uint32_t *types,
			 size_t count)
{
	OPEN(b, 0, subprogram, NAME("f"));
	for (size_t i = 0; i < before + count; i++)
		LEAF(b, 0, formal_parameter, NAME("p"), TYPE(i < before ? INT : types[i - before]),
		     BLOCK(location, exprloc, "\x91\x08"));
	CLOSE(b);
}

/* Whether each of the functions, in order, is uncertain. */
static void check(struct dwarf_builder *b, const char *what, const bool *uncertain, size_t count)
{
	const struct dwarf_load_options options = { .floats = true };
	struct loaded_dwarf loaded;

	CLOSE(b);
	dwarf_unit_end(b);
	loaded_dwarf_open(&loaded, b, &options);
	loaded_dwarf_unit(&loaded, 0);
	assert_int_equal(loaded.status, SMELT_OK);
	assert_int_equal(loaded.record.function_count, count);
	for (size_t i = 0; i < count; i++) {
		bool is = (loaded.record.functions[i].flags & FUNCTION_UNCERTAIN) != 0;

		if (is != uncertain[i])
			fail_msg("%s: function %zu is %s", what, i, is ? "uncertain" : "certain");
	}
	loaded_dwarf_close(&loaded);
	dwarf_builder_deinit(b);
}

static const struct layout layouts[] = {
	{ "{ int; int; }", 8, { { INT, 0, 0 }, { INT, 32, 0 } }, false },
	{ "{ }", 0, { { 0 } }, false },
	{ "{ char; }", 1, { { CHAR, 0, 0 } }, false },
	{ "packed { char; int; }", 5, { { CHAR, 0, 0 }, { INT, 8, 0 } }, true },
	{ "{ char; int; }: a hole", 8, { { CHAR, 0, 0 }, { INT, 32, 0 } }, false },
	{ "packed { int; char; }: a size no array could have",
	  5,
	  { { INT, 0, 0 }, { CHAR, 32, 0 } },
	  true },
	{ "{ int; char; }: padding", 8, { { INT, 0, 0 }, { CHAR, 32, 0 } }, false },
	{ "packed { char; char; short; }: no difference",
	  4,
	  { { CHAR, 0, 0 }, { CHAR, 8, 0 }, { SHORT, 16, 0 } },
	  false },
	{ "packed { short; int; short; }",
	  8,
	  { { SHORT, 0, 0 }, { INT, 16, 0 }, { SHORT, 48, 0 } },
	  true },
	{ "packed { char; pointer; }", 5, { { CHAR, 0, 0 }, { POINTER, 8, 0 } }, true },
	{ "{ int; long long; } of i386, whose alignment is 4",
	  12,
	  { { INT, 0, 0 }, { LONG_LONG, 32, 0 } },
	  true },
	{ "{ int:8; int:24; }", 4, { { INT, 0, 8 }, { INT, 8, 24 } }, false },
	{ "{ int; int:3; }: padding of bits", 8, { { INT, 0, 0 }, { INT, 32, 3 } }, false },
	{ "packed { char; int:24; int; }",
	  8,
	  { { CHAR, 0, 0 }, { INT, 8, 24 }, { INT, 32, 0 } },
	  false },
	{ "packed { int:8; int; }", 5, { { INT, 0, 8 }, { INT, 8, 0 } }, true },
};

static void layouts_that_only_packing_explains(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(layouts) / sizeof(layouts[0]); i++) {
		struct dwarf_builder b;
		const uint32_t type = FIRST_STRUCT;

		begin(&b, &i386);
		add_struct(&b, FIRST_STRUCT, "s", &layouts[i]);
		add_function(&b, 0, &type, 1);
		check(&b, layouts[i].what, &layouts[i].is_packed, 1);
	}
}

static const struct layout packed = { "packed { char; int; }",
				      5,
				      { { CHAR, 0, 0 }, { INT, 8, 0 } },
				      true };

/* Parameters in registers do not matter; x86-64 has six of them. */
static void only_parameters_beyond_the_registers_count(void **state)
{
	const struct dwarf_shape x86_64 = { .version = 5, .address_size = 8, .offset_size = 4 };
	const uint32_t type = FIRST_STRUCT;
	const bool uncertain[] = { false, true, true };
	struct dwarf_builder b;

	(void)state;
	begin(&b, &x86_64);
	add_struct(&b, FIRST_STRUCT, "s", &packed);
	add_function(&b, 5, &type, 1);
	add_function(&b, 6, &type, 1);
	add_function(&b, 7, &type, 1);
	check(&b, "registers", uncertain, 3);
}

/* Only structs with a name, named directly; the incumbent looks through nothing (Q31). */
static void other_types_are_certain(void **state)
{
	enum { NAMELESS = FIRST_STRUCT + 1, TYPEDEF, CONST, TO, UNION };
	static const uint32_t types[] = { FIRST_STRUCT, NAMELESS, TYPEDEF, CONST, TO, UNION, INT };
	static const bool uncertain[] = { true, false, false, false, false, false, false };
	struct dwarf_builder b;

	(void)state;
	begin(&b, &i386);
	add_struct(&b, FIRST_STRUCT, "s", &packed);
	add_struct(&b, NAMELESS, NULL, &packed);
	LEAF(&b, TYPEDEF, typedef, NAME("t"), TYPE(FIRST_STRUCT));
	LEAF(&b, CONST, const_type, TYPE(FIRST_STRUCT));
	LEAF(&b, TO, pointer_type, SIZE(4), TYPE(FIRST_STRUCT));
	OPEN(&b, UNION, union_type, NAME("u"), SIZE(5));
	LEAF(&b, 0, member, NAME("m"), TYPE(INT));
	CLOSE(&b);
	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		add_function(&b, 0, &types[i], 1);
	check(&b, "other types", uncertain, sizeof(types) / sizeof(types[0]));
}

/*
 * A struct in one with holes, at an offset its alignment forbids, is taken for packed: after that question was asked, and
 * unless it was answered before. The order of functions decides.
 */
static void the_order_of_questions_matters(void **state)
{
	enum { INNER = FIRST_STRUCT, OUTER };
	static const struct layout inner = { "inner", 8, { { INT, 0, 0 }, { INT, 32, 0 } }, false };
	/* char, struct inner at byte 1, a hole, char at byte 16 */
	static const struct layout outer = {
		"outer", 17, { { CHAR, 0, 0 }, { INNER, 8, 0 }, { CHAR, 128, 0 } }, false
	};
	static const struct {
		uint32_t types[2];
		bool uncertain[2];
	} cases[] = {
		{ { OUTER, INNER }, { false, true } },
		{ { INNER, OUTER }, { false, false } },
	};

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct dwarf_builder b;

		begin(&b, &i386);
		add_struct(&b, INNER, "inner", &inner);
		add_struct(&b, OUTER, "outer", &outer);
		add_function(&b, 0, &cases[i].types[0], 1);
		add_function(&b, 0, &cases[i].types[1], 1);
		check(&b, "order", cases[i].uncertain, 2);
	}
}

/* One parameter of many is enough. */
static void any_parameter_makes_a_function_uncertain(void **state)
{
	enum { GOOD = FIRST_STRUCT, BAD };
	static const uint32_t types[] = { GOOD, BAD, GOOD };
	static const bool uncertain[] = { true };
	struct dwarf_builder b;

	(void)state;
	begin(&b, &i386);
	add_struct(&b, GOOD, "good", &layouts[0]);
	add_struct(&b, BAD, "bad", &packed);
	add_function(&b, 0, types, 3);
	check(&b, "any", uncertain, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(layouts_that_only_packing_explains),
		cmocka_unit_test(only_parameters_beyond_the_registers_count),
		cmocka_unit_test(other_types_are_certain),
		cmocka_unit_test(the_order_of_questions_matters),
		cmocka_unit_test(any_parameter_makes_a_function_uncertain),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
