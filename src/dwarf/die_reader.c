/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#include "dwarf/die_reader.h"

#include "dwarf/constants.h"

void die_reader_fail(struct die_reader *reader, enum die_fault fault, const uint8_t *at)
{
	if (reader->fault == DIE_OK) {
		reader->fault = fault;
		reader->fault_offset = (uint64_t)(at - reader->bytes);
	}
	reader->position = reader->end;
}

const struct die_plan *die_reader_next_slow(struct die_reader *reader)
{
	const uint8_t *start = reader->position;
	struct byte_reader bytes =
		byte_reader_over(start, (size_t)(reader->end - start), reader->context.swap);
	const struct die_plan *plan;
	uint64_t code;

	if (start == reader->end)
		return NULL; /* producers may leave out the last null entries of a unit */
	code = byte_reader_uleb128(&bytes);
	if (bytes.fault) {
		die_reader_fail(reader, DIE_TRUNCATED, start);
		return NULL;
	}
	reader->position = bytes.position;
	if (code == 0)
		return NULL;
	plan = abbrev_table_find(reader->abbrevs, code);
	if (plan == NULL) {
		die_reader_fail(reader, DIE_BAD_ABBREV, start);
		return NULL;
	}
	reader->die_count++;
	return plan;
}

static struct die_value value_of(uint32_t value_class, uint64_t number)
{
	return (struct die_value){ .number = number, .value_class = value_class };
}

static struct die_value block_value(struct die_reader *reader, struct byte_reader *bytes,
				    uint64_t size)
{
	const uint8_t *data = byte_reader_bytes(bytes, size);

	if (data == NULL || size > UINT32_MAX)
		return value_of(VALUE_NONE, 0);
	return (struct die_value){ .number = (uint64_t)(data - reader->bytes),
				   .size = (uint32_t)size,
				   .value_class = VALUE_BLOCK };
}

static struct die_value string_value(struct die_reader *reader, struct byte_reader *bytes)
{
	const char *text = byte_reader_string(bytes);

	if (text == NULL)
		return value_of(VALUE_NONE, 0);
	return (struct die_value){
		.number = (uint64_t)((const uint8_t *)text - reader->bytes),
		.size = (uint32_t)((const char *)bytes->position - 1 - text),
		.value_class = VALUE_STRING,
	};
}

/* DWARF 5, 7.5.5 and 7.5.6: one value of `form`. */
static struct die_value form_value(struct die_reader *reader, struct byte_reader *bytes,
				   unsigned form, int64_t implicit)
{
	const struct plan_context *context = &reader->context;

	switch (form) {
	case DW_FORM_addr:
		return value_of(VALUE_ADDRESS, byte_reader_unsigned(bytes, context->address_size));
	case DW_FORM_addrx:
	case DW_FORM_GNU_addr_index:
		return value_of(VALUE_ADDRESS_INDEX, byte_reader_uleb128(bytes));
	case DW_FORM_addrx1:
	case DW_FORM_addrx2:
	case DW_FORM_addrx3:
	case DW_FORM_addrx4:
		return value_of(VALUE_ADDRESS_INDEX,
				byte_reader_unsigned(bytes, form - DW_FORM_addrx1 + 1));
	case DW_FORM_data1:
	case DW_FORM_flag:
		return value_of(VALUE_UNSIGNED, byte_reader_u8(bytes));
	case DW_FORM_data2:
		return value_of(VALUE_UNSIGNED, byte_reader_u16(bytes));
	case DW_FORM_data4:
		return value_of(VALUE_UNSIGNED, byte_reader_u32(bytes));
	case DW_FORM_data8:
		return value_of(VALUE_UNSIGNED, byte_reader_u64(bytes));
	case DW_FORM_udata:
		return value_of(VALUE_UNSIGNED, byte_reader_uleb128(bytes));
	case DW_FORM_sdata:
		return value_of(VALUE_SIGNED, (uint64_t)byte_reader_sleb128(bytes));
	case DW_FORM_implicit_const:
		return value_of(VALUE_SIGNED, (uint64_t)implicit);
	case DW_FORM_flag_present:
		return value_of(VALUE_UNSIGNED, 1);
	case DW_FORM_string:
		return string_value(reader, bytes);
	case DW_FORM_strp:
		return value_of(VALUE_STRP, byte_reader_unsigned(bytes, context->offset_size));
	case DW_FORM_line_strp:
		return value_of(VALUE_LINE_STRP, byte_reader_unsigned(bytes, context->offset_size));
	case DW_FORM_strp_sup:
	case DW_FORM_GNU_strp_alt:
		return value_of(VALUE_STRP_ALT, byte_reader_unsigned(bytes, context->offset_size));
	case DW_FORM_strx:
	case DW_FORM_GNU_str_index:
		return value_of(VALUE_STRING_INDEX, byte_reader_uleb128(bytes));
	case DW_FORM_strx1:
	case DW_FORM_strx2:
	case DW_FORM_strx3:
	case DW_FORM_strx4:
		return value_of(VALUE_STRING_INDEX,
				byte_reader_unsigned(bytes, form - DW_FORM_strx1 + 1));
	case DW_FORM_ref1:
		return value_of(VALUE_REFERENCE, byte_reader_u8(bytes));
	case DW_FORM_ref2:
		return value_of(VALUE_REFERENCE, byte_reader_u16(bytes));
	case DW_FORM_ref4:
		return value_of(VALUE_REFERENCE, byte_reader_u32(bytes));
	case DW_FORM_ref8:
		return value_of(VALUE_REFERENCE, byte_reader_u64(bytes));
	case DW_FORM_ref_udata:
		return value_of(VALUE_REFERENCE, byte_reader_uleb128(bytes));
	case DW_FORM_ref_addr:
		return value_of(
			VALUE_REFERENCE_ADDRESS,
			byte_reader_unsigned(bytes, (unsigned)dwarf_form_size(form, context)));
	case DW_FORM_ref_sup4:
		return value_of(VALUE_REFERENCE_ALT, byte_reader_u32(bytes));
	case DW_FORM_ref_sup8:
		return value_of(VALUE_REFERENCE_ALT, byte_reader_u64(bytes));
	case DW_FORM_GNU_ref_alt:
		return value_of(VALUE_REFERENCE_ALT,
				byte_reader_unsigned(bytes, context->offset_size));
	case DW_FORM_ref_sig8:
		return value_of(VALUE_REFERENCE_SIGNATURE, byte_reader_u64(bytes));
	case DW_FORM_sec_offset:
		return value_of(VALUE_SECTION_OFFSET,
				byte_reader_unsigned(bytes, context->offset_size));
	case DW_FORM_loclistx:
	case DW_FORM_rnglistx:
		return value_of(VALUE_LIST_INDEX, byte_reader_uleb128(bytes));
	case DW_FORM_data16:
		return block_value(reader, bytes, 16);
	case DW_FORM_block1:
		return block_value(reader, bytes, byte_reader_u8(bytes));
	case DW_FORM_block2:
		return block_value(reader, bytes, byte_reader_u16(bytes));
	case DW_FORM_block4:
		return block_value(reader, bytes, byte_reader_u32(bytes));
	case DW_FORM_block:
	case DW_FORM_exprloc:
		return block_value(reader, bytes, byte_reader_uleb128(bytes));
	default: /* only in the data: plans have none that is unknown */
		if (bytes->fault == READER_OK)
			die_reader_fail(reader, DIE_BAD_FORM, bytes->position);
		return value_of(VALUE_NONE, 0);
	}
}

struct die_value die_reader_value(struct die_reader *reader, struct byte_reader *bytes,
				  const struct plan_op *op)
{
	uint64_t form = op->form;
	int64_t implicit = op->implicit;

	if (form == DW_FORM_indirect) {
		const uint8_t *start = bytes->position;

		form = byte_reader_uleb128(bytes);
		if (form == DW_FORM_implicit_const)
			implicit = byte_reader_sleb128(bytes);
		if (form == DW_FORM_indirect || form > UINT16_MAX) {
			die_reader_fail(reader, DIE_BAD_FORM, start);
			return value_of(VALUE_NONE, 0);
		}
	}
	return form_value(reader, bytes, (unsigned)form, implicit);
}

static inline uint64_t load_little(const uint8_t *bytes, unsigned size)
{
	uint64_t value = 0;

	memcpy(&value, bytes, size);
	return value;
}

/* Longest value quick_value reads, and a length before a block. */
enum { QUICK_BYTES = 8 };

/*
 * The commonest forms, in the host's byte order, 32-bit DWARF and 64-bit addresses, with QUICK_BYTES bytes there to look
 * at. Returns the bytes taken, or -1: another form.
 */
static inline int quick_value(const struct die_reader *reader, const uint8_t *position,
			      const struct plan_op *op, struct die_value *value)
{
	switch (op->form) {
	case DW_FORM_strp:
		*value = value_of(VALUE_STRP, load_little(position, 4));
		return 4;
	case DW_FORM_ref4:
		*value = value_of(VALUE_REFERENCE, load_little(position, 4));
		return 4;
	case DW_FORM_data1:
	case DW_FORM_flag:
		*value = value_of(VALUE_UNSIGNED, *position);
		return 1;
	case DW_FORM_data2:
		*value = value_of(VALUE_UNSIGNED, load_little(position, 2));
		return 2;
	case DW_FORM_data4:
		*value = value_of(VALUE_UNSIGNED, load_little(position, 4));
		return 4;
	case DW_FORM_implicit_const:
		*value = value_of(VALUE_SIGNED, (uint64_t)op->implicit);
		return 0;
	case DW_FORM_flag_present:
		*value = value_of(VALUE_UNSIGNED, 1);
		return 0;
	case DW_FORM_sec_offset:
		*value = value_of(VALUE_SECTION_OFFSET, load_little(position, 4));
		return 4;
	case DW_FORM_addr:
		*value = value_of(VALUE_ADDRESS, load_little(position, 8));
		return 8;
	case DW_FORM_exprloc:
		if (*position >= 0x80)
			return -1;
		*value = (struct die_value){ .number = (uint64_t)(position + 1 - reader->bytes),
					     .size = *position,
					     .value_class = VALUE_BLOCK };
		return 1 + *position;
	default:
		return -1;
	}
}

static bool is_quick(const struct plan_context *context)
{
	return !context->swap && context->offset_size == 4 && context->address_size == 8 &&
	       __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;
}

/*
 * Reads values while they are quick and well inside the unit; the operation that is not, with `bytes` before
 * its skip.
 */
static const struct plan_op *read_quick(struct die_reader *reader, const struct plan_op *op,
					struct byte_reader *bytes, struct die_values *values)
{
	const uint8_t *position = bytes->position;

	for (; op->form != 0; op++) {
		struct die_value value;
		int taken;

		if (bytes->end - position < (ptrdiff_t)op->skip + QUICK_BYTES)
			break;
		taken = quick_value(reader, position + op->skip, op, &value);
		if (taken < 0 || bytes->end - position < (ptrdiff_t)op->skip + taken)
			break;
		position += op->skip + (uint32_t)taken;
		if (op->attr != ATTR_UNWANTED)
			values->values[op->attr] = value;
	}
	bytes->position = position;
	return op;
}

void die_reader_values(struct die_reader *reader, const struct die_plan *plan,
		       struct die_values *values)
{
	const struct plan_op *op = &reader->abbrevs->pool->ops.items[plan->first_op];
	const uint8_t *start = reader->position;
	struct byte_reader bytes =
		byte_reader_over(start, (size_t)(reader->end - start), reader->context.swap);

	values->present = plan->present;
	if (is_quick(&reader->context))
		op = read_quick(reader, op, &bytes, values);
	for (;; op++) {
		struct die_value value;

		(void)byte_reader_bytes(&bytes, op->skip);
		if (op->form == 0)
			break;
		value = die_reader_value(reader, &bytes, op);
		if (op->attr != ATTR_UNWANTED)
			values->values[op->attr] = value;
	}
	if (bytes.fault)
		die_reader_fail(reader, DIE_TRUNCATED, start + bytes.fault_offset);
	else if (reader->fault == DIE_OK)
		reader->position = bytes.position;
}

/* Moves past a value whose size is in the data. */
static void skip_value(struct die_reader *reader, struct byte_reader *bytes,
		       const struct plan_op *op)
{
	switch (op->form) {
	case DW_FORM_exprloc:
	case DW_FORM_block:
		(void)byte_reader_bytes(bytes, byte_reader_uleb128(bytes));
		break;
	case DW_FORM_block1:
		(void)byte_reader_bytes(bytes, byte_reader_u8(bytes));
		break;
	case DW_FORM_string:
		(void)byte_reader_string(bytes);
		break;
	case DW_FORM_udata:
	case DW_FORM_sdata:
		(void)byte_reader_uleb128(bytes);
		break;
	default:
		(void)die_reader_value(reader, bytes, op);
	}
}

void die_reader_skip_generic(struct die_reader *reader, const struct die_plan *plan)
{
	const struct plan_op *op = &reader->abbrevs->pool->skip_ops.items[plan->first_skip_op];
	const uint8_t *start = reader->position;
	struct byte_reader bytes =
		byte_reader_over(start, (size_t)(reader->end - start), reader->context.swap);

	for (;; op++) {
		(void)byte_reader_bytes(&bytes, op->skip);
		if (op->form == 0)
			break;
		skip_value(reader, &bytes, op);
	}
	if (bytes.fault)
		die_reader_fail(reader, DIE_TRUNCATED, start + bytes.fault_offset);
	else if (reader->fault == DIE_OK)
		reader->position = bytes.position;
}

/* Follows a sibling reference in a fixed place; false when the plan has none. */
static bool skip_by_sibling(struct die_reader *reader, const struct die_plan *plan)
{
	const uint8_t *start = reader->position;
	const uint8_t *base;
	uint32_t offset;

	if (plan->layout == PLAN_GENERIC || !(plan->present & ATTR_BIT(ATTR_SIBLING)))
		return false;
	base = die_reader_fixed(reader, plan);
	if (base == NULL)
		return true;
	offset = plan_field_load(&plan->sibling, base, reader->context.swap);
	if (offset < (uint64_t)(reader->position - reader->bytes) ||
	    offset > (uint64_t)(reader->end - reader->bytes)) {
		die_reader_fail(reader, DIE_BAD_SIBLING, start);
		return true;
	}
	reader->position = reader->bytes + offset;
	return true;
}

void die_reader_skip_children(struct die_reader *reader)
{
	uint32_t depth = 1;

	while (depth > 0) {
		const struct die_plan *plan;

		if (reader->position == reader->end)
			return;
		plan = die_reader_next(reader);
		if (plan == NULL) {
			depth--;
			continue;
		}
		if (!plan->has_children)
			die_reader_skip(reader, plan);
		else if (!skip_by_sibling(reader, plan)) {
			die_reader_skip(reader, plan);
			depth++;
		}
	}
}

void die_reader_skip_tree(struct die_reader *reader, const struct die_plan *plan)
{
	if (!plan->has_children) {
		die_reader_skip(reader, plan);
		return;
	}
	if (skip_by_sibling(reader, plan))
		return;
	die_reader_skip(reader, plan);
	die_reader_skip_children(reader);
}

const char *die_fault_text(enum die_fault fault)
{
	switch (fault) {
	case DIE_OK:
		return "no error";
	case DIE_TRUNCATED:
		return "an entry runs beyond its unit";
	case DIE_BAD_ABBREV:
		return "abbreviation code without abbreviation";
	case DIE_BAD_FORM:
		return "unknown attribute form";
	case DIE_BAD_SIBLING:
		return "sibling reference does not point forward";
	case DIE_TOO_DEEP:
		return "entries nested too deeply";
	case DIE_BAD_STRING:
		return "string outside its section";
	case DIE_NO_MEMORY:
		return "out of memory";
	}
	return "unknown error";
}
