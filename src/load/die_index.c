/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#include "load/die_index.h"

#include <string.h>

bool die_index_extend(struct die_index *index, uint64_t end)
{
	size_t old = index->blocks.count, count = (size_t)(end / 64 + 1);

	if (count <= old)
		return true;
	if (end > UINT32_MAX || !vector_reserve(&index->blocks, count))
		return false;
	memset(index->blocks.items + old, 0, (count - old) * sizeof(*index->blocks.items));
	index->blocks.count = count;
	return true;
}

BITS_IN_HARDWARE
void die_index_close(struct die_index *index)
{
	uint32_t before = 0;

	for (size_t i = 0; i < index->blocks.count; i++) {
		index->blocks.items[i].first = before;
		before += (uint32_t)__builtin_popcountll(index->blocks.items[i].entered);
	}
}
