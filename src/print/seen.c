/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#include "print/seen.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_CAPACITY = 1024 };

struct hash {
	uint64_t low;
	uint64_t high;
};

struct seen_entry {
	struct hash hash;
	uint32_t number;
	bool is_used;
};

/* The finaliser of MurmurHash3. */
static uint64_t mix(uint64_t value)
{
	value ^= value >> 33;
	value *= UINT64_C(0xff51afd7ed558ccd);
	value ^= value >> 33;
	value *= UINT64_C(0xc4ceb9fe1a85ec53);
	return value ^ value >> 33;
}

/* Two lanes that have nothing in common but the input. */
static struct hash hash_text(const char *text, size_t size)
{
	struct hash hash = { size, ~(uint64_t)size };

	for (size_t at = 0; at < size; at += 8) {
		uint64_t word = 0;

		memcpy(&word, text + at, size - at < 8 ? size - at : 8);
		hash.low = (hash.low ^ word) * UINT64_C(0x9fb21c651e98df25);
		hash.low ^= hash.low >> 28;
		hash.high = (hash.high + word) * UINT64_C(0x9e3779b97f4a7c15);
		hash.high ^= hash.high >> 31;
	}
	return (struct hash){ mix(hash.low), mix(hash.high) };
}

void seen_set_deinit(struct seen_set *set)
{
	free(set->entries);
	*set = (struct seen_set){ 0 };
}

static struct seen_entry *find(const struct seen_set *set, const struct hash *hash)
{
	uint32_t at = (uint32_t)hash->low & (set->capacity - 1);

	while (set->entries[at].is_used &&
	       (set->entries[at].hash.low != hash->low || set->entries[at].hash.high != hash->high))
		at = (at + 1) & (set->capacity - 1);
	return &set->entries[at];
}

static bool grow(struct seen_set *set)
{
	struct seen_set larger = {
		.count = set->count,
		.capacity = set->capacity ? set->capacity * 2 : FIRST_CAPACITY,
	};

	larger.entries = calloc(larger.capacity, sizeof(*larger.entries));
	if (!larger.entries)
		return false;
	for (uint32_t i = 0; i < set->capacity; i++)
		if (set->entries[i].is_used)
			*find(&larger, &set->entries[i].hash) = set->entries[i];
	free(set->entries);
	*set = larger;
	return true;
}

bool seen_set_add(struct seen_set *set, const char *text, size_t size, uint32_t *number,
		  bool *is_new)
{
	struct hash hash = hash_text(text, size);
	struct seen_entry *entry;

	if (set->count >= set->capacity / 2 && !grow(set))
		return false;
	entry = find(set, &hash);
	*is_new = !entry->is_used;
	if (*is_new)
		*entry = (struct seen_entry){ hash, set->count++, true };
	*number = entry->number;
	return true;
}
