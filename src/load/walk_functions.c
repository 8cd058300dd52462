/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The part of the walk that collects functions, their parameters, and variables. */
#include <string.h>

#include "load/walk_internal.h"

/* A block's bytes that stay valid until the end of the job: in merged mode the unit's do not. */
static const uint8_t *keep_block(struct unit_load *load, const struct die_value *value)
{
	const uint8_t *data = load->reader.bytes + value->number;
	uint8_t *copy;

	if (!load->loader->is_merged)
		return data;
	copy = arena_alloc(load->scratch, value->size);
	if (copy == NULL) {
		walk_no_memory(load);
		return data;
	}
	memcpy(copy, data, value->size);
	return copy;
}

static void keep_location(struct unit_load *load, const struct die_values *values,
			  struct load_parameter *parameter)
{
	const struct die_value *value = &values->values[ATTR_LOCATION];

	if (!values_have(values, ATTR_LOCATION))
		return;
	parameter->has_location = true;
	switch (value->value_class) {
	case VALUE_BLOCK:
		parameter->location = LOCATION_EXPRESSION;
		parameter->expression = keep_block(load, value);
		parameter->expression_size = value->size;
		break;
	case VALUE_SECTION_OFFSET:
	case VALUE_UNSIGNED: /* DWARF 2 and 3 use data4 and data8 */
		parameter->location = LOCATION_LIST;
		parameter->list_offset = value->number;
		break;
	case VALUE_LIST_INDEX:
		parameter->location = LOCATION_LIST_INDEX;
		parameter->list_offset = value->number;
		break;
	default:
		parameter->location = LOCATION_OTHER;
	}
}

static void walk_annotations(struct unit_load *load, int32_t component)
{
	const struct die_plan *plan;
	uint32_t value;

	while ((plan = die_reader_next(&load->reader)) != NULL) {
		if (plan->tag != DW_TAG_LLVM_annotation && plan->tag != DW_TAG_GNU_annotation)
			die_reader_skip_tree(&load->reader, plan);
		else if (walk_annotation(load, plan, &value) == ANNOTATION_DECL_TAG)
			walk_add_tag(load, value, component);
	}
}

static void walk_parameter(struct unit_load *load, const struct die_plan *plan, uint32_t offset,
			   size_t first)
{
	struct load_worker *worker = load->worker;
	uint32_t entity = die_index_enter(&worker->index, (uint32_t)(offset + load->index_delta));
	struct load_parameter *parameter = vector_push(&worker->open_parameters);
	size_t position = worker->open_parameters.count - first - 1;
	struct die_values values;

	if (parameter == NULL || entity == UINT32_MAX) {
		walk_no_memory(load);
		return;
	}
	*parameter = (struct load_parameter){ .entity = entity, .position = (uint8_t)position };
	if (plan->fast == FAST_PARAMETER) { /* of an abstract instance: it has no place */
		struct model_type basics = { 0 };

		read_basics(load, plan, &values, &basics, &parameter->type);
		parameter->name = basics.name;
		return;
	}
	die_reader_values(&load->reader, plan, &values);
	if (load->reader.fault)
		return;
	parameter->has_const = values_have(&values, ATTR_CONST_VALUE);
	if (values_have(&values, ATTR_NAME))
		parameter->name = load_provisional_name(load, &values.values[ATTR_NAME]);
	if (values_have(&values, ATTR_TYPE))
		parameter->type = load_reference(load, &values.values[ATTR_TYPE]);
	if (values_have(&values, ATTR_ABSTRACT_ORIGIN))
		parameter->origin = load_reference(load, &values.values[ATTR_ABSTRACT_ORIGIN]);
	keep_location(load, &values, parameter);
	if (plan->has_children)
		walk_annotations(load, (int32_t)position);
	if (values_have(&values, ATTR_GNU_ANNOTATION))
		walk_decl_tag_chain(load, &values.values[ATTR_GNU_ANNOTATION], (int32_t)position);
}

static void walk_function_children(struct unit_load *load, struct load_function *function,
				   size_t first, unsigned depth)
{
	const struct die_plan *plan;
	uint32_t value;

	for (;;) {
		uint32_t offset = (uint32_t)die_reader_offset(&load->reader);

		plan = die_reader_next(&load->reader);
		if (plan == NULL)
			return;
		switch (plan->tag) {
		case DW_TAG_formal_parameter:
			walk_parameter(load, plan, offset, first);
			break;
		case DW_TAG_unspecified_parameters:
			function->is_variadic = true;
			die_reader_skip_tree(&load->reader, plan);
			break;
		case DW_TAG_LLVM_annotation:
		case DW_TAG_GNU_annotation:
			if (walk_annotation(load, plan, &value) == ANNOTATION_DECL_TAG)
				walk_add_tag(load, value, -1);
			break;
		default:
			walk_die(load, plan, offset, IN_BODY, depth);
		}
	}
}

static void read_function(struct unit_load *load, const struct die_values *values,
			  struct load_function *function)
{
	if (values_have(values, ATTR_NAME))
		function->name = load_provisional_name(load, &values->values[ATTR_NAME]);
	if (values_have(values, ATTR_TYPE))
		function->type = load_reference(load, &values->values[ATTR_TYPE]);
	if (values_have(values, ATTR_ABSTRACT_ORIGIN))
		function->origin = load_reference(load, &values->values[ATTR_ABSTRACT_ORIGIN]);
	if (values_have(values, ATTR_SPECIFICATION))
		function->specification = load_reference(load, &values->values[ATTR_SPECIFICATION]);
	if (values_have(values, ATTR_LOW_PC) &&
	    !load_address(load, &values->values[ATTR_LOW_PC], &function->low_pc))
		function->low_pc = 0;
	function->calling_convention = (uint8_t)load_number(values, ATTR_CALLING_CONVENTION);
	function->is_declaration = values_have(values, ATTR_DECLARATION);
	function->is_inline = load_number(values, ATTR_INLINE) != 0;
}

/* Moves what was collected of a function's parameters and tags to where it stays. */
static void close_function(struct unit_load *load, struct load_function *function,
			   size_t first_parameter, size_t first_tag, uint32_t entity)
{
	struct load_worker *worker = load->worker;
	size_t parameters = worker->open_parameters.count - first_parameter;
	size_t tags = worker->open_tags.count - first_tag;
	struct load_function *place;

	function->first_parameter = (uint32_t)worker->parameters.count;
	function->parameter_count = (uint32_t)parameters;
	function->first_tag = (uint32_t)worker->tags.count;
	function->tag_count = (uint32_t)tags;
	if (!vector_reserve(&worker->parameters, worker->parameters.count + parameters) ||
	    !vector_reserve(&worker->tags, worker->tags.count + tags) ||
	    (place = vector_push(&worker->functions)) == NULL) {
		walk_no_memory(load);
		return;
	}
	for (size_t i = 0; i < parameters; i++) {
		const struct load_parameter *open =
			&worker->open_parameters.items[first_parameter + i];

		die_index_set(&worker->index, open->entity, ENTITY_PARAMETER,
			      (uint32_t)worker->parameters.count);
		worker->parameters.items[worker->parameters.count++] = *open;
	}
	for (size_t i = 0; i < tags; i++)
		worker->tags.items[worker->tags.count++] = worker->open_tags.items[first_tag + i];
	worker->open_parameters.count = first_parameter;
	worker->open_tags.count = first_tag;
	*place = *function;
	die_index_set(&worker->index, entity, ENTITY_FUNCTION,
		      (uint32_t)worker->functions.count - 1);
}

/* Nobody asks for functions: only types may be of use in one. */
static void walk_types_of_function(struct unit_load *load, const struct die_plan *plan,
				   const struct die_values *values, unsigned depth)
{
	uint32_t first_slot = (uint32_t)load->worker->types.count;

	if (!plan->has_children)
		return;
	walk_scope(load, IN_BODY, depth + 1);
	if (load->loader->options.display && first_slot != load->worker->types.count)
		walk_close_scope(load, first_slot, value_name(load, values), SCOPE_FUNCTION);
}

void walk_subprogram(struct unit_load *load, const struct die_plan *plan, uint32_t offset,
		     unsigned depth)
{
	struct load_worker *worker = load->worker;
	struct load_function function = {
		.unit = (uint32_t)load->worker->walked_units.count - 1,
	};
	size_t first_parameter = worker->open_parameters.count;
	size_t first_tag = worker->open_tags.count;
	uint32_t first_slot = (uint32_t)worker->types.count;
	uint32_t entity;
	struct die_values values;

	die_reader_values(&load->reader, plan, &values);
	if (load->reader.fault)
		return;
	if (!load_has_functions(load)) {
		walk_types_of_function(load, plan, &values, depth);
		return;
	}
	entity = die_index_enter(&worker->index, (uint32_t)(offset + load->index_delta));
	if (entity == UINT32_MAX) {
		walk_no_memory(load);
		return;
	}
	read_function(load, &values, &function);
	/* Declarations, in C one for each function that is called, are not encoded: only types may be of use in them. */
	if (plan->has_children && function.is_declaration && load->groups != NULL)
		walk_scope(load, IN_BODY, depth + 1);
	else if (plan->has_children)
		walk_function_children(load, &function, first_parameter, depth);
	if (load->reader.fault)
		return;
	if (load->loader->options.display)
		walk_close_scope(load, first_slot, function.name, SCOPE_FUNCTION);
	if (values_have(&values, ATTR_GNU_ANNOTATION))
		walk_decl_tag_chain(load, &values.values[ATTR_GNU_ANNOTATION], -1);
	close_function(load, &function, first_parameter, first_tag, entity);
}

/*
 * The address a location expression names, if it starts with one: an address, or an address plus
 * a constant. docs/encoding.md, 5.2 and Q16: other operations after an address are not looked at,
 * but a DW_OP_stack_value makes it a value instead of a place.
 */
static bool variable_address(struct unit_load *load, const struct die_values *values,
			     uint64_t *address)
{
	const struct die_value *value = &values->values[ATTR_LOCATION];
	struct location_op ops[LOCATION_OPS_MAX];
	int count;

	if (!values_have(values, ATTR_LOCATION) || value->value_class != VALUE_BLOCK)
		return false;
	count = location_read(load->reader.bytes + value->number, value->size,
			      &load->reader.context, ops);
	if (count < 1)
		return false;
	if (ops[0].code == DW_OP_addr)
		*address = ops[0].number;
	else if (ops[0].code != DW_OP_addrx && ops[0].code != DW_OP_GNU_addr_index)
		return false;
	else if (!load_address(load,
			       &(struct die_value){ .number = ops[0].number,
						    .value_class = VALUE_ADDRESS_INDEX },
			       address))
		return false;
	if (count == 2 && ops[1].code == DW_OP_plus_uconst)
		*address += ops[1].number;
	return count > LOCATION_OPS_MAX || ops[count - 1].code != DW_OP_stack_value;
}

struct load_variable *walk_add_variable(struct unit_load *load, const struct die_values *values,
					uint32_t offset, bool is_at_unit_level)
{
	struct load_worker *worker = load->worker;
	uint32_t entity = die_index_enter(&worker->index, (uint32_t)(offset + load->index_delta));
	struct load_variable *variable = vector_push(&worker->variables);

	if (variable == NULL || entity == UINT32_MAX) {
		walk_no_memory(load);
		return NULL;
	}
	*variable = (struct load_variable){
		.is_declaration = values_have(values, ATTR_DECLARATION),
		.is_external = values_have(values, ATTR_EXTERNAL),
		.is_artificial = values_have(values, ATTR_ARTIFICIAL),
		.is_at_unit_level = is_at_unit_level,
		.first_tag = (uint32_t)worker->tags.count,
	};
	if (values_have(values, ATTR_NAME))
		variable->name = load_provisional_name(load, &values->values[ATTR_NAME]);
	if (values_have(values, ATTR_TYPE))
		variable->type = load_reference(load, &values->values[ATTR_TYPE]);
	if (values_have(values, ATTR_SPECIFICATION))
		variable->specification = load_reference(load, &values->values[ATTR_SPECIFICATION]);
	variable->has_address = variable_address(load, values, &variable->address);
	die_index_set(&worker->index, entity, ENTITY_VARIABLE,
		      (uint32_t)worker->variables.count - 1);
	return variable;
}

void walk_variable(struct unit_load *load, const struct die_plan *plan, uint32_t offset,
		   bool is_at_unit_level)
{
	struct load_worker *worker = load->worker;
	size_t first_tag = worker->open_tags.count;
	struct load_variable *variable;
	struct die_values values;

	if (!load->loader->options.variables || load->groups == NULL) {
		die_reader_skip_tree(&load->reader, plan);
		return;
	}
	die_reader_values(&load->reader, plan, &values);
	if (load->reader.fault)
		return;
	variable = walk_add_variable(load, &values, offset, is_at_unit_level);
	if (variable == NULL)
		return;
	if (!plan->has_children)
		return;
	walk_annotations(load, -1);
	for (size_t i = first_tag; i < worker->open_tags.count; i++) {
		struct decl_tag *tag = vector_push(&worker->tags);

		if (tag == NULL) {
			walk_no_memory(load);
			return;
		}
		*tag = worker->open_tags.items[i];
		variable->tag_count++;
	}
	worker->open_tags.count = first_tag;
}
