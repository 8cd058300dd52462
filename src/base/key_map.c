/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#include "base/key_map.h"

#include <stdlib.h>

enum { KEY_MAP_FREE = UINT32_MAX, KEY_MAP_MIN_CAPACITY = 16 };

static uint32_t key_hash(struct map_key key)
{
	uint64_t hash = ((uint64_t)key.a << 32 | key.b) * UINT64_C(0x9e3779b97f4a7c15);

	hash = (hash ^ hash >> 32 ^ key.c) * UINT64_C(0xff51afd7ed558ccd);
	return (uint32_t)(hash >> 32);
}

static bool key_equal(struct map_key x, struct map_key y)
{
	return x.a == y.a && x.b == y.b && x.c == y.c;
}

/* Where `key` is or would go; the map has a free entry. */
static struct map_entry *key_place(const struct key_map *map, struct map_key key)
{
	for (uint32_t i = key_hash(key);; i++) {
		struct map_entry *entry = &map->entries[i & (map->capacity - 1)];

		if (entry->value == KEY_MAP_FREE || key_equal(entry->key, key))
			return entry;
	}
}

static bool key_map_grow(struct key_map *map)
{
	struct key_map grown = {
		.capacity = map->capacity ? map->capacity * 2 : KEY_MAP_MIN_CAPACITY,
		.count = map->count,
	};

	if (grown.capacity == 0)
		return false;
	grown.entries = malloc(grown.capacity * sizeof(*grown.entries));
	if (!grown.entries)
		return false;
	for (uint32_t i = 0; i < grown.capacity; i++)
		grown.entries[i].value = KEY_MAP_FREE;
	for (uint32_t i = 0; i < map->capacity; i++) {
		if (map->entries[i].value != KEY_MAP_FREE)
			*key_place(&grown, map->entries[i].key) = map->entries[i];
	}
	free(map->entries);
	*map = grown;
	return true;
}

void key_map_deinit(struct key_map *map)
{
	free(map->entries);
	*map = (struct key_map){ 0 };
}

uint32_t key_map_find(const struct key_map *map, struct map_key key)
{
	return map->count ? key_place(map, key)->value : UINT32_MAX;
}

uint32_t key_map_add(struct key_map *map, struct map_key key, uint32_t value, bool *is_new)
{
	struct map_entry *entry;

	/* Half full at most. */
	if (map->count >= map->capacity / 2 && !key_map_grow(map))
		return UINT32_MAX;
	entry = key_place(map, key);
	*is_new = entry->value == KEY_MAP_FREE;
	if (*is_new) {
		*entry = (struct map_entry){ .key = key, .value = value };
		map->count++;
	}
	return entry->value;
}
