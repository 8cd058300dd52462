/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Each distinct wording of a type that is no reference has a list of candidates. Those of the base are entered
 * when the list is first asked for, as if they had been there from the start.
 *
 * The incumbent keeps all nameless enumerations in one list. They are distinct or equal whatever their order, so
 * here each wording has its own.
 */
#include <stdlib.h>
#include <string.h>

#include "dedup/incumbent_table.h"
#include "dedup/replay_internal.h"

static bool is_listed_kind(const struct model_type *type)
{
	return !type_is_absent(type) && !type_is_reference(type);
}

/* Whether two types are candidates of each other. */
static bool are_candidates(struct type_in_unit x, struct type_in_unit y)
{
	if (x.type->kind == y.type->kind && x.type->name == y.type->name && x.type->name != 0 &&
	    (x.type->kind == TYPE_ENUM || x.type->kind == TYPE_TYPEDEF))
		return true;
	return type_words_are_equal(x, y);
}

static uint64_t words_hash(struct type_in_unit type)
{
	uint64_t hash = (uint64_t)type.type->name << 8 | type.type->kind;

	if (type.type->name == 0 ||
	    (type.type->kind != TYPE_ENUM && type.type->kind != TYPE_TYPEDEF)) {
		const struct model_item *items = type.unit->items + type.type->first_item;

		hash = hash * UINT64_C(0x9e3779b97f4a7c15) ^ type.type->size;
		for (uint32_t i = 0; i < type.type->item_count; i++) {
			hash = (hash ^ items[i].name) * UINT64_C(0xff51afd7ed558ccd);
			hash = (hash ^ items[i].value ^ hash >> 32) * UINT64_C(0xc4ceb9fe1a85ec53);
		}
	}
	hash *= UINT64_C(0x9fb21c651e98df25);
	return hash ^ hash >> 32;
}

/* ---- lists by class ---- */

/* The list for the words of class `index`, which is added if there is none. */
static bool find_list_of_class(struct replay *replay, uint32_t index, uint32_t *places,
			       uint64_t mask)
{
	struct candidate_table *table = &replay->table;
	const struct model_unit *unit = replay->classes;
	struct type_in_unit words = { unit, &unit->types[index] };
	struct candidate_list *list;

	for (uint64_t i = words_hash(words);; i++) {
		uint32_t *place = &places[i & mask];

		if (*place == 0) {
			list = vector_push(&table->lists);
			if (!list)
				return false;
			*list = (struct candidate_list){ .class_index = index };
			*place = (uint32_t)table->lists.count;
		}
		list = &table->lists.items[*place - 1];
		if (!are_candidates(words,
				    (struct type_in_unit){ unit, &unit->types[list->class_index] }))
			continue;
		table->list_of_class[index] = *place - 1;
		return true;
	}
}

bool candidate_table_init(struct replay *replay)
{
	struct candidate_table *table = &replay->table;
	const struct model_unit *unit = replay->classes;
	uint64_t places = 64;
	uint32_t *by_words;
	bool done = true;

	while (places < (uint64_t)unit->type_count * 2)
		places *= 2;
	by_words = calloc(places, sizeof(*by_words));
	table->list_of_class = calloc(unit->type_count, sizeof(*table->list_of_class));
	done = by_words && table->list_of_class;
	for (uint32_t index = 1; done && index < unit->type_count; index++) {
		if (is_listed_kind(&unit->types[index]))
			done = find_list_of_class(replay, index, by_words, places - 1);
	}
	free(by_words);
	table->entry_count = base_index_listed_before(replay->base, replay->base_count);
	table->reversals = incumbent_table_reversals(table->entry_count);
	return done;
}

void candidate_table_deinit(struct candidate_table *table)
{
	for (size_t i = 0; i < table->lists.count; i++)
		vector_deinit(&table->lists.items[i].ids);
	vector_deinit(&table->lists);
	free(table->list_of_class);
}

/* ---- candidates ---- */

static void catch_up(struct candidate_list *list, uint32_t reversals)
{
	uint32_t *ids = list->ids.items;
	size_t count = list->ids.count;

	for (size_t i = 0; (reversals - list->reversals) % 2 && i < count / 2; i++) {
		uint32_t swapped = ids[i];

		ids[i] = ids[count - 1 - i];
		ids[count - 1 - i] = swapped;
	}
	list->reversals = reversals;
}

static bool put_first(struct candidate_list *list, uint32_t id)
{
	if (!vector_reserve(&list->ids, list->ids.count + 1))
		return false;
	memmove(list->ids.items + 1, list->ids.items, list->ids.count * sizeof(*list->ids.items));
	list->ids.items[0] = id;
	list->ids.count++;
	return true;
}

/* As the base's types are entered in the order of their ids, before all others. */
static bool enter_base(struct replay *replay, struct candidate_list *list)
{
	const struct base_index *base = replay->base;
	const struct model_unit *unit = replay->classes;
	struct type_in_unit words = { unit, &unit->types[list->class_index] };
	uint64_t key = base_index_key(unit, words.type, NULL);

	for (uint32_t id = base_index_first(base, key); id != 0; id = base_index_next(base, id)) {
		uint64_t entries;

		if (!are_candidates(words, replay_words(replay, id)))
			continue;
		entries = base_index_listed_before(base, id) + UINT64_C(1);
		catch_up(list, incumbent_table_reversals(entries));
		if (!put_first(list, id))
			return false;
	}
	list->has_base = true;
	return true;
}

struct candidate_list *candidate_table_find(struct replay *replay, uint32_t id)
{
	struct candidate_table *table = &replay->table;
	struct candidate_list *list =
		&table->lists.items[table->list_of_class[replay_class_of(replay, id)]];

	if (!list->has_base && !enter_base(replay, list)) {
		replay->is_out_of_memory = true;
		return NULL;
	}
	catch_up(list, table->reversals);
	return list;
}

/* An entry, in whatever list. */
static void count_entry(struct candidate_table *table)
{
	table->entry_count++;
	table->reversals = incumbent_table_reversals(table->entry_count);
}

bool candidate_table_add(struct replay *replay, struct candidate_list *list, uint32_t id)
{
	count_entry(&replay->table);
	catch_up(list, replay->table.reversals);
	if (put_first(list, id))
		return true;
	replay->is_out_of_memory = true;
	return false;
}
