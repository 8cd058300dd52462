/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Growing arrays on the heap, for objects that outlive or outgrow an arena.
 * VECTOR(struct foo) declares one; a zeroed vector is empty and valid.
 */
#ifndef BASE_VECTOR_H
#define BASE_VECTOR_H

#include <stdbool.h>
#include <stddef.h>

#define VECTOR(type)             \
	struct {                 \
		type *items;     \
		size_t count;    \
		size_t capacity; \
	}

/* Makes room for `count` elements in all; false when out of memory (nothing changes then). */
bool vector_grow(void **items, size_t *capacity, size_t count, size_t item_size);

#define vector_reserve(v, n)     \
	((n) <= (v)->capacity || \
	 vector_grow((void **)&(v)->items, &(v)->capacity, (n), sizeof(*(v)->items)))

/* Pointer to a new uninitialised last element, or NULL when out of memory. */
#define vector_push(v) (vector_reserve((v), (v)->count + 1) ? &(v)->items[(v)->count++] : NULL)

#define vector_deinit(v)           \
	do {                       \
		free((v)->items);  \
		(v)->items = NULL; \
		(v)->count = 0;    \
		(v)->capacity = 0; \
	} while (0)

#endif
