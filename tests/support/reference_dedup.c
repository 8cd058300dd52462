/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Types of all units get ids in order, 0 is void. map[id] is the id that represents
 * it so far. Phases 1, 2 and 4 look for a representative among the candidates of a type's
 * signature; phase 3 is for declarations that no comparison met with a definition.
 *
 * The model has no index type of arrays: it is the same for all. Flags that the output
 * does not show are left out.
 */
#include "support/reference_dedup.h"

#include <stdlib.h>
#include <string.h>

#include "base/vector.h"

enum { UNSET = UINT32_MAX, IN_PROGRESS = UINT32_MAX - 1, IDENTICAL_DEPTH = 16 };

struct raw_type {
	struct model_type type; /* .type is an id */
	const struct model_item *items;
	uint32_t first_id; /* of its unit: what items refer to counts from there */
};

/* Candidates of one signature, in the order they are tried. */
struct candidates {
	uint32_t *ids;
	uint32_t count;
	uint32_t capacity;
	uint32_t reversals; /* how many of the table's this list has had */
	uint32_t next;      /* with the same hash; index + 1 */
};

struct run {
	struct raw_type *raw;
	uint32_t count;
	uint32_t start; /* ids below are the base's */
	bool adjusts;   /* equal only if a declaration of the base were a definition */
	uint32_t *map;
	uint32_t *hypothesis; /* per canonical id: what it stands for in the comparison under way */
	VECTOR(uint32_t) assumed; /* ids with a hypothesis, in order */

	VECTOR(struct candidates) lists;
	uint32_t *buckets; /* list index + 1 */
	uint32_t bucket_mask;
	uint64_t entry_count; /* of the incumbent's table */
	uint64_t capacity;
	uint32_t reversals;
	bool has_loop;
	bool has_guess;
};

static void *or_abort(void *pointer)
{
	if (!pointer)
		abort();
	return pointer;
}

static void *new_array(size_t count, size_t size)
{
	return or_abort(calloc(count ? count : 1, size));
}

static const struct model_type *type_of(const struct run *run, uint32_t id)
{
	return &run->raw[id].type;
}

static uint32_t item_type(const struct run *run, uint32_t id, uint32_t number)
{
	uint32_t slot = run->raw[id].items[number].type;

	return slot == 0 ? 0 : run->raw[id].first_id + slot;
}

static uint32_t resolve(const struct run *run, uint32_t id)
{
	while (run->map[id] < IN_PROGRESS && run->map[id] != id)
		id = run->map[id];
	return id;
}

/* The same as it is by now; the base's types keep referring to its declarations. */
static uint32_t item_type_now(const struct run *run, uint32_t id, uint32_t number)
{
	uint32_t type = item_type(run, id, number);

	return id < run->start ? type : resolve(run, type);
}

static bool is_forward(const struct run *run, uint32_t id)
{
	return type_of(run, id)->kind == TYPE_STRUCT_FORWARD ||
	       type_of(run, id)->kind == TYPE_UNION_FORWARD;
}

static bool is_composite(const struct run *run, uint32_t id)
{
	return type_of(run, id)->kind == TYPE_STRUCT || type_of(run, id)->kind == TYPE_UNION;
}

/* A declaration's kind as seen by its definition. */
static uint8_t real_kind(const struct run *run, uint32_t id)
{
	switch (type_of(run, id)->kind) {
	case TYPE_STRUCT_FORWARD:
		return TYPE_STRUCT;
	case TYPE_UNION_FORWARD:
		return TYPE_UNION;
	default:
		return type_of(run, id)->kind;
	}
}

static uint8_t visible_flags(const struct model_type *type)
{
	return type->flags & (TYPE_SIGNED | TYPE_BOOL | TYPE_WIDE | TYPE_BITFIELDS);
}

static bool same_info(const struct run *run, uint32_t x, uint32_t y)
{
	const struct model_type *a = type_of(run, x), *b = type_of(run, y);

	return a->kind == b->kind && visible_flags(a) == visible_flags(b) &&
	       a->item_count == b->item_count;
}

static bool same_head(const struct run *run, uint32_t x, uint32_t y)
{
	return same_info(run, x, y) && type_of(run, x)->name == type_of(run, y)->name &&
	       type_of(run, x)->size == type_of(run, y)->size;
}

static bool same_items(const struct run *run, uint32_t x, uint32_t y)
{
	for (uint32_t i = 0; i < type_of(run, x)->item_count; i++) {
		const struct model_item *a = &run->raw[x].items[i], *b = &run->raw[y].items[i];

		if (a->name != b->name || a->value != b->value)
			return false;
	}
	return true;
}

/* All but what members refer to. */
static bool shallow_equal(const struct run *run, uint32_t x, uint32_t y)
{
	return same_head(run, x, y) && same_items(run, x, y);
}

static bool enum_equal(const struct run *run, uint32_t x, uint32_t y)
{
	return shallow_equal(run, x, y);
}

static bool enum_compatible(const struct run *run, uint32_t x, uint32_t y)
{
	if (type_of(run, x)->name != type_of(run, y)->name)
		return false;
	return type_of(run, x)->item_count == 0 || type_of(run, y)->item_count == 0 ||
	       enum_equal(run, x, y);
}

/* ---- candidate table ---- */

static bool items_in_signature(uint8_t kind)
{
	return kind == TYPE_STRUCT || kind == TYPE_UNION || kind == TYPE_FUNCTION;
}

static bool same_signature(const struct run *run, uint32_t x, uint32_t y)
{
	const struct model_type *a = type_of(run, x), *b = type_of(run, y);

	if (a->kind != b->kind || a->name != b->name)
		return false;
	switch (a->kind) {
	case TYPE_ENUM:
		return true;
	case TYPE_TYPEDEF:
		return same_info(run, x, y);
	case TYPE_STRUCT:
	case TYPE_UNION:
		return shallow_equal(run, x, y);
	case TYPE_FUNCTION:
		if (!same_info(run, x, y) || a->type != b->type)
			return false;
		for (uint32_t i = 0; i < a->item_count; i++) {
			if (run->raw[x].items[i].name != run->raw[y].items[i].name ||
			    item_type_now(run, x, i) != item_type_now(run, y, i))
				return false;
		}
		return true;
	default:
		return same_head(run, x, y) && a->type == b->type;
	}
}

static uint64_t hash_step(uint64_t hash, uint64_t value)
{
	hash = (hash ^ value) * 0x9e3779b97f4a7c15;
	return hash ^ hash >> 29;
}

/* Any hash that is equal for equal signatures. */
static uint64_t signature_hash(const struct run *run, uint32_t id)
{
	const struct model_type *type = type_of(run, id);
	uint64_t hash = hash_step(type->kind, type->name);

	if (type->kind == TYPE_ENUM)
		return hash;
	if (type->kind != TYPE_STRUCT && type->kind != TYPE_UNION && type->kind != TYPE_TYPEDEF)
		hash = hash_step(hash, type->type);
	if (type->kind != TYPE_TYPEDEF)
		hash = hash_step(hash, type->size);
	if (items_in_signature(type->kind)) {
		for (uint32_t i = 0; i < type->item_count; i++) {
			hash = hash_step(hash, run->raw[id].items[i].name);
			hash = hash_step(hash, run->raw[id].items[i].value);
			if (type->kind == TYPE_FUNCTION)
				hash = hash_step(hash, item_type_now(run, id, i));
		}
	}
	return hash;
}

/* The list of id's signature, in the order of now, or NULL. */
static struct candidates *find_list(struct run *run, uint32_t id, uint64_t hash)
{
	uint32_t number = run->buckets[hash & run->bucket_mask];
	struct candidates *list;

	for (; number != 0; number = list->next) {
		list = &run->lists.items[number - 1];
		if (!same_signature(run, list->ids[0], id))
			continue;
		if ((run->reversals - list->reversals) % 2) {
			for (uint32_t i = 0; i < list->count / 2; i++) {
				uint32_t swapped = list->ids[i];

				list->ids[i] = list->ids[list->count - 1 - i];
				list->ids[list->count - 1 - i] = swapped;
			}
		}
		list->reversals = run->reversals;
		return list;
	}
	return NULL;
}

/*
 * The incumbent's table doubles before it gets three quarters full; rehashing reverses its
 * chains.
 */
static void count_entry(struct run *run)
{
	if (run->capacity == 0) {
		run->capacity = 4;
		run->reversals++;
	} else if ((run->entry_count + 1) * 4 / 3 > run->capacity) {
		run->capacity *= 2;
		run->reversals++;
	}
	run->entry_count++;
}

static void add_candidate(struct run *run, uint32_t id)
{
	uint64_t hash = signature_hash(run, id);
	struct candidates *list;

	count_entry(run);
	list = find_list(run, id, hash);
	if (!list) {
		list = or_abort(vector_push(&run->lists));
		*list = (struct candidates){
			.reversals = run->reversals,
			.next = run->buckets[hash & run->bucket_mask],
		};
		run->buckets[hash & run->bucket_mask] = (uint32_t)run->lists.count;
	}
	if (list->count == list->capacity) {
		list->capacity = list->capacity ? list->capacity * 2 : 2;
		list->ids = or_abort(realloc(list->ids, list->capacity * sizeof(*list->ids)));
	}
	memmove(list->ids + 1, list->ids, list->count * sizeof(*list->ids));
	list->ids[0] = id;
	list->count++;
}

/* ---- phase 1: types without references ---- */

static uint32_t choose_enum(struct run *run, uint32_t id, const struct candidates *list)
{
	for (uint32_t i = 0; list && i < list->count; i++) {
		uint32_t candidate = list->ids[i];

		if (enum_equal(run, id, candidate))
			return candidate;
		if (!enum_compatible(run, id, candidate))
			continue;
		if (type_of(run, id)->item_count == 0)
			return candidate;
		/* The last full one wins. */
		run->map[candidate] = id;
	}
	return id;
}

static void unify_primitives(struct run *run)
{
	for (uint32_t id = run->start; id < run->count; id++) {
		const struct model_type *type = type_of(run, id);
		const struct candidates *list;
		uint32_t chosen = id;

		if (type->kind != TYPE_INT && type->kind != TYPE_FLOAT && type->kind != TYPE_ENUM &&
		    !is_forward(run, id))
			continue;
		list = find_list(run, id, signature_hash(run, id));
		if (type->kind == TYPE_ENUM) {
			chosen = choose_enum(run, id, list);
		} else {
			for (uint32_t i = 0; list && i < list->count && chosen == id; i++) {
				if (same_head(run, id, list->ids[i]))
					chosen = list->ids[i];
			}
		}
		run->map[id] = chosen;
		if (chosen == id)
			add_candidate(run, id);
	}
}

/* ---- phase 2: structs, unions, typedefs ---- */

static bool identical(struct run *run, uint32_t x, uint32_t y, int depth)
{
	for (;;) {
		if (depth <= 0 || type_of(run, x)->kind != type_of(run, y)->kind)
			return false;
		switch (type_of(run, x)->kind) {
		case TYPE_VOID:
			return true;
		case TYPE_INT:
		case TYPE_FLOAT:
		case TYPE_STRUCT_FORWARD:
		case TYPE_UNION_FORWARD:
			return same_head(run, x, y);
		case TYPE_ENUM:
			return enum_compatible(run, x, y);
		case TYPE_ARRAY:
			run->has_guess = true;
			return same_head(run, x, y);
		case TYPE_STRUCT:
		case TYPE_UNION:
		case TYPE_FUNCTION:
			break;
		default:
			if (type_of(run, x)->name != type_of(run, y)->name)
				return false;
			x = type_of(run, x)->type;
			y = type_of(run, y)->type;
			continue;
		}
		break;
	}
	if (!shallow_equal(run, x, y))
		return false;
	if (type_of(run, x)->kind == TYPE_FUNCTION &&
	    type_of(run, x)->type != type_of(run, y)->type &&
	    !identical(run, type_of(run, x)->type, type_of(run, y)->type, depth - 1))
		return false;
	for (uint32_t i = 0; i < type_of(run, x)->item_count; i++) {
		uint32_t a = item_type(run, x, i), b = item_type(run, y, i);

		if (a != b && !identical(run, a, b, depth - 1))
			return false;
	}
	return true;
}

static void assume(struct run *run, uint32_t y, uint32_t x)
{
	uint32_t *assumed = or_abort(vector_push(&run->assumed));

	*assumed = y;
	run->hypothesis[y] = x;
}

static bool equivalent(struct run *run, uint32_t x, uint32_t y);

static bool items_equivalent(struct run *run, uint32_t x, uint32_t y)
{
	for (uint32_t i = 0; i < type_of(run, x)->item_count; i++) {
		if (!equivalent(run, item_type(run, x, i), item_type(run, y, i)))
			return false;
	}
	return true;
}

/* x is of the type being placed, y of the candidate. */
static bool equivalent(struct run *run, uint32_t x, uint32_t y)
{
	uint32_t definition;

	if (resolve(run, x) == resolve(run, y))
		return true;
	definition = resolve(run, y);
	if (is_forward(run, y) && !is_forward(run, definition))
		y = definition;
	if (run->hypothesis[y] != UNSET)
		return run->hypothesis[y] == x ||
		       identical(run, run->hypothesis[y], x, IDENTICAL_DEPTH);
	assume(run, y, x);
	if (type_of(run, x)->name != type_of(run, y)->name)
		return false;
	if (is_forward(run, x) != is_forward(run, y)) {
		if (real_kind(run, x) != real_kind(run, y))
			return false;
		run->adjusts |= is_forward(run, y) && y < run->start;
		return true;
	}
	if (type_of(run, x)->kind != type_of(run, y)->kind)
		return false;
	switch (type_of(run, x)->kind) {
	case TYPE_VOID:
		return true;
	case TYPE_INT:
	case TYPE_FLOAT:
	case TYPE_STRUCT_FORWARD:
	case TYPE_UNION_FORWARD:
		return same_head(run, x, y);
	case TYPE_ENUM:
		return enum_compatible(run, x, y);
	case TYPE_STRUCT:
	case TYPE_UNION:
		return shallow_equal(run, x, y) && items_equivalent(run, x, y);
	case TYPE_FUNCTION:
		return shallow_equal(run, x, y) &&
		       equivalent(run, type_of(run, x)->type, type_of(run, y)->type) &&
		       items_equivalent(run, x, y);
	case TYPE_ARRAY:
		return same_head(run, x, y) &&
		       equivalent(run, type_of(run, x)->type, type_of(run, y)->type);
	default:
		return same_info(run, x, y) &&
		       equivalent(run, type_of(run, x)->type, type_of(run, y)->type);
	}
}

static void clear_hypothesis(struct run *run)
{
	for (size_t i = 0; i < run->assumed.count; i++)
		run->hypothesis[run->assumed.items[i]] = UNSET;
	run->assumed.count = 0;
	run->adjusts = false;
}

static void merge_hypothesis(struct run *run)
{
	for (size_t i = 0; i < run->assumed.count; i++) {
		uint32_t y = run->assumed.items[i];
		uint32_t x = resolve(run, run->hypothesis[y]);

		y = resolve(run, y);
		if (!is_forward(run, x) && is_forward(run, y))
			run->map[y] = x;
		else if (run->adjusts)
			continue;
		else if (is_forward(run, x) && !is_forward(run, y))
			run->map[x] = y;
		else if (is_composite(run, x) && !is_forward(run, y) && run->map[y] < IN_PROGRESS &&
			 run->map[x] == UNSET)
			run->map[x] = y;
	}
}

static void unify_composites(struct run *run)
{
	for (uint32_t id = run->start; id < run->count; id++) {
		const struct candidates *list;
		uint32_t chosen = id;

		if (!is_composite(run, id) && type_of(run, id)->kind != TYPE_TYPEDEF)
			continue;
		if (run->map[id] < IN_PROGRESS)
			continue;
		list = find_list(run, id, signature_hash(run, id));
		for (uint32_t i = 0; list && i < list->count; i++) {
			bool equal;

			clear_hypothesis(run);
			equal = equivalent(run, id, list->ids[i]);
			if (!equal)
				continue;
			merge_hypothesis(run);
			if (run->adjusts)
				continue;
			chosen = list->ids[i];
			break;
		}
		clear_hypothesis(run);
		run->map[id] = chosen;
		if (chosen == id)
			add_candidate(run, id);
	}
}

/* ---- phase 3: declarations by name ---- */

static int compare_u64(const void *left, const void *right)
{
	uint64_t x = *(const uint64_t *)left, y = *(const uint64_t *)right;

	return (x > y) - (x < y);
}

static void bind_forwards(struct run *run)
{
	VECTOR(uint64_t) names = { 0 }; /* name, id; sorted */

	for (uint32_t id = 1; id < run->count; id++) {
		if (is_composite(run, id) && run->map[id] == id)
			*(uint64_t *)or_abort(vector_push(&names)) =
				(uint64_t)type_of(run, id)->name << 32 | id;
	}
	if (names.count)
		qsort(names.items, names.count, sizeof(*names.items), compare_u64);
	for (uint32_t id = run->start; id < run->count; id++) {
		size_t low = 0, high = names.count;
		uint32_t found;

		if (!is_forward(run, id) || run->map[id] != id)
			continue;
		while (low < high) {
			size_t middle = (low + high) / 2;

			if (names.items[middle] >> 32 < type_of(run, id)->name)
				low = middle + 1;
			else
				high = middle;
		}
		if (low == names.count || names.items[low] >> 32 != type_of(run, id)->name)
			continue;
		if (low + 1 < names.count && names.items[low + 1] >> 32 == type_of(run, id)->name)
			continue;
		found = (uint32_t)names.items[low];
		if (type_of(run, found)->kind == real_kind(run, id))
			run->map[id] = found;
	}
	vector_deinit(&names);
}

/* ---- phase 4: types that refer to one other, arrays, functions ---- */

static bool fully_equal(const struct run *run, uint32_t x, uint32_t y)
{
	if (!same_head(run, x, y) || type_of(run, x)->type != type_of(run, y)->type)
		return false;
	for (uint32_t i = 0; i < type_of(run, x)->item_count; i++) {
		if (run->raw[x].items[i].name != run->raw[y].items[i].name ||
		    item_type_now(run, x, i) != item_type_now(run, y, i))
			return false;
	}
	return true;
}

static uint32_t unify_reference(struct run *run, uint32_t id)
{
	const struct candidates *list;

	if (run->map[id] == IN_PROGRESS) {
		run->has_loop = true;
		return id;
	}
	if (run->map[id] < IN_PROGRESS)
		return resolve(run, id);
	run->map[id] = IN_PROGRESS;
	run->raw[id].type.type = unify_reference(run, type_of(run, id)->type);
	for (uint32_t i = 0; i < type_of(run, id)->item_count; i++)
		unify_reference(run, item_type(run, id, i));

	run->map[id] = id;
	list = find_list(run, id, signature_hash(run, id));
	for (uint32_t i = 0; list && i < list->count; i++) {
		if (fully_equal(run, id, list->ids[i])) {
			run->map[id] = list->ids[i];
			return list->ids[i];
		}
	}
	add_candidate(run, id);
	return id;
}

/* ---- all ---- */

static void load_raw(struct run *run, struct reference_dedup *result,
		     const struct model_unit *units, uint32_t unit_count)
{
	uint32_t id = 0;

	result->first_id = new_array((size_t)unit_count + 1, sizeof(*result->first_id));
	for (uint32_t u = 0; u < unit_count; u++) {
		result->first_id[u] = id;
		id += units[u].type_count - 1;
	}
	result->first_id[unit_count] = id;
	run->count = id + 1;
	run->raw = new_array(run->count, sizeof(*run->raw));
	for (uint32_t u = 0; u < unit_count; u++) {
		uint32_t first = result->first_id[u];

		for (uint32_t slot = 1; slot < units[u].type_count; slot++) {
			struct raw_type *raw = &run->raw[first + slot];

			raw->type = units[u].types[slot];
			raw->items = units[u].items + raw->type.first_item;
			raw->first_id = first;
			if (raw->type.type != 0)
				raw->type.type += first;
		}
	}
}

static void number_kept(const struct run *run, struct reference_dedup *result)
{
	result->base_count = run->start > 1 ? run->start : 0;
	result->stands = new_array(run->count, sizeof(*result->stands));
	result->number = new_array(run->count, sizeof(*result->number));
	result->kept = new_array(run->count, sizeof(*result->kept));
	for (uint32_t id = run->start; id < run->count; id++) {
		if (run->map[id] == id) {
			result->number[id] = ++result->type_count;
			result->kept[result->type_count] = id;
		}
	}
	for (uint32_t id = 1; id < run->count; id++) {
		result->stands[id] = resolve(run, id);
		result->number[id] = result->number[result->stands[id]];
	}
}

/* The base's types stay and are candidates before all others. */
static void enter_base(struct run *run)
{
	for (uint32_t id = 1; id < run->start; id++) {
		run->map[id] = id;
		add_candidate(run, id);
	}
}

static void run_dedup(struct reference_dedup *result, const struct model_unit *units,
		      uint32_t unit_count, uint32_t start)
{
	struct run run = { .start = start };
	uint32_t buckets = 1;

	*result = (struct reference_dedup){ .unit_count = unit_count };
	load_raw(&run, result, units, unit_count);
	while (buckets < run.count / 16 + 16)
		buckets *= 2;
	run.buckets = new_array(buckets, sizeof(*run.buckets));
	run.bucket_mask = buckets - 1;
	run.map = new_array(run.count, sizeof(*run.map));
	run.hypothesis = new_array(run.count, sizeof(*run.hypothesis));
	for (uint32_t id = 0; id < run.count; id++)
		run.map[id] = run.hypothesis[id] = UNSET;
	run.map[0] = 0;

	enter_base(&run);
	unify_primitives(&run);
	unify_composites(&run);
	bind_forwards(&run);
	for (uint32_t id = start; id < run.count; id++)
		unify_reference(&run, id);
	number_kept(&run, result);
	result->has_loop = run.has_loop;
	result->has_guess = run.has_guess;

	for (size_t i = 0; i < run.lists.count; i++)
		free(run.lists.items[i].ids);
	vector_deinit(&run.lists);
	vector_deinit(&run.assumed);
	free(run.buckets);
	free(run.map);
	free(run.hypothesis);
	free(run.raw);
}

void reference_dedup_run(struct reference_dedup *result, const struct model_unit *units,
			 uint32_t unit_count)
{
	run_dedup(result, units, unit_count, 1);
}

void reference_dedup_run_on_base(struct reference_dedup *result, const struct model_unit *units,
				 uint32_t unit_count)
{
	run_dedup(result, units, unit_count, units[0].type_count);
}

void reference_dedup_deinit(struct reference_dedup *result)
{
	free(result->stands);
	free(result->first_id);
	free(result->number);
	free(result->kept);
}
