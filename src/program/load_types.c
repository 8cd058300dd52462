/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * A job is one unit, from bytes to classes; what stands first of its class, among the units that were there so far, is captured at
 * once. With more than one thread a lower unit may come later and capture the same again.
 */
#include "base/first_failure.h"
#include "program/program_run.h"

struct type_loading {
	struct program_run *run;
	struct first_failure failure;
};

static enum smelt_status capture_lowest(struct program_run *run, uint32_t unit,
					struct worker *worker, struct smelt_error *error)
{
	const struct unit_record *record = &run->units[unit];
	uint32_t *slots = arena_alloc(&worker->scratch, record->type_count * sizeof(*slots));
	uint32_t count;

	if (!slots)
		return error_no_memory(error);
	count = dedup_lowest_slots(run->dedup, unit, record->classes, record->type_count, worker,
				   slots);
	return dwarf_loader_capture(run->backing->loader, unit, slots, count, worker,
				    &run->captures[worker->index].capture, error);
}

static enum smelt_status load_unit(struct program_run *run, uint32_t unit, struct worker *worker,
				   struct smelt_error *error)
{
	struct unit_record *record = &run->units[unit];
	struct model_unit types = { 0 };
	enum smelt_status status;

	arena_reset(&worker->scratch);
	status = dwarf_loader_load_unit(run->backing->loader, unit, NULL, worker, &types, record,
					error);
	if (status || record->is_excluded || record->type_count == 0)
		return status;
	status = dedup_add_unit(run->dedup, unit, &types, record->classes, worker, error);
	/* If units are to be loaded again, nothing that is captured now is of use. */
	if (status || dwarf_loader_needs_reload(run->backing->loader))
		return status;
	return capture_lowest(run, unit, worker, error);
}

static void load_unit_job(void *argument, uint32_t unit, struct worker *worker)
{
	struct type_loading *loading = argument;
	struct smelt_error error = { 0 };
	enum smelt_status status;

	if (first_failure_precedes(&loading->failure, unit))
		return;
	status = load_unit(loading->run, unit, worker, &error);
	if (status)
		first_failure_note(&loading->failure, unit, status, &error);
}

static enum smelt_status load_all(struct program_run *run, struct smelt_error *error)
{
	struct type_loading loading = { .run = run };
	enum smelt_status status =
		dedup_create(run->pool, run->options->hash_bits, NULL, &run->dedup, error);

	if (status)
		return status;
	run->unit_count = dwarf_loader_unit_count(run->backing->loader);
	run->units = arena_calloc(&run->arena, run->unit_count, sizeof(*run->units));
	if (!run->units)
		return error_no_memory(error);
	first_failure_init(&loading.failure);
	worker_pool_run(run->pool, load_unit_job, &loading, run->unit_count);
	status = first_failure_status(&loading.failure, error);
	first_failure_deinit(&loading.failure);
	return status;
}

static void forget_all(struct program_run *run)
{
	dedup_destroy(run->dedup);
	run->dedup = NULL;
	for (unsigned i = 0; i < worker_pool_size(run->pool); i++) {
		capture_deinit(&run->captures[i].capture);
		run->captures[i].capture = (struct capture){ 0 };
	}
}

static enum smelt_status reload_unit(void *context, uint32_t unit, struct worker *worker,
				     struct model_unit *types, struct smelt_error *error)
{
	struct program_run *run = context;
	struct unit_record record = { 0 };

	return dwarf_loader_load_unit(run->backing->loader, unit, NULL, worker, types, &record,
				      error);
}

enum smelt_status load_types(struct program_run *run, struct smelt_error *error)
{
	struct dwarf_loader *loader = run->backing->loader;
	enum smelt_status status = load_all(run, error);

	/* Which units were still loaded when this was found out is chance, so their errors do not count. */
	while (dwarf_loader_needs_reload(loader)) {
		forget_all(run);
		status = dwarf_loader_prepare_reload(loader, error);
		if (status)
			break;
		status = load_all(run, error);
	}
	if (status)
		return status;
	return dedup_settle(run->dedup,
			    &(struct dedup_input){ .units = run->units,
						   .unit_count = run->unit_count,
						   .reload = reload_unit,
						   .context = run },
			    error);
}
