/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The incumbent goes through all structs, unions and typedefs in order and compares each with
 * the candidates it has kept of that content. The first comparison in which one side has a
 * declaration of a name where the other has a definition, and is successful otherwise, binds the
 * name for the whole run. So for each class that refers to the name we replay its instances, of
 * which two things matter: what the name means in their unit, and which version they are
 * when that is left aside (the caller has the residue refined so). The earliest event of all
 * classes decides. If there is none, the declaration stays a type of its own.
 *
 * When a declaration comes after several definitions, the first candidate of the list wins.
 * That is the newest one, or the oldest: new candidates go to the front, and each time the
 * incumbent's hash table grows all its lists are reversed. The size of the table at any position
 * follows from the positions of the types that stay, so this is replayed too.
 */
#include "dedup/forward_binding.h"

#include <stdlib.h>
#include <string.h>

#include "dedup/position_sort.h"
#include "dedup/type_family.h"

static type_position lowest_position(struct dedup *dedup, uint32_t index)
{
	return atomic_load_explicit(class_position(dedup->table, index), memory_order_relaxed);
}

static const struct model_type *class_type(struct dedup *dedup, uint32_t index)
{
	return &class_entry(dedup->table, index)->content->type;
}

/* ---- size of the incumbent's table ---- */

/* How often the lists have been reversed when the table has `count` entries. */
static uint32_t reversals_at(uint64_t count)
{
	uint32_t reversals = count > 0;

	/* It doubles on entry i (from 0) when (i + 1) * 4 / 3 exceeds the capacity. */
	for (uint64_t capacity = 4; (3 * (capacity + 1) + 3) / 4 <= count; capacity *= 2)
		reversals++;
	return reversals;
}

/* Entries when the type at `position` is looked up. */
static uint64_t entries_before(const struct forward_binder *binder, type_position position)
{
	uint32_t low = 0, high = binder->composite_count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (binder->composites[middle] < position)
			low = middle + 1;
		else
			high = middle;
	}
	return (uint64_t)binder->primitive_count + low;
}

/* An enumeration without enumerators is entered only if it comes before the others of its name. */
static bool enters_table_early(struct forward_binder *binder, uint32_t index)
{
	const struct model_type *type = class_type(binder->dedup, index);
	const struct name_group *group =
		&binder->groups->groups.items[binder->groups->of_class[index]];

	switch (type->kind) {
	case TYPE_INT:
	case TYPE_FLOAT:
	case TYPE_STRUCT_FORWARD:
	case TYPE_UNION_FORWARD:
		return true;
	case TYPE_ENUM:
		return type->item_count > 0 || binder->groups->of_class[index] == 0 ||
		       (group->lowest_forward == index &&
			(!group->lowest_definition ||
			 lowest_position(binder->dedup, index) <
				 lowest_position(binder->dedup, group->lowest_definition)));
	default:
		return false;
	}
}

static bool list_entries(struct forward_binder *binder)
{
	const uint32_t count = class_table_count(binder->dedup->table);
	struct positioned *entries = malloc(((size_t)count + 1) * 2 * sizeof(*entries));

	binder->composites = malloc(((size_t)count + 1) * sizeof(*binder->composites));
	if (!entries || !binder->composites) {
		free(entries);
		return false;
	}
	for (uint32_t index = 1; index <= count; index++) {
		uint8_t kind = class_type(binder->dedup, index)->kind;

		if (enters_table_early(binder, index))
			binder->primitive_count++;
		if (kind == TYPE_STRUCT || kind == TYPE_UNION || kind == TYPE_TYPEDEF)
			entries[binder->composite_count++] = (struct positioned){
				.position = lowest_position(binder->dedup, index),
			};
	}
	position_sort(entries, entries + count + 1, binder->composite_count);
	for (uint32_t i = 0; i < binder->composite_count; i++)
		binder->composites[i] = entries[i].position;
	free(entries);
	return true;
}

/* ---- what a name means in each unit ---- */

/* Tells types apart: a class, or in the residue a version. */
typedef uint64_t type_identity;

enum { IDENTITY_DECLARATION = 0 };

struct meaning {
	type_position position;
	type_identity identity;
};

static type_identity identity_of(const struct forward_binder *binder, uint32_t index,
				 type_position position)
{
	uint32_t version;

	if (type_is_forward(class_type(binder->dedup, index)))
		return IDENTITY_DECLARATION;
	version = residue_version_at(binder->residue, position);
	return version != 0 ? (uint64_t)version << 32 : index;
}

/* Everything the name means, in order of position. NULL when out of memory. */
static struct meaning *list_meanings(struct forward_binder *binder, const struct name_group *group,
				     const struct class_scan *scan, uint32_t *count)
{
	struct positioned *places;
	struct meaning *meanings;
	uint32_t total = 0;

	for (uint32_t index = group->first_class; index != 0; index = binder->groups->next[index])
		total += class_scan_count(scan, index);
	places = malloc(((size_t)total + 1) * 2 * sizeof(*places));
	meanings = malloc(((size_t)total + 1) * sizeof(*meanings));
	if (!places || !meanings) {
		free(places);
		free(meanings);
		return NULL;
	}
	*count = 0;
	for (uint32_t index = group->first_class; index != 0; index = binder->groups->next[index]) {
		for (uint32_t i = 0; i < class_scan_count(scan, index); i++)
			places[(*count)++] = (struct positioned){
				.position = class_scan_places(scan, index)[i],
				.index = index,
			};
	}
	position_sort(places, places + total + 1, total);
	for (uint32_t i = 0; i < total; i++)
		meanings[i] = (struct meaning){
			.position = places[i].position,
			.identity = identity_of(binder, places[i].index, places[i].position),
		};
	free(places);
	return meanings;
}

/* ---- replay ---- */

struct candidate {
	type_identity type;     /* of the candidate, the name left aside */
	struct meaning meaning; /* of the name in its unit */
};

/* Candidates of one content, newest first until reversed. */
struct candidate_list {
	VECTOR(struct candidate) entries;
	uint32_t reversals;
};

struct binding_event {
	type_position position; /* of the type whose comparison binds the name */
	type_position definition;
};

static void catch_up_reversals(struct candidate_list *list, uint32_t reversals)
{
	size_t count = list->entries.count;

	if ((reversals - list->reversals) % 2) {
		for (size_t i = 0; i < count / 2; i++) {
			struct candidate swapped = list->entries.items[i];

			list->entries.items[i] = list->entries.items[count - 1 - i];
			list->entries.items[count - 1 - i] = swapped;
		}
	}
	list->reversals = reversals;
}

enum replay_result { REPLAY_GOES_ON, REPLAY_BOUND, REPLAY_NO_MEMORY };

static bool is_declaration(const struct candidate *candidate)
{
	return candidate->meaning.identity == IDENTITY_DECLARATION;
}

/* Looks among the candidates for one that is the same but for declarations. */
static enum replay_result find_candidate(const struct candidate_list *list,
					 const struct candidate *instance, bool *is_found,
					 type_position *definition)
{
	for (size_t i = 0; i < list->entries.count; i++) {
		const struct candidate *other = &list->entries.items[i];

		if (other->type != instance->type)
			continue;
		*is_found = other->meaning.identity == instance->meaning.identity;
		if (*is_found)
			return REPLAY_GOES_ON;
		if (!is_declaration(other) && !is_declaration(instance))
			continue;
		*definition = is_declaration(instance) ? other->meaning.position :
							 instance->meaning.position;
		return REPLAY_BOUND;
	}
	return REPLAY_GOES_ON;
}

/* One instance, at `position`. */
static enum replay_result replay_instance(struct forward_binder *binder,
					  struct candidate_list *list, type_position position,
					  const struct candidate *instance,
					  struct binding_event *event)
{
	const struct candidate *newest;
	uint64_t entries;
	bool is_found = false;

	/* Nearly all instances agree with the only candidate, in whatever order it is. */
	if (list->entries.count == 1 && list->entries.items[0].type == instance->type &&
	    list->entries.items[0].meaning.identity == instance->meaning.identity)
		return REPLAY_GOES_ON;
	entries = entries_before(binder, position);
	catch_up_reversals(list, reversals_at(entries));
	if (find_candidate(list, instance, &is_found, &event->definition) == REPLAY_BOUND) {
		event->position = position;
		return REPLAY_BOUND;
	}
	if (is_found)
		return REPLAY_GOES_ON;
	catch_up_reversals(list, reversals_at(entries + 1));
	newest = vector_push(&list->entries);
	if (!newest)
		return REPLAY_NO_MEMORY;
	memmove(list->entries.items + 1, list->entries.items,
		(list->entries.count - 1) * sizeof(*list->entries.items));
	list->entries.items[0] = *instance;
	return REPLAY_GOES_ON;
}

/* All instances of a class, as long as they come before the earliest event known. */
static enum replay_result replay_class(struct forward_binder *binder, const struct class_scan *scan,
				       uint32_t index, const struct meaning *meanings,
				       uint32_t meaning_count, struct candidate_list *list,
				       struct binding_event *event)
{
	const type_position *places = class_scan_places(scan, index);
	uint32_t first = 0;

	for (uint32_t i = 0; i < class_scan_count(scan, index); i++) {
		uint32_t unit = type_position_unit(places[i]);

		if (places[i] >= event->position)
			break;
		while (first < meaning_count && type_position_unit(meanings[first].position) < unit)
			first++;
		for (uint32_t k = first;
		     k < meaning_count && type_position_unit(meanings[k].position) == unit; k++) {
			struct candidate instance = {
				.type = identity_of(binder, index, places[i]),
				.meaning = meanings[k],
			};
			enum replay_result result =
				replay_instance(binder, list, places[i], &instance, event);

			if (result != REPLAY_GOES_ON)
				return result;
		}
	}
	return REPLAY_GOES_ON;
}

bool forward_binder_find(struct forward_binder *binder, const struct name_group *group,
			 const struct class_scan *scan, type_position *definition)
{
	struct binding_event event = { TYPE_POSITION_NONE, TYPE_POSITION_NONE };
	struct class_list found = { 0 };
	struct candidate_list list = { 0 };
	uint32_t meaning_count = 0;
	struct meaning *meanings = list_meanings(binder, group, scan, &meaning_count);
	bool done = meanings && class_referrers_of(&binder->referrers, group, &found);

	for (size_t i = 0; done && i < found.classes.count; i++) {
		list.entries.count = 0;
		list.reversals = 0;
		done = replay_class(binder, scan, found.classes.items[i], meanings, meaning_count,
				    &list, &event) != REPLAY_NO_MEMORY;
	}
	*definition = event.definition;
	vector_deinit(&found.classes);
	vector_deinit(&list.entries);
	free(meanings);
	return done;
}

/* ---- enumerations ---- */

uint32_t forward_binder_enum(struct forward_binder *binder, const struct name_group *group)
{
	uint32_t last = group->lowest_definition;

	/* The last definition to come takes over, as long as it gets to see the declaration. */
	for (uint32_t index = group->first_class; index != 0; index = binder->groups->next[index]) {
		if (!type_is_forward(class_type(binder->dedup, index)) &&
		    lowest_position(binder->dedup, index) > lowest_position(binder->dedup, last))
			last = index;
	}
	/* A declaration after a definition becomes it at once. */
	if (lowest_position(binder->dedup, group->lowest_forward) >
	    lowest_position(binder->dedup, group->lowest_definition))
		return group->lowest_definition;
	return last;
}

/* ---- life ---- */

bool forward_binder_init(struct forward_binder *binder, struct dedup *dedup,
			 const struct name_groups *groups, const struct residue *residue)
{
	*binder = (struct forward_binder){
		.dedup = dedup,
		.groups = groups,
		.residue = residue,
	};
	return class_referrers_init(&binder->referrers, dedup->table, groups) &&
	       list_entries(binder);
}

void forward_binder_deinit(struct forward_binder *binder)
{
	class_referrers_deinit(&binder->referrers);
	free(binder->composites);
}
