/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Names, types and places of parameters, through abstract origins.
 *
 * An inlined or cloned function is described twice: an abstract instance has the names and types, a
 * concrete one the places. Both become states of one function, so the places flow back
 * to the abstract instance. Functions are taken in the order of their table, and see of each other what is there
 * at that moment, as the incumbent does it.
 */
#include "load/load_internal.h"

static struct load_function *find_function(const struct unit_load *load, uint32_t reference)
{
	uint32_t value = reference ? die_index_find(&load->worker->index, reference) : 0;

	if (value >> ENTITY_KIND_SHIFT != ENTITY_FUNCTION)
		return NULL;
	return &load->worker->functions.items[value & ENTITY_NUMBER_MASK];
}

static struct load_parameter *find_parameter(const struct unit_load *load, uint32_t reference)
{
	uint32_t value = reference ? die_index_find(&load->worker->index, reference) : 0;

	if (value >> ENTITY_KIND_SHIFT != ENTITY_PARAMETER)
		return NULL;
	return &load->worker->parameters.items[value & ENTITY_NUMBER_MASK];
}

/* Most functions have no symbol, and nobody asks for their parameters' types. */
static void resolve_type(const struct unit_load *load, struct load_parameter *parameter)
{
	if (!parameter->is_resolved)
		parameter->type = unit_type_slot(load, parameter->type);
	parameter->is_resolved = true;
}

/* What the incumbent takes for a parameter's size: the first size met on the way through its types. */
static uint32_t parameter_size(const struct unit_load *load, uint32_t slot)
{
	const struct model_type *types = load->worker->types.items;
	size_t limit = load->worker->types.count;

	for (; slot != 0 && limit > 0; limit--, slot = types[slot].type) {
		const struct model_type *type = &types[slot];

		if (type->kind == TYPE_POINTER)
			return load->address_size;
		if (type->kind == TYPE_INT && type->reserved != 0)
			return type->reserved;
		if (type->kind != TYPE_ARRAY && type->size != 0)
			return type->size;
	}
	return 0;
}

/* What a concrete parameter tells the abstract one. */
static void update_origin(struct load_parameter *origin, const struct load_parameter *parameter)
{
	origin->has_location |= parameter->has_location;
	origin->has_const |= parameter->has_const;
	origin->is_const |= parameter->is_const;
	origin->on_stack |= parameter->on_stack;
	origin->in_memory |= parameter->in_memory;
	origin->is_optimized |= parameter->is_optimized;
	origin->is_unexpected |= parameter->is_unexpected;
	if (parameter->has_register) {
		origin->has_register = true;
		origin->reg = parameter->reg;
	}
	if (parameter->size != 0)
		origin->size = parameter->size;
	origin->first_fields |= parameter->first_fields;
	origin->second_fields |= parameter->second_fields;
	if (origin->member_type == 0) {
		origin->member_type = parameter->member_type;
		origin->member_name = parameter->member_name;
	}
}

static void resolve_parameter(struct unit_load *load, struct load_function *function,
			      struct load_parameter *parameter)
{
	struct load_parameter *origin = find_parameter(load, parameter->origin);
	bool takes_from_origin;

	resolve_type(load, parameter);
	if (origin != NULL)
		resolve_type(load, origin);
	takes_from_origin = origin != NULL && parameter->type == 0;
	if (function->group != UINT32_MAX)
		parameter_locate(load, function, parameter,
				 parameter_size(load, origin ? origin->type : parameter->type));
	if (!takes_from_origin)
		return;
	parameter->name = origin->name;
	parameter->type = origin->type;
	if (parameter->position != origin->position)
		function->is_reordered = true;
	update_origin(origin, parameter);
}

static void resolve_name(struct unit_load *load, struct load_function *function)
{
	const struct load_function *named = NULL;

	if (function->name == 0 && function->origin != 0)
		named = find_function(load, function->origin);
	if (function->name == 0 && (named == NULL || named->name == 0) &&
	    function->specification != 0)
		named = find_function(load, function->specification);
	if (named != NULL)
		function->name = named->name;
}

/* All at once: see symbol_groups_find(). */
static void find_groups(struct unit_load *load)
{
	struct load_worker *worker = load->worker;
	size_t count = worker->functions.count;
	uint32_t *names = arena_alloc(load->scratch, count * sizeof(*names));
	uint32_t *groups = arena_alloc(load->scratch, count * sizeof(*groups));

	if (names == NULL || groups == NULL) {
		load->out_of_memory = true;
		return;
	}
	for (size_t i = 0; i < count; i++) {
		const struct load_function *function = &worker->functions.items[i];

		names[i] = function->is_declaration ? 0 : function->name;
	}
	if (!name_table_settle_all(load->loader->names, names, count)) {
		load->out_of_memory = true;
		return;
	}
	symbol_groups_find(load->groups, names, (uint32_t)count, groups);
	for (size_t i = 0; i < count; i++)
		worker->functions.items[i].group = groups[i];
}

static void resolve_parameters(struct unit_load *load, struct load_function *function)
{
	for (uint32_t i = 0; i < function->parameter_count; i++)
		resolve_parameter(load, function,
				  &load->worker->parameters.items[function->first_parameter + i]);
}

void unit_resolve_functions(struct unit_load *load)
{
	struct load_worker *worker = load->worker;

	for (size_t i = 0; i < worker->functions.count; i++)
		resolve_name(load, &worker->functions.items[i]);
	if (load->groups != NULL)
		find_groups(load);
	for (size_t i = 0; i < worker->functions.count; i++) {
		if (load->groups == NULL)
			worker->functions.items[i].group = UINT32_MAX;
		if (load->groups == NULL || worker->functions.items[i].group != UINT32_MAX)
			resolve_parameters(load, &worker->functions.items[i]);
	}
	for (size_t i = 0; i < worker->functions.count; i++) {
		struct load_function *function = &worker->functions.items[i];
		const struct load_function *origin =
			function->type == 0 ? find_function(load, function->origin) : NULL;

		if (origin != NULL)
			function->type = origin->type;
	}
}
