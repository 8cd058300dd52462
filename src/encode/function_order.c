/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Functions are encoded by name. Only those that some unit describes need a place. */
#include <stdlib.h>

#include "base/text_sort.h"
#include "encode/run.h"

static bool is_used(const struct symbol_group *group)
{
	return atomic_load_explicit(&group->name, memory_order_relaxed) != 0;
}

static void collect_keys(const struct symbol_groups *groups, struct text_key *keys)
{
	for (uint32_t i = 0; i < groups->group_count; i++) {
		if (is_used(&groups->groups[i]))
			*keys++ = (struct text_key){
				.text = symbol_group_key(groups, i),
				.size = groups->groups[i].key_size,
				.value = i,
			};
	}
}

enum smelt_status order_functions(struct encode_run *run, struct smelt_error *error)
{
	uint32_t group_count = run->groups->group_count;
	struct text_key *keys;

	for (uint32_t i = 0; i < group_count; i++)
		run->function_count += is_used(&run->groups->groups[i]);
	keys = malloc((run->function_count + 1ull) * sizeof(*keys));
	run->group_functions = run_alloc(run, group_count, sizeof(*run->group_functions));
	run->function_groups = run_alloc(run, run->function_count, sizeof(*run->function_groups));
	if (!keys || !run->group_functions || !run->function_groups) {
		free(keys);
		return error_no_memory(error);
	}
	collect_keys(run->groups, keys);
	if (!text_sort_parallel(keys, run->function_count, run->pool)) {
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
