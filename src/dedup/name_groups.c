/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#include "dedup/name_groups.h"

#include <stdlib.h>

static uint32_t hash_of(enum type_family family, uint32_t name)
{
	return (uint32_t)((((uint64_t)name << 3 | family) * 0x9e3779b97f4a7c15) >> 32);
}

/* Where the group is in by_name, or where it would go. */
static uint32_t place_of(const struct name_groups *groups, enum type_family family, uint32_t name)
{
	for (uint32_t i = hash_of(family, name);; i++) {
		uint32_t place = i & groups->by_name_mask;
		const struct name_group *group = &groups->groups.items[groups->by_name[place]];

		if (groups->by_name[place] == 0 || (group->name == name && group->family == family))
			return place;
	}
}

uint32_t name_groups_find(const struct name_groups *groups, enum type_family family, uint32_t name)
{
	return groups->by_name[place_of(groups, family, name)];
}

static type_position position_of(struct class_table *table, uint32_t index)
{
	return atomic_load_explicit(class_position(table, index), memory_order_relaxed);
}

static void keep_lowest(struct class_table *table, uint32_t *lowest, uint32_t index)
{
	if (*lowest == 0 || position_of(table, index) < position_of(table, *lowest))
		*lowest = index;
}

static bool group_add(struct name_groups *groups, struct class_table *table, uint32_t index)
{
	const struct model_type *type = &class_entry(table, index)->content->type;
	enum type_family family = type_family_of(type);
	struct name_group *group;
	uint32_t place;

	if (family == FAMILY_NONE)
		return true;
	place = place_of(groups, family, type->name);
	if (groups->by_name[place] == 0) {
		group = vector_push(&groups->groups);
		if (!group)
			return false;
		*group = (struct name_group){
			.name = type->name,
			.family = family,
			.bound_to = TYPE_POSITION_NONE,
		};
		groups->by_name[place] = (uint32_t)groups->groups.count - 1;
	}
	group = &groups->groups.items[groups->by_name[place]];
	groups->of_class[index] = groups->by_name[place];
	groups->next[index] = group->first_class;
	group->first_class = index;
	if (type_is_forward(type)) {
		group->forward_count++;
		keep_lowest(table, &group->lowest_forward, index);
	} else {
		group->definition_count++;
		keep_lowest(table, &group->lowest_definition, index);
	}
	return true;
}

bool name_groups_init(struct name_groups *groups, struct class_table *table, struct arena *arena)
{
	uint32_t count = class_table_count(table);
	uint64_t places = 64;
	struct name_group *none;

	while (places < (uint64_t)count * 2)
		places *= 2;
	*groups = (struct name_groups){
		.of_class = arena_calloc(arena, (size_t)count + 1, sizeof(*groups->of_class)),
		.next = arena_calloc(arena, (size_t)count + 1, sizeof(*groups->next)),
		.by_name = arena_calloc(arena, places, sizeof(*groups->by_name)),
		.by_name_mask = (uint32_t)(places - 1),
	};
	none = vector_push(&groups->groups);
	if (!groups->of_class || !groups->next || !groups->by_name || !none)
		return false;
	*none = (struct name_group){ 0 };
	for (uint32_t index = 1; index <= count; index++) {
		if (!group_add(groups, table, index))
			return false;
	}
	for (size_t i = 1; i < groups->groups.count; i++) {
		struct name_group *group = &groups->groups.items[i];

		group->primary = group->lowest_definition ? group->lowest_definition :
							    group->lowest_forward;
	}
	return true;
}

void name_groups_deinit(struct name_groups *groups)
{
	vector_deinit(&groups->groups);
}
