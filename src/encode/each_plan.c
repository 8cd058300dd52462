/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Files side by side need no passes with joins and share nothing, so that is the better way while there are
 * enough of them. But the last ones leave workers idle, for as long as the largest takes alone if there are
 * many workers. Which way is shorter is tried out: a file takes as long as it is large.
 */
#include <stdlib.h>

#include "encode/encode_each.h"

enum {
	/* What only one worker can do of a file: 9 to 14 % of the CPU time of the largest modules of a kernel. */
	SERIAL_PERCENT = 12,
	/* A file is cut into units for the rest; a kernel module has one for each 290 kB. */
	UNIT_BYTES = 300 * 1000,
	/* More files than this are not larger than the rest. */
	SHARED_MAX = 64,
};

/* How long all workers take for a file together. */
static uint64_t together(uint64_t size, unsigned workers)
{
	uint64_t serial = size / 100 * SERIAL_PERCENT;
	uint64_t share = (size - serial) / workers;

	return serial + (share < UNIT_BYTES ? UNIT_BYTES : share);
}

/* Moves the load at the root of a heap (least first) to its place. */
static void sift_down(uint64_t *loads, unsigned count)
{
	unsigned at = 0;

	for (;;) {
		unsigned child = 2 * at + 1;
		uint64_t load = loads[at];

		if (child >= count)
			return;
		if (child + 1 < count && loads[child + 1] < loads[child])
			child++;
		if (loads[child] >= load)
			return;
		loads[at] = loads[child];
		loads[child] = load;
		at = child;
	}
}

/* When the last worker is done that takes the next file whenever it has none. */
static uint64_t side_by_side(const uint64_t *sizes, uint32_t count, uint64_t *loads,
			     unsigned workers)
{
	uint64_t end = 0;

	for (unsigned i = 0; i < workers; i++)
		loads[i] = 0;
	for (uint32_t i = 0; i < count; i++) {
		loads[0] += sizes[i];
		if (loads[0] > end)
			end = loads[0];
		sift_down(loads, workers);
	}
	return end;
}

uint32_t each_shared_count(const uint64_t *sizes, uint32_t count, unsigned workers)
{
	uint64_t *loads = workers > 1 ? malloc(workers * sizeof(*loads)) : NULL;
	uint64_t least = UINT64_MAX, shared = 0;
	uint32_t best = 0;

	/* Without memory for the plan there is one that needs none. */
	for (uint32_t i = 0; loads && i <= count && i <= SHARED_MAX; i++) {
		uint64_t time = shared + side_by_side(sizes + i, count - i, loads, workers);

		if (time < least) {
			least = time;
			best = i;
		}
		if (i < count)
			shared += together(sizes[i], workers);
	}
	free(loads);
	return best;
}
