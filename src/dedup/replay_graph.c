/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * All types of all units with what they refer to: four bytes per type and reference. What they say is known by
 * their classes. Which place a unit's references get is known before it is loaded again.
 */
#include <stdlib.h>
#include <string.h>

#include "dedup/replay_internal.h"

struct graph_job {
	struct replay *replay;
	dedup_reload_fn reload;
	void *context;
	struct smelt_error *errors; /* per unit */
};

static uint32_t unit_type_count(const struct dedup *dedup, uint32_t unit)
{
	return dedup->units[unit].classes ? dedup->units[unit].type_count : 0;
}

/* Whether a type was added behind those of the unit. */
static bool has_added_type(const struct dedup *dedup, uint32_t unit)
{
	return dedup->added_class && type_position_unit(dedup->added_position) == unit;
}

static bool number_types(struct replay *replay)
{
	const struct dedup *dedup = replay->dedup;
	uint64_t id = replay->base_count;

	replay->first_id = malloc(((size_t)dedup->unit_count + 1) * sizeof(*replay->first_id));
	if (!replay->first_id)
		return false;
	for (uint32_t unit = 0; unit < dedup->unit_count && id < REPLAY_IN_PROGRESS; unit++) {
		replay->first_id[unit] = (uint32_t)id;
		id += (uint64_t)unit_type_count(dedup, unit) + has_added_type(dedup, unit);
	}
	replay->first_id[dedup->unit_count] = (uint32_t)id;
	replay->id_count = (uint32_t)id;
	return id < REPLAY_IN_PROGRESS;
}

static void copy_classes(struct replay *replay)
{
	const struct dedup *dedup = replay->dedup;

	for (uint32_t unit = 0; unit < dedup->unit_count; unit++) {
		uint32_t *classes =
			replay->class_of + (replay->first_id[unit] - replay->base_count);
		uint32_t count = unit_type_count(dedup, unit);

		if (count > 0)
			memcpy(classes, dedup->units[unit].classes, count * sizeof(*classes));
		if (has_added_type(dedup, unit))
			classes[count] = dedup->added_class;
	}
}

static bool place_references(struct replay *replay)
{
	const uint32_t count = replay->id_count - replay->base_count;
	uint64_t total = 0;

	for (uint32_t i = 0; i < count && total <= UINT32_MAX; i++) {
		const struct model_type *type = &replay->classes->types[replay->class_of[i]];

		replay->first_reference[i] = (uint32_t)total;
		total += replay_reference_count(type);
	}
	if (total > UINT32_MAX)
		return false;
	replay->first_reference[count] = (uint32_t)total;
	replay->references = calloc(total + 1, sizeof(*replay->references));
	return replay->references != NULL;
}

static uint32_t id_of_slot(const struct replay *replay, uint32_t unit, uint32_t slot)
{
	uint32_t id = replay->first_id[unit] + slot;

	return replay_class_of(replay, id) == 0 ? 0 : id;
}

static void fill_references(struct replay *replay, uint32_t unit_index,
			    const struct model_unit *unit)
{
	for (uint32_t slot = 1; slot < unit->type_count; slot++) {
		const struct model_type *type = &unit->types[slot];
		uint32_t place = replay->first_id[unit_index] + slot - replay->base_count;
		uint32_t first = replay->first_reference[place];
		uint32_t count = replay->first_reference[place + 1] - first;

		/* A class that by chance has the fingerprint of another may differ in that. */
		if (count > replay_reference_count(type))
			count = replay_reference_count(type);
		for (uint32_t i = 0; i < count; i++)
			replay->references[first + i] =
				id_of_slot(replay, unit_index, type_reference_at(unit, type, i));
	}
}

static void load_unit_job(void *argument, uint32_t unit_index, struct worker *worker)
{
	struct graph_job *job = argument;
	struct replay *replay = job->replay;
	struct smelt_error *error = &job->errors[unit_index];
	uint32_t count = unit_type_count(replay->dedup, unit_index);
	struct model_unit unit;
	enum smelt_status status;

	if (count <= 1)
		return;
	status = job->reload(job->context, unit_index, worker, &unit, error);
	if (status)
		error->status = status;
	else if (unit.type_count != count)
		error_set(error, SMELT_BAD_DATA, "unit %u has changed while it was read",
			  (unsigned)unit_index);
	else
		fill_references(replay, unit_index, &unit);
}

static enum smelt_status load_units(struct graph_job *job, struct smelt_error *error)
{
	const struct dedup *dedup = job->replay->dedup;

	job->errors = calloc((size_t)dedup->unit_count + 1, sizeof(*job->errors));
	if (!job->errors)
		return error_no_memory(error);
	worker_pool_run(dedup->pool, load_unit_job, job, dedup->unit_count);
	for (uint32_t unit = 0; unit < dedup->unit_count; unit++) {
		enum smelt_status status = job->errors[unit].status;

		if (!status)
			continue;
		if (error)
			*error = job->errors[unit];
		return status;
	}
	return SMELT_OK;
}

enum smelt_status replay_load_graph(struct replay *replay, dedup_reload_fn reload, void *context,
				    struct smelt_error *error)
{
	struct graph_job job = { .replay = replay, .reload = reload, .context = context };
	enum smelt_status status;
	size_t count;

	if (!number_types(replay))
		return error_no_memory(error);
	count = replay->id_count - replay->base_count;
	replay->class_of = calloc(count + 1, sizeof(*replay->class_of));
	replay->first_reference = calloc(count + 1, sizeof(*replay->first_reference));
	if (!replay->class_of || !replay->first_reference)
		return error_no_memory(error);
	copy_classes(replay);
	if (!place_references(replay))
		return error_no_memory(error);
	status = load_units(&job, error);
	free(job.errors);
	return status;
}
