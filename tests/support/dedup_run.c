/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#include "support/dedup_run.h"

#include <stdlib.h>
#include <string.h>

static void abort_unless(bool condition)
{
	if (!condition)
		abort();
}

/* Copies, like a loader, so that nothing the deduplicator keeps can point into the builder. */
static void load(const struct type_builder *builder, struct worker *worker, struct model_unit *unit)
{
	struct model_unit view = type_builder_unit(builder);

	arena_reset(&worker->scratch);
	*unit = view;
	unit->types = arena_alloc(&worker->scratch, view.type_count * sizeof(*view.types));
	unit->items = arena_alloc(&worker->scratch, view.item_count * sizeof(*view.items));
	abort_unless(unit->types && unit->items);
	memcpy(unit->types, view.types, view.type_count * sizeof(*view.types));
	memcpy(unit->items, view.items, view.item_count * sizeof(*view.items));
}

static enum smelt_status reload(void *context, uint32_t unit, struct worker *worker,
				struct model_unit *types, struct smelt_error *error)
{
	const struct dedup_run *run = context;

	(void)error;
	load(&run->builders[unit], worker, types);
	return SMELT_OK;
}

static void add_unit_job(void *argument, uint32_t unit, struct worker *worker)
{
	struct dedup_run *run = argument;
	struct model_unit types;

	load(&run->builders[unit], worker, &types);
	abort_unless(dedup_add_unit(run->dedup, unit, &types, run->records[unit].classes, worker,
				    NULL) == SMELT_OK);
	run->lowest_counts[unit] = dedup_lowest_slots(run->dedup, unit, run->records[unit].classes,
						      types.type_count, worker, run->lowest[unit]);
}

void dedup_run_add(struct dedup_run *run, const struct type_builder *builders, uint32_t unit_count,
		   struct dedup_run_options options)
{
	*run = (struct dedup_run){ .builders = builders, .unit_count = unit_count };
	run->records = calloc(unit_count + 1, sizeof(*run->records));
	run->lowest = calloc(unit_count + 1, sizeof(*run->lowest));
	run->lowest_counts = calloc(unit_count + 1, sizeof(*run->lowest_counts));
	abort_unless(run->records && run->lowest && run->lowest_counts);
	for (uint32_t i = 0; i < unit_count; i++) {
		struct unit_record *record = &run->records[i];

		record->type_count = (uint32_t)builders[i].types.count;
		record->classes = calloc(record->type_count, sizeof(*record->classes));
		run->lowest[i] = calloc(record->type_count, sizeof(**run->lowest));
		abort_unless(record->classes && run->lowest[i]);
	}
	abort_unless(worker_pool_create(options.workers, &run->pool, NULL) == SMELT_OK);
	worker_pool_set_shuffle(run->pool, options.shuffle_seed);
	abort_unless(dedup_create(run->pool, options.hash_bits, options.base, &run->dedup, NULL) ==
		     SMELT_OK);
	worker_pool_run(run->pool, add_unit_job, run, unit_count);
}

void dedup_run_init(struct dedup_run *run, const struct type_builder *builders, uint32_t unit_count,
		    struct dedup_run_options options)
{
	struct dedup_input input = { .unit_count = unit_count, .reload = reload, .context = run };

	dedup_run_add(run, builders, unit_count, options);
	input.units = run->records;
	abort_unless(dedup_settle(run->dedup, &input, NULL) == SMELT_OK);
}

void dedup_run_deinit(struct dedup_run *run)
{
	dedup_destroy(run->dedup);
	worker_pool_destroy(run->pool);
	for (uint32_t i = 0; i < run->unit_count; i++) {
		free(run->records[i].classes);
		free(run->lowest[i]);
	}
	free(run->records);
	free(run->lowest);
	free(run->lowest_counts);
}

uint32_t dedup_run_number(const struct dedup_run *run, uint32_t unit, uint32_t slot)
{
	return dedup_number_of(run->dedup, unit, slot);
}
