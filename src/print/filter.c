/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#include <stdlib.h>

#include "print/show_parts.h"

uint32_t show_typedef_of(struct show_run *run, uint32_t number)
{
	const struct program *program = run->program;

	if (!run->typedef_names) {
		run->typedef_names = calloc(program->type_count, sizeof(*run->typedef_names));
		if (!run->typedef_names) {
			run->layouts.out_of_memory = true;
			return 0;
		}
		for (uint32_t i = program->type_count; i-- > 1;)
			if (program->types[i].kind == TYPE_TYPEDEF && program->types[i].name)
				run->typedef_names[program->types[i].type] = i;
	}
	return run->typedef_names[number];
}

const char *show_name(struct show_run *run, uint32_t number)
{
	const struct program_type *types = run->program->types;

	return types[number].name ? types[number].name : types[show_typedef_of(run, number)].name;
}

static bool starts_with(const char *text, const char *prefix)
{
	return strncmp(text, prefix, strlen(prefix)) == 0;
}

static bool name_passes(const struct smelt_filter *filter, struct show_run *run, uint32_t number)
{
	const struct program *program = run->program;
	const char *name = program->types[number].name;
	const char *file = program->origins ? program->origins[number].file : NULL;

	if (!name) {
		if (!filter->anonymous || (!filter->all_anonymous && !show_typedef_of(run, number)))
			return false;
		name = show_name(run, number);
	}
	if (name && filter->exclude_prefix && starts_with(name, filter->exclude_prefix))
		return false;
	if (name && filter->name_prefix && !starts_with(name, filter->name_prefix))
		return false;
	return !filter->exclude_file_prefix ||
	       (file && !starts_with(file, filter->exclude_file_prefix));
}

/* What only structs can have. */
static bool wants_layout(const struct smelt_filter *filter)
{
	return filter->only_packed || filter->only_packable || filter->only_flexible ||
	       filter->only_embedding_flexible || filter->holes || filter->bit_holes ||
	       filter->hole_bytes || filter->padding_bytes;
}

static bool layout_passes(const struct smelt_filter *filter, struct show_run *run, uint32_t number)
{
	const struct type_facts *facts = facts_of(&run->layouts.facts, number);
	const struct aggregate_layout *layout = layout_of(&run->layouts, number);

	return layout && (!filter->only_packed || layout->is_packed) &&
	       layout->hole_count >= filter->holes && layout->bit_hole_count >= filter->bit_holes &&
	       layout->largest_hole >= filter->hole_bytes &&
	       layout->padding >= filter->padding_bytes &&
	       (!filter->only_flexible || facts->ends_in_flexible_array) &&
	       (!filter->only_embedding_flexible || facts->embeds_flexible_array);
}

bool show_filter_passes(struct smelt_show *show, struct show_run *run, uint32_t number)
{
	const struct smelt_filter *filter = &show->options->filter;
	const struct program_type *type = &run->program->types[number];

	if (!type_kind_is_aggregate(type->kind) || (type->scope != 0 && !filter->private_types))
		return false;
	if (filter->only_structs != filter->only_unions &&
	    filter->only_structs != (type->kind == TYPE_STRUCT))
		return false;
	if (!name_passes(filter, run, number))
		return false;
	if (!wants_layout(filter))
		return true;
	return type->kind == TYPE_STRUCT && layout_passes(filter, run, number);
}
