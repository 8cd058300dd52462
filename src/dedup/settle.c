/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Classes and versions become the numbered types of the result. Versions continue the numbering of
 * classes: version v is class_count + v + 1, and the residue's entries in the units' class arrays
 * are overwritten with that, so that looking up a number is the same everywhere.
 */
#include "dedup/ambiguity.h"
#include "dedup/base_agreement.h"
#include "dedup/class_unit.h"
#include "dedup/dedup_internal.h"
#include "dedup/name_groups.h"
#include "dedup/position_sort.h"
#include "dedup/replay.h"

/* Types per job when contents are made final: 20 to 50 us. */
enum { TYPES_PER_JOB = 1024 };

struct settling {
	struct dedup *dedup;
	struct class_table *table;
	uint32_t class_count;
	uint32_t index_count; /* classes and versions, and 0 */
	struct name_groups groups;
	struct ambiguity ambiguity;
	uint32_t *base_ids;       /* per class: its type of the base or BASE_NONE; NULL: no base */
	struct positioned *order; /* types by position */
	struct positioned *spare;
	_Atomic bool failed; /* set only, by any worker */
};

static const struct class_content *content_of(const struct settling *settling, uint32_t index)
{
	return class_entry(settling->table, index)->content;
}

static const struct name_group *group_of(const struct settling *settling, uint32_t index)
{
	return &settling->groups.groups.items[settling->groups.of_class[index]];
}

static const struct type_version *version_at(const struct settling *settling, uint32_t index)
{
	return &settling->ambiguity.residue.versions.items[index - settling->class_count - 1];
}

/* The type that the class is outside of the residue, or TYPE_POSITION_NONE if it is none. */
static type_position primary_position(const struct settling *settling, uint32_t index)
{
	const struct name_group *group = group_of(settling, index);

	if (group->primary != 0 && group->primary != index)
		return TYPE_POSITION_NONE;
	if (settling->ambiguity.moved && settling->ambiguity.moved[index] != 0)
		return settling->ambiguity.moved[index];
	return class_representative(settling->table, index);
}

/* ---- numbers ---- */

/* Lists the types of the result; returns their count. */
static uint32_t list_types(struct settling *settling)
{
	const struct residue *residue = &settling->ambiguity.residue;
	uint32_t count = 0;

	for (uint32_t index = 1; index <= settling->class_count; index++) {
		type_position position = primary_position(settling, index);

		if (position != TYPE_POSITION_NONE)
			settling->order[count++] = (struct positioned){ position, index };
	}
	for (uint32_t index = settling->class_count + 1; index < settling->index_count; index++) {
		const struct type_version *version = version_at(settling, index);
		const struct residue_unit *unit = &residue->units[version->unit];

		/* A version of nothing but declarations means something that failed to be found. */
		if (version->has_representative)
			settling->order[count++] = (struct positioned){
				residue_position(unit, version->node),
				index,
			};
	}
	return count;
}

/*
 * A name whose only type is residue means that; should there be several after all, the lowest.
 * Versions that are declarations only mean the class of their definition.
 */
static void number_names_in_residue(struct settling *settling)
{
	uint32_t *numbers = settling->dedup->class_numbers;

	for (uint32_t index = settling->class_count + 1; index < settling->index_count; index++) {
		const struct type_version *version = version_at(settling, index);

		if (version->has_representative &&
		    primary_position(settling, version->class_index) == TYPE_POSITION_NONE &&
		    (numbers[version->class_index] == 0 ||
		     numbers[version->class_index] > numbers[index]))
			numbers[version->class_index] = numbers[index];
	}
	for (uint32_t index = settling->class_count + 1; index < settling->index_count; index++) {
		const struct type_version *version = version_at(settling, index);

		if (!version->has_representative)
			numbers[index] = numbers[version->class_index];
	}
}

static void number_types(struct settling *settling)
{
	struct dedup *dedup = settling->dedup;
	uint32_t count = list_types(settling);

	position_sort(settling->order, settling->spare, count);
	dedup->type_count = count;
	for (uint32_t i = 0; i < count; i++)
		dedup->class_numbers[settling->order[i].index] = i + 1;
	number_names_in_residue(settling);
	for (uint32_t index = 1; index <= settling->class_count; index++) {
		const struct name_group *group = group_of(settling, index);

		if (group->primary != 0)
			dedup->class_numbers[index] = dedup->class_numbers[group->primary];
	}
}

/* Writes versions into the class arrays of their units. */
static void number_residue(struct settling *settling)
{
	const struct residue *residue = &settling->ambiguity.residue;

	for (uint32_t i = 0; i < residue->unit_count; i++) {
		const struct residue_unit *graph = &residue->units[i];
		uint32_t *classes = settling->dedup->units[graph->unit].classes;

		for (uint32_t node = 0; node < graph->node_count; node++) {
			if (graph->versions[node] != 0)
				classes[graph->slots[node]] =
					settling->class_count + graph->versions[node];
		}
	}
}

/* ---- contents ---- */

/* A version's content: that of its class, but what the representative refers to in its unit. */
static struct class_content *version_content(const struct settling *settling,
					     const struct type_version *version, struct arena *kept)
{
	const struct residue_unit *graph = &settling->ambiguity.residue.units[version->unit];
	const struct class_content *of_class = content_of(settling, version->class_index);
	const uint32_t *numbers = settling->dedup->class_numbers;
	const uint32_t item_count = of_class->type.item_count;
	struct class_content *content =
		arena_alloc(kept, sizeof(*content) + item_count * sizeof(content->items[0]));

	if (!content)
		return NULL;
	content->type = of_class->type;
	content->type.type = numbers[of_class->type.type];
	for (uint32_t i = 0; i < item_count; i++) {
		content->items[i] = of_class->items[i];
		content->items[i].type = numbers[of_class->items[i].type];
	}
	for (uint32_t i = graph->first_edge[version->node];
	     i < graph->first_edge[version->node + 1]; i++) {
		uint32_t target = graph->versions[graph->edges[i].target];
		uint32_t number = graph->edges[i].number;

		if (target == 0)
			continue;
		if (number == 0)
			content->type.type = numbers[settling->class_count + target];
		else if (number <= item_count)
			content->items[number - 1].type = numbers[settling->class_count + target];
	}
	return content;
}

static struct class_content *class_content_in_place(const struct settling *settling, uint32_t index)
{
	struct class_content *content = class_entry(settling->table, index)->content;
	const uint32_t *numbers = settling->dedup->class_numbers;

	content->type.type = numbers[content->type.type];
	for (uint32_t i = 0; i < content->type.item_count; i++)
		content->items[i].type = numbers[content->items[i].type];
	return content;
}

/* The base's type that all instances of the class are, or 0. */
static uint32_t base_id_of(const struct settling *settling, uint32_t index)
{
	if (!settling->base_ids || settling->base_ids[index] == BASE_NONE)
		return 0;
	return settling->base_ids[index];
}

/*
 * Makes a range of types final: versions in a first pass, then classes, whose contents they need
 * as it was.
 */
static void finish_range(struct settling *settling, uint32_t job_index, struct arena *kept,
			 bool is_version_pass)
{
	struct dedup *dedup = settling->dedup;
	uint32_t end = (job_index + 1) * TYPES_PER_JOB;

	if (end > dedup->type_count)
		end = dedup->type_count;
	for (uint32_t i = job_index * TYPES_PER_JOB; i < end; i++) {
		const struct positioned *place = &settling->order[i];
		bool is_version = place->index > settling->class_count;
		const struct class_content *content;

		if (is_version != is_version_pass)
			continue;
		content = is_version ? version_content(settling, version_at(settling, place->index),
						       kept) :
				       class_content_in_place(settling, place->index);
		if (!content) {
			settling->failed = true;
			return;
		}
		dedup->types[i + 1] = (struct dedup_type){
			.position = place->position,
			.type = content->type,
			.items = content->items,
			.base_id = base_id_of(settling, place->index),
		};
	}
}

static void finish_versions_job(void *argument, uint32_t job_index, struct worker *worker)
{
	struct settling *settling = argument;

	finish_range(settling, job_index, &settling->dedup->workers[worker->index].kept, true);
}

static void finish_classes_job(void *argument, uint32_t job_index, struct worker *worker)
{
	struct settling *settling = argument;

	finish_range(settling, job_index, &settling->dedup->workers[worker->index].kept, false);
}

static void finish_types(struct settling *settling)
{
	struct dedup *dedup = settling->dedup;
	uint32_t jobs = (dedup->type_count + TYPES_PER_JOB - 1) / TYPES_PER_JOB;

	if (settling->index_count > settling->class_count + 1)
		worker_pool_run(dedup->pool, finish_versions_job, settling, jobs);
	worker_pool_run(dedup->pool, finish_classes_job, settling, jobs);
}

/* ---- order of strings ---- */

static void collect_first_uses(struct settling *settling)
{
	struct dedup *dedup = settling->dedup;
	uint32_t count = 0;

	for (uint32_t index = 1; index <= settling->class_count; index++) {
		/* All that the base's types say is in its strings. */
		if (base_id_of(settling, index) != 0)
			continue;
		settling->order[count++] = (struct positioned){
			.position = atomic_load_explicit(class_position(settling->table, index),
							 memory_order_relaxed),
			.index = index,
		};
	}
	position_sort(settling->order, settling->spare, count);
	for (uint32_t i = 0; i < count; i++) {
		const struct class_content *content =
			content_of(settling, settling->order[i].index);

		dedup->first_uses[i] = (struct dedup_first_use){
			.position = settling->order[i].position,
			.name = content->type.name,
			.item_count = content->type.item_count,
			.items = content->items,
		};
	}
	dedup->first_use_count = count;
}

/* ---- all ---- */

static bool allocate_order(struct settling *settling)
{
	struct dedup *dedup = settling->dedup;
	struct arena *arena = &dedup->arena;
	size_t count;

	settling->index_count =
		settling->class_count + 1 + (uint32_t)settling->ambiguity.residue.versions.count;
	count = settling->index_count;
	settling->order = arena_alloc(arena, count * sizeof(*settling->order));
	settling->spare = arena_alloc(arena, count * sizeof(*settling->spare));
	dedup->first_uses = arena_alloc(arena, count * sizeof(*dedup->first_uses));
	return settling->order && settling->spare && dedup->first_uses;
}

static bool allocate_results(struct settling *settling)
{
	struct dedup *dedup = settling->dedup;
	size_t count = settling->index_count;

	dedup->class_numbers = arena_calloc(&dedup->arena, count, sizeof(*dedup->class_numbers));
	dedup->types = arena_calloc(&dedup->arena, count, sizeof(*dedup->types));
	return dedup->class_numbers && dedup->types;
}

static enum smelt_status settle_classes(struct settling *settling, const struct dedup_input *input,
					struct smelt_error *error)
{
	enum smelt_status status = ambiguity_resolve(&settling->ambiguity, settling->dedup,
						     &settling->groups, input->reload,
						     input->context, error);

	if (status)
		return status;
	if (!allocate_order(settling) || !allocate_results(settling))
		return error_no_memory(error);
	number_types(settling);
	number_residue(settling);
	/* Type numbers are final from here on. */
	finish_types(settling);
	return settling->failed ? error_no_memory(error) : SMELT_OK;
}

static uint32_t class_at(const struct dedup *dedup, type_position position)
{
	if (position == 0)
		return 0;
	if (position == dedup->added_position)
		return dedup->added_class;
	return dedup->units[type_position_unit(position)].classes[type_position_slot(position)];
}

static enum smelt_status settle_on_base(struct settling *settling, const struct dedup_input *input,
					struct smelt_error *error)
{
	struct dedup *dedup = settling->dedup;
	size_t count = settling->class_count + 1ull;
	uint32_t *base_ids = arena_alloc(&dedup->arena, count * sizeof(*base_ids));
	struct model_unit classes;
	enum smelt_status status;
	bool agrees;

	if (!base_ids)
		return error_no_memory(error);
	status = class_unit_create(dedup, &classes, error);
	if (!status)
		status = base_agreement_find(dedup, &settling->groups, &classes,
					     class_at(dedup, input->index_type), base_ids, &agrees,
					     error);
	if (status)
		return status;
	if (agrees) {
		settling->base_ids = base_ids;
		return settle_classes(settling, input, error);
	}
	if (!allocate_order(settling))
		return error_no_memory(error);
	return replay_run(dedup, &classes, input, error);
}

static enum smelt_status settle(struct settling *settling, const struct dedup_input *input,
				struct smelt_error *error)
{
	struct dedup *dedup = settling->dedup;
	enum smelt_status status;

	if (!name_groups_init(&settling->groups, dedup->table, &dedup->arena))
		return error_no_memory(error);
	for (size_t i = 1; i < settling->groups.groups.count; i++)
		dedup->ambiguous_names += settling->groups.groups.items[i].definition_count > 1;
	status = dedup->base ? settle_on_base(settling, input, error) :
			       settle_classes(settling, input, error);
	if (!status)
		collect_first_uses(settling);
	return status;
}

enum smelt_status dedup_settle(struct dedup *dedup, const struct dedup_input *input,
			       struct smelt_error *error)
{
	struct settling settling = {
		.dedup = dedup,
		.table = dedup->table,
		.class_count = class_table_count(dedup->table),
	};
	enum smelt_status status;

	dedup->units = input->units;
	dedup->unit_count = input->unit_count;
	dedup->names = input->names;
	status = settle(&settling, input, error);
	ambiguity_deinit(&settling.ambiguity);
	name_groups_deinit(&settling.groups);
	return status;
}
