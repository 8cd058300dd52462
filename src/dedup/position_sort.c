/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Radix sort over the bits that are in use: a position is a unit and a slot, of which
 * a kernel needs 12 and 16 bits, so three passes do for what would be 16 comparisons per item.
 */
#include "dedup/position_sort.h"

#include <string.h>

enum { DIGIT_BITS = 11, DIGITS = 1 << DIGIT_BITS };

static unsigned bits_of(uint64_t value)
{
	return value == 0 ? 0 : 64 - (unsigned)__builtin_clzll(value);
}

/* Unit and slot without the unused bits between them. */
static uint64_t packed_key(type_position position, unsigned slot_bits)
{
	return position >> 32 << slot_bits | (uint32_t)position;
}

static void sort_digit(const struct positioned *from, struct positioned *to, size_t count,
		       unsigned slot_bits, unsigned shift)
{
	size_t starts[DIGITS] = { 0 };
	size_t next = 0;

	for (size_t i = 0; i < count; i++)
		starts[packed_key(from[i].position, slot_bits) >> shift & (DIGITS - 1)]++;
	for (size_t i = 0; i < DIGITS; i++) {
		size_t in_digit = starts[i];

		starts[i] = next;
		next += in_digit;
	}
	for (size_t i = 0; i < count; i++)
		to[starts[packed_key(from[i].position, slot_bits) >> shift & (DIGITS - 1)]++] =
			from[i];
}

void position_sort(struct positioned *items, struct positioned *spare, size_t count)
{
	struct positioned *from = items;
	struct positioned *to = spare;
	uint64_t units = 0, slots = 0;
	unsigned slot_bits, key_bits;

	for (size_t i = 0; i < count; i++) {
		units |= items[i].position >> 32;
		slots |= (uint32_t)items[i].position;
	}
	slot_bits = bits_of(slots);
	key_bits = slot_bits + bits_of(units);
	for (unsigned shift = 0; shift < key_bits; shift += DIGIT_BITS) {
		struct positioned *sorted = to;

		sort_digit(from, to, count, slot_bits, shift);
		to = from;
		from = sorted;
	}
	if (from != items)
		memcpy(items, from, count * sizeof(*items));
}
