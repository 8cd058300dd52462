/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Ids become the numbered types of the result: those that stay, and those of the base that a unit has, where it has
 * them first. Class arrays get class_count + number, so that looking up a number is the same
 * everywhere.
 */
#include "dedup/replay_internal.h"

struct finishing {
	struct replay *replay;
	uint32_t class_count;
	uint32_t *numbers; /* per id */
};

/* Whether a type is numbered where `id` is: one of the run is, where it stands itself. */
static bool is_place_of(const struct replay *replay, uint32_t stands, uint32_t id)
{
	return stands != 0 && (stands == id || stands < replay->base_count);
}

/* Numbers what stands for ids in their order; returns the count. */
static uint32_t number_types(struct finishing *finishing)
{
	struct replay *replay = finishing->replay;
	uint32_t *numbers = finishing->numbers;
	uint32_t count = 0;

	for (uint32_t id = replay->base_count; id < replay->id_count; id++) {
		uint32_t stands = replay_resolve(replay, id);

		if (numbers[stands] == 0 && is_place_of(replay, stands, id))
			numbers[stands] = ++count;
	}
	return count;
}

static uint32_t number_of(const struct finishing *finishing, uint32_t id)
{
	return finishing->numbers[replay_resolve(finishing->replay, id)];
}

static bool fill_type(struct finishing *finishing, uint32_t id, type_position position,
		      struct dedup_type *type)
{
	struct replay *replay = finishing->replay;
	struct class_table *table = replay->dedup->table;
	const struct class_content *content =
		class_entry(table, replay_class_of(replay, id))->content;
	const uint32_t stands = replay_resolve(replay, id);
	const uint32_t references = replay_reference_count(replay_type(replay, id));
	struct model_item *items =
		arena_alloc(&replay->dedup->arena, content->type.item_count * sizeof(*items));

	if (!items)
		return false;
	*type = (struct dedup_type){
		.position = position,
		.type = content->type,
		.items = items,
		.base_id = stands < replay->base_count ? stands : 0,
	};
	type->type.type = references ? number_of(finishing, replay_reference(replay, id, 0)) : 0;
	for (uint32_t i = 0; i < content->type.item_count; i++) {
		items[i] = content->items[i];
		items[i].type =
			references ? number_of(finishing, replay_reference(replay, id, i + 1)) : 0;
	}
	return true;
}

/* Types of one unit, in order; *next is the number of the first that is not filled. */
static bool fill_unit(struct finishing *finishing, uint32_t unit, uint32_t *next)
{
	struct replay *replay = finishing->replay;
	const uint32_t first = replay->first_id[unit];

	for (uint32_t id = first; id < replay->first_id[unit + 1]; id++) {
		uint32_t stands = replay_resolve(replay, id);

		if (finishing->numbers[stands] != *next || !is_place_of(replay, stands, id))
			continue;
		if (!fill_type(finishing, id, type_position_of(unit, id - first),
			       &replay->dedup->types[*next]))
			return false;
		++*next;
	}
	return true;
}

static void write_classes(struct finishing *finishing, uint32_t unit)
{
	const struct dedup *dedup = finishing->replay->dedup;
	const struct unit_record *record = &dedup->units[unit];
	const uint32_t first = finishing->replay->first_id[unit];

	for (uint32_t slot = 1; record->classes && slot < record->type_count; slot++) {
		if (record->classes[slot] != 0)
			record->classes[slot] =
				finishing->class_count + number_of(finishing, first + slot);
	}
}

/* Of the type that was added by itself, which is known by its class. */
static uint32_t added_number(const struct finishing *finishing)
{
	const struct dedup *dedup = finishing->replay->dedup;
	uint32_t unit = type_position_unit(dedup->added_position);

	return number_of(finishing, finishing->replay->first_id[unit] +
					    type_position_slot(dedup->added_position));
}

enum smelt_status replay_finish(struct replay *replay, struct smelt_error *error)
{
	struct dedup *dedup = replay->dedup;
	struct finishing finishing = {
		.replay = replay,
		.class_count = replay->classes->type_count - 1,
		.numbers = arena_calloc(&dedup->arena, replay->id_count, sizeof(uint32_t)),
	};
	uint32_t next = 1;
	size_t count;

	if (!finishing.numbers)
		return error_no_memory(error);
	dedup->type_count = number_types(&finishing);
	count = (size_t)finishing.class_count + dedup->type_count + 1;
	dedup->class_numbers = arena_calloc(&dedup->arena, count, sizeof(*dedup->class_numbers));
	dedup->types = arena_calloc(&dedup->arena, dedup->type_count + 1ull, sizeof(*dedup->types));
	if (!dedup->class_numbers || !dedup->types)
		return error_no_memory(error);
	for (uint32_t number = 1; number <= dedup->type_count; number++)
		dedup->class_numbers[finishing.class_count + number] = number;
	for (uint32_t unit = 0; unit < dedup->unit_count; unit++) {
		if (!fill_unit(&finishing, unit, &next))
			return error_no_memory(error);
		write_classes(&finishing, unit);
	}
	if (dedup->added_class)
		dedup->class_numbers[dedup->added_class] = added_number(&finishing);
	return SMELT_OK;
}
