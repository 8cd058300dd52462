/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Functions are encoded by name. Only those that some unit describes need a place. */
#include <stdlib.h>

#include "base/text_sort.h"
#include "encode/run.h"

static bool is_used(const struct symbol_group *group)
{
	return atomic_load_explicit(&group->name, memory_order_relaxed) != 0;
}

static uint32_t count_used(const struct symbol_groups *groups)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < groups->group_count; i++)
		count += is_used(&groups->groups[i]);
	return count;
}

/* Returns where the next file's keys go. */
static struct text_key *collect_keys(const struct run_input *input, struct text_key *keys)
{
	const struct symbol_groups *groups = input->groups;

	for (uint32_t i = 0; i < groups->group_count; i++) {
		if (is_used(&groups->groups[i]))
			*keys++ = (struct text_key){
				.text = symbol_group_key(groups, i),
				.size = groups->groups[i].key_size,
				.value = input->first_group + i,
			};
	}
	return keys;
}

/* Functions of one name in several files keep the order of the files. */
static bool sort_groups(struct encode_run *run, struct text_key *keys)
{
	struct text_key *next = keys;

	for (uint32_t i = 0; i < run->input_count; i++)
		next = collect_keys(&run->inputs[i], next);
	return text_sort_parallel(keys, run->function_count, run->pool);
}

enum smelt_status order_functions(struct encode_run *run, struct smelt_error *error)
{
	struct text_key *keys;

	for (uint32_t i = 0; i < run->input_count; i++)
		run->function_count += count_used(run->inputs[i].groups);
	keys = malloc((run->function_count + 1ull) * sizeof(*keys));
	run->group_functions = run_alloc(run, run->group_count, sizeof(*run->group_functions));
	run->function_groups = run_alloc(run, run->function_count, sizeof(*run->function_groups));
	if (!keys || !run->group_functions || !run->function_groups || !sort_groups(run, keys)) {
		free(keys);
		return error_no_memory(error);
	}
	for (uint32_t i = 0; i < run->function_count; i++) {
		run->function_groups[i] = keys[i].value;
		run->group_functions[keys[i].value] = i;
	}
	free(keys);
	return SMELT_OK;
}
