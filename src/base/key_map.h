/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * A small hash map from three numbers to one, for the rare things: tags, arena pointers, scopes,
 * variables at the start of a section. Open addressing, grows, never shrinks. Zeroed
 * memory is an empty map. Several threads may look up at the same time.
 */
#ifndef BASE_KEY_MAP_H
#define BASE_KEY_MAP_H

#include <stdbool.h>
#include <stdint.h>

struct map_key {
	uint32_t a;
	uint32_t b;
	uint32_t c;
};

struct map_entry {
	struct map_key key;
	uint32_t value; /* UINT32_MAX: free */
};

struct key_map {
	struct map_entry *entries;
	uint32_t capacity; /* power of two, or 0 */
	uint32_t count;
};

void key_map_deinit(struct key_map *map);

/* The value of `key`, or UINT32_MAX. */
uint32_t key_map_find(const struct key_map *map, struct map_key key);

/*
 * Adds `key` with `value` (< UINT32_MAX) unless it is there; *is_new says which. Returns the value that
 * is there then, or UINT32_MAX when out of memory.
 */
uint32_t key_map_add(struct key_map *map, struct map_key key, uint32_t value, bool *is_new);

#endif
