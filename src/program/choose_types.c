/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * For each type of the set what was captured of its representative. That of a name with several definitions may be an
 * instance that nobody took for the first of its kind: for those few, units are loaded once more.
 */
#include <assert.h>
#include <string.h>

#include "base/first_failure.h"
#include "program/program_run.h"

static uint32_t position_unit(type_position position)
{
	return (uint32_t)(position >> 32);
}

static uint32_t position_slot(type_position position)
{
	return (uint32_t)position;
}

/* Nothing about these but what they refer to: any instance of the unit says it. */
static bool is_reference(const struct program_type *type)
{
	switch (type->kind) {
	case TYPE_POINTER:
	case TYPE_REFERENCE:
	case TYPE_RVALUE_REFERENCE:
	case TYPE_MEMBER_POINTER:
	case TYPE_ARRAY:
	case TYPE_FUNCTION:
		return true;
	default:
		return type_kind_is_qualifier(type->kind);
	}
}

static bool represents(const struct captured_type *captured, type_position position)
{
	return captured->unit == position_unit(position) &&
	       (captured->slot == position_slot(position) || is_reference(&captured->type));
}

static void choose(struct program_run *run)
{
	for (unsigned i = 0; i < worker_pool_size(run->pool); i++) {
		const struct capture *capture = &run->captures[i].capture;

		for (size_t k = 0; k < capture->types.count; k++) {
			const struct captured_type *captured = &capture->types.items[k];
			uint32_t number =
				dedup_number_of(run->dedup, captured->unit, captured->slot);

			if (number == 0 ||
			    !represents(captured, dedup_type(run->dedup, number)->position))
				continue;
			if (!run->chosen[number].captured ||
			    run->chosen[number].captured->slot > captured->slot)
				run->chosen[number] = (struct chosen_type){ captured, i };
		}
	}
}

/* ---- What is not there ---- */

struct missing_unit {
	uint32_t unit;
	uint32_t first; /* index into slots */
	uint32_t count;
};

struct recapture {
	struct program_run *run;
	struct missing_unit *units;
	uint32_t unit_count;
	uint32_t *slots; /* by unit, ascending */
	struct first_failure failure;
};

/* Numbers ascend with positions. */
static bool list_missing(struct recapture *recapture)
{
	struct program_run *run = recapture->run;
	uint32_t type_count = dedup_type_count(run->dedup), count = 0;

	recapture->units = arena_alloc(&run->arena, type_count * sizeof(*recapture->units));
	recapture->slots = arena_alloc(&run->arena, type_count * sizeof(*recapture->slots));
	if (!recapture->units || !recapture->slots)
		return false;
	for (uint32_t number = 1; number <= type_count; number++) {
		type_position position = dedup_type(run->dedup, number)->position;
		struct missing_unit *last = recapture->units + recapture->unit_count - 1;

		if (run->chosen[number].captured)
			continue;
		if (recapture->unit_count == 0 || last->unit != position_unit(position)) {
			last = &recapture->units[recapture->unit_count++];
			*last = (struct missing_unit){ .unit = position_unit(position),
						       .first = count };
		}
		recapture->slots[count++] = position_slot(position);
		last->count++;
	}
	return true;
}

static void recapture_job(void *argument, uint32_t job, struct worker *worker)
{
	struct recapture *recapture = argument;
	struct program_run *run = recapture->run;
	const struct missing_unit *missing = &recapture->units[job];
	struct unit_record record = { 0 };
	struct smelt_error error = { 0 };
	struct model_unit types;
	enum smelt_status status;

	arena_reset(&worker->scratch);
	status = dwarf_loader_load_unit(run->backing->loader, missing->unit, NULL, worker, &types,
					&record, &error);
	if (!status)
		status = dwarf_loader_capture(
			run->backing->loader, missing->unit, recapture->slots + missing->first,
			missing->count, worker, &run->captures[worker->index].capture, &error);
	if (status)
		first_failure_note(&recapture->failure, job, status, &error);
}

enum smelt_status choose_types(struct program_run *run, struct smelt_error *error)
{
	struct recapture recapture = { .run = run };
	size_t count = (size_t)dedup_type_count(run->dedup) + 1;
	enum smelt_status status;

	run->chosen = arena_calloc(&run->arena, count, sizeof(*run->chosen));
	if (!run->chosen)
		return error_no_memory(error);
	choose(run);
	if (!list_missing(&recapture))
		return error_no_memory(error);
	if (recapture.unit_count == 0)
		return SMELT_OK;
	first_failure_init(&recapture.failure);
	worker_pool_run(run->pool, recapture_job, &recapture, recapture.unit_count);
	status = first_failure_status(&recapture.failure, error);
	first_failure_deinit(&recapture.failure);
	if (status)
		return status;
	/* The captures have grown, and may have moved. */
	memset(run->chosen, 0, count * sizeof(*run->chosen));
	choose(run);
	for (size_t number = 1; number < count; number++)
		assert(run->chosen[number].captured); /* each slot has a DIE */
	return SMELT_OK;
}
