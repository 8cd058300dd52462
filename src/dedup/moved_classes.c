/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The next representative is the first instance outside of the residue. Only for a reference type
 * that a unit has more than once does it take the unit itself to say which is finished first.
 */
#include "dedup/moved_classes.h"

#include <stdlib.h>

#include "dedup/finish_order.h"
#include "dedup/type_family.h"

struct moving {
	const struct residue *residue;
	const struct class_scan *scan;
	type_position *moved;
	uint32_t *asked_unit; /* per class: 1 + the unit that has to say which is first */
	uint32_t *units;      /* those units, ascending */
	uint32_t unit_count;
	dedup_reload_fn reload;
	void *context;
	struct smelt_error *errors; /* per asked unit */
};

static void ask_unit_job(void *argument, uint32_t index, struct worker *worker)
{
	struct moving *moving = argument;
	const uint32_t unit_index = moving->units[index];
	const uint32_t *classes = moving->residue->dedup->units[unit_index].classes;
	struct smelt_error *error = &moving->errors[index];
	struct model_unit unit;
	const uint32_t *order;
	uint32_t count;

	error->status = moving->reload(moving->context, unit_index, worker, &unit, error);
	if (error->status)
		return;
	order = finish_order(&unit, &worker->scratch, &count);
	if (!order) {
		error_no_memory(error);
		return;
	}
	/* From the end, so that the one finished first is written last. */
	for (uint32_t i = count; i-- > 0;) {
		type_position position = type_position_of(unit_index, order[i]);
		uint32_t class_index = classes[order[i]];

		if (moving->asked_unit[class_index] == unit_index + 1 &&
		    !residue_has(moving->residue, position))
			moving->moved[class_index] = position;
	}
}

static bool has_second_in_unit(const struct moving *moving, const type_position *places,
			       uint32_t first, uint32_t count)
{
	for (uint32_t i = first + 1; i < count; i++) {
		if (type_position_unit(places[i]) != type_position_unit(places[first]))
			break;
		if (!residue_has(moving->residue, places[i]))
			return true;
	}
	return false;
}

static void move_class(struct moving *moving, uint32_t index)
{
	struct class_table *table = moving->residue->dedup->table;
	const type_position *places = class_scan_places(moving->scan, index);
	uint32_t count = class_scan_count(moving->scan, index);
	uint32_t first = 0;

	if (!residue_has(moving->residue, class_representative(table, index)))
		return;
	while (first < count && residue_has(moving->residue, places[first]))
		first++;
	if (first == count) {
		moving->moved[index] = TYPE_POSITION_NONE;
		return;
	}
	moving->moved[index] = places[first];
	if (type_is_reference(&class_entry(table, index)->content->type) &&
	    has_second_in_unit(moving, places, first, count)) {
		moving->asked_unit[index] = type_position_unit(places[first]) + 1;
		moving->units[moving->unit_count++] = type_position_unit(places[first]);
	}
}

static int compare_u32(const void *left, const void *right)
{
	uint32_t x = *(const uint32_t *)left, y = *(const uint32_t *)right;

	return (x > y) - (x < y);
}

static enum smelt_status ask_units(struct moving *moving, struct smelt_error *error)
{
	uint32_t distinct = 0;

	qsort(moving->units, moving->unit_count, sizeof(*moving->units), compare_u32);
	for (uint32_t i = 0; i < moving->unit_count; i++) {
		if (i == 0 || moving->units[i] != moving->units[i - 1])
			moving->units[distinct++] = moving->units[i];
	}
	moving->errors = calloc((size_t)distinct + 1, sizeof(*moving->errors));
	if (!moving->errors)
		return error_no_memory(error);
	worker_pool_run(moving->residue->dedup->pool, ask_unit_job, moving, distinct);
	for (uint32_t i = 0; i < distinct; i++) {
		enum smelt_status status = moving->errors[i].status;

		if (!status)
			continue;
		if (error)
			*error = moving->errors[i];
		return status;
	}
	return SMELT_OK;
}

enum smelt_status moved_classes_find(type_position **moved, const struct residue *residue,
				     const struct class_scan *scan, const uint32_t *node_counts,
				     dedup_reload_fn reload, void *context,
				     struct smelt_error *error)
{
	const size_t count = (size_t)class_table_count(residue->dedup->table) + 1;
	struct moving moving = {
		.residue = residue,
		.scan = scan,
		.moved = calloc(count, sizeof(*moving.moved)),
		.asked_unit = calloc(count, sizeof(*moving.asked_unit)),
		.units = calloc(count, sizeof(*moving.units)),
		.reload = reload,
		.context = context,
	};
	enum smelt_status status;

	if (moving.moved && moving.asked_unit && moving.units) {
		for (uint32_t index = 1; index < count; index++) {
			if (node_counts[index] > 0)
				move_class(&moving, index);
		}
		status = ask_units(&moving, error);
	} else {
		status = error_no_memory(error);
	}
	free(moving.asked_unit);
	free(moving.units);
	free(moving.errors);
	if (status)
		free(moving.moved);
	else
		*moved = moving.moved;
	return status;
}
