/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* One abbreviation's attribute specifications become a plan. DWARF 5, 7.5.3. */
#include <stdlib.h>

#include "dwarf/constants.h"
#include "dwarf/plan_compiler.h"

int dwarf_form_size(unsigned form, const struct plan_context *context)
{
	switch (form) {
	case DW_FORM_flag_present:
	case DW_FORM_implicit_const:
		return 0;
	case DW_FORM_data1:
	case DW_FORM_flag:
	case DW_FORM_ref1:
	case DW_FORM_strx1:
	case DW_FORM_addrx1:
		return 1;
	case DW_FORM_data2:
	case DW_FORM_ref2:
	case DW_FORM_strx2:
	case DW_FORM_addrx2:
		return 2;
	case DW_FORM_strx3:
	case DW_FORM_addrx3:
		return 3;
	case DW_FORM_data4:
	case DW_FORM_ref4:
	case DW_FORM_ref_sup4:
	case DW_FORM_strx4:
	case DW_FORM_addrx4:
		return 4;
	case DW_FORM_data8:
	case DW_FORM_ref8:
	case DW_FORM_ref_sig8:
	case DW_FORM_ref_sup8:
		return 8;
	case DW_FORM_data16:
		return 16;
	case DW_FORM_addr:
		return context->address_size;
	case DW_FORM_ref_addr: /* DWARF 2 gave it the size of an address */
		return context->version == 2 ? context->address_size : context->offset_size;
	case DW_FORM_strp:
	case DW_FORM_line_strp:
	case DW_FORM_strp_sup:
	case DW_FORM_sec_offset:
	case DW_FORM_GNU_ref_alt:
	case DW_FORM_GNU_strp_alt:
		return context->offset_size;
	default:
		return -1;
	}
}

static bool form_is_known_variable(unsigned form)
{
	switch (form) {
	case DW_FORM_string:
	case DW_FORM_block:
	case DW_FORM_block1:
	case DW_FORM_block2:
	case DW_FORM_block4:
	case DW_FORM_exprloc:
	case DW_FORM_sdata:
	case DW_FORM_udata:
	case DW_FORM_ref_udata:
	case DW_FORM_indirect:
	case DW_FORM_strx:
	case DW_FORM_addrx:
	case DW_FORM_loclistx:
	case DW_FORM_rnglistx:
	case DW_FORM_GNU_addr_index:
	case DW_FORM_GNU_str_index:
		return true;
	default:
		return false;
	}
}

/* Entries that are only stepped over: nothing but the way to their end matters. */
static bool tag_is_passed_over(unsigned tag)
{
	switch (tag) {
	case DW_TAG_inlined_subroutine:
	case DW_TAG_lexical_block:
	case DW_TAG_call_site:
	case DW_TAG_call_site_parameter:
	case DW_TAG_GNU_call_site:
	case DW_TAG_GNU_call_site_parameter:
	case DW_TAG_label:
		return true;
	default:
		return false;
	}
}

/* enum die_attr + 1 of the attributes below 0x90; 0: nobody wants it. */
static const uint8_t wanted_attributes[0x90] = {
	[DW_AT_sibling] = ATTR_SIBLING + 1,
	[DW_AT_location] = ATTR_LOCATION + 1,
	[DW_AT_name] = ATTR_NAME + 1,
	[DW_AT_byte_size] = ATTR_BYTE_SIZE + 1,
	[DW_AT_bit_offset] = ATTR_BIT_OFFSET + 1,
	[DW_AT_bit_size] = ATTR_BIT_SIZE + 1,
	[DW_AT_low_pc] = ATTR_LOW_PC + 1,
	[DW_AT_language] = ATTR_LANGUAGE + 1,
	[DW_AT_const_value] = ATTR_CONST_VALUE + 1,
	[DW_AT_inline] = ATTR_INLINE + 1,
	[DW_AT_producer] = ATTR_PRODUCER + 1,
	[DW_AT_upper_bound] = ATTR_UPPER_BOUND + 1,
	[DW_AT_abstract_origin] = ATTR_ABSTRACT_ORIGIN + 1,
	[DW_AT_artificial] = ATTR_ARTIFICIAL + 1,
	[DW_AT_calling_convention] = ATTR_CALLING_CONVENTION + 1,
	[DW_AT_count] = ATTR_COUNT + 1,
	[DW_AT_data_member_location] = ATTR_MEMBER_LOCATION + 1,
	[DW_AT_declaration] = ATTR_DECLARATION + 1,
	[DW_AT_encoding] = ATTR_ENCODING + 1,
	[DW_AT_external] = ATTR_EXTERNAL + 1,
	[DW_AT_specification] = ATTR_SPECIFICATION + 1,
	[DW_AT_type] = ATTR_TYPE + 1,
	[DW_AT_signature] = ATTR_SIGNATURE + 1,
	[DW_AT_data_bit_offset] = ATTR_DATA_BIT_OFFSET + 1,
	[DW_AT_str_offsets_base] = ATTR_STR_OFFSETS_BASE + 1,
	[DW_AT_addr_base] = ATTR_ADDR_BASE + 1,
	[DW_AT_comp_dir] = ATTR_COMP_DIR + 1,
	[DW_AT_dwo_name] = ATTR_DWO_NAME + 1,
	[DW_AT_loclists_base] = ATTR_LOCLISTS_BASE + 1,
};

enum die_attr plan_attr(uint64_t attribute)
{
	if (attribute < sizeof(wanted_attributes))
		return wanted_attributes[attribute] ?
			       (enum die_attr)(wanted_attributes[attribute] - 1) :
			       ATTR_UNWANTED;
	switch (attribute) {
	case DW_AT_GNU_addr_base:
		return ATTR_ADDR_BASE;
	case DW_AT_GNU_annotation:
		return ATTR_GNU_ANNOTATION;
	case DW_AT_GNU_dwo_id:
		return ATTR_DWO_ID;
	case DW_AT_GNU_dwo_name:
		return ATTR_DWO_NAME;
	case DW_AT_GNU_vector:
		return ATTR_GNU_VECTOR;
	default:
		return ATTR_UNWANTED;
	}
}

static enum die_attr wanted_attr(uint64_t attribute, unsigned tag)
{
	if (tag_is_passed_over(tag) && attribute != DW_AT_sibling)
		return ATTR_UNWANTED;
	return plan_attr(attribute);
}

/* Which of a plan's fixed fields holds `attr`, or NULL. */
static struct plan_field *plan_field_for(struct die_plan *plan, enum die_attr attr)
{
	switch (attr) {
	case ATTR_NAME:
		return &plan->name;
	case ATTR_TYPE:
		return &plan->type;
	case ATTR_SIBLING:
		return &plan->sibling;
	case ATTR_MEMBER_LOCATION:
	case ATTR_DATA_BIT_OFFSET:
		return plan->tag == DW_TAG_member ? &plan->value : NULL;
	case ATTR_BIT_SIZE:
		return plan->tag == DW_TAG_member ? &plan->bit_size : NULL;
	case ATTR_CONST_VALUE:
		return plan->tag == DW_TAG_enumerator ? &plan->value : NULL;
	case ATTR_UPPER_BOUND:
		return plan->tag == DW_TAG_subrange_type ? &plan->value : NULL;
	case ATTR_BYTE_SIZE:
		return plan->tag != DW_TAG_member && plan->tag != DW_TAG_enumerator &&
				       plan->tag != DW_TAG_subrange_type ?
			       &plan->value :
			       NULL;
	default:
		return NULL;
	}
}

/* Forms that a fixed field can stand for: the number itself, of at most four bytes. */
static bool form_fits_field(unsigned form, enum die_attr attr, int64_t implicit)
{
	switch (form) {
	case DW_FORM_data1:
	case DW_FORM_data2:
	case DW_FORM_data4:
		return attr != ATTR_NAME && attr != ATTR_TYPE && attr != ATTR_SIBLING;
	case DW_FORM_implicit_const:
		return attr != ATTR_NAME && attr != ATTR_TYPE && attr != ATTR_SIBLING &&
		       implicit >= 0 && implicit <= INT32_MAX;
	case DW_FORM_ref1:
	case DW_FORM_ref2:
	case DW_FORM_ref4:
		return attr == ATTR_TYPE || attr == ATTR_SIBLING;
	case DW_FORM_strp:
		return attr == ATTR_NAME;
	default:
		return false;
	}
}

void plan_compiler_init(struct plan_compiler *state, struct plan_pool *pool,
			const struct plan_context *context)
{
	*state = (struct plan_compiler){ .pool = pool, .context = context };
	for (unsigned form = 0; form < FORM_SIZES; form++) {
		int size = dwarf_form_size(form, state->context);

		state->form_sizes[form] = (int8_t)(size >= 0                    ? size :
						   form_is_known_variable(form) ? -1 :
										  -2);
	}
}

static int form_size_of(const struct plan_compiler *state, uint64_t form)
{
	int size;

	if (form < FORM_SIZES)
		return state->form_sizes[form];
	if (form > UINT16_MAX)
		return -2;
	size = dwarf_form_size((unsigned)form, state->context);
	return size >= 0 ? size : form_is_known_variable((unsigned)form) ? -1 : -2;
}

static bool push_op(struct plan_compiler *state, unsigned form, enum die_attr attr,
		    int64_t implicit)
{
	struct plan_op *op = vector_push(&state->pool->ops);

	if (op == NULL)
		return false;
	*op = (struct plan_op){ .skip = state->skip,
				.form = (uint16_t)form,
				.attr = (uint8_t)attr,
				.implicit = implicit };
	state->skip = 0;
	return true;
}

static bool push_skip_op(struct plan_compiler *state, unsigned form)
{
	struct plan_op *op = vector_push(&state->pool->skip_ops);

	if (op == NULL)
		return false;
	*op = (struct plan_op){ .skip = state->long_skip,
				.form = (uint16_t)form,
				.attr = ATTR_UNWANTED };
	state->long_skip = 0;
	return true;
}

static void set_field(struct plan_compiler *state, enum die_attr attr, unsigned form, int size,
		      int64_t implicit)
{
	struct plan_field *field = plan_field_for(&state->plan, attr);

	if (field == NULL)
		return;
	if (!form_fits_field(form, attr, implicit) || size > 4) {
		state->is_fixed = false;
		return;
	}
	field->offset = state->offset;
	field->mask = size == 4 ? UINT32_MAX : (UINT32_C(1) << (8 * size)) - 1;
	field->shift = size == 0 ? 0 : (uint32_t)(32 - 8 * size);
	field->constant = size == 0 ? (uint32_t)implicit : 0;
}

/* References that may lead out of the unit. */
static bool form_crosses_units(uint64_t form)
{
	return form == DW_FORM_ref_addr || form == DW_FORM_ref_sig8 || form == DW_FORM_ref_sup4 ||
	       form == DW_FORM_ref_sup8 || form == DW_FORM_GNU_ref_alt;
}

/* Adds one attribute specification to the plan. */
static enum abbrev_status add_attribute(struct plan_compiler *state, uint64_t attribute,
					uint64_t form, int64_t implicit)
{
	enum die_attr attr = wanted_attr(attribute, state->plan.tag);
	int size = form_size_of(state, form);
	bool is_first = state->is_first;

	state->is_first = false;
	if (form_crosses_units(form))
		state->plan.crosses_units = true;
	if (size == -2)
		return ABBREV_BAD_FORM;
	state->has_variable |= size < 0;
	if (size >= 0)
		state->long_skip += (uint32_t)size;
	else if (!push_skip_op(state, (unsigned)form))
		return ABBREV_NO_MEMORY;
	if (attr == ATTR_UNWANTED && size >= 0) {
		state->skip += (uint32_t)size;
		state->offset += (uint32_t)size;
		return ABBREV_OK;
	}
	if (!push_op(state, (unsigned)form, attr, implicit))
		return ABBREV_NO_MEMORY;
	if (attr != ATTR_UNWANTED)
		state->plan.present |= ATTR_BIT(attr);
	if (attr == ATTR_DECLARATION)
		state->is_declaration = form == DW_FORM_flag_present;
	if (size < 0) {
		if (is_first && attr == ATTR_NAME && form == DW_FORM_string)
			state->plan.layout = PLAN_FIXED_AFTER_NAME;
		else
			state->is_fixed = false;
		return ABBREV_OK;
	}
	set_field(state, attr, (unsigned)form, size, implicit);
	state->offset += (uint32_t)size;
	return ABBREV_OK;
}

enum { FAST_BASIC_ATTRIBUTES = ATTR_BIT(ATTR_NAME) | ATTR_BIT(ATTR_TYPE) | ATTR_BIT(ATTR_SIBLING) };

static enum plan_fast fast_member_kind(const struct die_plan *plan)
{
	uint32_t bits = ATTR_BIT(ATTR_DATA_BIT_OFFSET) | ATTR_BIT(ATTR_BIT_SIZE);

	if (plan->has_children)
		return FAST_NONE;
	if (!(plan->present & ~(FAST_BASIC_ATTRIBUTES | ATTR_BIT(ATTR_MEMBER_LOCATION))))
		return FAST_MEMBER;
	if ((plan->present & bits) == bits && plan->bit_size.mask <= UINT8_MAX &&
	    !(plan->present & ~(FAST_BASIC_ATTRIBUTES | bits)))
		return FAST_BIT_MEMBER;
	return FAST_NONE;
}

static enum plan_fast fast_kind(const struct plan_compiler *state)
{
	const uint32_t basics = FAST_BASIC_ATTRIBUTES;
	const struct die_plan *plan = &state->plan;

	if (plan->layout == PLAN_GENERIC)
		return FAST_NONE;
	switch (plan->tag) {
	case DW_TAG_member:
		return fast_member_kind(plan);
	case DW_TAG_enumerator:
		return !plan->has_children &&
				       !(plan->present & ~(basics | ATTR_BIT(ATTR_CONST_VALUE))) ?
			       FAST_ENUMERATOR :
			       FAST_NONE;
	case DW_TAG_formal_parameter:
		return !plan->has_children && !(plan->present & ~basics) ? FAST_PARAMETER :
									   FAST_NONE;
	case DW_TAG_pointer_type:
	case DW_TAG_const_type:
	case DW_TAG_volatile_type:
	case DW_TAG_restrict_type:
	case DW_TAG_typedef:
		if (!plan->has_children && !(plan->present & ~(basics | ATTR_BIT(ATTR_BYTE_SIZE))))
			return FAST_LEAF;
		break;
	case DW_TAG_subrange_type:
		return !plan->has_children && (plan->present & ATTR_BIT(ATTR_UPPER_BOUND)) &&
				       !(plan->present & ~(basics | ATTR_BIT(ATTR_UPPER_BOUND))) ?
			       FAST_SUBRANGE :
			       FAST_NONE;
	case DW_TAG_structure_type:
	case DW_TAG_union_type:
		if (!plan->has_children && state->is_declaration &&
		    !(plan->present & ~(basics | ATTR_BIT(ATTR_DECLARATION))))
			return FAST_FORWARD;
		break;
	default:
		break;
	}
	if (plan->present & ~(basics | ATTR_BIT(ATTR_BYTE_SIZE)))
		return FAST_NONE;
	switch (plan->tag) {
	case DW_TAG_structure_type:
	case DW_TAG_union_type:
		return FAST_STRUCT;
	case DW_TAG_subroutine_type:
		return FAST_FUNCTION;
	case DW_TAG_array_type:
		return FAST_ARRAY;
	default:
		return FAST_BASICS;
	}
}

/*
 * Passes over attributes nobody wants, of fixed size, with codes of one byte: two thirds of all. Stops at the first
 * that is different; the pairs of a table are at least terminated by two zeros, so two bytes can be looked at.
 */
static void pass_unwanted(struct plan_compiler *state, struct byte_reader *reader)
{
	const uint8_t *position = reader->position, *end = reader->end;
	uint32_t bytes = 0;

	if (tag_is_passed_over(state->plan.tag))
		return;
	for (; end - position >= 2; position += 2) {
		uint8_t attribute = position[0], form = position[1];

		if (attribute >= 0x80 || attribute == 0 || wanted_attributes[attribute] != 0 ||
		    form >= DW_FORM_implicit_const || state->form_sizes[form] < 0 ||
		    form_crosses_units(form))
			break;
		bytes += (uint32_t)state->form_sizes[form];
	}
	if (position != reader->position)
		state->is_first = false;
	reader->position = position;
	state->skip += bytes;
	state->long_skip += bytes;
	state->offset += bytes;
}

/* Reads the attribute specifications of one abbreviation. */
static enum abbrev_status compile_attributes(struct plan_compiler *state,
					     struct byte_reader *reader, const uint8_t **bad)
{
	for (;; pass_unwanted(state, reader)) {
		const uint8_t *start = reader->position;
		uint64_t attribute = byte_reader_uleb128(reader);
		uint64_t form = byte_reader_uleb128(reader);
		int64_t implicit = form == DW_FORM_implicit_const ? byte_reader_sleb128(reader) : 0;
		enum abbrev_status status;

		*bad = start;
		if (reader->fault)
			return ABBREV_TRUNCATED;
		if (attribute == 0 && form == 0)
			break;
		status = add_attribute(state, attribute, form, implicit);
		if (status)
			return status;
	}
	if (!push_op(state, 0, ATTR_UNWANTED, 0) || !push_skip_op(state, 0))
		return ABBREV_NO_MEMORY;
	state->plan.size = state->offset;
	state->plan.fixed_size = state->has_variable ? UINT32_MAX : state->offset;
	if (!state->is_fixed)
		state->plan.layout = PLAN_GENERIC;
	else if (state->plan.layout != PLAN_FIXED_AFTER_NAME)
		state->plan.layout = PLAN_FIXED;
	state->plan.fast = (uint8_t)fast_kind(state);
	return ABBREV_OK;
}

enum abbrev_status plan_compile(struct plan_compiler *state, struct byte_reader *reader,
				const uint8_t **bad)
{
	struct plan_pool *pool = state->pool;
	uint64_t tag = byte_reader_uleb128(reader);
	uint8_t has_children = byte_reader_u8(reader);

	if (reader->fault)
		return ABBREV_TRUNCATED;
	if (tag == 0 || tag > UINT16_MAX)
		return ABBREV_BAD_TAG;
	state->plan = (struct die_plan){
		.tag = (uint16_t)tag,
		.has_children = has_children != 0,
		.first_op = (uint32_t)pool->ops.count,
		.first_skip_op = (uint32_t)pool->skip_ops.count,
	};
	state->skip = 0;
	state->long_skip = 0;
	state->offset = 0;
	state->is_fixed = true;
	state->has_variable = false;
	state->is_declaration = false;
	state->is_first = true;
	state->plan.crosses_units = tag == DW_TAG_imported_unit;
	return compile_attributes(state, reader, bad);
}

/* Only entries known to hold no type, function or scope may be stepped over. */
static enum plan_body body_kind(const struct die_plan *plan)
{
	if (plan->fixed_size > UINT16_MAX)
		return BODY_OTHER;
	switch (plan->tag) {
	case DW_TAG_variable:
	case DW_TAG_formal_parameter:
	case DW_TAG_label:
	case DW_TAG_call_site:
	case DW_TAG_call_site_parameter:
	case DW_TAG_GNU_call_site:
	case DW_TAG_GNU_call_site_parameter:
	case DW_TAG_unspecified_parameters:
		return plan->has_children ? BODY_OTHER : BODY_PASS;
	case DW_TAG_lexical_block:
	case DW_TAG_inlined_subroutine:
		return plan->has_children ? BODY_ENTER : BODY_PASS;
	default:
		return BODY_OTHER;
	}
}

void plan_make_fast(const struct die_plan *plan, struct fast_plan *fast)
{
	bool has_name = plan->present & ATTR_BIT(ATTR_NAME);
	bool in_place = plan->layout == PLAN_FIXED_AFTER_NAME;
	bool has_type = plan->present & ATTR_BIT(ATTR_TYPE);

	*fast = (struct fast_plan){ .kind = FAST_NONE, .body = (uint8_t)body_kind(plan) };
	fast->body_size = fast->body == BODY_OTHER ? 0 : (uint16_t)plan->fixed_size;
	if (plan->fast == FAST_NONE || plan->size > UINT8_MAX || plan->tag > UINT8_MAX ||
	    (has_name && !in_place && plan->name.mask != UINT32_MAX) ||
	    (has_type && plan->type.mask != UINT32_MAX))
		return;
	*fast = (struct fast_plan){
		.kind = plan->fast == FAST_FORWARD ? FAST_LEAF : plan->fast,
		.name_in_place = in_place,
		.tag = (uint8_t)plan->tag,
		.size = (uint8_t)plan->size,
		.name_offset = (uint8_t)plan->name.offset,
		.type_offset = (uint8_t)plan->type.offset,
		.value_offset = (uint8_t)plan->value.offset,
		.value_shift = (uint8_t)plan->value.shift,
		.name_mask = has_name && !in_place ? UINT32_MAX : 0,
		.type_mask = has_type ? UINT32_MAX : 0,
		.value_mask = plan->value.mask,
		.value_constant = plan->value.constant,
		.bit_size_offset = (uint8_t)plan->bit_size.offset,
		.bit_size_mask = (uint8_t)plan->bit_size.mask,
		.bit_size_constant = (uint8_t)plan->bit_size.constant,
		.has_children = plan->has_children,
		.body = fast->body,
		.body_size = fast->body_size,
	};
}
