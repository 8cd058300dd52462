/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#include "load/die_index.h"

bool die_index_grow(struct die_index *index, size_t block)
{
	if (!vector_reserve(&index->blocks, block + 1))
		return false;
	while (index->blocks.count <= block)
		index->blocks.items[index->blocks.count++] =
			(struct die_index_block){ .first = (uint32_t)index->values.count };
	return true;
}
