/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * 128 bits of state in two lanes, and one multiplication of 64 by 64 bits for a type and for each of its items: both
 * lanes of what is referred to and all content go into the factors, all bits of the product are
 * the next state. Products hit nearly all values (two random pairs of factors have the same one
 * with a probability of about 2^-115), and with one factor equal the other decides. So among n distinct
 * types two agree by chance with a probability of about n*n / 2^116. For ten million types (a
 * kernel has 40,000) that is 10^-21; a memory error is likelier by many orders. So equal fingerprints count as equal
 * content and nobody compares the content. Someone who builds two types to collide can
 * merge them in his own output and nothing else: no code indexes one type's items by
 * another's count.
 *
 * Most types come after those they refer to by content, so one pass over the unnamed types
 * settles nearly all references. What is left is done depth first with a stack of its own (chains
 * can be as long as the input likes), and cycles, which no C compiler writes, in
 * fingerprint_cycles.c.
 */
#include "dedup/fingerprint.h"

#include <string.h>

#include "dedup/fingerprint_internal.h"

/* Digits of pi, e and roots: nothing up the sleeve, but what they are does not matter. */
static const uint64_t label_key = 0xa4093822299f31d0, shape_key = 0x082efa98ec4e6c89;
static const uint64_t void_a = 0xc0ac29b7c97c50dd, void_b = 0x3f84d5b5b5470917;

/* *is_known becomes false if some reference is not known; what is returned means nothing then. */
static inline __attribute__((always_inline)) struct fingerprint
absorb(const struct model_unit *unit, const struct model_type *type,
       const struct fingerprint *references, bool *is_known)
{
	const struct model_item *item = unit->items + type->first_item;
	const struct model_item *end = item + type->item_count;
	const struct fingerprint *target = &references[type->type];
	uint64_t shape = (uint64_t)type->kind | (uint64_t)(type->flags & FINGERPRINT_FLAGS) << 8 |
			 (uint64_t)type->item_count << 32;
	uint64_t label = (uint64_t)type->name | (uint64_t)type->size << 32;
	bool known = target->a >= REFERENCE_FIRST_KNOWN;
	struct fingerprint state = fingerprint_multiply((label ^ label_key) + target->a,
							(shape ^ shape_key) + target->b);

	for (; item < end; item++) {
		const struct fingerprint *reference = &references[item->type];

		known &= reference->a >= REFERENCE_FIRST_KNOWN;
		state = fingerprint_multiply((state.a ^ item->value) + reference->a,
					     (state.b ^ item->name) + reference->b);
	}
	*is_known = known;
	state.a |= REFERENCE_FIRST_KNOWN;
	return state;
}

struct fingerprint fingerprint_absorb(const struct model_unit *unit, const struct model_type *type,
				      const struct fingerprint *references)
{
	bool is_known;

	return absorb(unit, type, references, &is_known);
}

/* A unit's slots by how a reference to them counts. */
struct slot_lists {
	uint32_t *unnamed;
	uint32_t *named;
	uint32_t unnamed_count;
	uint32_t named_count;
};

/*
 * What counts by name is known at once. Kinds come in no order a processor could predict, so
 * this is written without branches on them.
 */
static void reference_named(const struct model_unit *unit, struct fingerprint *references,
			    struct slot_lists *lists)
{
	uint32_t unnamed = 0, named = 0;

	references[0] = (struct fingerprint){ void_a, void_b };
	for (uint32_t slot = 1; slot < unit->type_count; slot++) {
		const struct model_type *type = &unit->types[slot];
		enum type_family family = type_family_of(type);
		bool is_named = family != FAMILY_NONE;
		struct fingerprint reference = fingerprint_of_name(family, type->name);

		references[slot].a = is_named ? reference.a : REFERENCE_UNKNOWN;
		references[slot].b = reference.b;
		lists->named[named] = slot;
		lists->unnamed[unnamed] = slot;
		named += is_named;
		unnamed += !is_named;
	}
	lists->named_count = named;
	lists->unnamed_count = unnamed;
}

/* What refers only to what is known by now. Keeps and counts the others. */
static uint32_t reference_simple(const struct model_unit *unit, struct fingerprint *references,
				 struct slot_lists *lists)
{
	uint32_t left = 0;

	for (uint32_t i = 0; i < lists->unnamed_count; i++) {
		uint32_t slot = lists->unnamed[i];
		const struct model_type *type = &unit->types[slot];

		bool is_known;
		struct fingerprint fingerprint = absorb(unit, type, references, &is_known);

		if (type_is_absent(type))
			references[slot] = references[0];
		else if (is_known)
			references[slot] = fingerprint;
		else
			lists->unnamed[left++] = slot;
	}
	return left;
}

struct pending {
	uint32_t slot;
	uint32_t next_reference;
};

/* Computes the reference of stack[0].slot and of all it needs. False when it needs itself. */
static bool reference_deep(const struct model_unit *unit, struct fingerprint *references,
			   struct pending *stack)
{
	uint32_t depth = 1;

	while (depth > 0) {
		struct pending *top = &stack[depth - 1];
		const struct model_type *type = &unit->types[top->slot];
		uint32_t count = type_reference_count(type);

		references[top->slot].a = REFERENCE_IN_PROGRESS;
		for (; top->next_reference < count; top->next_reference++) {
			uint32_t target = type_reference_at(unit, type, top->next_reference);

			if (references[target].a == REFERENCE_IN_PROGRESS)
				return false;
			if (references[target].a == REFERENCE_UNKNOWN) {
				stack[depth++] = (struct pending){ .slot = target };
				break;
			}
		}
		if (top->next_reference == count) {
			references[top->slot] = fingerprint_absorb(unit, type, references);
			depth--;
		}
	}
	return true;
}

static bool reference_rest(const struct model_unit *unit, uint32_t unit_index,
			   const uint32_t *unnamed, uint32_t left, struct arena *scratch,
			   struct fingerprint *references)
{
	struct pending *stack = arena_alloc(scratch, left * sizeof(*stack));

	if (!stack)
		return false;
	for (uint32_t i = 0; i < left; i++) {
		if (references[unnamed[i]].a != REFERENCE_UNKNOWN)
			continue;
		stack[0] = (struct pending){ .slot = unnamed[i] };
		if (!reference_deep(unit, references, stack))
			return fingerprint_cycles(unit, unit_index, scratch, references);
	}
	return true;
}

bool fingerprint_unit(const struct model_unit *unit, uint32_t unit_index, struct arena *scratch,
		      struct fingerprint *fingerprints)
{
	const uint32_t count = unit->type_count;
	struct fingerprint *references = arena_alloc(scratch, count * sizeof(*references));
	struct slot_lists lists = {
		.unnamed = arena_alloc(scratch, count * sizeof(*lists.unnamed)),
		.named = arena_alloc(scratch, count * sizeof(*lists.named)),
	};
	uint32_t left;

	if (!references || !lists.unnamed || !lists.named)
		return false;
	reference_named(unit, references, &lists);
	left = reference_simple(unit, references, &lists);
	if (left > 0 && !reference_rest(unit, unit_index, lists.unnamed, left, scratch, references))
		return false;

	memcpy(fingerprints, references, count * sizeof(*fingerprints));
	for (uint32_t i = 0; i < lists.named_count; i++) {
		const struct model_type *type = &unit->types[lists.named[i]];
		bool is_known;

		fingerprints[lists.named[i]] = absorb(unit, type, references, &is_known);
	}
	return true;
}
