/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * All known attributes of a DIE. No plan is made for this: it happens to one DIE in a hundred at most, so the
 * abbreviation is read again each time.
 */
#include "dwarf/constants.h"
#include "dwarf/die_reader.h"
#include "dwarf/plan_compiler.h"

static enum die_attr detail_attr(uint64_t attribute)
{
	switch (attribute) {
	case DW_AT_accessibility:
		return ATTR_ACCESSIBILITY;
	case DW_AT_alignment:
		return ATTR_ALIGNMENT;
	case DW_AT_containing_type:
		return ATTR_CONTAINING_TYPE;
	case DW_AT_decl_file:
		return ATTR_DECL_FILE;
	case DW_AT_decl_line:
		return ATTR_DECL_LINE;
	case DW_AT_discr:
		return ATTR_DISCRIMINANT;
	case DW_AT_discr_list:
		return ATTR_DISCRIMINANT_LIST;
	case DW_AT_discr_value:
		return ATTR_DISCRIMINANT_VALUE;
	case DW_AT_high_pc:
		return ATTR_HIGH_PC;
	case DW_AT_linkage_name:
	case DW_AT_MIPS_linkage_name:
		return ATTR_LINKAGE_NAME;
	case DW_AT_lower_bound:
		return ATTR_LOWER_BOUND;
	case DW_AT_stmt_list:
		return ATTR_STMT_LIST;
	case DW_AT_string_length:
		return ATTR_STRING_LENGTH;
	case DW_AT_virtuality:
		return ATTR_VIRTUALITY;
	case DW_AT_vtable_elem_location:
		return ATTR_VTABLE_SLOT;
	default:
		return plan_attr(attribute);
	}
}

/* The abbreviation compiled without a fault, so its bytes make sense. */
void die_reader_details(struct die_reader *reader, const struct die_plan *plan,
			struct die_values *values)
{
	const struct plan_pool *pool = reader->abbrevs->pool;
	const struct known_abbrev *known = &pool->known.items[plan - pool->plans.items];
	struct byte_reader specs = byte_reader_over(pool->known_bytes.items + known->offset,
						    known->size, reader->context.swap);
	const uint8_t *start = reader->position;
	struct byte_reader bytes =
		byte_reader_over(start, (size_t)(reader->end - start), reader->context.swap);

	values->present = 0;
	(void)byte_reader_uleb128(&specs); /* the tag */
	(void)byte_reader_u8(&specs);
	for (;;) {
		uint64_t attribute = byte_reader_uleb128(&specs);
		struct plan_op op = { .form = (uint16_t)byte_reader_uleb128(&specs) };
		enum die_attr attr;
		struct die_value value;

		if (attribute == 0 && op.form == 0)
			break;
		if (op.form == DW_FORM_implicit_const)
			op.implicit = byte_reader_sleb128(&specs);
		value = die_reader_value(reader, &bytes, &op);
		attr = detail_attr(attribute);
		if (attr == ATTR_UNWANTED)
			continue;
		values->values[attr] = value;
		values->present |= ATTR_BIT(attr);
	}
	if (bytes.fault)
		die_reader_fail(reader, DIE_TRUNCATED, start + bytes.fault_offset);
	else if (reader->fault == DIE_OK)
		reader->position = bytes.position;
}
