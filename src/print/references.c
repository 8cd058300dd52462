/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Types with a member of a type, or with a pointer to it. */
#include <stdlib.h>

#include "print/show_parts.h"

enum { CONTAINED_DEPTH_MAX = 64, INDENT_WIDTH = 2 };

/* A bit per type: it has one of the names asked for. */
struct wanted_types {
	const struct program *program;
	uint64_t *bits;
};

static bool is_wanted(const struct wanted_types *wanted, uint32_t type)
{
	return wanted->bits[type / 64] >> (type % 64) & 1;
}

static bool can_be_member(enum type_kind kind)
{
	return type_kind_is_aggregate(kind) || kind == TYPE_ENUM || kind == TYPE_TYPEDEF;
}

static bool can_be_pointed_to(enum type_kind kind)
{
	return can_be_member(kind) || kind == TYPE_STRUCT_FORWARD || kind == TYPE_UNION_FORWARD;
}

static enum smelt_status find_wanted(struct smelt_show *show, const struct program *program,
				     bool pointers, struct wanted_types *wanted,
				     struct smelt_error *error)
{
	name_matches matches = { 0 };
	bool is_complete = true;

	*wanted = (struct wanted_types){ .program = program };
	wanted->bits = calloc(program->type_count / 64 + 1, sizeof(*wanted->bits));
	for (uint32_t type = 1; type < program->type_count && is_complete; type++) {
		const char *name = program->types[type].name;
		enum type_kind kind = program->types[type].kind;

		if (name && (pointers ? can_be_pointed_to(kind) : can_be_member(kind)))
			is_complete = name_lookup_try(show->lookup, name, type, &matches);
	}
	if (!wanted->bits || !is_complete) {
		vector_deinit(&matches);
		free(wanted->bits);
		return error_no_memory(error);
	}
	for (size_t i = 0; i < matches.count; i++)
		wanted->bits[matches.items[i].type / 64] |= UINT64_C(1)
							    << (matches.items[i].type % 64);
	vector_deinit(&matches);
	return SMELT_OK;
}

static uint32_t count_members(const struct wanted_types *wanted, uint32_t number)
{
	const struct program_type *type = &wanted->program->types[number];
	const struct program_member *members = program_members(wanted->program, type);
	uint32_t count = 0;

	for (uint32_t i = 0; i < type->item_count; i++)
		count += members[i].kind <= MEMBER_BASE && is_wanted(wanted, members[i].type);
	return count;
}

static void print_container(struct smelt_show *show, struct show_run *run, uint32_t type,
			    unsigned depth, uint32_t count)
{
	const char *name = show_name(run, type);

	text_fill(&show->text, ' ', (size_t)depth * INDENT_WIDTH);
	text_string(&show->text, name ? name : "(anonymous)");
	if (show->options->counts) {
		text_string(&show->text, ": ");
		text_number(&show->text, count);
	}
	text_char(&show->text, '\n');
}

/* --recursive: types of members that contain it, too. */
static void print_inner_containers(struct smelt_show *show, struct show_run *run,
				   const struct wanted_types *wanted, uint32_t number,
				   unsigned depth)
{
	const struct program_type *types = run->program->types;
	const struct program_member *members = program_members(run->program, &types[number]);

	for (uint32_t i = 0; i < types[number].item_count && !show->text.failed; i++) {
		uint32_t count;

		if (members[i].kind > MEMBER_BASE ||
		    !type_kind_is_aggregate(types[members[i].type].kind))
			continue;
		count = count_members(wanted, members[i].type);
		if (count == 0)
			continue;
		print_container(show, run, members[i].type, depth, count);
		if (depth < CONTAINED_DEPTH_MAX)
			print_inner_containers(show, run, wanted, members[i].type, depth + 1);
	}
}

enum smelt_status show_containing(struct smelt_show *show, struct show_run *run,
				  struct smelt_error *error)
{
	struct wanted_types wanted;
	enum smelt_status status = find_wanted(show, run->program, false, &wanted, error);

	if (status)
		return status;
	for (uint32_t type = 1; type < run->program->type_count && !status; type++) {
		uint32_t count, number;
		bool is_new;

		if (!show_filter_passes(show, run, type))
			continue;
		count = count_members(&wanted, type);
		if (count == 0)
			continue;
		status = show_note(show, run, type, &number, &is_new, error);
		if (status || !is_new)
			continue;
		print_container(show, run, type, 0, count);
		if (show->options->recursive)
			print_inner_containers(show, run, &wanted, type, 1);
		status = show_flush(show, false, error);
	}
	free(wanted.bits);
	return status;
}

/* Prints nothing if `prints` is not set; returns how many there are. */
static uint32_t print_pointers(struct smelt_show *show, struct show_run *run,
			       const struct wanted_types *wanted, uint32_t number, bool prints)
{
	const struct program_type *types = run->program->types;
	const struct program_member *members = program_members(run->program, &types[number]);
	const char *name = show_name(run, number);
	uint32_t count = 0;

	for (uint32_t i = 0; i < types[number].item_count; i++) {
		const struct program_type *type = &types[members[i].type];

		if (members[i].kind > MEMBER_BASE || type->kind != TYPE_POINTER ||
		    !is_wanted(wanted, type->type))
			continue;
		count++;
		if (!prints)
			continue;
		text_string(&show->text, name ? name : "(anonymous)");
		text_string(&show->text, ": ");
		text_string(&show->text, members[i].name ? members[i].name : "");
		text_char(&show->text, '\n');
	}
	return count;
}

enum smelt_status show_pointing(struct smelt_show *show, struct show_run *run,
				struct smelt_error *error)
{
	struct wanted_types wanted;
	enum smelt_status status = find_wanted(show, run->program, true, &wanted, error);

	if (status)
		return status;
	for (uint32_t type = 1; type < run->program->type_count && !status; type++) {
		uint32_t number;
		bool is_new;

		if (!show_filter_passes(show, run, type) ||
		    !print_pointers(show, run, &wanted, type, false))
			continue;
		status = show_note(show, run, type, &number, &is_new, error);
		if (status || !is_new)
			continue;
		(void)print_pointers(show, run, &wanted, type, true);
		status = show_flush(show, false, error);
	}
	free(wanted.bits);
	return status;
}

enum smelt_status show_pointed_to(struct smelt_show *show, struct show_run *run,
				  struct smelt_error *error)
{
	const struct program *program = run->program;
	uint64_t *done = calloc(program->type_count / 64 + 1, sizeof(*done));
	enum smelt_status status = SMELT_OK;

	if (!done)
		return error_no_memory(error);
	for (uint32_t i = 0; i < program->function_count && !status; i++) {
		const struct program_function *function = &program->functions[i];

		for (uint32_t k = 0; k < function->parameter_count && !status; k++) {
			uint32_t number = program->parameters[function->first_parameter + k].type;
			uint32_t target = program->types[number].type;

			if (program->types[number].kind != TYPE_POINTER ||
			    program->types[target].kind != TYPE_STRUCT ||
			    done[target / 64] >> (target % 64) & 1)
				continue;
			done[target / 64] |= UINT64_C(1) << (target % 64);
			if (show_filter_passes(show, run, target))
				status = show_type(show, run, target, error);
		}
	}
	free(done);
	return status;
}
