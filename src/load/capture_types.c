/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* What every captured type says, and what types say that are no structs. */
#include <string.h>

#include "dwarf/constants.h"
#include "load/capture_internal.h"

/* ---- Attributes ---- */

const char *capture_name(struct capture_job *job, uint32_t name)
{
	name = load_settled_name(&job->load, name);
	return name ? name_table_text(job->load.loader->names, name) : NULL;
}

const char *capture_text(struct capture_job *job, const struct die_values *values,
			 enum die_attr attr)
{
	return values_have(values, attr) ?
		       capture_name(job, load_name(&job->load, &values->values[attr])) :
		       NULL;
}

uint32_t capture_slot(struct capture_job *job, const struct die_values *values, enum die_attr attr)
{
	return values_have(values, attr) ?
		       unit_type_slot(&job->load,
				      load_reference(&job->load, &values->values[attr])) :
		       0;
}

bool capture_flag(const struct die_values *values, enum die_attr attr)
{
	return load_number(values, attr) != 0;
}

uint32_t capture_alignment(const struct die_values *values)
{
	int64_t alignment = load_number(values, ATTR_ALIGNMENT);

	return alignment > 0 && alignment <= UINT32_MAX ? (uint32_t)alignment : 0;
}

void capture_origin(struct capture_job *job, const struct die_values *values, uint64_t offset,
		    struct program_origin *origin)
{
	*origin = (struct program_origin){
		.file = values_have(values, ATTR_DECL_FILE) ?
				capture_file(job, (uint64_t)load_number(values, ATTR_DECL_FILE)) :
				NULL,
		.offset = job->load.unit->header.offset + offset,
		.line = (uint32_t)load_number(values, ATTR_DECL_LINE),
		.unit = job->file_unit,
		.definition_count = 1,
	};
}

bool capture_read_at(struct capture_job *job, const struct die_value *reference,
		     struct die_values *values)
{
	struct die_reader *reader = &job->load.reader;
	const uint8_t *position = reader->position;
	const struct die_plan *plan;
	uint64_t offset = reference->number;

	if (reference->value_class == VALUE_REFERENCE_ADDRESS)
		offset -= job->load.unit->header.offset;
	else if (reference->value_class != VALUE_REFERENCE)
		return false;
	if (offset >= job->load.unit->header.size)
		return false;
	reader->position = reader->bytes + offset;
	plan = die_reader_next(reader);
	if (plan != NULL)
		die_reader_details(reader, plan, values);
	if (reader->fault)
		return false;
	reader->position = position;
	return plan != NULL;
}

void capture_skip_children(struct capture_job *job, const struct die_plan *plan,
			   const struct die_values *values)
{
	struct die_reader *reader = &job->load.reader;
	const struct die_value *sibling = &values->values[ATTR_SIBLING];

	if (!plan->has_children || reader->fault)
		return;
	if (values_have(values, ATTR_SIBLING) && sibling->value_class == VALUE_REFERENCE &&
	    sibling->number >= die_reader_offset(reader) &&
	    sibling->number <= (uint64_t)(reader->end - reader->bytes))
		reader->position = reader->bytes + sibling->number;
	else
		die_reader_skip_children(reader);
}

/* ---- Lists ---- */

void capture_add_parameter(struct capture_job *job, const char *name, uint32_t type)
{
	struct program_parameter *place = vector_push(&job->out->parameters);

	if (place == NULL)
		capture_no_memory(job);
	else
		*place = (struct program_parameter){ .name = name, .type = type };
}

uint32_t capture_parameters(struct capture_job *job)
{
	struct unit_load *load = &job->load;
	size_t first = job->out->parameters.count;
	bool is_variadic = false;
	const struct die_plan *plan;

	while ((plan = die_reader_next(&load->reader)) != NULL) {
		struct die_values values;

		die_reader_details(&load->reader, plan, &values);
		if (load->reader.fault)
			break;
		if (plan->tag == DW_TAG_formal_parameter)
			capture_add_parameter(job, capture_text(job, &values, ATTR_NAME),
					      capture_slot(job, &values, ATTR_TYPE));
		is_variadic |= plan->tag == DW_TAG_unspecified_parameters;
		capture_skip_children(job, plan, &values);
	}
	if (is_variadic)
		capture_add_parameter(job, NULL, 0);
	return (uint32_t)(job->out->parameters.count - first);
}

static void add_enumerator(struct capture_job *job, const struct die_values *values)
{
	struct program_enumerator *place = vector_push(&job->out->enumerators);

	if (place == NULL) {
		capture_no_memory(job);
		return;
	}
	*place = (struct program_enumerator){
		.name = capture_text(job, values, ATTR_NAME),
		.value = (uint64_t)load_number(values, ATTR_CONST_VALUE),
	};
}

/* An enumeration without an underlying type has the sign that its values have. */
static void settle_sign(const struct capture_job *job, struct program_type *type, bool is_negative)
{
	const struct model_type *types = job->load.worker->types.items;
	const struct model_type *below = &types[unit_strip_type(&job->load, type->type)];

	if (below->kind == TYPE_INT ? below->flags & TYPE_SIGNED : is_negative)
		type->flags |= TYPE_SIGNED;
	if (type->size > 4)
		type->flags |= TYPE_WIDE;
}

static void capture_enumerators(struct capture_job *job, struct program_type *type)
{
	struct die_reader *reader = &job->load.reader;
	const struct die_plan *plan;
	bool is_negative = false;

	type->first_item = (uint32_t)job->out->enumerators.count;
	while ((plan = die_reader_next(reader)) != NULL) {
		const struct die_value *value;
		struct die_values values;

		if (plan->tag != DW_TAG_enumerator) {
			die_reader_skip_tree(reader, plan);
			continue;
		}
		die_reader_details(reader, plan, &values);
		if (reader->fault)
			return;
		value = &values.values[ATTR_CONST_VALUE];
		if (values_have(&values, ATTR_CONST_VALUE) && value->value_class == VALUE_SIGNED)
			is_negative |= (int64_t)value->number < 0;
		add_enumerator(job, &values);
		capture_skip_children(job, plan, &values);
	}
	type->item_count = (uint32_t)job->out->enumerators.count - type->first_item;
	settle_sign(job, type, is_negative);
}

/* The first index of an array, where that is not said. DWARF 5, table 7.17. */
static int64_t default_lower_bound(uint16_t language)
{
	switch (language) {
	case DW_LANG_Ada83:
	case DW_LANG_Ada95:
	case DW_LANG_Ada2005:
	case DW_LANG_Ada2012:
	case DW_LANG_Cobol74:
	case DW_LANG_Cobol85:
	case DW_LANG_Fortran77:
	case DW_LANG_Fortran90:
	case DW_LANG_Fortran95:
	case DW_LANG_Fortran03:
	case DW_LANG_Fortran08:
	case DW_LANG_Fortran18:
	case DW_LANG_Julia:
	case DW_LANG_Modula2:
	case DW_LANG_Modula3:
	case DW_LANG_Pascal83:
	case DW_LANG_PLI:
		return 1;
	default:
		return 0;
	}
}

static bool is_constant(const struct die_values *values, enum die_attr attr)
{
	return values_have(values, attr) && (values->values[attr].value_class == VALUE_UNSIGNED ||
					     values->values[attr].value_class == VALUE_SIGNED);
}

/* Elements in a dimension; 0 when that is not a constant. */
static uint64_t dimension_of(const struct capture_job *job, const struct die_values *values)
{
	int64_t lower = default_lower_bound(job->load.language);
	const struct die_value *upper = &values->values[ATTR_UPPER_BOUND];
	uint64_t count;

	if (is_constant(values, ATTR_COUNT))
		return values->values[ATTR_COUNT].number;
	if (!is_constant(values, ATTR_UPPER_BOUND))
		return 0;
	if (values_have(values, ATTR_LOWER_BOUND))
		lower = load_number(values, ATTR_LOWER_BOUND);
	count = upper->number - (uint64_t)lower + 1;
	/* -1 is the upper bound of an array of no elements, also in a form of four bytes. */
	if (upper->value_class == VALUE_UNSIGNED && lower == 0 && upper->number == UINT32_MAX)
		return 0;
	return (int64_t)count < 0 ? 0 : count;
}

static void add_dimension(struct capture_job *job, uint64_t count)
{
	uint64_t *place = vector_push(&job->out->dimensions);

	if (place == NULL)
		capture_no_memory(job);
	else
		*place = count;
}

static void capture_dimensions(struct capture_job *job, const struct die_plan *array,
			       struct program_type *type)
{
	struct die_reader *reader = &job->load.reader;
	const struct die_plan *plan;

	type->first_item = (uint32_t)job->out->dimensions.count;
	while (array->has_children && (plan = die_reader_next(reader)) != NULL) {
		struct die_values values;

		die_reader_details(reader, plan, &values);
		if (reader->fault)
			return;
		if (plan->tag == DW_TAG_subrange_type)
			add_dimension(job, dimension_of(job, &values));
		capture_skip_children(job, plan, &values);
	}
	if (job->out->dimensions.count == type->first_item)
		add_dimension(job, 0);
	type->item_count = (uint32_t)job->out->dimensions.count - type->first_item;
}

/* ---- All ---- */

static void capture_content(struct capture_job *job, const struct die_plan *plan,
			    const struct die_values *values, const struct model_type *model,
			    struct program_type *type)
{
	switch (type->kind) {
	case TYPE_INT:
	case TYPE_FLOAT:
		type->flags |= model->flags & (TYPE_SIGNED | TYPE_BOOL);
		break;
	case TYPE_MEMBER_POINTER:
		type->size = model->size;
		type->member_of = capture_slot(job, values, ATTR_CONTAINING_TYPE);
		break;
	case TYPE_ARRAY:
		type->size = 0; /* of a vector; else nobody says it */
		if (values_have(values, ATTR_GNU_VECTOR))
			type->flags |= TYPE_VECTOR;
		capture_dimensions(job, plan, type);
		break;
	case TYPE_ENUM:
		if (capture_flag(values, ATTR_DECLARATION))
			type->flags |= TYPE_DECLARATION;
		if (plan->has_children)
			capture_enumerators(job, type);
		break;
	case TYPE_FUNCTION:
		type->first_item = (uint32_t)job->out->parameters.count;
		if (plan->has_children)
			type->item_count = capture_parameters(job);
		break;
	case TYPE_STRUCT:
	case TYPE_UNION:
		type->flags |= model->flags & TYPE_BITFIELDS;
		if (plan->has_children)
			capture_struct_body(job, type);
		break;
	case TYPE_UNSPECIFIED:
		if (type->name != NULL && strstr(type->name, "nullptr") != NULL)
			type->size = job->load.address_size;
		break;
	case TYPE_POINTER: /* all pointers are of one size */
	case TYPE_REFERENCE:
	case TYPE_RVALUE_REFERENCE:
	case TYPE_STRUCT_FORWARD:
	case TYPE_UNION_FORWARD:
		type->size = 0;
		break;
	default:
		break;
	}
}

/* A definition that completes a declaration elsewhere may leave its name there; its scope is that of the declaration. */
static void complete_from_specification(struct capture_job *job, const struct die_values *values,
					struct program_type *type)
{
	uint32_t slot = capture_slot(job, values, ATTR_SPECIFICATION);
	struct die_values declared;

	if (slot == 0)
		return;
	type->scope = capture_scope(job, slot);
	if (type->name == NULL &&
	    capture_read_at(job, &values->values[ATTR_SPECIFICATION], &declared))
		type->name = capture_text(job, &declared, ATTR_NAME);
}

static uint16_t tag_flags(unsigned tag)
{
	return tag == DW_TAG_class_type     ? TYPE_CLASS :
	       tag == DW_TAG_interface_type ? TYPE_INTERFACE :
					      0;
}

void capture_type(struct capture_job *job, uint32_t slot)
{
	struct unit_load *load = &job->load;
	const struct model_type *model = &load->worker->types.items[slot];
	uint64_t offset = die_reader_offset(&load->reader);
	const struct die_plan *plan = die_reader_next(&load->reader);
	struct captured_type captured = { .unit = job->unit_index, .slot = slot };
	struct program_type *type = &captured.type;
	struct captured_type *place;
	struct die_values values;

	if (plan == NULL)
		return;
	die_reader_details(&load->reader, plan, &values);
	if (load->reader.fault)
		return;
	*type = (struct program_type){
		.name = capture_text(job, &values, ATTR_NAME),
		.size = (uint64_t)load_number(&values, ATTR_BYTE_SIZE),
		.type = capture_slot(job, &values, ATTR_TYPE),
		.alignment = capture_alignment(&values),
		.scope = capture_scope(job, slot),
		.flags = tag_flags(plan->tag),
		.kind = model->kind,
	};
	capture_origin(job, &values, offset, &captured.origin);
	if (values_have(&values, ATTR_SPECIFICATION))
		complete_from_specification(job, &values, type);
	capture_content(job, plan, &values, model, type);
	place = vector_push(&job->out->types);
	if (place == NULL)
		capture_no_memory(job);
	else
		*place = captured;
}
