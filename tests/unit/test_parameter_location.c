/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Functions assembled by hand and what docs/encoding.md, 4.2 and 4.3, says of their parameters. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "support/loaded_dwarf.h"

static const struct dwarf_shape x86_64 = { .version = 5, .address_size = 8, .offset_size = 4 };

/* Types the parameters have; the slots are the labels. */
enum { LONG = 1, PAIR, BIG, POINTER, TYPEDEF_OF_PAIR, VOLATILE_PAIR };

static void add_types(struct dwarf_builder *b)
{
	LEAF(b, LONG, base_type, NAME("long"), SIZE(8), VALUE(encoding, data1, DW_ATE_signed));
	OPEN(b, PAIR, structure_type, NAME("pair"), SIZE(16));
	LEAF(b, 0, member, NAME("a"), TYPE(LONG), AT_BYTE(0));
	LEAF(b, 0, member, NAME("b"), TYPE(LONG), AT_BYTE(8));
	CLOSE(b);
	OPEN(b, BIG, structure_type, NAME("big"), SIZE(24));
	LEAF(b, 0, member, NAME("a"), TYPE(LONG), AT_BYTE(0));
	CLOSE(b);
	LEAF(b, POINTER, pointer_type, SIZE(8), TYPE(LONG));
	LEAF(b, TYPEDEF_OF_PAIR, typedef, NAME("pair_t"), TYPE(PAIR));
	LEAF(b, VOLATILE_PAIR, volatile_type, TYPE(PAIR));
}

static void add_symbol(struct dwarf_builder *b, const char *name, uint64_t address)
{
	const struct elf_part_symbol symbol = { .name = name,
						.value = address,
						.info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC),
						.section = 1 };

	elf_builder_add_symbol(&b->elf, &symbol);
}

static void begin(struct dwarf_builder *b, const struct dwarf_shape *shape, const char *producer)
{
	static const uint8_t text[16];

	dwarf_builder_init(b, shape);
	elf_builder_add_data(&b->elf, ".text", text, sizeof(text));
	dwarf_unit_begin(b, DW_UT_compile);
	OPEN(b, 0, compile_unit, NAME("unit.c"), TEXT(producer, strp, producer));
	add_types(b);
}

/* Ends the unit, loads it and compares its functions. */
static void check(struct dwarf_builder *b, const struct dwarf_load_options *options,
		  const char *what, const char *expected)
{
	struct loaded_dwarf loaded;
	char *text;

	CLOSE(b);
	dwarf_unit_end(b);
	loaded_dwarf_open(&loaded, b, options);
	loaded_dwarf_unit(&loaded, 0);
	if (loaded.status)
		fail_msg("%s: %s", what, loaded.error.text);
	text = loaded_dwarf_functions(&loaded);
	if (strcmp(text, expected) != 0)
		print_error("%s\n", what);
	assert_string_equal(text, expected);
	free(text);
	loaded_dwarf_close(&loaded);
	dwarf_builder_deinit(b);
}

struct parameter {
	uint32_t type; /* 0: no more */
	const char *location;
	size_t size; /* 0: none */
	bool has_const;
};

#define BYTES(string) (string), sizeof(string) - 1
#define AT(expression) BYTES(expression), false

/* DWARF expressions. x86-64 passes in registers 5, 4, 1, 2, 8, 9. */
#define REG0 AT("\x50")
#define REG1 AT("\x51")
#define REG2 AT("\x52")
#define REG4 AT("\x54")
#define REG5 AT("\x55")
#define REG8 AT("\x58")
#define REG9 AT("\x59")
#define ON_STACK AT("\x91\x10")                         /* fbreg 16 */
#define IN_REG5_AND_REG4 AT("\x55\x93\x08\x54\x93\x08") /* reg5 piece 8 reg4 piece 8 */
#define CONSTANT AT("\x30\x9f")                         /* lit0 stack_value */
#define NOWHERE NULL, 0, false
#define NOWHERE_BUT_CONSTANT NULL, 0, true

enum { MOST_PARAMETERS = 8 };

static void add_parameter(struct dwarf_builder *b, uint32_t label, const char *name,
			  const struct parameter *p)
{
	struct dwarf_attribute_value values[4] = {
		{ .attribute = DW_AT_name, .form = DW_FORM_string, .bytes = name },
		{ .attribute = DW_AT_type, .form = DW_FORM_ref4, .number = p->type },
	};
	size_t count = 2;

	if (p->size != 0)
		values[count++] = (struct dwarf_attribute_value){
			.attribute = DW_AT_location,
			.form = b->shape.version >= 4 ? DW_FORM_exprloc : DW_FORM_block1,
			.bytes = p->location,
			.size = p->size,
		};
	if (p->has_const)
		values[count++] = (struct dwarf_attribute_value)VALUE(const_value, data1, 0);
	dwarf_entry(b, label, DW_TAG_formal_parameter, false, values, count);
}

static void add_parameters(struct dwarf_builder *b, const struct parameter *parameters)
{
	static const char *const names[] = { "p0", "p1", "p2", "p3", "p4", "p5", "p6", "p7" };

	for (size_t i = 0; i < MOST_PARAMETERS && parameters[i].type != 0; i++)
		add_parameter(b, 0, names[i], &parameters[i]);
}

struct function_case {
	const char *what;
	struct parameter parameters[MOST_PARAMETERS];
	const char *expected;
};

/* Function f with these parameters. calling_convention 1 is the normal one. */
static void check_cases(const struct dwarf_shape *shape, const char *producer,
			unsigned calling_convention, bool true_signatures,
			const struct function_case *cases, size_t count)
{
	const struct dwarf_load_options options = { .true_signatures = true_signatures };

	for (size_t i = 0; i < count; i++) {
		struct dwarf_builder b;

		begin(&b, shape, producer);
		add_symbol(&b, "f", 0x1000);
		OPEN(&b, 0, subprogram, NAME("f"), VALUE(low_pc, addr, 0x1000),
		     VALUE(calling_convention, data1, calling_convention));
		add_parameters(&b, cases[i].parameters);
		CLOSE(&b);
		check(&b, &options, cases[i].what, cases[i].expected);
	}
}

#define CHECK_CASES(shape, producer, convention, true_signatures, cases) \
	check_cases(shape, producer, convention, true_signatures, cases, \
		    sizeof(cases) / sizeof((cases)[0]))

/* Path A of docs/encoding.md, 4.3: every parameter must be in the register of its place. */
static const struct function_case gcc_cases[] = {
	{ "no parameters", { { 0 } }, "f -> 0 ( )\n" },
	{ "in their registers",
	  { { LONG, REG5 },
	    { POINTER, REG4 },
	    { LONG, REG1 },
	    { LONG, REG2 },
	    { LONG, REG8 },
	    { LONG, REG9 } },
	  "f -> 0 ( p0 1, p1 4, p2 1, p3 1, p4 1, p5 1 )\n" },
	{ "the seventh is in memory",
	  { { LONG, REG5 },
	    { LONG, REG4 },
	    { LONG, REG1 },
	    { LONG, REG2 },
	    { LONG, REG8 },
	    { LONG, REG9 },
	    { LONG, ON_STACK } },
	  "f -> 0 ( p0 1, p1 1, p2 1, p3 1, p4 1, p5 1, p6 1 )\n" },
	{ "in another register", { { LONG, REG0 } }, "f -> 0 ( p0 1 ) unexpected\n" },
	{ "in the register of the next", { { LONG, REG4 } }, "f -> 0 ( p0 1 ) unexpected\n" },
	{ "no location", { { LONG, NOWHERE } }, "f -> 0 ( p0 1 ) optimized\n" },
	{ "no location, but the next is at its place",
	  { { LONG, NOWHERE }, { LONG, REG4 } },
	  "f -> 0 ( p0 1, p1 1 ) optimized\n" },
	{ "a constant", { { LONG, NOWHERE_BUT_CONSTANT } }, "f -> 0 ( p0 1 ) optimized\n" },
	{ "on the stack", { { LONG, ON_STACK } }, "f -> 0 ( p0 1 ) optimized\n" },
	{ "a constant by location", { { LONG, CONSTANT } }, "f -> 0 ( p0 1 ) optimized\n" },
	{ "breg5 0, stack_value: its value",
	  { { LONG, AT("\x75\x00\x9f") } },
	  "f -> 0 ( p0 1 )\n" },
	{ "breg5 0: an address", { { LONG, AT("\x75\x00") } }, "f -> 0 ( p0 1 ) optimized\n" },
	{ "breg5 0, deref, stack_value",
	  { { LONG, AT("\x75\x00\x06\x9f") } },
	  "f -> 0 ( p0 1 )\n" },
	{ "breg5 0, deref, deref",
	  { { LONG, AT("\x75\x00\x06\x06") } },
	  "f -> 0 ( p0 1 ) optimized\n" },
	{ "entry_value(reg5), stack_value",
	  { { LONG, AT("\xa3\x01\x55\x9f") } },
	  "f -> 0 ( p0 1 )\n" },
	{ "GNU_entry_value(reg5), stack_value",
	  { { LONG, AT("\xf3\x01\x55\x9f") } },
	  "f -> 0 ( p0 1 )\n" },
	{ "entry_value(regx 5), stack_value",
	  { { LONG, AT("\xa3\x02\x90\x05\x9f") } },
	  "f -> 0 ( p0 1 )\n" },
	{ "entry_value(breg5 0)",
	  { { LONG, AT("\xa3\x02\x75\x00\x9f") } },
	  "f -> 0 ( p0 1 ) optimized\n" },
	{ "reg5, piece 4, piece 4", { { LONG, AT("\x55\x93\x04\x93\x04") } }, "f -> 0 ( p0 1 )\n" },
	{ "lit0, and more",
	  { { LONG, AT("\x30\x93\x04\x55\x93\x04") } },
	  "f -> 0 ( p0 1 ) optimized\n" },
	{ "a pair takes two registers",
	  { { PAIR, IN_REG5_AND_REG4 }, { LONG, REG1 } },
	  "f -> 0 ( p0 2, p1 1 )\n" },
	{ "unexpected beside a struct is let pass",
	  { { PAIR, IN_REG5_AND_REG4 }, { LONG, REG4 } },
	  "f -> 0 ( p0 2, p1 1 )\n" },
	{ "also through a typedef",
	  { { TYPEDEF_OF_PAIR, IN_REG5_AND_REG4 }, { LONG, REG4 } },
	  "f -> 0 ( p0 5, p1 1 )\n" },
	{ "but not through volatile",
	  { { VOLATILE_PAIR, IN_REG5_AND_REG4 }, { LONG, REG4 } },
	  "f -> 0 ( p0 6, p1 1 ) unexpected\n" },
	{ "one in memory counts as one register here",
	  { { BIG, ON_STACK }, { LONG, REG4 } },
	  "f -> 0 ( p0 3, p1 1 ) optimized\n" },
};

static void gcc_parameters_by_place(void **state)
{
	static const struct dwarf_shape shapes[] = {
		{ .version = 5, .address_size = 8, .offset_size = 4 },
		{ .version = 5, .address_size = 8, .offset_size = 4, .is_padded = true },
		{ .version = 4, .address_size = 8, .offset_size = 8 },
		{ .version = 2, .address_size = 8, .offset_size = 4 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++)
		CHECK_CASES(&shapes[i], "GNU C17 12.2.0", 1, false, gcc_cases);
}

/* Path B: only a register that is none of its own is a sign. */
static void clang_parameters_by_register(void **state)
{
	static const struct function_case cases[] = {
		{ "in their registers",
		  { { LONG, REG5 }, { LONG, REG4 } },
		  "f -> 0 ( p0 1, p1 1 )\n" },
		{ "on the stack", { { LONG, ON_STACK } }, "f -> 0 ( p0 1 )\n" },
		{ "in another register", { { LONG, REG0 } }, "f -> 0 ( p0 1 ) unexpected\n" },
		{ "no location", { { LONG, NOWHERE } }, "f -> 0 ( p0 1 ) optimized\n" },
		{ "a constant", { { LONG, NOWHERE_BUT_CONSTANT } }, "f -> 0 ( p0 1 ) optimized\n" },
		{ "a constant by location", { { LONG, CONSTANT } }, "f -> 0 ( p0 1 )\n" },
		{ "in either of a pair's registers",
		  { { VOLATILE_PAIR, REG4 }, { LONG, REG1 } },
		  "f -> 0 ( p0 6, p1 1 )\n" },
		{ "beyond a pair's registers",
		  { { VOLATILE_PAIR, REG1 } },
		  "f -> 0 ( p0 6 ) unexpected\n" },
		{ "one in memory takes no register",
		  { { BIG, ON_STACK }, { LONG, REG5 } },
		  "f -> 0 ( p0 3, p1 1 )\n" },
		{ "after the last register nothing matters",
		  { { LONG, ON_STACK },
		    { LONG, ON_STACK },
		    { LONG, ON_STACK },
		    { LONG, ON_STACK },
		    { LONG, ON_STACK },
		    { LONG, ON_STACK },
		    { LONG, REG0 } },
		  "f -> 0 ( p0 1, p1 1, p2 1, p3 1, p4 1, p5 1, p6 1 )\n" },
	};

	(void)state;
	CHECK_CASES(&x86_64, "clang version 14.0.6", 1, false, cases);
	CHECK_CASES(&x86_64, "clang version 14.0.6", 1, true, cases);
}

/* A function clang changed goes path A; without true signatures that is all. */
static void changed_signatures(void **state)
{
	static const struct function_case cases[] = {
		{ "in its register", { { LONG, REG5 } }, "f -> 0 ( p0 1 ) changed\n" },
		{ "on the stack", { { LONG, ON_STACK } }, "f -> 0 ( p0 1 ) optimized changed\n" },
		{ "in another register",
		  { { LONG, REG4 } },
		  "f -> 0 ( p0 1 ) unexpected changed\n" },
		{ "no location",
		  { { LONG, NOWHERE }, { LONG, REG4 } },
		  "f -> 0 ( p0 1, p1 1 ) optimized changed\n" },
	};
	static const struct function_case gcc[] = {
		{ "only clang says so this way", { { LONG, REG5 } }, "f -> 0 ( p0 1 )\n" },
	};

	(void)state;
	CHECK_CASES(&x86_64, "clang version 14.0.6", DW_CC_nocall, false, cases);
	CHECK_CASES(&x86_64, "GNU C17 12.2.0", DW_CC_nocall, true, gcc);
}

/* With true signatures the prototype is what is left of it. */
static void true_signatures(void **state)
{
	static const struct function_case cases[] = {
		{ "nothing missing",
		  { { LONG, REG5 }, { LONG, REG4 } },
		  "f -> 0 ( p0 1, p1 1 ) changed\n" },
		{ "a constant takes no register",
		  { { LONG, CONSTANT }, { LONG, REG5 } },
		  "f -> 0 ( p1 1 ) optimized changed\n" },
		{ "neither does one that is gone",
		  { { LONG, NOWHERE }, { LONG, REG5 } },
		  "f -> 0 ( p1 1 ) optimized changed\n" },
		{ "gone, but its register is left free",
		  { { LONG, NOWHERE }, { LONG, REG4 } },
		  "f -> 0 ( p0 1, p1 1 ) optimized changed\n" },
		{ "on the stack", { { LONG, ON_STACK } }, "f -> 0 ( p0 1 ) unexpected changed\n" },
		{ "in memory because of its size",
		  { { BIG, ON_STACK }, { LONG, REG5 } },
		  "f -> 0 ( p0 3, p1 1 ) changed\n" },
		{ "no register known",
		  { { LONG, AT("\x75\x00") } },
		  "f -> 0 ( p0 1 ) unexpected changed\n" },
		{ "both halves",
		  { { PAIR, IN_REG5_AND_REG4 }, { LONG, REG1 } },
		  "f -> 0 ( p0 2, p1 1 ) changed\n" },
		{ "the first half: one member is passed",
		  { { PAIR, AT("\x55\x93\x08") }, { LONG, REG4 } },
		  "f -> 0 ( p0__a 1, p1 1 ) changed\n" },
		{ "the second half",
		  { { PAIR, AT("\x93\x08\x55\x93\x08") }, { LONG, REG4 } },
		  "f -> 0 ( p0__b 1, p1 1 ) changed\n" },
		{ "the next says that both are passed",
		  { { PAIR, AT("\x55\x93\x08") }, { LONG, REG1 } },
		  "f -> 0 ( p0 2, p1 1 ) changed\n" },
		{ "through a typedef",
		  { { TYPEDEF_OF_PAIR, AT("\x55\x93\x08") } },
		  "f -> 0 ( p0__a 1 ) changed\n" },
		{ "no member there",
		  { { PAIR, AT("\x93\x04\x55\x93\x04") } },
		  "f -> 0 ( p0 2 ) changed\n" },
	};

	(void)state;
	CHECK_CASES(&x86_64, "clang version 14.0.6", DW_CC_nocall, true, cases);
}

/* docs/encoding.md, 4.3, the table of registers */
static void registers_of_machines(void **state)
{
	static const struct function_case aarch64[] = {
		{ "aarch64", { { LONG, REG0 }, { LONG, REG1 } }, "f -> 0 ( p0 1, p1 1 )\n" },
		{ "aarch64", { { LONG, REG5 } }, "f -> 0 ( p0 1 ) unexpected\n" },
	};
	static const struct function_case s390[] = {
		{ "s390", { { LONG, REG2 }, { LONG, AT("\x53") } }, "f -> 0 ( p0 1, p1 1 )\n" },
		{ "s390", { { LONG, REG5 } }, "f -> 0 ( p0 1 ) unexpected\n" },
		{ "s390 passes pairs in memory: one register's place",
		  { { VOLATILE_PAIR, REG2 }, { LONG, AT("\x53") } },
		  "f -> 0 ( p0 6, p1 1 )\n" },
	};
	static const struct function_case none[] = {
		{ "no table", { { LONG, REG0 }, { LONG, ON_STACK } }, "f -> 0 ( p0 1, p1 1 )\n" },
		{ "no table", { { LONG, NOWHERE } }, "f -> 0 ( p0 1 ) optimized\n" },
	};
	static const struct function_case unknown[] = {
		{ "registers unknown",
		  { { LONG, REG0 }, { LONG, REG0 } },
		  "f -> 0 ( p0 1, p1 1 )\n" },
		{ "registers unknown", { { LONG, ON_STACK } }, "f -> 0 ( p0 1 ) optimized\n" },
	};
	/* docs/encoding.md, Q10: the incumbent drops these; a register nobody knows is no sign */
	static const struct function_case clang_unknown[] = {
		{ "registers unknown", { { LONG, REG0 } }, "f -> 0 ( p0 1 )\n" },
	};
	struct dwarf_shape shape = x86_64;

	(void)state;
	shape.machine = EM_AARCH64;
	CHECK_CASES(&shape, "GNU C17", 1, false, aarch64);
	shape.machine = EM_386;
	CHECK_CASES(&shape, "GNU C17", 1, false, none);
	shape.machine = EM_RISCV;
	CHECK_CASES(&shape, "GNU C17", 1, false, unknown);
	CHECK_CASES(&shape, "clang version 14.0.6", 1, false, clang_unknown);
	shape.machine = EM_S390;
	shape.is_big_endian = true;
	CHECK_CASES(&shape, "GNU C17", 1, false, s390);
}

/* The first expression of a list counts; a register's entry value does wherever it is. */
static void location_lists(void **state)
{
	/* DWARF 5, 7.7.3: offset_pair 0 1, then an expression; end_of_list */
	static const struct {
		const char *what;
		const char *new_list;
		size_t new_size;
		const char *old_list; /* DWARF 4: pairs of addresses */
		size_t old_size;
		const char *expected;
	} cases[] = {
#define PAIR_OF_ADDRESSES "\1\0\0\0\0\0\0\0\2\0\0\0\0\0\0\0"
#define END_OF_OLD "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"
		{ "first", BYTES("\x04\0\1\1\x55\x04\1\2\1\x50\0"),
		  BYTES(PAIR_OF_ADDRESSES "\1\0\x55" PAIR_OF_ADDRESSES "\1\0\x50" END_OF_OLD),
		  "f -> 0 ( p0 1 )\n" },
		{ "second", BYTES("\x04\0\1\0\x04\1\2\1\x55\0"),
		  BYTES(PAIR_OF_ADDRESSES "\0\0" PAIR_OF_ADDRESSES "\1\0\x55" END_OF_OLD),
		  "f -> 0 ( p0 1 ) optimized\n" },
		{ "entry value", BYTES("\x04\0\1\1\x30\x04\1\2\4\xa3\1\x55\x9f\0"),
		  BYTES(PAIR_OF_ADDRESSES "\1\0\x30" PAIR_OF_ADDRESSES
					  "\4\0\xf3\1\x55\x9f" END_OF_OLD),
		  "f -> 0 ( p0 1 )\n" },
		{ "empty list", BYTES("\0"), BYTES(END_OF_OLD), "f -> 0 ( p0 1 ) optimized\n" },
	};
	static const char header[] = "\0\0\0\0\5\0\x08\0\1\0\0\0\4\0\0\0"; /* one offset: 4 */

	(void)state;
	for (size_t i = 0; i < 3 * sizeof(cases) / sizeof(cases[0]); i++) {
		const struct dwarf_load_options options = { 0 };
		struct byte_string section = { 0 };
		struct dwarf_shape shape = x86_64;
		struct dwarf_builder b;
		size_t number = i / 3, form = i % 3;

		shape.version = form == 2 ? 4 : 5;
		begin(&b, &shape, "GNU C17");
		add_symbol(&b, "f", 0x1000);
		OPEN(&b, 0, subprogram, NAME("f"), VALUE(low_pc, addr, 0x1000));
		if (form == 0)
			LEAF(&b, 0, formal_parameter, NAME("p0"), TYPE(LONG),
			     VALUE(location, sec_offset, 16));
		else if (form == 1)
			LEAF(&b, 0, formal_parameter, NAME("p0"), TYPE(LONG),
			     VALUE(location, loclistx, 0));
		else
			LEAF(&b, 0, formal_parameter, NAME("p0"), TYPE(LONG),
			     VALUE(location, sec_offset, 0));
		CLOSE(&b);
		if (form < 2) {
			byte_string_add(&section, header, sizeof(header) - 1);
			byte_string_add(&section, cases[number].new_list, cases[number].new_size);
		} else {
			byte_string_add(&section, cases[number].old_list, cases[number].old_size);
		}
		elf_builder_add_data(&b.elf, form < 2 ? ".debug_loclists" : ".debug_loc",
				     section.data, section.size);
		free(section.data);
		check(&b, &options, cases[number].what, cases[number].expected);
	}
}

/* Units that are loaded as one still have their own parts of .debug_loclists. */
static void lists_of_merged_units(void **state)
{
	/* length, version 5, 8-byte addresses, one offset: 4; a list of one register */
	static const char lists[] = "\x12\0\0\0\5\0\x08\0\1\0\0\0\4\0\0\0\x04\0\1\1\x55\0"
				    "\x12\0\0\0\5\0\x08\0\1\0\0\0\4\0\0\0\x04\0\1\1\x54\0";
	const struct dwarf_load_options options = { 0 };
	struct dwarf_builder b;

	(void)state;
	begin(&b, &x86_64, "GNU C17");
	add_symbol(&b, "f", 0x1000);
	add_symbol(&b, "g", 0x2000);
	OPEN(&b, 0, subprogram, NAME("f"), VALUE(low_pc, addr, 0x1000));
	LEAF(&b, 0, formal_parameter, NAME("p0"), TYPE(LONG), VALUE(location, loclistx, 0));
	CLOSE(&b);
	CLOSE(&b);
	dwarf_unit_end(&b);
	dwarf_unit_begin(&b, DW_UT_compile);
	OPEN(&b, 0, compile_unit, NAME("second.c"), VALUE(loclists_base, sec_offset, 34));
	OPEN(&b, 0, subprogram, NAME("g"), VALUE(low_pc, addr, 0x2000));
	LEAF(&b, 0, formal_parameter, NAME("p0"), VALUE(type, ref_addr, LONG),
	     VALUE(location, loclistx, 0));
	CLOSE(&b);
	elf_builder_add_data(&b.elf, ".debug_loclists", lists, sizeof(lists) - 1);
	check(&b, &options, "two units", "f -> 0 ( p0 1 )\ng -> 0 ( p0 1 ) unexpected\n");
}

#define ORIGIN(label) VALUE(abstract_origin, ref4, label)
#define WHERE(expression) BLOCK(location, exprloc, expression)

enum { ABSTRACT = 20, FIRST, SECOND };

static void add_abstract(struct dwarf_builder *b)
{
	OPEN(b, ABSTRACT, subprogram, NAME("f"), TYPE(LONG), VALUE(inline, data1, 1));
	LEAF(b, FIRST, formal_parameter, NAME("a"), TYPE(LONG));
	LEAF(b, SECOND, formal_parameter, NAME("b"), TYPE(POINTER));
	CLOSE(b);
}

/* Names, types and return types come from the abstract instance, places go there. */
static void instances_share_what_they_know(void **state)
{
	const struct dwarf_load_options options = { 0 };
	struct dwarf_builder b;

	(void)state;
	begin(&b, &x86_64, "GNU C17");
	add_symbol(&b, "f", 0x1000);
	add_abstract(&b);
	check(&b, &options, "abstract only", "f -> 1 ( a 1, b 4 ) optimized\n");

	begin(&b, &x86_64, "GNU C17");
	add_symbol(&b, "f", 0x1000);
	add_abstract(&b);
	OPEN(&b, 0, subprogram, ORIGIN(ABSTRACT), VALUE(low_pc, addr, 0x1000));
	LEAF(&b, 0, formal_parameter, ORIGIN(FIRST), WHERE("\x55"));
	LEAF(&b, 0, formal_parameter, ORIGIN(SECOND), WHERE("\x54"));
	CLOSE(&b);
	check(&b, &options, "concrete after", "f -> 1 ( a 1, b 4 )\nf -> 1 ( a 1, b 4 )\n");

	/* Positions differ: the order was changed. The abstract one learns the registers. */
	begin(&b, &x86_64, "GNU C17");
	add_symbol(&b, "f", 0x1000);
	add_abstract(&b);
	OPEN(&b, 0, subprogram, ORIGIN(ABSTRACT), VALUE(low_pc, addr, 0x1000));
	LEAF(&b, 0, formal_parameter, ORIGIN(SECOND), WHERE("\x55"));
	LEAF(&b, 0, formal_parameter, ORIGIN(FIRST), WHERE("\x54"));
	CLOSE(&b);
	check(&b, &options, "reordered",
	      "f -> 1 ( a 1, b 4 ) unexpected\nf -> 1 ( b 4, a 1 ) reordered\n");

	/* And one without a place is left out then. */
	begin(&b, &x86_64, "GNU C17");
	add_symbol(&b, "f", 0x1000);
	add_abstract(&b);
	OPEN(&b, 0, subprogram, ORIGIN(ABSTRACT), VALUE(low_pc, addr, 0x1000));
	LEAF(&b, 0, formal_parameter, ORIGIN(SECOND), WHERE("\x55"));
	LEAF(&b, 0, formal_parameter, ORIGIN(FIRST));
	CLOSE(&b);
	check(&b, &options, "reordered, one gone",
	      "f -> 1 ( a 1, b 4 ) optimized unexpected\nf -> 1 ( b 4 ) optimized reordered\n");
}

/* Which functions are recorded: docs/encoding.md, 4.2 */
static void functions_that_are_recorded(void **state)
{
	const struct dwarf_load_options options = { .decl_tags = true };
	struct dwarf_builder b;

	(void)state;
	begin(&b, &x86_64, "GNU C17");
	add_symbol(&b, "f", 0x1000);
	add_symbol(&b, "g.cold", 0x2000);
	add_symbol(&b, "h.isra.0", 0x3000);
	LEAF(&b, 0, subprogram, NAME("f"), FLAG(declaration));
	LEAF(&b, 0, subprogram, NAME("nobody"));
	LEAF(&b, 0, subprogram, NAME("g"));
	LEAF(&b, 0, subprogram, VALUE(low_pc, addr, 0x1000));
	OPEN(&b, 0, subprogram, NAME("f")); /* a parameter without name */
	LEAF(&b, 0, formal_parameter, TYPE(LONG));
	CLOSE(&b);
	OPEN(&b, 0, subprogram, NAME("f"), TYPE(LONG));
	LEAF(&b, 0, unspecified_parameters);
	LEAF(&b, 0, LLVM_annotation, NAME("btf_decl_tag"), TEXT(const_value, strp, "tag"));
	OPEN(&b, 0, formal_parameter, NAME("p"), TYPE(POINTER), WHERE("\x55"));
	LEAF(&b, 0, LLVM_annotation, NAME("btf_decl_tag"), TEXT(const_value, strp, "arg"));
	CLOSE(&b);
	CLOSE(&b);
	LEAF(&b, 0, subprogram, NAME("h"), VALUE(low_pc, addr, 0x3000));
	LEAF(&b, 0, subprogram, NAME("h"), VALUE(low_pc, addr, 0x3001));
	LEAF(&b, 30, subprogram, NAME("f"), FLAG(declaration), FLAG(external));
	LEAF(&b, 0, subprogram, VALUE(specification, ref4, 30));
	check(&b, &options, "recorded",
	      "f -> 1 ( p 4, - 0 ) [tag -1] [arg 0]\n"
	      "h -> 0 ( ) optimized_symbol\n"
	      "h -> 0 ( )\n"
	      "f -> 0 ( )\n");
}

/* With true signatures a state knows the symbol whose name has a suffix. */
static void symbols_with_suffixes(void **state)
{
	const struct dwarf_load_options options = { .true_signatures = true };
	struct dwarf_builder b;

	(void)state;
	begin(&b, &x86_64, "GNU C17");
	add_symbol(&b, "f", 0x1000);
	add_symbol(&b, "f.llvm.1", 0x2000);
	add_symbol(&b, "f.constprop.0", 0x3000);
	LEAF(&b, 0, subprogram, NAME("f"), VALUE(low_pc, addr, 0x1000));
	LEAF(&b, 0, subprogram, NAME("f"), VALUE(low_pc, addr, 0x2000));
	LEAF(&b, 0, subprogram, NAME("f"), VALUE(low_pc, addr, 0x3000));
	LEAF(&b, 0, subprogram, NAME("f"));
	check(&b, &options, "suffixes",
	      "f -> 0 ( )\n"
	      "f -> 0 ( ) = f.llvm.1\n"
	      "f -> 0 ( ) optimized_symbol = f.constprop.0\n"
	      "f -> 0 ( )\n");
}

/* The abstract instance's calling convention counts for the concrete; an inline function is not changed. */
static void where_the_calling_convention_is_said(void **state)
{
	const struct dwarf_load_options options = { 0 };
	struct dwarf_builder b;

	(void)state;
	begin(&b, &x86_64, "clang version 18");
	add_symbol(&b, "f", 0x1000);
	OPEN(&b, ABSTRACT, subprogram, NAME("f"), VALUE(inline, data1, 1),
	     VALUE(calling_convention, data1, DW_CC_nocall));
	CLOSE(&b);
	LEAF(&b, 0, subprogram, ORIGIN(ABSTRACT), VALUE(low_pc, addr, 0x1000));
	LEAF(&b, 0, subprogram, NAME("f"), VALUE(inline, data1, DW_INL_not_inlined),
	     VALUE(calling_convention, data1, DW_CC_nocall));
	check(&b, &options, "convention", "f -> 0 ( )\nf -> 0 ( ) changed\nf -> 0 ( ) changed\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(gcc_parameters_by_place),
		cmocka_unit_test(clang_parameters_by_register),
		cmocka_unit_test(changed_signatures),
		cmocka_unit_test(true_signatures),
		cmocka_unit_test(registers_of_machines),
		cmocka_unit_test(location_lists),
		cmocka_unit_test(lists_of_merged_units),
		cmocka_unit_test(instances_share_what_they_know),
		cmocka_unit_test(functions_that_are_recorded),
		cmocka_unit_test(symbols_with_suffixes),
		cmocka_unit_test(where_the_calling_convention_is_said),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
