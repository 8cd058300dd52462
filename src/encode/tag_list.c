/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#include "encode/tag_list.h"

#include "base/key_map.h"

/* Longer lists (none is known) get a map, so that a hostile one does not take quadratic time. */
enum { TAG_LIST_SHORT = 32 };

struct tag_list *tag_list_create(struct arena *arena, uint32_t capacity)
{
	struct tag_list *list =
		arena_alloc(arena, sizeof(*list) + capacity * sizeof(list->tags[0]));

	if (list)
		list->count = 0;
	return list;
}

static bool list_has(const struct tag_list *list, const struct decl_tag *tag)
{
	for (uint32_t i = 0; i < list->count; i++) {
		if (list->tags[i].value == tag->value && list->tags[i].component == tag->component)
			return true;
	}
	return false;
}

static struct map_key tag_key(const struct decl_tag *tag)
{
	return (struct map_key){ tag->value, (uint32_t)tag->component, 0 };
}

static bool add_to_long_list(struct tag_list *list, const struct decl_tag *tags, uint32_t count)
{
	struct key_map known = { 0 };
	uint32_t kept = 0;
	bool is_new = false;

	for (uint32_t i = 0; i < list->count && kept != UINT32_MAX; i++)
		kept = key_map_add(&known, tag_key(&list->tags[i]), 0, &is_new);
	for (uint32_t i = 0; i < count && kept != UINT32_MAX; i++) {
		if (tags[i].value == 0)
			continue;
		kept = key_map_add(&known, tag_key(&tags[i]), 0, &is_new);
		if (kept != UINT32_MAX && is_new)
			list->tags[list->count++] = tags[i];
	}
	key_map_deinit(&known);
	return kept != UINT32_MAX;
}

bool tag_list_add(struct tag_list *list, const struct decl_tag *tags, uint32_t count,
		  uint32_t owner, struct issue_log *issues)
{
	for (uint32_t i = 0; i < count; i++) {
		if (tags[i].value == 0)
			issue_add(issues, ISSUE_TAG_EMPTY, owner);
	}
	if (list->count + count > TAG_LIST_SHORT)
		return add_to_long_list(list, tags, count);
	for (uint32_t i = 0; i < count; i++) {
		if (tags[i].value != 0 && !list_has(list, &tags[i]))
			list->tags[list->count++] = tags[i];
	}
	return true;
}
