/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Lists with a line for each type. */
#include <stdlib.h>

#include "print/show_parts.h"

static const char NO_NAME[] = "(anonymous)";

static const char *listed_name(struct show_run *run, uint32_t type)
{
	const char *name = show_name(run, type);

	return name ? name : NO_NAME;
}

static void separate(struct smelt_show *show)
{
	text_char(&show->text, show->options->separator ? show->options->separator : '\t');
}

static void list_number(struct smelt_show *show, uint64_t number)
{
	separate(show);
	text_number(&show->text, number);
}

/* Of a struct or union, also behind typedefs and the like; NULL: it is none, or no memory. */
static const struct aggregate_layout *layout_behind(struct show_run *run, uint32_t type)
{
	uint32_t base = facts_of(&run->layouts.facts, type)->base;

	return type_kind_is_aggregate(run->program->types[base].kind) ?
		       layout_of(&run->layouts, base) :
		       NULL;
}

/* Parameters of all functions that are pointers straight to each struct. */
static bool count_pointing(struct show_run *run)
{
	const struct program *program = run->program;

	run->pointing = calloc(program->type_count, sizeof(*run->pointing));
	if (!run->pointing)
		return false;
	for (uint32_t f = 0; f < program->function_count; f++) {
		const struct program_function *function = &program->functions[f];

		for (uint32_t i = 0; i < function->parameter_count; i++) {
			const struct program_parameter *parameter =
				&program->parameters[function->first_parameter + i];
			const struct program_type *type = &program->types[parameter->type];

			if (type->kind == TYPE_POINTER)
				run->pointing[type->type] += function->origin.definition_count;
		}
	}
	return true;
}

static enum smelt_status tally(struct smelt_show *show, struct show_run *run, uint32_t type,
			       uint32_t number, struct smelt_error *error)
{
	uint64_t count = program_definition_count(run->program, type);

	if (show->options->listing == SMELT_LIST_METHODS) {
		if (!run->pointing && !count_pointing(run))
			return error_no_memory(error);
		count = run->program->types[type].kind == TYPE_STRUCT ? run->pointing[type] : 0;
	}
	while (show->tallies.count <= number) {
		struct show_tally *added = vector_push(&show->tallies);

		if (!added)
			return error_no_memory(error);
		*added = (struct show_tally){ 0 };
	}
	if (!show->tallies.items[number].name) {
		show->tallies.items[number].name = strdup(listed_name(run, type));
		if (!show->tallies.items[number].name)
			return error_no_memory(error);
	}
	show->tallies.items[number].count += count;
	return SMELT_OK;
}

enum smelt_status show_list(struct smelt_show *show, struct show_run *run, uint32_t type,
			    uint32_t number, struct smelt_error *error)
{
	const char *name = listed_name(run, type);
	const struct aggregate_layout *layout;
	enum smelt_status status;
	uint64_t size;

	if (show->options->listing >= SMELT_LIST_REPEATS)
		return tally(show, run, type, number, error);
	text_string(&show->text, name);
	layout = layout_behind(run, type);
	switch (show->options->listing) {
	case SMELT_LIST_PACKED_SIZES:
		status = show_packed_size(show, run, type, &size, error);
		if (status)
			return status;
		list_number(show, run->program->types[type].size);
		list_number(show, size);
		list_number(show, run->program->types[type].size - size);
		break;
	case SMELT_LIST_SIZES:
		list_number(show, facts_of(&run->layouts.facts, type)->size);
		list_number(show, layout ? layout->hole_count : 0);
		break;
	case SMELT_LIST_MEMBERS:
		list_number(show, layout ? layout->member_count : 0);
		break;
	case SMELT_LIST_NAME_LENGTHS:
		list_number(show, strlen(name));
		break;
	default:
		break;
	}
	text_char(&show->text, '\n');
	if (show->options->selection == SMELT_SELECT_NAMED)
		text_char(&show->text, '\n');
	return show_flush(show, false, error);
}

enum smelt_status show_list_tallies(struct smelt_show *show, struct smelt_error *error)
{
	enum smelt_status status = SMELT_OK;

	for (size_t i = 0; i < show->tallies.count && !status; i++) {
		if (show->tallies.items[i].count == 0)
			continue;
		text_string(&show->text, show->tallies.items[i].name);
		list_number(show, show->tallies.items[i].count);
		text_char(&show->text, '\n');
		status = show_flush(show, false, error);
	}
	return status;
}
