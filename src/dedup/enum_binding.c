/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The incumbent's rule: an enumeration without enumerators that finds candidates of its name
 * becomes the first. If it is a candidate itself, it becomes each later enumeration that gets
 * to it before it gets to its own like; the last one counts. Others of the same class may become
 * something else then. We want one meaning for all, that of the candidate, or else that of the
 * first.
 */
#include "dedup/enum_binding.h"

#include <stdlib.h>
#include <string.h>

#include "base/vector.h"
#include "dedup/position_sort.h"
#include "dedup/type_family.h"

struct enum_replay {
	const struct incumbent_table *table;
	struct class_table *classes;
	VECTOR(uint32_t) candidates; /* classes, as they are tried */
	uint32_t reversals;
	uint32_t candidate_becomes; /* what the candidate without enumerators is by now */
	uint32_t first_becomes;     /* what the first other one without enumerators became */
};

static void catch_up_reversals(struct enum_replay *replay, uint32_t reversals)
{
	uint32_t *items = replay->candidates.items;
	size_t count = replay->candidates.count;

	for (size_t i = 0; (reversals - replay->reversals) % 2 && i < count / 2; i++) {
		uint32_t swapped = items[i];

		items[i] = items[count - 1 - i];
		items[count - 1 - i] = swapped;
	}
	replay->reversals = reversals;
}

static bool is_forward(const struct enum_replay *replay, uint32_t index)
{
	return type_is_forward(&class_entry(replay->classes, index)->content->type);
}

/* Whether an instance of class `index` finds its place among the candidates. */
static bool find_place(struct enum_replay *replay, uint32_t index)
{
	for (size_t i = 0; i < replay->candidates.count; i++) {
		uint32_t candidate = replay->candidates.items[i];

		if (candidate == index)
			return true;
		if (is_forward(replay, index)) {
			if (!replay->first_becomes && !is_forward(replay, candidate))
				replay->first_becomes = candidate;
			return true;
		}
		if (is_forward(replay, candidate))
			replay->candidate_becomes = index;
	}
	return false;
}

static bool replay_instance(struct enum_replay *replay, const struct positioned *instance)
{
	uint64_t entries = incumbent_table_at_primitive(replay->table, instance->position);
	const uint32_t *added;

	catch_up_reversals(replay, incumbent_table_reversals(entries));
	if (find_place(replay, instance->index))
		return true;
	catch_up_reversals(replay, incumbent_table_reversals(entries + 1));
	added = vector_push(&replay->candidates);
	if (!added)
		return false;
	memmove(replay->candidates.items + 1, replay->candidates.items,
		(replay->candidates.count - 1) * sizeof(*replay->candidates.items));
	replay->candidates.items[0] = instance->index;
	return true;
}

/* The places of all classes of the group in order; NULL when out of memory. */
static struct positioned *list_instances(const struct name_groups *groups,
					 const struct name_group *group,
					 const struct class_scan *scan, size_t *count)
{
	struct positioned *instances;
	size_t total = 0;

	for (uint32_t index = group->first_class; index != 0; index = groups->next[index])
		total += class_scan_count(scan, index);
	instances = malloc((total + 1) * 2 * sizeof(*instances));
	if (!instances)
		return NULL;
	*count = 0;
	for (uint32_t index = group->first_class; index != 0; index = groups->next[index]) {
		for (uint32_t i = 0; i < class_scan_count(scan, index); i++)
			instances[(*count)++] = (struct positioned){
				.position = class_scan_places(scan, index)[i],
				.index = index,
			};
	}
	position_sort(instances, instances + total + 1, total);
	return instances;
}

uint32_t enum_binding_find(const struct incumbent_table *table, struct class_table *classes,
			   const struct name_groups *groups, const struct name_group *group,
			   const struct class_scan *scan)
{
	struct enum_replay replay = { .table = table, .classes = classes };
	size_t count;
	struct positioned *instances = list_instances(groups, group, scan, &count);
	bool done = instances != NULL;
	uint32_t found;

	for (size_t i = 0; done && i < count; i++)
		done = replay_instance(&replay, &instances[i]);
	found = replay.candidate_becomes ? replay.candidate_becomes : replay.first_becomes;
	free(instances);
	vector_deinit(&replay.candidates);
	if (!done)
		return 0;
	return found ? found : group->lowest_definition;
}
