/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * What was captured becomes the program: in the order of the types, with numbers in the place of slots. Arrays are
 * made as large as all captures together, which is hardly more than what is taken of them.
 */
#include <string.h>

#include "base/key_map.h"
#include "program/program_run.h"

struct assembly {
	struct program_run *run;
	struct program *program;
	uint32_t *type_numbers; /* per number of the set: the program's; 0: a function */
	uint32_t *counts;       /* per number of the set: definitions; or NULL */
	struct key_map scopes;  /* parent, name, kind → number */
	uint32_t **
		scope_numbers; /* per worker, per scope of its capture: number + 1; 0: not there yet */
	bool out_of_memory;
	/* Of the type that is being copied. */
	unsigned worker;
	const struct capture *capture;
	uint32_t unit; /* that its references are slots of */
};

static uint32_t number_of(const struct assembly *assembly, uint32_t slot)
{
	return slot ? assembly->type_numbers[dedup_number_of(assembly->run->dedup, assembly->unit,
							     slot)] :
		      0;
}

/* ---- Scopes ---- */

/* Scopes in scopes are as deep as DIEs at most. */
static uint32_t copy_scope(struct assembly *assembly, uint32_t index)
{
	const struct captured_scope *scope = &assembly->capture->scopes.items[index];
	uint32_t *known = &assembly->scope_numbers[assembly->worker][index];
	struct program *program = assembly->program;
	uint32_t parent, number;
	bool is_new = false;

	if (index == 0)
		return 0;
	if (*known != 0)
		return *known - 1;
	parent = copy_scope(assembly, scope->parent);
	number = key_map_add(&assembly->scopes,
			     (struct map_key){ parent, scope->name, scope->kind },
			     program->scope_count, &is_new);
	if (number == UINT32_MAX) {
		assembly->out_of_memory = true;
		return 0;
	}
	if (is_new) {
		struct name_table *names = dwarf_loader_names(assembly->run->backing->loader);

		program->scopes[program->scope_count++] = (struct program_scope){
			.name = scope->name ? name_table_text(names, scope->name) : NULL,
			.parent = parent,
			.kind = (uint8_t)scope->kind,
		};
	}
	*known = number + 1;
	return number;
}

/* ---- Items ---- */

static uint32_t copy_parameters(struct assembly *assembly, uint32_t first, uint32_t count)
{
	struct program *program = assembly->program;
	const struct program_parameter *from = assembly->capture->parameters.items + first;
	uint32_t result = program->parameter_count;

	for (uint32_t i = 0; i < count; i++)
		program->parameters[result + i] = (struct program_parameter){
			.name = from[i].name,
			.type = number_of(assembly, from[i].type),
		};
	program->parameter_count += count;
	return result;
}

static uint32_t copy_function(struct assembly *assembly, uint32_t index, uint32_t scope)
{
	struct program *program = assembly->program;
	const struct program_function *from = &assembly->capture->functions.items[index];
	struct program_function *to = &program->functions[program->function_count];

	*to = *from;
	to->return_type = number_of(assembly, from->return_type);
	to->first_parameter =
		copy_parameters(assembly, from->first_parameter, from->parameter_count);
	to->scope = scope;
	return program->function_count++;
}

static uint32_t copy_members(struct assembly *assembly, uint32_t first, uint32_t count,
			     uint32_t scope);

static uint32_t copy_variant_part(struct assembly *assembly, uint32_t index, uint32_t scope)
{
	struct program *program = assembly->program;
	const struct program_variant_part *from = &assembly->capture->variant_parts.items[index];
	uint32_t result = program->variant_part_count++;
	uint32_t first = program->variant_count;

	program->variant_count += from->variant_count;
	program->variant_parts[result] = *from;
	program->variant_parts[result].discriminant = number_of(assembly, from->discriminant);
	program->variant_parts[result].first_variant = first;
	for (uint32_t i = 0; i < from->variant_count; i++) {
		const struct program_variant *variant =
			&assembly->capture->variants.items[from->first_variant + i];

		program->variants[first + i] = *variant;
		program->variants[first + i].first_member =
			copy_members(assembly, variant->first_member, variant->member_count, scope);
	}
	return result;
}

static uint32_t copy_members(struct assembly *assembly, uint32_t first, uint32_t count,
			     uint32_t scope)
{
	struct program *program = assembly->program;
	const struct program_member *from = assembly->capture->members.items + first;
	uint32_t result = program->member_count;

	program->member_count += count;
	for (uint32_t i = 0; i < count; i++) {
		struct program_member *to = &program->members[result + i];

		*to = from[i];
		if (from[i].kind == MEMBER_METHOD)
			to->type = copy_function(assembly, from[i].type, scope);
		else if (from[i].kind == MEMBER_VARIANT_PART)
			to->type = copy_variant_part(assembly, from[i].type, scope);
		else
			to->type = number_of(assembly, from[i].type);
	}
	return result;
}

static uint32_t copy_enumerators(struct assembly *assembly, uint32_t first, uint32_t count)
{
	struct program *program = assembly->program;
	uint32_t result = program->enumerator_count;

	if (count != 0)
		memcpy(program->enumerators + result, assembly->capture->enumerators.items + first,
		       count * sizeof(*program->enumerators));
	program->enumerator_count += count;
	return result;
}

static uint32_t copy_dimensions(struct assembly *assembly, uint32_t first, uint32_t count)
{
	struct program *program = assembly->program;
	uint32_t result = program->dimension_count;

	if (count != 0)
		memcpy(program->dimensions + result, assembly->capture->dimensions.items + first,
		       count * sizeof(*program->dimensions));
	program->dimension_count += count;
	return result;
}

/* ---- Types ---- */

static void copy_type(struct assembly *assembly, const struct captured_type *captured,
		      uint32_t number)
{
	struct program *program = assembly->program;
	struct program_type *type = &program->types[number];
	uint32_t first = captured->type.first_item, count = captured->type.item_count;

	*type = captured->type;
	type->type = number_of(assembly, captured->type.type);
	type->scope = copy_scope(assembly, captured->type.scope);
	program->origins[number] = captured->origin;
	switch (type->kind) {
	case TYPE_STRUCT:
	case TYPE_UNION:
		type->first_item = copy_members(assembly, first, count, type->scope);
		break;
	case TYPE_ENUM:
		type->first_item = copy_enumerators(assembly, first, count);
		break;
	case TYPE_FUNCTION:
		type->first_item = copy_parameters(assembly, first, count);
		break;
	case TYPE_ARRAY:
		type->first_item = copy_dimensions(assembly, first, count);
		break;
	case TYPE_MEMBER_POINTER:
		type->member_of = number_of(assembly, captured->type.member_of);
		break;
	default:
		break;
	}
}

static void copy_types(struct assembly *assembly)
{
	const struct program_run *run = assembly->run;
	struct program *program = assembly->program;
	uint32_t count = dedup_type_count(run->dedup);

	for (uint32_t number = 1; number <= count; number++) {
		const struct chosen_type *chosen = &run->chosen[number];
		struct program_origin *origin;

		assembly->worker = chosen->worker;
		assembly->capture = &run->captures[chosen->worker].capture;
		assembly->unit = chosen->captured->unit;
		if (chosen->captured->is_function) {
			uint32_t index =
				copy_function(assembly, chosen->captured->type.first_item, 0);

			origin = &program->functions[index].origin;
		} else {
			copy_type(assembly, chosen->captured, assembly->type_numbers[number]);
			origin = &program->origins[assembly->type_numbers[number]];
		}
		if (assembly->counts && assembly->counts[number] > 1)
			origin->definition_count = assembly->counts[number];
	}
}

/* Functions are no types of the program. */
static bool number_types(struct assembly *assembly)
{
	struct program_run *run = assembly->run;
	uint32_t count = dedup_type_count(run->dedup), next = 1;

	assembly->type_numbers = arena_calloc(&run->arena, count + 1ull, sizeof(uint32_t));
	if (assembly->type_numbers == NULL)
		return false;
	for (uint32_t number = 1; number <= count; number++) {
		if (!run->chosen[number].captured->is_function)
			assembly->type_numbers[number] = next++;
	}
	assembly->program->type_count = next;
	return true;
}

static bool count_definitions(struct assembly *assembly)
{
	struct program_run *run = assembly->run;
	size_t count = (size_t)dedup_type_count(run->dedup) + 1;

	if (!run->options->has_definition_counts)
		return true;
	assembly->counts = arena_calloc(&run->arena, count, sizeof(*assembly->counts));
	if (assembly->counts != NULL)
		dedup_count_definitions(run->dedup, assembly->counts);
	return assembly->counts != NULL;
}

/* ---- Units ---- */

static void copy_units(struct assembly *assembly)
{
	struct program_run *run = assembly->run;

	for (unsigned i = 0; i < worker_pool_size(run->pool); i++) {
		const struct capture *capture = &run->captures[i].capture;

		for (size_t k = 0; k < capture->units.count; k++)
			assembly->program->units[capture->units.items[k].number] =
				capture->units.items[k].unit;
	}
}

/* ---- Memory ---- */

/* How much is there of each, in all captures. */
struct part_counts {
	size_t members, enumerators, parameters, dimensions, variant_parts, variants, functions,
		scopes;
};

static struct part_counts count_parts(const struct program_run *run)
{
	struct part_counts counts = { .scopes = 1 };

	for (unsigned i = 0; i < worker_pool_size(run->pool); i++) {
		const struct capture *capture = &run->captures[i].capture;

		counts.members += capture->members.count;
		counts.enumerators += capture->enumerators.count;
		counts.parameters += capture->parameters.count;
		counts.dimensions += capture->dimensions.count;
		counts.variant_parts += capture->variant_parts.count;
		counts.variants += capture->variants.count;
		counts.functions += capture->functions.count;
		counts.scopes += capture->scopes.count;
	}
	return counts;
}

/* arrays of program->arena; false when out of memory. Counts stay as they are. */
static bool allocate(const struct program_run *run, struct program *program)
{
	const struct part_counts counts = count_parts(run);
	struct arena *arena = &program->arena;
	const struct program_scope *first_scope = program->scopes;
	size_t unit_count = dwarf_loader_file_unit_count(run->backing->loader);

	program->types = arena_calloc(arena, program->type_count, sizeof(*program->types));
	program->origins = arena_calloc(arena, program->type_count, sizeof(*program->origins));
	program->members = arena_alloc(arena, counts.members * sizeof(*program->members));
	program->enumerators =
		arena_alloc(arena, counts.enumerators * sizeof(*program->enumerators));
	program->parameters = arena_alloc(arena, counts.parameters * sizeof(*program->parameters));
	program->dimensions = arena_alloc(arena, counts.dimensions * sizeof(*program->dimensions));
	program->variant_parts =
		arena_alloc(arena, counts.variant_parts * sizeof(*program->variant_parts));
	program->variants = arena_alloc(arena, counts.variants * sizeof(*program->variants));
	program->functions = arena_alloc(arena, counts.functions * sizeof(*program->functions));
	program->scopes = arena_alloc(arena, counts.scopes * sizeof(*program->scopes));
	if (unit_count != 0) {
		program->unit_count = (uint32_t)unit_count;
		program->units = arena_calloc(arena, unit_count, sizeof(*program->units));
	}
	if (program->scopes != NULL)
		program->scopes[0] = *first_scope;
	return program->types && program->origins && program->members && program->enumerators &&
	       program->parameters && program->dimensions && program->variant_parts &&
	       program->variants && program->functions && program->scopes && program->units;
}

static bool prepare_scopes(struct assembly *assembly)
{
	struct program_run *run = assembly->run;
	unsigned count = worker_pool_size(run->pool);

	assembly->scope_numbers =
		arena_alloc(&run->arena, count * sizeof(*assembly->scope_numbers));
	for (unsigned i = 0; assembly->scope_numbers && i < count; i++) {
		assembly->scope_numbers[i] = arena_calloc(&run->arena,
							  run->captures[i].capture.scopes.count,
							  sizeof(**assembly->scope_numbers));
		if (!assembly->scope_numbers[i])
			return false;
	}
	return assembly->scope_numbers != NULL;
}

enum smelt_status assemble_program(struct program_run *run, struct program *program,
				   struct smelt_error *error)
{
	struct assembly assembly = { .run = run, .program = program };
	const struct dwarf_loader *loader = run->backing->loader;

	if (!number_types(&assembly) || !count_definitions(&assembly) || !allocate(run, program) ||
	    !prepare_scopes(&assembly))
		return error_no_memory(error);
	copy_units(&assembly);
	copy_types(&assembly);
	key_map_deinit(&assembly.scopes);
	program->address_size = dwarf_loader_address_size(loader);
	program->is_big_endian = dwarf_loader_is_big_endian(loader);
	program->has_alignment = true;
	if (assembly.out_of_memory || !program_break_loops(program))
		return error_no_memory(error);
	return SMELT_OK;
}
