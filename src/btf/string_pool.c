/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#include "btf/string_pool.h"

#include <stdlib.h>
#include <string.h>

#include "base/text_hash.h"

enum { POOL_FIRST_SLOTS = 256 };

void string_pool_init(struct string_pool *pool, const struct string_pool *base)
{
	*pool = (struct string_pool){ .base = base };
	if (base) {
		pool->origin = base->origin + (uint32_t)base->bytes.count;
		pool->failed = base->failed;
	} else if (vector_reserve(&pool->bytes, 1)) {
		pool->bytes.items[pool->bytes.count++] = '\0';
	} else {
		pool->failed = true;
	}
}

void string_pool_deinit(struct string_pool *pool)
{
	vector_deinit(&pool->bytes);
	free(pool->slots);
	*pool = (struct string_pool){ 0 };
}

/* The slot that has the text, or the free one where it belongs. There is at least one free one. */
static uint32_t *find_slot(const struct string_pool *pool, const char *text, size_t size)
{
	uint32_t mask = pool->slot_count - 1;
	uint32_t i = (uint32_t)text_hash(text, size) & mask;

	while (pool->slots[i] != 0 && strcmp(pool->bytes.items + pool->slots[i] - 1, text) != 0)
		i = (i + 1) & mask;
	return &pool->slots[i];
}

/* A table at most half full. */
static bool make_room(struct string_pool *pool)
{
	uint32_t *old = pool->slots;
	uint32_t old_count = pool->slot_count;

	if (pool->used < old_count / 2)
		return true;
	pool->slot_count = old_count ? old_count * 2 : POOL_FIRST_SLOTS;
	pool->slots = calloc(pool->slot_count, sizeof(*pool->slots));
	if (!pool->slots) {
		pool->slots = old;
		pool->slot_count = old_count;
		return false;
	}
	for (uint32_t i = 0; i < old_count; i++) {
		const char *text = pool->bytes.items + old[i] - 1;

		if (old[i] != 0)
			*find_slot(pool, text, strlen(text)) = old[i];
	}
	free(old);
	return true;
}

static uint32_t append(struct string_pool *pool, uint32_t *slot, const char *text, size_t size)
{
	size_t place = pool->bytes.count;

	if (size >= UINT32_MAX - pool->origin - place ||
	    !vector_reserve(&pool->bytes, place + size + 1)) {
		pool->failed = true;
		return 0;
	}
	memcpy(pool->bytes.items + place, text, size + 1);
	pool->bytes.count += size + 1;
	pool->used++;
	*slot = (uint32_t)place + 1;
	return pool->origin + (uint32_t)place;
}

/* Offset in one of the bases, or 0. */
static uint32_t find_in_bases(const struct string_pool *base, const char *text, size_t size)
{
	for (; base; base = base->base) {
		uint32_t slot = base->slot_count ? *find_slot(base, text, size) : 0;

		if (slot != 0)
			return base->origin + slot - 1;
	}
	return 0;
}

uint32_t string_pool_add(struct string_pool *pool, const char *text)
{
	size_t size = strlen(text);
	uint32_t offset = find_in_bases(pool->base, text, size);
	uint32_t *slot;

	if (size == 0 || offset != 0 || pool->failed)
		return offset;
	if (!make_room(pool)) {
		pool->failed = true;
		return 0;
	}
	slot = find_slot(pool, text, size);
	return *slot ? pool->origin + *slot - 1 : append(pool, slot, text, size);
}
