/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "dwarf/abbrev_plan.h"
#include "dwarf/constants.h"

static const struct plan_context usual = { .version = 5, .address_size = 8, .offset_size = 4 };

/* Abbreviations as bytes; the NUL that C adds is the code 0 that ends the table. */
#define TABLE(bytes) (bytes), sizeof(bytes)

/* A table with a pool of its own. */
static void table_init(struct abbrev_table *table)
{
	struct plan_pool *pool = malloc(sizeof(*pool));

	assert_non_null(pool);
	plan_pool_init(pool);
	abbrev_table_init(table, pool);
}

static void table_deinit(struct abbrev_table *table)
{
	plan_pool_deinit(table->pool);
	free(table->pool);
	abbrev_table_deinit(table);
}

/* Compiles an exact copy, so that sanitizers see a read beyond it. */
static enum abbrev_status compile(struct abbrev_table *table, const char *bytes, size_t size,
				  const struct plan_context *context, uint64_t *fault_offset)
{
	uint8_t *copy = malloc(size ? size : 1);
	enum abbrev_status status;

	assert_non_null(copy);
	memcpy(copy, bytes, size);
	status = abbrev_table_compile(table, copy, size, 0, context, fault_offset);
	free(copy);
	return status;
}

static void compile_well(struct abbrev_table *table, const char *bytes, size_t size,
			 const struct plan_context *context)
{
	uint64_t fault_offset;

	table_init(table);
	assert_int_equal(compile(table, bytes, size, context, &fault_offset), ABBREV_OK);
}

/* DWARF 5, 7.5.5 and table 7.6. -1: the size is in the data; address and offset sizes vary. */
static void sizes_of_all_forms(void **state)
{
	enum { ADDRESS = 100, OFFSET = 101 };
	static const struct {
		uint16_t form;
		int size;
	} cases[] = {
		{ 0x01, ADDRESS },  /* addr */
		{ 0x03, -1 },       /* block2 */
		{ 0x04, -1 },       /* block4 */
		{ 0x05, 2 },        /* data2 */
		{ 0x06, 4 },        /* data4 */
		{ 0x07, 8 },        /* data8 */
		{ 0x08, -1 },       /* string */
		{ 0x09, -1 },       /* block */
		{ 0x0a, -1 },       /* block1 */
		{ 0x0b, 1 },        /* data1 */
		{ 0x0c, 1 },        /* flag */
		{ 0x0d, -1 },       /* sdata */
		{ 0x0e, OFFSET },   /* strp */
		{ 0x0f, -1 },       /* udata */
		{ 0x10, OFFSET },   /* ref_addr */
		{ 0x11, 1 },        /* ref1 */
		{ 0x12, 2 },        /* ref2 */
		{ 0x13, 4 },        /* ref4 */
		{ 0x14, 8 },        /* ref8 */
		{ 0x15, -1 },       /* ref_udata */
		{ 0x16, -1 },       /* indirect */
		{ 0x17, OFFSET },   /* sec_offset */
		{ 0x18, -1 },       /* exprloc */
		{ 0x19, 0 },        /* flag_present */
		{ 0x1a, -1 },       /* strx */
		{ 0x1b, -1 },       /* addrx */
		{ 0x1c, 4 },        /* ref_sup4 */
		{ 0x1d, OFFSET },   /* strp_sup */
		{ 0x1e, 16 },       /* data16 */
		{ 0x1f, OFFSET },   /* line_strp */
		{ 0x20, 8 },        /* ref_sig8 */
		{ 0x21, 0 },        /* implicit_const */
		{ 0x22, -1 },       /* loclistx */
		{ 0x23, -1 },       /* rnglistx */
		{ 0x24, 8 },        /* ref_sup8 */
		{ 0x25, 1 },        /* strx1 */
		{ 0x26, 2 },        /* strx2 */
		{ 0x27, 3 },        /* strx3 */
		{ 0x28, 4 },        /* strx4 */
		{ 0x29, 1 },        /* addrx1 */
		{ 0x2a, 2 },        /* addrx2 */
		{ 0x2b, 3 },        /* addrx3 */
		{ 0x2c, 4 },        /* addrx4 */
		{ 0x1f01, -1 },     /* GNU_addr_index */
		{ 0x1f02, -1 },     /* GNU_str_index */
		{ 0x1f20, OFFSET }, /* GNU_ref_alt */
		{ 0x1f21, OFFSET }, /* GNU_strp_alt */
	};

	(void)state;
	for (unsigned address = 2; address <= 8; address *= 2) {
		for (unsigned offset = 4; offset <= 8; offset += 4) {
			const struct plan_context context = { .version = 5,
							      .address_size = (uint8_t)address,
							      .offset_size = (uint8_t)offset };

			for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
				int expected = cases[i].size == ADDRESS ? (int)address :
					       cases[i].size == OFFSET  ? (int)offset :
									  cases[i].size;

				assert_int_equal(dwarf_form_size(cases[i].form, &context),
						 expected);
			}
		}
	}
}

/* DWARF 2, 7.5.4: such a reference has the size of an address; since DWARF 3 of an offset. */
static void a_reference_of_dwarf_2_has_the_size_of_an_address(void **state)
{
	const struct plan_context context = { .version = 2, .address_size = 8, .offset_size = 4 };

	(void)state;
	assert_int_equal(dwarf_form_size(DW_FORM_ref_addr, &context), 8);
}

/* An entry of each form in turn can be stepped over: known or not, no form stops the table but the unknown. */
static void unknown_forms_are_refused_where_they_are(void **state)
{
	(void)state;
	for (unsigned form = 1; form < 0x80; form++) {
		/* code 1, base_type, no children; (name, strp), (unknown attribute, form); end */
		char bytes[] = "\x01\x24\x00\x03\x0e\x41?\x00\x00\x00";
		struct abbrev_table table;
		bool known = form <= 0x2c && form != 0x02;
		uint64_t fault_offset = 99;

		if (form == DW_FORM_implicit_const)
			continue;
		bytes[6] = (char)form;
		table_init(&table);
		assert_int_equal(compile(&table, TABLE(bytes), &usual, &fault_offset),
				 known ? ABBREV_OK : ABBREV_BAD_FORM);
		if (!known) {
			assert_int_equal(fault_offset, 5);
			assert_int_equal(table.offset, UINT64_MAX);
		}
		table_deinit(&table);
	}
}

static void assert_field(const struct plan_field *field, uint32_t offset, uint32_t mask,
			 uint32_t shift, uint32_t constant)
{
	assert_int_equal(field->offset, offset);
	assert_int_equal(field->mask, mask);
	assert_int_equal(field->shift, shift);
	assert_int_equal(field->constant, constant);
}

/* A member as gcc writes it: name strp, decl_file data1, decl_line data2, decl_column data1, type ref4, location data1. */
#define GCC_MEMBER "\x0d\x00\x03\x0e\x3a\x0b\x3b\x05\x39\x0b\x49\x13\x38\x0b\x00\x00"

static void fixed_layout_of_a_member(void **state)
{
	struct abbrev_table table;
	const struct die_plan *plan;
	const struct fast_plan *fast;

	(void)state;
	compile_well(&table, TABLE("\x05" GCC_MEMBER), &usual);
	assert_null(abbrev_table_find(&table, 1));
	assert_null(abbrev_table_find(&table, 6));
	plan = abbrev_table_find(&table, 5);
	assert_non_null(plan);
	assert_int_equal(plan->tag, 0x0d);
	assert_false(plan->has_children);
	assert_int_equal(plan->layout, PLAN_FIXED);
	assert_int_equal(plan->fast, FAST_MEMBER);
	assert_int_equal(plan->size, 13);
	assert_int_equal(plan->fixed_size, 13);
	assert_int_equal(plan->present, ATTR_BIT(ATTR_NAME) | ATTR_BIT(ATTR_TYPE) |
						ATTR_BIT(ATTR_MEMBER_LOCATION));
	assert_field(&plan->name, 0, 0xffffffff, 0, 0);
	assert_field(&plan->type, 8, 0xffffffff, 0, 0);
	assert_field(&plan->value, 12, 0xff, 24, 0);
	fast = &table.fast.items[5];
	assert_int_equal(fast->kind, FAST_MEMBER);
	assert_int_equal(fast->tag, 0x0d);
	assert_int_equal(fast->size, 13);
	assert_int_equal(fast->name_offset, 0);
	assert_int_equal(fast->type_offset, 8);
	assert_int_equal(fast->value_offset, 12);
	assert_int_equal(fast->value_shift, 24);
	assert_int_equal(fast->name_mask, 0xffffffff);
	assert_int_equal(fast->type_mask, 0xffffffff);
	assert_int_equal(fast->value_mask, 0xff);
	assert_false(fast->name_in_place);
	table_deinit(&table);
}

/* A short name is in place and comes first: what follows counts from its end. */
static void layout_after_a_name_in_place(void **state)
{
	struct abbrev_table table;
	const struct die_plan *plan;

	(void)state;
	compile_well(
		&table,
		TABLE("\x01\x0d\x00\x03\x08\x3a\x0b\x3b\x0b\x39\x0b\x49\x13\x38\x21\x90\x01\x00\x00"),
		&usual);
	plan = abbrev_table_find(&table, 1);
	assert_int_equal(plan->layout, PLAN_FIXED_AFTER_NAME);
	assert_int_equal(plan->size, 7);
	assert_int_equal(plan->fixed_size, UINT32_MAX);
	assert_field(&plan->type, 3, 0xffffffff, 0, 0);
	assert_field(&plan->value, 7, 0, 0, 144); /* implicit_const 144: nothing to load */
	assert_true(table.fast.items[1].name_in_place);
	assert_int_equal(table.fast.items[1].name_mask, 0);
	assert_int_equal(table.fast.items[1].value_constant, 144);
	table_deinit(&table);
}

/* What makes a layout unusable for a masked load of four bytes. */
static void generic_layouts(void **state)
{
	static const struct {
		const char *what;
		const char *bytes;
		size_t size;
	} cases[] = {
		{ "name in place, not first", TABLE("\x01\x24\x00\x0b\x0b\x03\x08\x00\x00") },
		{ "size in the data before", TABLE("\x01\x24\x00\x41\x0f\x03\x0e\x00\x00") },
		{ "size in the data after", TABLE("\x01\x24\x00\x03\x0e\x41\x0f\x00\x00") },
		{ "value of eight bytes", TABLE("\x01\x24\x00\x0b\x07\x00\x00") },
		{ "reference of eight bytes", TABLE("\x01\x0f\x00\x49\x14\x00\x00") },
		{ "signed value", TABLE("\x01\x28\x00\x1c\x0d\x00\x00") },
		{ "negative constant", TABLE("\x01\x28\x00\x1c\x21\x7f\x00\x00") },
		{ "constant over 31 bits",
		  TABLE("\x01\x28\x00\x1c\x21\x80\x80\x80\x80\x08\x00\x00") },
		{ "index of a name", TABLE("\x01\x24\x00\x03\x25\x00\x00") },
		{ "reference to another unit", TABLE("\x01\x0f\x00\x49\x10\x00\x00") },
		{ "number as a reference", TABLE("\x01\x0f\x00\x49\x06\x00\x00") },
		{ "name twice in place", TABLE("\x01\x24\x00\x03\x08\x03\x08\x00\x00") },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct abbrev_table table;

		compile_well(&table, cases[i].bytes, cases[i].size, &usual);
		if (abbrev_table_find(&table, 1)->layout != PLAN_GENERIC)
			fail_msg("%s", cases[i].what);
		assert_int_equal(table.fast.items[1].kind, FAST_NONE);
		table_deinit(&table);
	}
}

/* In 64-bit DWARF a name's offset has eight bytes: no layout for a load of four. */
static void names_of_64_bit_dwarf_are_generic(void **state)
{
	const struct plan_context wide = { .version = 5, .address_size = 8, .offset_size = 8 };
	struct abbrev_table table;

	(void)state;
	compile_well(&table, TABLE("\x05" GCC_MEMBER), &wide);
	assert_int_equal(abbrev_table_find(&table, 5)->layout, PLAN_GENERIC);
	table_deinit(&table);
}

/* Which entries go which short way; one attribute too many and they do not. */
static void kinds_of_fast_plans(void **state)
{
	static const struct {
		const char *bytes;
		size_t size;
		enum plan_fast fast;
	} cases[] = {
		{ TABLE("\x01\x0d\x00\x03\x0e\x49\x13\x38\x0b\x00\x00"), FAST_MEMBER },
		{ TABLE("\x01\x0d\x01\x03\x0e\x49\x13\x38\x0b\x00\x00"), FAST_NONE }, /* children */
		{ TABLE("\x01\x0d\x00\x03\x0e\x49\x13\x0d\x0b\x00\x00"), FAST_NONE }, /* bit_size */
		{ TABLE("\x01\x0d\x00\x03\x0e\x49\x13\x6b\x0b\x00\x00"),
		  FAST_NONE }, /* data_bit_offset */
		{ TABLE("\x01\x0d\x00\x03\x0e\x49\x13\x0d\x0b\x6b\x05\x00\x00"), FAST_BIT_MEMBER },
		{ TABLE("\x01\x0d\x00\x03\x0e\x49\x13\x0d\x05\x6b\x05\x00\x00"),
		  FAST_NONE }, /* a bit size of two bytes */
		{ TABLE("\x01\x0d\x00\x03\x0e\x49\x13\x0d\x0b\x0c\x0b\x38\x0b\x00\x00"),
		  FAST_NONE }, /* as in DWARF 3 */
		{ TABLE("\x01\x0d\x00\x03\x0e\x49\x13\x3f\x19\x00\x00"), FAST_NONE }, /* external */
		{ TABLE("\x01\x28\x00\x03\x0e\x1c\x0b\x00\x00"), FAST_ENUMERATOR },
		{ TABLE("\x01\x05\x00\x49\x13\x00\x00"), FAST_PARAMETER },
		{ TABLE("\x01\x05\x00\x49\x13\x02\x17\x00\x00"), FAST_NONE }, /* location */
		{ TABLE("\x01\x0f\x00\x0b\x0b\x49\x13\x00\x00"), FAST_LEAF },
		{ TABLE("\x01\x0f\x01\x0b\x0b\x49\x13\x00\x00"), FAST_BASICS }, /* annotated */
		{ TABLE("\x01\x0f\x00\x0b\x0b\x49\x13\xb9\x42\x13\x00\x00"), FAST_NONE },
		{ TABLE("\x01\x26\x00\x49\x13\x00\x00"), FAST_LEAF },
		{ TABLE("\x01\x35\x00\x49\x13\x00\x00"), FAST_LEAF },
		{ TABLE("\x01\x37\x00\x49\x13\x00\x00"), FAST_LEAF },
		{ TABLE("\x01\x16\x00\x03\x0e\x49\x13\x00\x00"), FAST_LEAF },
		{ TABLE("\x01\x13\x01\x03\x0e\x0b\x0b\x01\x13\x00\x00"), FAST_STRUCT },
		{ TABLE("\x01\x17\x00\x0b\x05\x00\x00"), FAST_STRUCT },
		{ TABLE("\x01\x13\x00\x03\x0e\x3c\x19\x00\x00"), FAST_FORWARD },
		{ TABLE("\x01\x17\x00\x03\x08\x3c\x19\x00\x00"), FAST_FORWARD },
		{ TABLE("\x01\x13\x00\x03\x0e\x3c\x0c\x00\x00"),
		  FAST_NONE }, /* a flag that may be 0 */
		{ TABLE("\x01\x13\x01\x03\x0e\x3c\x19\x00\x00"), FAST_NONE },   /* children */
		{ TABLE("\x01\x02\x01\x03\x0e\x0b\x0b\x00\x00"), FAST_BASICS }, /* class */
		{ TABLE("\x01\x15\x01\x27\x19\x49\x13\x01\x13\x00\x00"), FAST_FUNCTION },
		{ TABLE("\x01\x01\x01\x49\x13\x01\x13\x00\x00"), FAST_ARRAY },
		{ TABLE("\x01\x21\x00\x49\x13\x2f\x0b\x00\x00"), FAST_SUBRANGE },
		{ TABLE("\x01\x21\x00\x49\x13\x00\x00"), FAST_NONE },         /* no bound */
		{ TABLE("\x01\x21\x00\x49\x13\x37\x0b\x00\x00"), FAST_NONE }, /* count */
		{ TABLE("\x01\x21\x00\x49\x13\x2f\x13\x00\x00"),
		  FAST_NONE }, /* bound is a reference */
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct abbrev_table table;

		compile_well(&table, cases[i].bytes, cases[i].size, &usual);
		if (abbrev_table_find(&table, 1)->fast != cases[i].fast)
			fail_msg("case %zu: %u", i, abbrev_table_find(&table, 1)->fast);
		table_deinit(&table);
	}
}

/* References of one or two bytes have fields, but fast plans load four bytes unmasked. */
static void short_references_are_not_fast(void **state)
{
	struct abbrev_table table;

	(void)state;
	compile_well(&table, TABLE("\x01\x0f\x00\x0b\x0b\x49\x12\x00\x00"), &usual);
	assert_int_equal(abbrev_table_find(&table, 1)->layout, PLAN_FIXED);
	assert_field(&abbrev_table_find(&table, 1)->type, 1, 0xffff, 16, 0);
	assert_int_equal(table.fast.items[1].kind, FAST_NONE);
	table_deinit(&table);
}

/* Inside bodies only what is known to hold no type may be passed over. */
static void kinds_of_bodies(void **state)
{
	static const struct {
		const char *bytes;
		size_t size;
		enum plan_body body;
		uint16_t body_size;
	} cases[] = {
		{ TABLE("\x01\x34\x00\x03\x0e\x49\x13\x02\x17\x00\x00"), BODY_PASS, 12 },
		{ TABLE("\x01\x34\x01\x03\x0e\x49\x13\x02\x17\x00\x00"), BODY_OTHER, 0 },
		{ TABLE("\x01\x34\x00\x03\x0e\x49\x13\x02\x18\x00\x00"), BODY_OTHER,
		  0 }, /* exprloc */
		{ TABLE("\x01\x48\x00\x7d\x01\x7f\x13\x00\x00"), BODY_PASS, 12 },
		{ TABLE("\x01\x48\x01\x7d\x01\x00\x00"), BODY_OTHER, 0 },
		{ TABLE("\x01\x0b\x01\x11\x01\x12\x07\x00\x00"), BODY_ENTER, 16 },
		{ TABLE("\x01\x0b\x00\x11\x01\x12\x07\x00\x00"), BODY_PASS, 16 },
		{ TABLE("\x01\x1d\x01\x31\x13\x01\x13\x00\x00"), BODY_ENTER, 8 },
		{ TABLE("\x01\x0a\x00\x03\x0e\x00\x00"), BODY_PASS, 4 },
		{ TABLE("\x01\x16\x00\x03\x0e\x49\x13\x00\x00"), BODY_OTHER, 0 },
		{ TABLE("\x01\x2e\x00\x03\x0e\x00\x00"), BODY_OTHER, 0 },
		{ TABLE("\x01\x39\x01\x03\x0e\x00\x00"), BODY_OTHER, 0 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct abbrev_table table;

		compile_well(&table, cases[i].bytes, cases[i].size, &usual);
		if (table.fast.items[1].body != cases[i].body)
			fail_msg("case %zu: %u", i, table.fast.items[1].body);
		assert_int_equal(table.fast.items[1].body_size, cases[i].body_size);
		table_deinit(&table);
	}
}

/* Operations: skips are sums, wanted values stand alone, an operation of form 0 ends each list. */
static void operations_skip_what_nobody_wants(void **state)
{
	/* unknown data4, unknown data8, bit_size udata, unknown string, unknown data2 */
	static const char bytes[] = "\x01\x0d\x00\x41\x06\x41\x07\x0d\x0f\x41\x08\x41\x05\x00\x00";
	struct abbrev_table table;
	const struct plan_op *op;

	(void)state;
	compile_well(&table, TABLE(bytes), &usual);
	op = &table.pool->ops.items[abbrev_table_find(&table, 1)->first_op];
	assert_int_equal(op[0].skip, 12);
	assert_int_equal(op[0].form, DW_FORM_udata);
	assert_int_equal(op[0].attr, ATTR_BIT_SIZE);
	assert_int_equal(op[1].skip, 0);
	assert_int_equal(op[1].form, DW_FORM_string);
	assert_int_equal(op[1].attr, ATTR_UNWANTED);
	assert_int_equal(op[2].skip, 2);
	assert_int_equal(op[2].form, 0);
	op = &table.pool->skip_ops.items[abbrev_table_find(&table, 1)->first_skip_op];
	assert_int_equal(op[0].skip, 12);
	assert_int_equal(op[0].form, DW_FORM_udata);
	assert_int_equal(op[1].skip, 0);
	assert_int_equal(op[1].form, DW_FORM_string);
	assert_int_equal(op[2].skip, 2);
	assert_int_equal(op[2].form, 0);
	table_deinit(&table);
}

static void implicit_constants_are_kept(void **state)
{
	static const struct {
		const char *bytes;
		size_t size;
		int64_t value;
	} cases[] = {
		{ TABLE("\x01\x28\x00\x1c\x21\x00\x00\x00"), 0 },
		{ TABLE("\x01\x28\x00\x1c\x21\x7f\x00\x00"), -1 },
		{ TABLE("\x01\x28\x00\x1c\x21\x3f\x00\x00"), 63 },
		{ TABLE("\x01\x28\x00\x1c\x21\x80\x7f\x00\x00"), -128 },
		{ TABLE("\x01\x28\x00\x1c\x21\x80\x80\x80\x80\x80\x80\x80\x80\x80\x7f\x00\x00"),
		  INT64_MIN },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct abbrev_table table;

		compile_well(&table, cases[i].bytes, cases[i].size, &usual);
		assert_int_equal(table.pool->ops.items[0].form, DW_FORM_implicit_const);
		assert_true(table.pool->ops.items[0].implicit == cases[i].value);
		table_deinit(&table);
	}
}

/* One specification at a time: the pairs of two short bytes that are passed quickly must not hide any. */
static void units_that_refer_to_others_are_noticed(void **state)
{
	static const struct {
		const char *bytes;
		size_t size;
		bool crosses;
	} cases[] = {
		{ TABLE("\x01\x24\x00\x41\x06\x41\x13\x00\x00"), false },
		{ TABLE("\x01\x24\x00\x41\x06\x41\x10\x00\x00"), true }, /* ref_addr, unwanted */
		{ TABLE("\x01\x24\x00\x49\x10\x00\x00"), true },         /* ref_addr, wanted */
		{ TABLE("\x01\x24\x00\x41\x06\x41\x20\x00\x00"), true }, /* ref_sig8 */
		{ TABLE("\x01\x24\x00\x41\x06\x41\x1c\x00\x00"), true }, /* ref_sup4 */
		{ TABLE("\x01\x24\x00\x41\x06\x41\x24\x00\x00"), true }, /* ref_sup8 */
		{ TABLE("\x01\x24\x00\x41\x06\x41\xa0\x3e\x00\x00"), true }, /* GNU_ref_alt */
		{ TABLE("\x01\x3d\x00\x00\x00"), true },                     /* imported_unit */
		{ TABLE("\x01\x1d\x00\x31\x10\x00\x00"), true }, /* of an entry passed over */
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct abbrev_table table;

		compile_well(&table, cases[i].bytes, cases[i].size, &usual);
		assert_int_equal(table.crosses_units, cases[i].crosses);
		table_deinit(&table);
	}
}

/* Codes need not be dense or ordered. 2^14, 2^16 and 2^40 have three, three and six bytes. */
static void codes_of_every_size_are_found(void **state)
{
	static const char bytes[] = "\x80\x80\x80\x80\x80\x20\x13\x00\x00\x00" /* 1 << 40 */
				    "\x80\x80\x01\x16\x00\x00\x00"             /* 1 << 14 */
				    "\x01\x24\x00\x00\x00"                     /* 1 */
				    "\x80\x80\x04\x0f\x00\x00\x00"             /* 1 << 16 */
				    "\xff\xff\x03\x17\x00\x00\x00";            /* (1 << 16) - 1 */
	static const struct {
		uint64_t code;
		unsigned tag; /* 0: none */
	} cases[] = {
		{ 0, 0 },          { 1, 0x24 },
		{ 2, 0 },          { 16383, 0 },
		{ 16384, 0x16 },   { 16385, 0 },
		{ 65535, 0x17 },   { 65536, 0x0f },
		{ 65537, 0 },      { UINT64_C(1) << 40, 0x13 },
		{ UINT64_MAX, 0 },
	};
	struct abbrev_table table;

	(void)state;
	compile_well(&table, bytes, sizeof(bytes), &usual); /* C's NUL is the final 0 */
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct die_plan *plan = abbrev_table_find(&table, cases[i].code);

		assert_int_equal(plan ? plan->tag : 0, cases[i].tag);
	}
	table_deinit(&table);
}

static void a_code_may_be_used_once(void **state)
{
	struct abbrev_table table;
	uint64_t fault_offset = 0;

	(void)state;
	table_init(&table);
	assert_int_equal(compile(&table, TABLE("\x01\x24\x00\x00\x00\x01\x16\x00\x00\x00"), &usual,
				 &fault_offset),
			 ABBREV_DUPLICATE_CODE);
	assert_true(fault_offset >= 5 && fault_offset <= 8);
	/* large codes too, found when all are there */
	assert_int_equal(compile(&table,
				 TABLE("\x80\x80\x04\x24\x00\x00\x00\x80\x80\x04\x16\x00\x00\x00"),
				 &usual, &fault_offset),
			 ABBREV_DUPLICATE_CODE);
	table_deinit(&table);
}

static void tags_are_of_16_bits_and_not_0(void **state)
{
	static const struct {
		const char *bytes;
		size_t size;
		enum abbrev_status status;
	} cases[] = {
		{ TABLE("\x01\x00\x00\x00\x00\x00"), ABBREV_BAD_TAG },
		{ TABLE("\x01\xff\xff\x03\x00\x00\x00\x00"), ABBREV_OK },
		{ TABLE("\x01\x80\x80\x04\x00\x00\x00\x00"), ABBREV_BAD_TAG },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct abbrev_table table;
		uint64_t fault_offset = 99;

		table_init(&table);
		assert_int_equal(
			compile(&table, cases[i].bytes, cases[i].size, &usual, &fault_offset),
			cases[i].status);
		if (cases[i].status)
			assert_int_equal(fault_offset, 0);
		table_deinit(&table);
	}
}

/* Every prefix fails, at the start of the number or specification that is incomplete. */
static void a_table_cut_anywhere_is_truncated(void **state)
{
	static const char bytes[] = "\x01\x0d\x00\x03\x0e\x49\x13\x00\x00"
				    "\x82\x01\x0d\x00\x38\x21\x80\x01\xb9\x42\x13\x00\x00";
	/* where what the byte belongs to starts */
	static const uint8_t starts[] = { 0, 0,  0,  3,  3,  5,  5,  7,  7,  9,  9, 9,
					  9, 13, 13, 13, 13, 17, 17, 17, 20, 20, 22 };

	(void)state;
	assert_int_equal(sizeof(starts), sizeof(bytes));
	for (size_t size = 0; size < sizeof(bytes); size++) {
		struct abbrev_table table;
		uint64_t fault_offset = 99;

		table_init(&table);
		assert_int_equal(compile(&table, bytes, size, &usual, &fault_offset),
				 ABBREV_TRUNCATED);
		assert_int_equal(fault_offset, starts[size]);
		assert_int_equal(table.offset, UINT64_MAX);
		table_deinit(&table);
	}
}

/* A table is used for many units one after the other; nothing of the last may stay. */
static void a_table_can_be_compiled_again(void **state)
{
	struct abbrev_table table;
	uint64_t fault_offset;

	(void)state;
	compile_well(&table, TABLE("\x01\x24\x00\x49\x10\x00\x00\x02\x16\x00\x00\x00\x00"), &usual);
	assert_true(table.crosses_units);
	assert_non_null(abbrev_table_find(&table, 2));
	assert_int_equal(compile(&table, TABLE("\x03\x0f\x00\x00\x00\x00"), &usual, &fault_offset),
			 ABBREV_OK);
	assert_false(table.crosses_units);
	assert_null(abbrev_table_find(&table, 1));
	assert_null(abbrev_table_find(&table, 2));
	assert_int_equal(table.fast.items[2].kind, FAST_NONE);
	assert_int_equal(abbrev_table_find(&table, 3)->tag, 0x0f);
	table_deinit(&table);
}

/* A table starts anywhere in its section; faults count from the section's start. */
static void tables_lie_at_offsets(void **state)
{
	static const char section[] = "\xff\xff\xff\x01\x24\x00\x00\x00\x00";
	static const char broken[] = "\xff\xff\xff\x01\x24\x00\x03\x7f";
	struct abbrev_table table;
	uint64_t fault_offset;

	(void)state;
	table_init(&table);
	assert_int_equal(abbrev_table_compile(&table, (const uint8_t *)section, sizeof(section), 3,
					      &usual, &fault_offset),
			 ABBREV_OK);
	assert_int_equal(table.offset, 3);
	assert_int_equal(abbrev_table_find(&table, 1)->tag, 0x24);
	assert_int_equal(abbrev_table_compile(&table, (const uint8_t *)broken, sizeof(broken), 3,
					      &usual, &fault_offset),
			 ABBREV_BAD_FORM);
	assert_int_equal(fault_offset, 6);
	table_deinit(&table);
}

/* An abbreviation that reads the same is the same plan, in whatever table, but not in another context. */
static void tables_share_plans(void **state)
{
	static const char bytes[] =
		"\x07\x0f\x00\x0b\x0b\x49\x13\x00\x00\x08\x11\x00\x11\x01\x00\x00";
	const struct plan_context narrow = { .version = 4, .address_size = 4, .offset_size = 4 };
	struct plan_pool pool;
	struct abbrev_table one, other;
	uint64_t fault;

	(void)state;
	plan_pool_init(&pool);
	abbrev_table_init(&one, &pool);
	abbrev_table_init(&other, &pool);
	assert_int_equal(compile(&one, bytes, sizeof(bytes), &usual, &fault), ABBREV_OK);
	assert_int_equal(compile(&other, bytes, sizeof(bytes), &usual, &fault), ABBREV_OK);
	assert_int_equal(pool.plans.count, 2);
	assert_ptr_equal(abbrev_table_find(&one, 7), abbrev_table_find(&other, 7));
	assert_int_equal(compile(&other, bytes, sizeof(bytes), &narrow, &fault), ABBREV_OK);
	assert_int_equal(pool.plans.count, 4);
	assert_int_equal(abbrev_table_find(&one, 8)->size, 8);
	assert_int_equal(abbrev_table_find(&other, 8)->size, 4);
	abbrev_table_deinit(&one);
	abbrev_table_deinit(&other);
	plan_pool_deinit(&pool);
}

/* A pool does not grow without end; tables that lose their plans know it. */
static void a_full_pool_forgets(void **state)
{
	struct plan_pool pool;
	struct abbrev_table first, next;
	uint64_t fault;

	(void)state;
	plan_pool_init(&pool);
	abbrev_table_init(&first, &pool);
	abbrev_table_init(&next, &pool);
	assert_int_equal(compile(&first, "\x01\x24\x00\x00\x00\x00", 6, &usual, &fault), ABBREV_OK);
	for (unsigned i = 0; i < 20000; i++) {
		/* DW_AT_decl_line DW_FORM_implicit_const, another constant each time */
		const char bytes[] = { 1,
				       0x24,
				       0,
				       0x3b,
				       0x21,
				       (char)(0x80 | (i & 0x7f)),
				       (char)(0x80 | (i >> 7 & 0x7f)),
				       (char)(i >> 14),
				       0,
				       0,
				       0 };

		assert_int_equal(compile(&next, bytes, sizeof(bytes), &usual, &fault), ABBREV_OK);
		assert_non_null(abbrev_table_find(&next, 1));
		assert_true(abbrev_table_is_valid(&next));
	}
	assert_true(pool.plans.count < 10000);
	assert_false(abbrev_table_is_valid(&first));
	abbrev_table_deinit(&first);
	abbrev_table_deinit(&next);
	plan_pool_deinit(&pool);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sizes_of_all_forms),
		cmocka_unit_test(a_reference_of_dwarf_2_has_the_size_of_an_address),
		cmocka_unit_test(unknown_forms_are_refused_where_they_are),
		cmocka_unit_test(fixed_layout_of_a_member),
		cmocka_unit_test(layout_after_a_name_in_place),
		cmocka_unit_test(generic_layouts),
		cmocka_unit_test(names_of_64_bit_dwarf_are_generic),
		cmocka_unit_test(kinds_of_fast_plans),
		cmocka_unit_test(tables_share_plans),
		cmocka_unit_test(a_full_pool_forgets),
		cmocka_unit_test(short_references_are_not_fast),
		cmocka_unit_test(kinds_of_bodies),
		cmocka_unit_test(operations_skip_what_nobody_wants),
		cmocka_unit_test(implicit_constants_are_kept),
		cmocka_unit_test(units_that_refer_to_others_are_noticed),
		cmocka_unit_test(codes_of_every_size_are_found),
		cmocka_unit_test(a_code_may_be_used_once),
		cmocka_unit_test(tags_are_of_16_bits_and_not_0),
		cmocka_unit_test(a_table_cut_anywhere_is_truncated),
		cmocka_unit_test(a_table_can_be_compiled_again),
		cmocka_unit_test(tables_lie_at_offsets),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
