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

size_t die_index_places(const struct die_index *index, const uint64_t *wanted,
			uint32_t first_function_slot, struct die_index_place *places)
{
	size_t count = 0;

	for (size_t i = 0; i < index->blocks.count; i++) {
		const uint32_t *value = index->values.items + index->blocks.items[i].first;

		for (uint64_t bits = index->blocks.items[i].entered; bits != 0; bits &= bits - 1) {
			uint32_t slot = *value & ENTITY_NUMBER_MASK;
			uint32_t kind = *value >> ENTITY_KIND_SHIFT;

			value++;
			if (kind == ENTITY_FUNCTION && first_function_slot != 0)
				slot += first_function_slot;
			else if (kind != ENTITY_TYPE)
				continue;
			if (!(wanted[slot / 64] >> slot % 64 & 1))
				continue;
			places[count++] = (struct die_index_place){
				.offset = (uint32_t)(64 * i) + (uint32_t)__builtin_ctzll(bits),
				.slot = slot,
			};
		}
	}
	return count;
}
