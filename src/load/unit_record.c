/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * What outlives the job that loaded a unit: the functions that have a symbol, the variables that have an
 * address, tags, and the names that recording them uses. Counted first, then allocated once.
 */
#include <string.h>

#include "load/load_internal.h"

/* docs/encoding.md, 4.2 */
static bool function_is_recorded(const struct unit_load *load, const struct load_function *function)
{
	const struct load_parameter *parameters =
		load->worker->parameters.items + function->first_parameter;

	if (function->is_declaration || function->name == 0 || function->group == UINT32_MAX)
		return false;
	for (uint32_t i = 0; i < function->parameter_count; i++) {
		if (parameters[i].name == 0)
			return false;
	}
	return true;
}

/*
 * Whether this unit may be the first to use a name. A small table remembers for each of the commonest names the
 * lowest unit seen so far; forgetting one only means that it is listed once more.
 */
static bool name_may_be_first(struct unit_load *load, uint32_t name)
{
	_Atomic uint64_t *place = &load->loader->seen_names[name * UINT32_C(0x9e3779b1) >>
							    (32 - load->loader->seen_bits)];
	uint64_t seen = atomic_load_explicit(place, memory_order_relaxed);

	if (seen >> 32 == name && (uint32_t)seen <= load->unit_number + 1)
		return false;
	atomic_store_explicit(place, (uint64_t)name << 32 | (load->unit_number + 1),
			      memory_order_relaxed);
	return true;
}

static void note_name(struct unit_load *load, uint32_t name)
{
	uint32_t *place;

	if (name == 0 || !name_may_be_first(load, name))
		return;
	place = vector_push(&load->worker->function_names);
	if (place == NULL)
		load->out_of_memory = true;
	else
		*place = name;
}

static void note_symbols(struct unit_load *load, struct function_state *state)
{
	const struct symbol_group *group = &load->groups->groups[state->group];

	if (state->address == 0)
		return;
	for (uint32_t i = 0; i < group->symbol_count; i++) {
		uint32_t number = group->first_symbol + i;
		const struct function_symbol *symbol = &load->groups->symbols[number];

		if (symbol->address != state->address)
			continue;
		if (symbol->is_optimized)
			state->flags |= FUNCTION_OPTIMIZED_SYMBOL;
		if (symbol->has_suffix && state->symbol == 0 &&
		    load->loader->options.true_signatures)
			state->symbol = number + 1;
	}
}

/* docs/encoding.md, 4.4 */
static bool has_uncertain_location(struct unit_load *load, const struct load_function *function)
{
	uint32_t registers = register_convention_of(load->loader->machine)->count;
	const struct load_worker *worker = load->worker;
	bool uncertain = false;

	for (uint32_t i = registers; i < function->parameter_count; i++) {
		uint32_t slot = worker->parameters.items[function->first_parameter + i].type;
		const struct model_type *type = &worker->types.items[slot];

		if (type->kind == TYPE_STRUCT && type->name != 0 &&
		    unit_struct_is_packed(load, slot))
			uncertain = true;
	}
	return uncertain;
}

/* The parameter name of a struct member passed alone: both names, two underscores between. */
static uint32_t member_parameter_name(struct unit_load *load, const struct load_parameter *p)
{
	struct name_table *names = load->loader->names;
	const char *first = name_table_text(names, p->name);
	const char *second = name_table_text(names, p->member_name);
	size_t size = strlen(first) + 2 + strlen(second);
	char *text = arena_alloc(load->scratch, size + 1);
	uint32_t name;

	if (text == NULL) {
		load->out_of_memory = true;
		return 0;
	}
	memcpy(text, first, strlen(first));
	memcpy(text + strlen(first), "__", 2);
	memcpy(text + strlen(first) + 2, second, strlen(second) + 1);
	name = name_table_intern(names, text, size);
	load->out_of_memory |= name == UINT32_MAX;
	return name == UINT32_MAX ? 0 : name;
}

/* Whether a parameter stays in the prototype; *kept is what it is there. */
static bool keep_parameter(struct unit_load *load, const struct function_state *state,
			   const struct load_parameter *p, struct function_parameter *kept)
{
	bool changed = load->loader->options.true_signatures &&
		       (state->flags & FUNCTION_SIGNATURE_CHANGED);

	if ((state->flags & FUNCTION_REORDERED) && (!p->has_location || p->is_optimized))
		return false;
	if (changed && p->is_optimized)
		return false;
	*kept = (struct function_parameter){ .name = load_settled_name(load, p->name),
					     .type = p->type };
	if (changed && p->member_type != 0) {
		kept->name = member_parameter_name(load, p);
		kept->type = p->member_type;
	}
	return true;
}

static void record_function(struct unit_load *load, const struct load_function *function,
			    struct unit_record *record, uint32_t *parameter_count,
			    uint32_t *tag_count)
{
	struct load_worker *worker = load->worker;
	struct function_state *state = &record->functions[record->function_count++];

	*state = (struct function_state){
		.address = function->low_pc,
		.group = function->group,
		.first_parameter = *parameter_count,
		.first_tag = *tag_count,
		.tag_count = function->tag_count,
	};
	note_symbols(load, state);
	state->flags |= unit_function_flags(load, function);
	if (has_uncertain_location(load, function))
		state->flags |= FUNCTION_UNCERTAIN;
	state->return_type = unit_type_slot(load, function->type);
	for (uint32_t i = 0; i < function->parameter_count; i++) {
		const struct load_parameter *p =
			&worker->parameters.items[function->first_parameter + i];
		struct function_parameter *kept = &record->parameters[*parameter_count];

		if (!keep_parameter(load, state, p, kept))
			continue;
		note_name(load, kept->name);
		(*parameter_count)++;
	}
	if (function->is_variadic)
		record->parameters[(*parameter_count)++] = (struct function_parameter){ 0 };
	state->parameter_count = *parameter_count - state->first_parameter;
	for (uint32_t i = 0; i < function->tag_count; i++) {
		const struct decl_tag *tag = &worker->tags.items[function->first_tag + i];

		note_name(load, tag->value);
		record->tags[(*tag_count)++] = *tag;
	}
}

/* docs/encoding.md, 5.2, up to the search for a section */
static const struct load_variable *variable_declaration(const struct unit_load *load,
							const struct load_variable *variable)
{
	uint32_t value = variable->specification ?
				 die_index_find(&load->worker->index, variable->specification) :
				 0;

	if (value >> ENTITY_KIND_SHIFT == ENTITY_VARIABLE)
		return &load->worker->variables.items[value & ENTITY_NUMBER_MASK];
	return variable->is_declaration ? NULL : variable;
}

static bool variable_is_recorded(const struct unit_load *load, const struct load_variable *variable)
{
	return variable->is_at_unit_level && variable->has_address && !variable->is_artificial &&
	       variable_declaration(load, variable) != NULL;
}

static void record_variable(struct unit_load *load, const struct load_variable *variable,
			    struct unit_record *record, uint32_t *tag_count)
{
	const struct load_variable *declaration = variable_declaration(load, variable);
	uint32_t type = unit_type_slot(load, declaration->type);
	struct variable_record *place = &record->variables[record->variable_count++];

	*place = (struct variable_record){
		.address = variable->address,
		.size = unit_type_size(load, type),
		.name = load_settled_name(load, declaration->name),
		.type = type,
		.first_tag = *tag_count,
		.tag_count = declaration->tag_count,
		.is_external = declaration->is_external,
	};
	for (uint32_t i = 0; i < declaration->tag_count; i++)
		record->tags[(*tag_count)++] = load->worker->tags.items[declaration->first_tag + i];
}

/* Sizes of a record's arrays, at most. */
struct record_sizes {
	size_t functions, parameters, tags, variables;
};

static struct record_sizes count_record(const struct unit_load *load)
{
	const struct load_worker *worker = load->worker;
	struct record_sizes sizes = { 0 };

	for (size_t i = 0; i < worker->functions.count; i++) {
		const struct load_function *function = &worker->functions.items[i];

		if (!function_is_recorded(load, function))
			continue;
		sizes.functions++;
		sizes.parameters += function->parameter_count + function->is_variadic;
		sizes.tags += function->tag_count;
	}
	for (size_t i = 0; i < worker->variables.count; i++) {
		if (!variable_is_recorded(load, &worker->variables.items[i]))
			continue;
		sizes.variables++;
		sizes.tags += variable_declaration(load, &worker->variables.items[i])->tag_count;
	}
	return sizes;
}

static bool allocate_record(struct unit_load *load, struct unit_record *record,
			    const struct record_sizes *sizes)
{
	struct arena *arena = &load->worker->results;

	record->functions = arena_alloc(arena, sizes->functions * sizeof(*record->functions));
	record->parameters = arena_alloc(arena, sizes->parameters * sizeof(*record->parameters));
	record->tags = arena_alloc(arena, sizes->tags * sizeof(*record->tags));
	record->variables = arena_alloc(arena, sizes->variables * sizeof(*record->variables));
	return record->functions && record->parameters && record->tags && record->variables;
}

static void *copy_out(struct unit_load *load, const void *items, size_t size)
{
	void *copy = arena_alloc(&load->worker->results, size);

	if (copy == NULL)
		load->out_of_memory = true;
	else if (size != 0)
		memcpy(copy, items, size);
	return copy;
}

bool unit_copy_record(struct unit_load *load, struct unit_record *record)
{
	struct load_worker *worker = load->worker;
	struct record_sizes sizes = count_record(load);
	uint32_t parameter_count = 0, tag_count = 0;

	if (!vector_reserve(&worker->packed_state, worker->types.count) ||
	    !allocate_record(load, record, &sizes))
		return false;
	memset(worker->packed_state.items, 0, worker->types.count);
	worker->function_names.count = 0;
	for (size_t i = 0; i < worker->functions.count; i++) {
		if (function_is_recorded(load, &worker->functions.items[i]))
			record_function(load, &worker->functions.items[i], record, &parameter_count,
					&tag_count);
	}
	for (size_t i = 0; i < worker->variables.count; i++) {
		if (variable_is_recorded(load, &worker->variables.items[i]))
			record_variable(load, &worker->variables.items[i], record, &tag_count);
	}
	record->function_name_count = (uint32_t)worker->function_names.count;
	record->function_names =
		copy_out(load, worker->function_names.items,
			 worker->function_names.count * sizeof(*record->function_names));
	record->type_tag_count = (uint32_t)worker->type_tags.count;
	record->type_tags = copy_out(load, worker->type_tags.items,
				     worker->type_tags.count * sizeof(*record->type_tags));
	return !load->out_of_memory;
}
