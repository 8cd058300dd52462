/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Functions: methods in the bodies of classes, and descriptions of functions that are wanted for their own sake. */
#include "dwarf/constants.h"
#include "load/capture_internal.h"

/* DWARF 5, 5.7.8: an expression; compilers write a constant. */
static int32_t vtable_slot(const struct capture_job *job, const struct die_values *values)
{
	const struct die_value *value = &values->values[ATTR_VTABLE_SLOT];
	struct location_op ops[LOCATION_OPS_MAX];

	if (!values_have(values, ATTR_VTABLE_SLOT))
		return -1;
	if (value->value_class != VALUE_BLOCK)
		return (int32_t)load_number(values, ATTR_VTABLE_SLOT);
	if (location_read(job->load.reader.bytes + value->number, value->size,
			  &job->load.reader.context, ops) != 1)
		return -1;
	if (ops[0].code >= DW_OP_lit0 && ops[0].code <= DW_OP_lit31)
		return ops[0].code - DW_OP_lit0;
	return ops[0].code == DW_OP_constu || ops[0].code == DW_OP_const1u ||
			       ops[0].code == DW_OP_const2u ?
		       (int32_t)ops[0].number :
		       -1;
}

static uint16_t function_traits(const struct die_values *values)
{
	int64_t how_inline = load_number(values, ATTR_INLINE);
	int64_t virtuality = load_number(values, ATTR_VIRTUALITY);
	unsigned traits = 0;

	if (capture_flag(values, ATTR_EXTERNAL))
		traits |= FUNCTION_IS_EXTERNAL;
	if (capture_flag(values, ATTR_DECLARATION))
		traits |= FUNCTION_IS_DECLARATION;
	if (how_inline == DW_INL_declared_inlined || how_inline == DW_INL_declared_not_inlined)
		traits |= FUNCTION_IS_DECLARED_INLINE;
	if (how_inline == DW_INL_declared_inlined || how_inline == DW_INL_inlined)
		traits |= FUNCTION_IS_INLINED;
	if (virtuality == DW_VIRTUALITY_virtual || virtuality == DW_VIRTUALITY_pure_virtual)
		traits |= FUNCTION_IS_VIRTUAL;
	if (virtuality == DW_VIRTUALITY_pure_virtual)
		traits |= FUNCTION_IS_PURE_VIRTUAL;
	return (uint16_t)traits;
}

/* Bytes of code: the end is an address, or counts from the start. */
static uint64_t code_size(struct capture_job *job, const struct die_values *values,
			  uint64_t address)
{
	const struct die_value *end = &values->values[ATTR_HIGH_PC];
	uint64_t end_address;

	if (!values_have(values, ATTR_HIGH_PC))
		return 0;
	if (end->value_class == VALUE_UNSIGNED || end->value_class == VALUE_SIGNED)
		return end->number;
	return load_address(&job->load, end, &end_address) ? end_address - address : 0;
}

/* All but name, parameters and return type, which may be those of another description. */
static struct program_function read_function(struct capture_job *job,
					     const struct die_values *values, uint64_t offset)
{
	struct program_function function = {
		.linkage_name = capture_text(job, values, ATTR_LINKAGE_NAME),
		.vtable_slot = vtable_slot(job, values),
		.traits = function_traits(values),
	};

	if (values_have(values, ATTR_LOW_PC) &&
	    load_address(&job->load, &values->values[ATTR_LOW_PC], &function.address))
		function.size = code_size(job, values, function.address);
	capture_origin(job, values, offset, &function.origin);
	return function;
}

static bool add_function(struct capture_job *job, const struct program_function *function,
			 uint32_t *index)
{
	struct program_function *place = vector_push(&job->out->functions);

	if (place == NULL) {
		capture_no_memory(job);
		return false;
	}
	*place = *function;
	*index = (uint32_t)job->out->functions.count - 1;
	return true;
}

bool capture_function(struct capture_job *job, const struct die_plan *plan,
		      const struct die_values *values, uint64_t offset, uint32_t *index)
{
	struct program_function function = read_function(job, values, offset);

	function.name = capture_text(job, values, ATTR_NAME);
	function.return_type = capture_slot(job, values, ATTR_TYPE);
	function.first_parameter = (uint32_t)job->out->parameters.count;
	if (plan->has_children)
		function.parameter_count = capture_parameters(job);
	return add_function(job, &function, index);
}

/* What the walk collected of a function, also through abstract origins. */
static void add_known_prototype(struct capture_job *job, const struct load_function *known,
				const struct model_type *model, struct program_function *function)
{
	const struct load_parameter *parameters =
		job->load.worker->parameters.items + known->first_parameter;

	function->return_type = model->type;
	function->first_parameter = (uint32_t)job->out->parameters.count;
	for (uint32_t i = 0; i < known->parameter_count; i++)
		capture_add_parameter(job, capture_name(job, parameters[i].name),
				      parameters[i].type);
	if (known->is_variadic)
		capture_add_parameter(job, NULL, 0);
	function->parameter_count =
		(uint32_t)job->out->parameters.count - function->first_parameter;
}

/* What a concrete instance leaves to the abstract one, or a definition to the declaration. */
static void complete_function(struct capture_job *job, const struct die_values *values,
			      struct program_function *function)
{
	enum die_attr attr = values_have(values, ATTR_ABSTRACT_ORIGIN) ? ATTR_ABSTRACT_ORIGIN :
									 ATTR_SPECIFICATION;
	struct die_values other;

	if (!values_have(values, attr) || !capture_read_at(job, &values->values[attr], &other))
		return;
	if (function->linkage_name == NULL)
		function->linkage_name = capture_text(job, &other, ATTR_LINKAGE_NAME);
	function->traits |= function_traits(&other) & ~FUNCTION_IS_DECLARATION;
	if (function->origin.line == 0) {
		struct program_origin origin;

		capture_origin(job, &other, 0, &origin);
		function->origin.file = origin.file;
		function->origin.line = origin.line;
	}
}

void capture_described_function(struct capture_job *job, uint32_t slot)
{
	struct unit_load *load = &job->load;
	const struct load_worker *worker = load->worker;
	const struct model_type *model = &worker->types.items[slot];
	uint64_t offset = die_reader_offset(&load->reader);
	const struct die_plan *plan = die_reader_next(&load->reader);
	struct captured_type captured = { .unit = job->unit_index,
					  .slot = slot,
					  .is_function = true };
	struct captured_type *place;
	struct program_function function;
	struct die_values values;

	if (plan == NULL)
		return;
	die_reader_details(&load->reader, plan, &values);
	if (load->reader.fault)
		return;
	function = read_function(job, &values, offset);
	complete_function(job, &values, &function);
	function.name = capture_name(job, model->name);
	add_known_prototype(job, &worker->functions.items[slot - worker->first_function_slot],
			    model, &function);
	captured.type.kind = TYPE_FUNCTION;
	captured.type.name = function.name;
	if (!add_function(job, &function, &captured.type.first_item))
		return;
	captured.origin = function.origin;
	place = vector_push(&job->out->types);
	if (place == NULL)
		capture_no_memory(job);
	else
		*place = captured;
}
