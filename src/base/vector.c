/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#include "base/vector.h"

#include <stdint.h>
#include <stdlib.h>

/* Fewer elements than this are not worth a second realloc(). */
enum { VECTOR_MIN_CAPACITY = 16 };

bool vector_grow(void **items, size_t *capacity, size_t count, size_t item_size)
{
	size_t wanted = *capacity < VECTOR_MIN_CAPACITY ? VECTOR_MIN_CAPACITY : *capacity;
	size_t bytes;
	void *grown;

	if (count <= *capacity)
		return true;
	/* By half: twice would leave up to half of the largest arrays unused. */
	while (wanted < count) {
		if (__builtin_add_overflow(wanted, wanted / 2, &wanted))
			return false;
	}
	if (__builtin_mul_overflow(wanted, item_size, &bytes) || bytes > PTRDIFF_MAX)
		return false;
	grown = realloc(*items, bytes);
	if (!grown)
		return false;
	*items = grown;
	*capacity = wanted;
	return true;
}
