/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Units become model types, which the deduplicator takes at once, and records of what
 * else they hold. This is where nearly all time goes, so nothing here waits: a job is
 * one unit from bytes to classes.
 */
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <time.h>

#include "base/first_failure.h"
#include "encode/run.h"

enum { PROGRESS_INTERVAL_NS = 100 * 1000 * 1000 };

struct unit_loading {
	struct encode_run *run;
	uint32_t unit_count; /* of all files */
	_Atomic uint32_t done_count;

	struct first_failure failure;
	pthread_mutex_t lock; /* for what follows */
	uint64_t next_progress_ns;
};

static uint64_t now_ns(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

/* A worker that finds another one here goes on: the next unit is soon. */
static void report_progress(struct unit_loading *loading)
{
	const struct smelt_encode_options *options = loading->run->options;
	uint32_t done = atomic_fetch_add_explicit(&loading->done_count, 1, memory_order_relaxed);
	uint64_t now;

	if (!options->progress || pthread_mutex_trylock(&loading->lock) != 0)
		return;
	now = now_ns();
	if (now >= loading->next_progress_ns) {
		loading->next_progress_ns = now + PROGRESS_INTERVAL_NS;
		options->progress(options->context, done + 1, loading->unit_count);
	}
	pthread_mutex_unlock(&loading->lock);
}

static void number_groups(struct unit_record *record, uint32_t first_group)
{
	for (uint32_t i = 0; first_group != 0 && i < record->function_count; i++)
		record->functions[i].group += first_group;
}

static enum smelt_status load_unit(struct encode_run *run, uint32_t unit, struct worker *worker,
				   struct smelt_error *error)
{
	const struct run_input *input = input_of_unit(run, unit);
	struct unit_record *record = &run->units[unit];
	struct model_unit types = { 0 };
	enum smelt_status status;

	arena_reset(&worker->scratch);
	status = dwarf_loader_load_unit(input->loader, unit - input->first_unit, input->groups,
					worker, &types, record, error);
	if (status || record->is_excluded)
		return status;
	number_groups(record, input->first_group);
	if (record->type_count == 0)
		return SMELT_OK;
	return dedup_add_unit(run->dedup, unit, &types, record->classes, worker, error);
}

static void load_unit_job(void *argument, uint32_t job_index, struct worker *worker)
{
	struct unit_loading *loading = argument;
	struct smelt_error error = { 0 };
	enum smelt_status status;

	if (first_failure_precedes(&loading->failure, job_index))
		return;
	status = load_unit(loading->run, job_index + 1, worker, &error);
	if (status)
		first_failure_note(&loading->failure, job_index, status, &error);
	report_progress(loading);
}

static void sum_up(struct encode_run *run)
{
	struct smelt_encode_report *report = run->report;

	for (uint32_t unit = 1; unit < run->unit_count; unit++) {
		const struct unit_record *record = &run->units[unit];

		report->units_excluded += record->is_excluded;
		report->dies += record->die_count;
		report->types_seen += record->type_die_count;
		report->sanitized_types += record->sanitized_count;
	}
}

enum smelt_status create_dedup(struct encode_run *run, struct smelt_error *error)
{
	return dedup_create(run->pool, run->options->hash_bits, run->base ? run->base->types : NULL,
			    &run->dedup, error);
}

/* One pass over all units. */
static enum smelt_status load_all(struct encode_run *run, struct smelt_error *error)
{
	struct unit_loading loading = { .run = run };
	enum smelt_status status = number_inputs(run, error);

	if (status)
		return status;
	run->units = run_calloc(run, run->unit_count, sizeof(*run->units));
	if (!run->units)
		return error_no_memory(error);
	loading.unit_count = run->unit_count - 1;
	pthread_mutex_init(&loading.lock, NULL);
	first_failure_init(&loading.failure);
	worker_pool_run(run->pool, load_unit_job, &loading, loading.unit_count);
	pthread_mutex_destroy(&loading.lock);
	status = first_failure_status(&loading.failure, error);
	first_failure_deinit(&loading.failure);
	return status;
}

static bool needs_reload(const struct encode_run *run)
{
	for (uint32_t i = 0; i < run->input_count; i++) {
		if (dwarf_loader_needs_reload(run->inputs[i].loader))
			return true;
	}
	return false;
}

/* The units of a file turned out to be others than it seemed; what is there is void. */
static enum smelt_status reload_all(struct encode_run *run, struct smelt_error *error)
{
	enum smelt_status status = SMELT_OK;

	for (uint32_t i = 0; i < run->input_count && !status; i++) {
		if (dwarf_loader_needs_reload(run->inputs[i].loader))
			status = dwarf_loader_prepare_reload(run->inputs[i].loader, error);
	}
	dedup_destroy(run->dedup);
	run->dedup = NULL;
	if (!status)
		status = create_dedup(run, error);
	return status ? status : load_all(run, error);
}

static void warn_of_missing_units(const struct encode_run *run)
{
	for (uint32_t i = 0; i < run->input_count; i++) {
		const char *cause;
		uint32_t count = dwarf_loader_missing_units(run->inputs[i].loader, &cause);
		char text[SMELT_ERROR_TEXT_BYTES + 128];

		if (count == 0 || !run->options->warning)
			continue;
		(void)snprintf(text, sizeof(text), "%" PRIu32 " %s left out: %s", count,
			       count == 1 ? "unit is" : "units are", cause);
		run->options->warning(run->options->context, text);
	}
}

enum smelt_status load_units(struct encode_run *run, struct smelt_error *error)
{
	enum smelt_status status = load_all(run, error);

	/*
	 * Which units were still loaded when this was found out is chance, so their errors do not count. A file
	 * that was not reached for the error of another one may show it only then.
	 */
	while (needs_reload(run)) {
		status = reload_all(run, error);
		if (status)
			break;
	}
	if (status)
		return status;
	run->extras = run_calloc(run, run->unit_count, sizeof(*run->extras));
	if (!run->extras)
		return error_no_memory(error);
	for (uint32_t i = 0; i < run->input_count; i++)
		run->report->units += dwarf_loader_file_unit_count(run->inputs[i].loader);
	sum_up(run);
	warn_of_missing_units(run);
	return SMELT_OK;
}

/*
 * BTF's arrays name the type of their index; DWARF often does not. One type serves the whole run:
 * the `int` of the first unit that has one or needs one, where that unit
 * need not have one itself: then an `int` is added behind its types.
 */
static enum smelt_status choose_index_type(struct encode_run *run, struct smelt_error *error)
{
	struct model_type added = { .kind = TYPE_INT, .flags = TYPE_SIGNED, .size = 4 };

	for (uint32_t unit = 1; unit < run->unit_count; unit++) {
		const struct unit_record *record = &run->units[unit];

		if (record->is_excluded || (record->int_slot == 0 && !record->has_arrays))
			continue;
		run->index_unit = unit;
		run->index_slot = record->int_slot;
		break;
	}
	if (run->index_unit == 0 || run->index_slot != 0)
		return SMELT_OK;

	added.name = name_table_intern(run->names, "int", 3);
	if (added.name == UINT32_MAX)
		return error_no_memory(error);
	run->index_class = dedup_add_type(
		run->dedup,
		type_position_of(run->index_unit, run->units[run->index_unit].type_count), &added);
	return run->index_class ? SMELT_OK : error_no_memory(error);
}

static enum smelt_status reload_unit(void *context, uint32_t unit, struct worker *worker,
				     struct model_unit *types, struct smelt_error *error)
{
	const struct run_input *input = input_of_unit(context, unit);
	struct unit_record record = { 0 };

	return dwarf_loader_load_unit(input->loader, unit - input->first_unit, NULL, worker, types,
				      &record, error);
}

static type_position index_type_position(const struct encode_run *run)
{
	if (run->index_class)
		return type_position_of(run->index_unit, run->units[run->index_unit].type_count);
	return run->index_unit ? type_position_of(run->index_unit, run->index_slot) : 0;
}

enum smelt_status settle_types(struct encode_run *run, struct smelt_error *error)
{
	enum smelt_status status = choose_index_type(run, error);
	struct dedup_input input = {
		.units = run->units,
		.unit_count = run->unit_count,
		.reload = reload_unit,
		.context = run,
		.names = run->names,
	};

	if (status)
		return status;
	input.index_type = index_type_position(run);
	status = dedup_settle(run->dedup, &input, error);
	if (status)
		return status;
	if (!name_table_freeze(run->names))
		return error_no_memory(error);
	run->report->types_distinct = dedup_type_count(run->dedup);
	run->report->ambiguous_names = dedup_ambiguous_names(run->dedup);
	return SMELT_OK;
}
