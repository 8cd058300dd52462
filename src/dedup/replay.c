/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * A module may know a struct that its kernel only declares, or mean something of its own by a name that the kernel
 * uses for something else. What then becomes of all types that refer to it depends on the order in which the
 * incumbent compares them: the first struct that reaches a declaration of the kernel's becomes a type of the module, later
 * ones do not, and so on. So it is done type by type, in that order:
 *
 *   1. types without references     the first equal candidate
 *   2. structs, unions, typedefs    the first candidate with an equal graph (replay_compare.c)
 *   3. declarations                 the only definition of that name
 *   4. the others                   by what they refer to (replay_references.c)
 *
 * Candidates of equal words are tried in the order that the incumbent's hash table has them in
 * (replay_candidates.c). All units' references are in memory at a time, but no words: those are the classes'.
 */
#include "dedup/replay.h"

#include <stdlib.h>

#include "dedup/replay_internal.h"

enum { STEPS_BASIC = 16 * 1024 * 1024, STEPS_PER_TYPE = 1024 };

/* ---- 1: types without references ---- */

static bool is_primitive(const struct model_type *type)
{
	return type->kind == TYPE_INT || type->kind == TYPE_FLOAT || type->kind == TYPE_ENUM ||
	       type->kind == TYPE_STRUCT_FORWARD || type->kind == TYPE_UNION_FORWARD;
}

static bool enums_are_equal(const struct replay *replay, uint32_t x, uint32_t y)
{
	return type_words_are_equal(replay_words(replay, x), replay_words(replay, y));
}

/*
 * An enumeration without enumerators becomes any of its name. One with enumerators takes the place of those
 * without that it meets on its way to one that is equal; the last one that does so counts.
 */
static uint32_t place_enum(struct replay *replay, uint32_t id, const struct candidate_list *list)
{
	for (size_t i = 0; i < list->ids.count && replay_step(replay); i++) {
		uint32_t candidate = list->ids.items[i];

		if (enums_are_equal(replay, id, candidate))
			return candidate;
		if (!replay_enums_are_compatible(replay, id, candidate))
			continue;
		if (replay_type(replay, id)->item_count == 0)
			return candidate;
		replay->map[candidate] = id;
	}
	return id;
}

static bool place_primitive(struct replay *replay, uint32_t id)
{
	struct candidate_list *list = candidate_table_find(replay, id);
	uint32_t place = id;

	if (!list)
		return false;
	if (replay_type(replay, id)->kind == TYPE_ENUM)
		place = place_enum(replay, id, list);
	else if (list->ids.count > 0)
		place = list->ids.items[0];
	replay->map[id] = place;
	return place != id || replay->steps_left == 0 || candidate_table_add(replay, list, id);
}

static bool place_primitives(struct replay *replay)
{
	for (uint32_t id = replay->base_count; id < replay->id_count; id++) {
		if (is_primitive(replay_type(replay, id)) && !place_primitive(replay, id))
			return false;
	}
	return true;
}

/* ---- 2: structs, unions, typedefs ---- */

static bool place_composite(struct replay *replay, uint32_t id)
{
	struct candidate_list *list = candidate_table_find(replay, id);
	uint32_t place = id;

	if (!list)
		return false;
	for (size_t i = 0; i < list->ids.count && replay_step(replay) && place == id; i++) {
		replay_clear_assumptions(replay);
		if (!replay_compare(replay, id, list->ids.items[i]))
			continue;
		replay_take_over(replay);
		if (!replay->needs_other_base)
			place = list->ids.items[i];
	}
	replay_clear_assumptions(replay);
	replay->map[id] = place;
	if (replay->is_out_of_memory)
		return false;
	return place != id || replay->steps_left == 0 || candidate_table_add(replay, list, id);
}

static bool place_composites(struct replay *replay)
{
	for (uint32_t id = replay->base_count; id < replay->id_count; id++) {
		if (!replay_is_mapped(replay, id) &&
		    (replay_is_composite(replay, id) ||
		     replay_type(replay, id)->kind == TYPE_TYPEDEF) &&
		    !place_composite(replay, id))
			return false;
	}
	return true;
}

/* ---- 3: declarations ---- */

struct definition {
	uint32_t name;
	uint32_t id;
};

struct definitions {
	VECTOR(struct definition) items;
};

static int compare_definitions(const void *left, const void *right)
{
	const struct definition *x = left, *y = right;

	if (x->name != y->name)
		return x->name < y->name ? -1 : 1;
	return (x->id > y->id) - (x->id < y->id);
}

/* Structs and unions of the run that stay, by name. */
static bool list_definitions(const struct replay *replay, struct definitions *definitions)
{
	for (uint32_t id = replay->base_count; id < replay->id_count; id++) {
		struct definition *definition;

		if (replay->map[id] != id || !replay_is_composite(replay, id))
			continue;
		definition = vector_push(&definitions->items);
		if (!definition)
			return false;
		*definition = (struct definition){ replay_type(replay, id)->name, id };
	}
	if (definitions->items.count > 1)
		qsort(definitions->items.items, definitions->items.count,
		      sizeof(*definitions->items.items), compare_definitions);
	return true;
}

/* Counts definitions of `name`, of structs and unions, and says which is the last one. */
static uint32_t count_definitions(const struct replay *replay,
				  const struct definitions *definitions, uint32_t name,
				  uint32_t *found)
{
	const struct base_index *base = replay->base;
	size_t low = 0, high = definitions->items.count;
	uint32_t count = 0;

	for (uint32_t id = base_index_first(base, base_index_name_key(name)); id != 0;
	     id = base_index_next(base, id)) {
		if (base_index_type(base, id)->name != name || !replay_is_composite(replay, id))
			continue;
		*found = id;
		count++;
	}
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (definitions->items.items[middle].name < name)
			low = middle + 1;
		else
			high = middle;
	}
	for (; low < definitions->items.count && definitions->items.items[low].name == name;
	     low++) {
		*found = definitions->items.items[low].id;
		count++;
	}
	return count;
}

static void bind_forward(struct replay *replay, const struct definitions *definitions, uint32_t id)
{
	const struct model_type *forward = replay_type(replay, id);
	bool is_union = forward->kind == TYPE_UNION_FORWARD;
	uint32_t found = 0;

	if (count_definitions(replay, definitions, forward->name, &found) == 1 &&
	    (replay_type(replay, found)->kind == TYPE_UNION) == is_union)
		replay->map[id] = found;
}

static bool bind_forwards(struct replay *replay)
{
	struct definitions definitions = { 0 };
	bool is_listed = false, done = true;

	for (uint32_t id = replay->base_count; done && id < replay->id_count; id++) {
		if (replay->map[id] != id || !replay_is_forward(replay, id))
			continue;
		if (!is_listed)
			done = list_definitions(replay, &definitions);
		is_listed = true;
		if (done)
			bind_forward(replay, &definitions, id);
	}
	vector_deinit(&definitions.items);
	return done;
}

/* ---- all ---- */

static uint32_t id_of_position(const struct replay *replay, type_position position)
{
	if (position == 0)
		return 0;
	return replay->first_id[type_position_unit(position)] + type_position_slot(position);
}

static bool init_maps(struct replay *replay, type_position index_type)
{
	const size_t count = (size_t)replay->id_count + 1;

	replay->map = malloc(count * sizeof(*replay->map));
	replay->hypothesis = malloc(count * sizeof(*replay->hypothesis));
	replay->equal_in_base = calloc(replay->classes->type_count, sizeof(*replay->equal_in_base));
	if (!replay->map || !replay->hypothesis || !replay->equal_in_base)
		return false;
	for (uint32_t id = 0; id < replay->id_count; id++)
		replay->hypothesis[id] = REPLAY_UNSET;
	for (uint32_t id = 0; id < replay->base_count; id++)
		replay->map[id] = id;
	for (uint32_t id = replay->base_count; id < replay->id_count; id++)
		replay->map[id] = replay_class_of(replay, id) ? REPLAY_UNSET : 0;
	replay->index_type = id_of_position(replay, index_type);
	replay->steps_left = STEPS_BASIC + (uint64_t)STEPS_PER_TYPE * replay->id_count;
	return candidate_table_init(replay);
}

static enum smelt_status run(struct replay *replay, const struct dedup_input *input,
			     struct smelt_error *error)
{
	enum smelt_status status = replay_load_graph(replay, input->reload, input->context, error);

	if (status)
		return status;
	if (!init_maps(replay, input->index_type) || !place_primitives(replay) ||
	    !place_composites(replay) || !bind_forwards(replay) || !replay_unify_references(replay))
		return error_no_memory(error);
	return replay_finish(replay, error);
}

enum smelt_status replay_run(struct dedup *dedup, const struct model_unit *classes,
			     const struct dedup_input *input, struct smelt_error *error)
{
	struct replay replay = {
		.dedup = dedup,
		.base = dedup->base,
		.classes = classes,
		.base_count = base_index_count(dedup->base),
	};
	enum smelt_status status = run(&replay, input, error);

	candidate_table_deinit(&replay.table);
	vector_deinit(&replay.assumed);
	vector_deinit(&replay.stack);
	free(replay.first_id);
	free(replay.class_of);
	free(replay.first_reference);
	free(replay.references);
	free(replay.map);
	free(replay.hypothesis);
	free(replay.equal_in_base);
	return status;
}
