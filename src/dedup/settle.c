/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Classes become the numbered types of the result. */

#include "dedup/dedup_internal.h"
#include "dedup/name_groups.h"
#include "dedup/position_sort.h"

/* Classes per job when contents are made final: 20 to 50 us. */
enum { CLASSES_PER_JOB = 1024 };

struct settling {
	struct dedup *dedup;
	struct class_table *table;
	uint32_t class_count;
	struct name_groups groups;
	uint32_t *stands_for;           /* per class: the class that replaces it, mostly itself */
	type_position *representatives; /* per class */
	struct positioned *order;
	struct positioned *spare;
};

static type_position lowest_position(struct settling *settling, uint32_t index)
{
	return atomic_load_explicit(class_position(settling->table, index), memory_order_relaxed);
}

/* A forward declaration is replaced by the definition, or by the first of its kind. */
static void choose_definitions(struct settling *settling)
{
	for (uint32_t index = 1; index <= settling->class_count; index++) {
		const struct name_group *group =
			&settling->groups.groups.items[settling->groups.of_class[index]];
		const struct class_content *content = class_entry(settling->table, index)->content;

		settling->stands_for[index] = index;
		if (settling->groups.of_class[index] == 0 || !type_is_forward(&content->type))
			continue;
		settling->stands_for[index] = group->lowest_definition ? group->lowest_definition :
									 group->lowest_forward;
	}
}

static type_position representative_of(struct settling *settling, uint32_t index)
{
	type_position lowest = lowest_position(settling, index);
	type_position finished = atomic_load_explicit(
		&class_entry(settling->table, index)->finished_first, memory_order_relaxed);

	/* A claim of a unit that turned out not to be the lowest is void. */
	return type_position_unit(finished) == type_position_unit(lowest) ? finished : lowest;
}

/* Numbers the classes that stay. */
static void number_types(struct settling *settling)
{
	struct dedup *dedup = settling->dedup;
	uint32_t kept = 0;

	for (uint32_t index = 1; index <= settling->class_count; index++) {
		if (settling->stands_for[index] != index)
			continue;
		settling->order[kept++] = (struct positioned){
			.position = representative_of(settling, index),
			.index = index,
		};
	}
	position_sort(settling->order, settling->spare, kept);
	dedup->type_count = kept;
	dedup->class_numbers[0] = 0;
	for (uint32_t i = 0; i < kept; i++)
		dedup->class_numbers[settling->order[i].index] = i + 1;
	for (uint32_t index = 1; index <= settling->class_count; index++)
		dedup->class_numbers[index] = dedup->class_numbers[settling->stands_for[index]];
}

/* Makes the contents of a range of types final; each class is the content of one type at most. */
static void finish_types_job(void *argument, uint32_t job_index, struct worker *worker)
{
	struct settling *settling = argument;
	struct dedup *dedup = settling->dedup;
	uint32_t first = job_index * CLASSES_PER_JOB;
	uint32_t end = first + CLASSES_PER_JOB;

	(void)worker;
	if (end > dedup->type_count)
		end = dedup->type_count;
	for (uint32_t i = first; i < end; i++) {
		const struct positioned *place = &settling->order[i];
		struct class_content *content = class_entry(settling->table, place->index)->content;

		content->type.type = dedup->class_numbers[content->type.type];
		for (uint32_t k = 0; k < content->type.item_count; k++)
			content->items[k].type = dedup->class_numbers[content->items[k].type];
		dedup->types[i + 1] = (struct dedup_type){
			.position = place->position,
			.type = content->type,
			.items = content->items,
		};
	}
}

static void finish_types(struct settling *settling)
{
	worker_pool_run(settling->dedup->pool, finish_types_job, settling,
			(settling->dedup->type_count + CLASSES_PER_JOB - 1) / CLASSES_PER_JOB);
}

static void collect_first_uses(struct settling *settling)
{
	struct dedup *dedup = settling->dedup;

	for (uint32_t index = 1; index <= settling->class_count; index++)
		settling->order[index - 1] = (struct positioned){
			.position = lowest_position(settling, index),
			.index = index,
		};
	position_sort(settling->order, settling->spare, settling->class_count);
	for (uint32_t i = 0; i < settling->class_count; i++) {
		const struct class_content *content =
			class_entry(settling->table, settling->order[i].index)->content;

		dedup->first_uses[i] = (struct dedup_first_use){
			.position = settling->order[i].position,
			.name = content->type.name,
			.item_count = content->type.item_count,
			.items = content->items,
		};
	}
	dedup->first_use_count = settling->class_count;
}

static bool settling_init(struct settling *settling, struct dedup *dedup)
{
	struct arena *arena = &dedup->arena;
	size_t count = (size_t)class_table_count(dedup->table) + 1;

	*settling = (struct settling){
		.dedup = dedup,
		.table = dedup->table,
		.class_count = (uint32_t)count - 1,
		.stands_for = arena_alloc(arena, count * sizeof(*settling->stands_for)),
		.order = arena_alloc(arena, count * sizeof(*settling->order)),
		.spare = arena_alloc(arena, count * sizeof(*settling->spare)),
	};
	dedup->class_numbers = arena_alloc(arena, count * sizeof(*dedup->class_numbers));
	dedup->types = arena_calloc(arena, count, sizeof(*dedup->types));
	dedup->first_uses = arena_alloc(arena, count * sizeof(*dedup->first_uses));
	return settling->stands_for && settling->order && settling->spare && dedup->class_numbers &&
	       dedup->types && dedup->first_uses &&
	       name_groups_init(&settling->groups, dedup->table, arena);
}

enum smelt_status dedup_settle(struct dedup *dedup, const struct unit_record *units,
			       uint32_t unit_count, dedup_reload_fn reload, void *context,
			       struct smelt_error *error)
{
	struct settling settling;

	(void)reload;
	(void)context;
	dedup->units = units;
	dedup->unit_count = unit_count;
	if (!settling_init(&settling, dedup)) {
		name_groups_deinit(&settling.groups);
		return error_no_memory(error);
	}
	for (size_t i = 1; i < settling.groups.groups.count; i++)
		dedup->ambiguous_names += settling.groups.groups.items[i].definition_count > 1;
	choose_definitions(&settling);
	number_types(&settling);
	/* Type numbers are final from here on. */
	finish_types(&settling);
	collect_first_uses(&settling);
	name_groups_deinit(&settling.groups);
	return SMELT_OK;
}
