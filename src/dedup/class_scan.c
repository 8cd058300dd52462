/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Four bytes per type of the input: a kernel's 4.3 million take 4 ms on one core. Each unit lists
 * what it has; the lists are then dealt out to the classes in unit order.
 */
#include "dedup/class_scan.h"

#include <stdlib.h>
#include <string.h>

#include "dedup/dedup_internal.h"

struct unit_places {
	uint32_t count;
	uint32_t *slots; /* NULL although count is not 0: out of memory */
};

struct scan_job {
	const struct unit_record *units;
	const uint8_t *wanted;
	struct unit_places *places;
};

static void scan_unit_job(void *argument, uint32_t unit, struct worker *worker)
{
	struct scan_job *scan = argument;
	const struct unit_record *record = &scan->units[unit];
	struct unit_places *places = &scan->places[unit];
	const uint32_t type_count = record->classes ? record->type_count : 0;
	uint32_t *slots;
	uint32_t count = 0;

	arena_reset(&worker->scratch);
	slots = arena_alloc(&worker->scratch, ((size_t)type_count + 1) * sizeof(*slots));
	if (!slots) {
		places->count = 1;
		return;
	}
	for (uint32_t slot = 1; slot < type_count; slot++) {
		slots[count] = slot;
		count += scan->wanted[record->classes[slot]];
	}
	places->count = count;
	if (count == 0)
		return;
	places->slots = malloc(count * sizeof(*places->slots));
	if (places->slots)
		memcpy(places->slots, slots, count * sizeof(*slots));
}

static bool deal_out(struct class_scan *scan, const struct scan_job *job, uint32_t unit_count,
		     uint32_t class_count)
{
	uint64_t total = 0;

	for (uint32_t unit = 0; unit < unit_count; unit++) {
		const struct unit_places *places = &job->places[unit];

		if (places->count > 0 && !places->slots)
			return false;
		for (uint32_t i = 0; i < places->count; i++)
			scan->first[job->units[unit].classes[places->slots[i]] + 1]++;
		total += places->count;
	}
	if (total >= UINT32_MAX)
		return false;
	scan->positions = malloc((total + 1) * sizeof(*scan->positions));
	if (!scan->positions)
		return false;
	for (uint32_t index = 1; index <= class_count + 1; index++)
		scan->first[index] += scan->first[index - 1];
	/* first[] moves from each class's start to its end, which is the next one's start. */
	for (uint32_t unit = 0; unit < unit_count; unit++) {
		const struct unit_places *places = &job->places[unit];

		for (uint32_t i = 0; i < places->count; i++) {
			uint32_t index = job->units[unit].classes[places->slots[i]];

			scan->positions[scan->first[index]++] =
				type_position_of(unit, places->slots[i]);
		}
	}
	for (uint32_t index = class_count + 1; index > 0; index--)
		scan->first[index] = scan->first[index - 1];
	scan->first[0] = 0;
	return true;
}

bool class_scan_init(struct class_scan *scan, struct dedup *dedup, const uint8_t *wanted)
{
	uint32_t class_count = class_table_count(dedup->table);
	struct scan_job job = {
		.units = dedup->units,
		.wanted = wanted,
		.places = calloc((size_t)dedup->unit_count + 1, sizeof(*job.places)),
	};
	bool done = false;

	*scan = (struct class_scan){
		.first = calloc((size_t)class_count + 3, sizeof(*scan->first)),
	};
	if (job.places && scan->first) {
		worker_pool_run(dedup->pool, scan_unit_job, &job, dedup->unit_count);
		done = deal_out(scan, &job, dedup->unit_count, class_count);
		for (uint32_t unit = 0; unit < dedup->unit_count; unit++)
			free(job.places[unit].slots);
	}
	free(job.places);
	if (!done)
		class_scan_deinit(scan);
	return done;
}

void class_scan_deinit(struct class_scan *scan)
{
	free(scan->first);
	free(scan->positions);
	*scan = (struct class_scan){ 0 };
}
