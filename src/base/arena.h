/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Memory by lifetime: allocations are freed all at once. Not thread-safe, each
 * worker has its own. Blocks grow geometrically; arena_reset replaces a chain by one
 * block of its total size, so that a worker's scratch settles at the size of the
 * largest job.
 */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include <stdbool.h>
#include <stddef.h>

struct arena_block;

struct arena {
	struct arena_block *block; /* newest first */
	size_t used;               /* bytes used in `block` */
	size_t total;              /* bytes of all blocks */
};

void arena_init(struct arena *arena);
void arena_deinit(struct arena *arena);
void arena_reset(struct arena *arena);
/* Makes one block for the next `size` bytes, in huge pages if it is large. False when out of memory. */
bool arena_reserve(struct arena *arena, size_t size);

/* Uninitialised memory aligned for any object, or NULL when there is none left. size may be 0. */
void *arena_alloc(struct arena *arena, size_t size);
void *arena_calloc(struct arena *arena, size_t count, size_t size);
/* NUL-terminated copy of size bytes. */
char *arena_strndup(struct arena *arena, const char *text, size_t size);

#endif
