/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Functions are encoded by name. Only those that some unit describes need a place. */
#include <stdlib.h>

#include "base/text_sort.h"
#include "encode/run.h"

static uint32_t collect_keys(const struct symbol_groups *groups, struct text_key *keys)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < groups->group_count; i++) {
		const struct symbol_group *group = &groups->groups[i];

		if (atomic_load_explicit(&group->name, memory_order_relaxed) == 0)
			continue;
		keys[count++] = (struct text_key){
			.text = symbol_group_key(groups, i),
			.size = group->key_size,
			.value = i,
		};
	}
	return count;
}

enum smelt_status order_functions(struct encode_run *run, struct smelt_error *error)
{
	uint32_t group_count = run->groups->group_count;
	struct text_key *keys = malloc((group_count + 1ull) * sizeof(*keys));
	bool has_memory = keys;

	run->function_groups = malloc((group_count + 1ull) * sizeof(*run->function_groups));
	run->group_functions = malloc((group_count + 1ull) * sizeof(*run->group_functions));
	if (!run->function_groups || !run->group_functions)
		has_memory = false;
	if (has_memory) {
		run->function_count = collect_keys(run->groups, keys);
		has_memory = text_sort_parallel(keys, run->function_count, run->pool);
	}
	for (uint32_t i = 0; has_memory && i < run->function_count; i++) {
		run->function_groups[i] = keys[i].value;
		run->group_functions[keys[i].value] = i;
	}
	free(keys);
	return has_memory ? SMELT_OK : error_no_memory(error);
}
