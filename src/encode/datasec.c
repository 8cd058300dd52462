/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#include "encode/datasec.h"

enum { INSERTION_MAX = 32 };

static void insertion_sort(struct datasec_entry *entries, uint32_t count)
{
	for (uint32_t i = 1; i < count; i++) {
		struct datasec_entry entry = entries[i];
		uint32_t place = i;

		for (; place > 0 && entries[place - 1].offset > entry.offset; place--)
			entries[place] = entries[place - 1];
		entries[place] = entry;
	}
}

/* One stable pass by the byte of the offset at `shift`. */
static void radix_pass(const struct datasec_entry *from, struct datasec_entry *to, uint32_t count,
		       unsigned shift)
{
	uint32_t starts[256] = { 0 };
	uint32_t start = 0;

	for (uint32_t i = 0; i < count; i++)
		starts[from[i].offset >> shift & 0xff]++;
	for (unsigned byte = 0; byte < 256; byte++) {
		uint32_t size = starts[byte];

		starts[byte] = start;
		start += size;
	}
	for (uint32_t i = 0; i < count; i++)
		to[starts[from[i].offset >> shift & 0xff]++] = from[i];
}

void datasec_sort(struct datasec_entry *entries, struct datasec_entry *spare, uint32_t count)
{
	if (count <= INSERTION_MAX) {
		insertion_sort(entries, count);
		return;
	}
	for (unsigned shift = 0; shift < 32; shift += 16) {
		radix_pass(entries, spare, count, shift);
		radix_pass(spare, entries, count, shift + 8);
	}
}

uint32_t datasec_byte_size(const struct datasec_entry *sorted, uint32_t count)
{
	return count ? sorted[count - 1].offset + sorted[count - 1].size : 0;
}
