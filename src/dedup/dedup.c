/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Deduplication
 *
 * Every unit describes all types it sees. A kernel has 2,400 units with 4.3 million types, of
 * which 39,000 are distinct. The incumbent writes all of them down one after the other and
 * compares each with the candidates that look alike, following references, until it has one
 * type for each meaning. Its result is what we have to produce, but with the units in any
 * order, on many threads, and without keeping the repeats.
 *
 * What makes this hard is that types are graphs. In
 *
 *     unit 0              unit 1                     unit 2
 *     struct foo;         struct foo { int a; };     struct foo { long b; };
 *     struct bar {        struct bar {               struct bar {
 *         struct foo *p;      struct foo *p;             struct foo *p;
 *     };                  };                         };
 *
 * all three bars have the same words. The first two are one type, because nothing tells them
 * apart, and with it the declaration of unit 0 becomes the foo of unit 1. The third is another
 * type, though the difference is in foo. Hashing whole graphs does not help: in a kernel
 * nearly everything reaches nearly everything, so hardly two units would agree on anything.
 *
 * The way out is that nearly every name has one meaning. 13 names of that kernel have several
 * definitions. Nearly half of all type instances reach one of them, but they reach the same
 * definition of it as all others do: only 38 instances reach another one. So:
 *
 *   1. Classes (classify.c, fingerprint.c, class_table.c; while units are loaded, in parallel).
 *      A type's class is its content with references to named types cut to the name. The three
 *      bars above are one class, the foos are three. Finding a type's class takes a fingerprint
 *      and a lookup that takes no lock; what is kept of a unit is four bytes per type.
 *      Per class we know the lowest position (unit, slot) at which it occurs, and where its
 *      representative is. Both are minima, so the order of arrival does not matter.
 *   2. Names (name_groups.c). Classes are grouped by kind and name. Where a name has one
 *      definition, declarations are that definition, and classes are types: done.
 *   3. Ambiguity (ambiguity.c). Where a name has several, one is the primary definition. Units
 *      that have another one are loaded again, and what reaches it there is the residue
 *      (residue_graph.c). Residue instances of a class are versions of it, told apart by
 *      partition refinement (residue.c). All other instances of a class are one type. Which
 *      definition a declaration becomes depends on the order of the incumbent's comparisons;
 *      what matters of them is replayed (forward_binding.c). The first instance of a class may
 *      turn out to be residue, then another one represents the rest (moved_classes.c).
 *   4. Numbers (settle.c). Types are numbered by the position of their representatives, and
 *      their references replaced by numbers.
 *
 * Which instance represents equal types decides the order of the result. For structs, unions,
 * typedefs, enumerations and base types it is the first. Pointers, qualifiers, arrays and
 * functions the incumbent unifies depth first, so there it is the one finished first
 * (finish_order.c).
 *
 * Where we differ from the incumbent, on purpose (tests/unit/test_dedup_property.c compares the
 * two on random programs; on 13 kernels there is no difference):
 *
 *   - A declaration of a name that has several definitions stands for one of them, or for
 *     itself, and all units agree on that. The incumbent takes it for any definition that a
 *     comparison needs, even after it was bound. It can thus merge a type with one that
 *     contradicts it, depending on when its hash table grew. The same goes for enumerations
 *     that are declared in one unit and defined differently in two others.
 *   - The incumbent takes two arrays for the same when their lengths are, if it met one of them
 *     before in the same comparison. That merges structs with different members.
 *   - It gives up on comparing two copies of a struct in one unit when they are nested more
 *     than 16 levels, and keeps both.
 *   - It fails on types that refer to themselves without a struct in between. We keep them.
 */
#include "dedup/dedup.h"

#include <assert.h>
#include <stdlib.h>

#include "dedup/classify.h"
#include "dedup/dedup_internal.h"
#include "dedup/type_family.h"

enum smelt_status dedup_create(struct worker_pool *pool, unsigned hash_bits,
			       const struct base_index *base, struct dedup **dedup,
			       struct smelt_error *error)
{
	struct dedup *created = calloc(1, sizeof(*created));
	enum smelt_status status;

	if (!created)
		return error_no_memory(error);
	created->pool = pool;
	created->base = base;
	created->worker_count = worker_pool_size(pool);
	arena_init(&created->arena);
	created->workers = aligned_alloc(alignof(struct dedup_worker),
					 created->worker_count * sizeof(*created->workers));
	if (!created->workers) {
		dedup_destroy(created);
		return error_no_memory(error);
	}
	for (unsigned i = 0; i < created->worker_count; i++) {
		arena_init(&created->workers[i].kept);
		created->workers[i].old_classes = 0;
		created->workers[i].older_classes = 0;
	}
	status = class_table_create(hash_bits, &created->table, error);
	if (status) {
		dedup_destroy(created);
		return status;
	}
	*dedup = created;
	return SMELT_OK;
}

void dedup_destroy(struct dedup *dedup)
{
	if (!dedup)
		return;
	class_table_destroy(dedup->table);
	if (dedup->workers) {
		for (unsigned i = 0; i < dedup->worker_count; i++)
			arena_deinit(&dedup->workers[i].kept);
	}
	free(dedup->workers);
	arena_deinit(&dedup->arena);
	free(dedup);
}

enum smelt_status dedup_add_unit(struct dedup *dedup, uint32_t unit, const struct model_unit *types,
				 uint32_t *classes, struct worker *worker,
				 struct smelt_error *error)
{
	struct dedup_worker *state = &dedup->workers[worker->index];

	assert(worker->index < dedup->worker_count);
	if (!classify_unit(dedup->table, unit, types, state->old_classes, classes, &worker->scratch,
			   &state->kept))
		return error_no_memory(error);
	state->older_classes = state->old_classes;
	if (worker_pool_is_in_order(dedup->pool))
		state->old_classes = class_table_count(dedup->table);
	return SMELT_OK;
}

uint32_t dedup_lowest_slots(struct dedup *dedup, uint32_t unit, const uint32_t *classes,
			    uint32_t type_count, const struct worker *worker, uint32_t *slots)
{
	const uint32_t old_classes = dedup->workers[worker->index].older_classes;
	uint32_t count = 0;

	for (uint32_t slot = 1; slot < type_count; slot++) {
		/* Nearly all are old. */
		if (classes[slot] <= old_classes)
			continue;
		if (atomic_load_explicit(class_position(dedup->table, classes[slot]),
					 memory_order_relaxed) == type_position_of(unit, slot))
			slots[count++] = slot;
	}
	return count;
}

uint32_t dedup_add_type(struct dedup *dedup, type_position position, const struct model_type *type)
{
	const struct model_type types[2] = { { 0 }, *type };
	struct model_item no_item;
	const struct model_unit unit = { .types = (struct model_type *)types,
					 .type_count = 2,
					 .items = &no_item };
	struct fingerprint keys[2];
	struct arena scratch;
	const uint32_t void_class = 0;
	_Atomic type_position *lowest;
	uint32_t index = 0;
	bool is_new;

	assert(type->type == 0 && type->item_count == 0);
	arena_init(&scratch);
	if (fingerprint_unit(&unit, 0, &scratch, keys))
		index = class_table_add(dedup->table, keys[1], position, &is_new);
	arena_deinit(&scratch);
	if (index == 0)
		return 0;
	lowest = class_position(dedup->table, index);
	if (atomic_load_explicit(lowest, memory_order_relaxed) > position)
		atomic_store_explicit(lowest, position, memory_order_relaxed);
	if (is_new &&
	    !classify_store_content(dedup->table, index, type, NULL, &void_class, &dedup->arena))
		return 0;
	dedup->added_position = position;
	dedup->added_class = index;
	return index;
}

uint32_t dedup_type_count(const struct dedup *dedup)
{
	return dedup->type_count;
}

const struct dedup_type *dedup_type(const struct dedup *dedup, uint32_t number)
{
	assert(number >= 1 && number <= dedup->type_count);
	return &dedup->types[number];
}

uint32_t dedup_number_of_class(const struct dedup *dedup, uint32_t class_index)
{
	return dedup->class_numbers[class_index];
}

uint32_t dedup_number_of(const struct dedup *dedup, uint32_t unit, uint32_t slot)
{
	assert(unit < dedup->unit_count && slot < dedup->units[unit].type_count);
	return dedup->class_numbers[dedup->units[unit].classes[slot]];
}

/* Versions, whose indices are above those of classes, are of residue: few, and hardly ever of declarations only. */
static bool is_declaration(const struct dedup *dedup, uint32_t index)
{
	return index <= class_table_count(dedup->table) &&
	       type_is_forward(&class_entry(dedup->table, index)->content->type);
}

void dedup_count_definitions(const struct dedup *dedup, uint32_t *counts)
{
	for (uint32_t unit = 0; unit < dedup->unit_count; unit++) {
		const struct unit_record *record = &dedup->units[unit];

		for (uint32_t slot = 1; record->classes && slot < record->type_count; slot++) {
			uint32_t index = record->classes[slot];

			if (index != 0 && !is_declaration(dedup, index))
				counts[dedup->class_numbers[index]]++;
		}
	}
}

const struct dedup_first_use *dedup_first_uses(const struct dedup *dedup, uint32_t *count)
{
	*count = dedup->first_use_count;
	return dedup->first_uses;
}

uint32_t dedup_ambiguous_names(const struct dedup *dedup)
{
	return dedup->ambiguous_names;
}
