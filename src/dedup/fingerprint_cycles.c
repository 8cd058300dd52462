/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Types without a name that refer to themselves: a C++ lambda that holds itself, or damaged
 * input. Two such types are equal when no walk along references tells them apart,
 * wherever a unit enters the cycle and however often it repeats it.
 *
 * Components (sets of types that all reach each other) are found with Tarjan's algorithm, which
 * finishes a component after those it refers to. In a component each type starts with the same
 * value and absorbs its neighbours' values, round by round, until the number m of distinct values
 * stops growing: then values differ exactly where types do. The number of rounds must not depend
 * on how a unit spells the component, and must be enough to tell it from another one with as many
 * values: 2 * m rounds are (partition refinement over both together ends by then), and m is
 * absorbed.
 */
#include <stdlib.h>
#include <string.h>

#include "dedup/fingerprint_internal.h"

/*
 * Steps (types times rounds) allowed for one unit. Real components have a handful of types; one
 * that needs more than this is not compared with other units' types at all.
 */
enum { CYCLE_STEPS_MAX = 8 * 1024 * 1024 };

struct frame {
	uint32_t slot;
	uint32_t next_reference;
};

struct component_search {
	const struct model_unit *unit;
	struct fingerprint *references;
	uint32_t unit_index;
	uint32_t *order;  /* per slot: when entered, 0: not yet */
	uint32_t *lowest; /* per slot: lowest `order` reached from it */
	struct frame *frames;
	uint32_t *members; /* entered and in no finished component */
	uint32_t member_count;
	uint32_t entered;
	struct fingerprint *next; /* values of a round, by member */
	uint64_t *sorted;
	uint64_t steps;
};

static int compare_u64(const void *left, const void *right)
{
	uint64_t x = *(const uint64_t *)left;
	uint64_t y = *(const uint64_t *)right;

	return (x > y) - (x < y);
}

/* One round over `members`. Returns the number of distinct values. */
static uint32_t component_round(struct component_search *search, const uint32_t *members,
				uint32_t count)
{
	uint32_t distinct = 1;

	for (uint32_t i = 0; i < count; i++)
		search->next[i] = fingerprint_absorb(search->unit, &search->unit->types[members[i]],
						     search->references);
	for (uint32_t i = 0; i < count; i++) {
		search->references[members[i]] = search->next[i];
		search->sorted[i] = search->next[i].a;
	}
	qsort(search->sorted, count, sizeof(*search->sorted), compare_u64);
	for (uint32_t i = 1; i < count; i++)
		distinct += search->sorted[i] != search->sorted[i - 1];
	search->steps += count;
	return distinct;
}

/* Gives each of the members a value of its own. */
static void component_give_up(struct component_search *search, const uint32_t *members,
			      uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		uint64_t place = (uint64_t)search->unit_index << 32 | members[i];
		struct fingerprint *value = &search->references[members[i]];

		value->a = fingerprint_fold(value->a ^ place, 0x8cb92ba72f3d8dd7) |
			   REFERENCE_FIRST_KNOWN;
		value->b = fingerprint_fold(value->b ^ place, 0xaaaaaaaaaaaaaaab);
	}
}

static void component_refine(struct component_search *search, const uint32_t *members,
			     uint32_t count)
{
	uint32_t distinct = 0;
	uint32_t rounds = 0;
	uint32_t now;

	for (uint32_t i = 0; i < count; i++)
		search->references[members[i]] = fingerprint_of_name(FAMILY_NONE, 1);
	for (;; distinct = now) {
		now = component_round(search, members, count);
		rounds++;
		if (now == distinct)
			break;
		if (search->steps > CYCLE_STEPS_MAX) {
			component_give_up(search, members, count);
			return;
		}
	}
	for (; rounds < 2 * (uint64_t)distinct; rounds++) {
		component_round(search, members, count);
		if (search->steps > CYCLE_STEPS_MAX) {
			component_give_up(search, members, count);
			return;
		}
	}
	for (uint32_t i = 0; i < count; i++) {
		struct fingerprint *value = &search->references[members[i]];

		value->a = fingerprint_fold(value->a ^ distinct, 0xe7037ed1a0b428db) |
			   REFERENCE_FIRST_KNOWN;
		value->b = fingerprint_fold(value->b ^ distinct, 0x589965cc75374cc3);
	}
}

static bool type_refers_to(const struct model_unit *unit, uint32_t slot, uint32_t target)
{
	const struct model_type *type = &unit->types[slot];

	for (uint32_t i = 0; i < type_reference_count(type); i++) {
		if (type_reference_at(unit, type, i) == target)
			return true;
	}
	return false;
}

/* `slot` is the first entered of its component: all members from it on are the component. */
static void component_finish(struct component_search *search, uint32_t slot)
{
	uint32_t first = search->member_count;

	do
		first--;
	while (search->members[first] != slot);
	if (search->member_count - first == 1 && !type_refers_to(search->unit, slot, slot))
		search->references[slot] = fingerprint_absorb(
			search->unit, &search->unit->types[slot], search->references);
	else
		component_refine(search, &search->members[first], search->member_count - first);
	search->member_count = first;
}

static void component_enter(struct component_search *search, uint32_t depth, uint32_t slot)
{
	search->order[slot] = search->lowest[slot] = ++search->entered;
	search->members[search->member_count++] = slot;
	search->frames[depth] = (struct frame){ .slot = slot };
}

/* Tarjan's algorithm without recursion. */
static void component_search_from(struct component_search *search, uint32_t start)
{
	uint32_t depth = 1;

	component_enter(search, 0, start);
	while (depth > 0) {
		struct frame *top = &search->frames[depth - 1];
		const struct model_type *type = &search->unit->types[top->slot];

		if (top->next_reference < type_reference_count(type)) {
			uint32_t target =
				type_reference_at(search->unit, type, top->next_reference++);

			if (search->references[target].a >= REFERENCE_FIRST_KNOWN)
				continue;
			if (search->order[target] == 0)
				component_enter(search, depth++, target);
			else if (search->lowest[top->slot] > search->order[target])
				search->lowest[top->slot] = search->order[target];
			continue;
		}
		if (search->lowest[top->slot] == search->order[top->slot])
			component_finish(search, top->slot);
		depth--;
		if (depth > 0) {
			uint32_t parent = search->frames[depth - 1].slot;

			if (search->lowest[parent] > search->lowest[top->slot])
				search->lowest[parent] = search->lowest[top->slot];
		}
	}
}

bool fingerprint_cycles(const struct model_unit *unit, uint32_t unit_index, struct arena *scratch,
			struct fingerprint *references)
{
	const uint32_t count = unit->type_count;
	struct component_search search = {
		.unit = unit,
		.unit_index = unit_index,
		.references = references,
		.order = arena_calloc(scratch, count, sizeof(*search.order)),
		.lowest = arena_alloc(scratch, count * sizeof(*search.lowest)),
		.frames = arena_alloc(scratch, count * sizeof(*search.frames)),
		.members = arena_alloc(scratch, count * sizeof(*search.members)),
		.next = arena_alloc(scratch, count * sizeof(*search.next)),
		.sorted = arena_alloc(scratch, count * sizeof(*search.sorted)),
	};

	if (!search.order || !search.lowest || !search.frames || !search.members || !search.next ||
	    !search.sorted)
		return false;
	for (uint32_t slot = 1; slot < count; slot++) {
		if (references[slot].a == REFERENCE_IN_PROGRESS)
			references[slot].a = REFERENCE_UNKNOWN;
	}
	for (uint32_t slot = 1; slot < count; slot++) {
		if (references[slot].a == REFERENCE_UNKNOWN)
			component_search_from(&search, slot);
	}
	return true;
}
