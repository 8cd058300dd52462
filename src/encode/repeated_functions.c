/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * With several files, each one's functions are chosen for themselves. Of those with the same name and
 * prototype the first file's stands for all; others of that name are other functions.
 */
#include "encode/functions.h"

/* Functions of one name stand together, in the order of files. */
static uint32_t key_of(const struct encode_run *run, uint32_t number)
{
	uint32_t group = run->function_groups[number];
	const struct run_input *input = input_of_group(run, group);

	return input->groups->groups[group - input->first_group].name;
}

static bool is_repeat(const struct encode_run *run, uint32_t first, uint32_t number)
{
	const struct encoded_function *one = &run->functions[first];
	const struct encoded_function *other = &run->functions[number];

	/* The full name of a symbol is not that of the group. */
	return one->name == other->name &&
	       prototype_table_first(run->prototypes, one->place) ==
		       prototype_table_first(run->prototypes, other->place);
}

/* The tags of both. */
static bool merge_tags(struct encode_run *run, struct encoded_function *function,
		       struct tag_list *added)
{
	const struct tag_list *own = function->tags;
	struct tag_list *list;

	if (!added)
		return true;
	if (!own) {
		function->tags = added;
		return true;
	}
	list = tag_list_create(run->arena, own->count + added->count);
	if (!list || !tag_list_add(list, own->tags, own->count, function->name, &run->issues) ||
	    !tag_list_add(list, added->tags, added->count, function->name, &run->issues))
		return false;
	function->tags = list;
	return true;
}

/* Joins `number` to the first of those from `first` on that it repeats. */
static bool join(struct encode_run *run, uint32_t first, uint32_t number)
{
	struct encoded_function *function = &run->functions[number];

	for (uint32_t i = first; i < number && function->name != 0; i++) {
		if (run->functions[i].name == 0 || !is_repeat(run, i, number))
			continue;
		if (!merge_tags(run, &run->functions[i], function->tags))
			return false;
		function->name = 0;
		run->prototypes->functions[number] = NULL;
		run->report->functions.encoded--;
	}
	return true;
}

enum smelt_status join_repeated_functions(struct encode_run *run, struct smelt_error *error)
{
	uint32_t first = 0;

	for (uint32_t i = 1; i < run->function_count; i++) {
		if (key_of(run, i) != key_of(run, first))
			first = i;
		if (!join(run, first, i))
			return error_no_memory(error);
	}
	return SMELT_OK;
}
