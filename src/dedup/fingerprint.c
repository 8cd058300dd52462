/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Two lanes of 64 bits, each a chain of multiply-and-fold steps with constants of its own.
 * Lane a takes in only lane a of what a type refers to, lane b only b, so the lanes stay
 * independent and together are 128 bits: among n distinct types two agree by chance with a
 * probability of about n*n / 2^129. For ten million types (a kernel has 40,000) that is
 * 10^-25; a memory error is likelier by many orders. So equal fingerprints count as equal
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

#include "dedup/fingerprint_internal.h"

/* Digits of pi, e and roots: nothing up the sleeve, but what they are does not matter. */
static const uint64_t shape_key_a = 0x243f6a8885a308d3, shape_key_b = 0x13198a2e03707344;
static const uint64_t label_key_a = 0xa4093822299f31d0, label_key_b = 0x082efa98ec4e6c89;
static const uint64_t state_key_a = 0x452821e638d01377, state_key_b = 0xbe5466cf34e90c6c;
static const uint64_t void_a = 0xc0ac29b7c97c50dd, void_b = 0x3f84d5b5b5470917;
static const uint64_t name_factor_a = 0x9e3779b97f4a7c15, name_factor_b = 0xd1310ba698dfb5ac | 1;

struct fingerprint fingerprint_absorb(const struct model_unit *unit, const struct model_type *type,
				      const struct fingerprint *references)
{
	const struct model_item *item = unit->items + type->first_item;
	const struct model_item *end = item + type->item_count;
	const struct fingerprint *target = &references[type->type];
	uint64_t shape = (uint64_t)type->kind | (uint64_t)(type->flags & FINGERPRINT_FLAGS) << 8 |
			 (uint64_t)type->item_count << 32;
	uint64_t label = (uint64_t)type->name | (uint64_t)type->size << 32;
	uint64_t a = fingerprint_fold(shape ^ shape_key_a, label ^ label_key_a);
	uint64_t b = fingerprint_fold(shape ^ shape_key_b, label ^ label_key_b);

	a = fingerprint_fold(a ^ state_key_a, target->a);
	b = fingerprint_fold(b ^ state_key_b, target->b);
	/* One multiplication per lane and item; two would show in the run time of a kernel. */
	for (; item < end; item++) {
		const struct fingerprint *reference = &references[item->type];

		a = fingerprint_fold(a ^ item->value, reference->a + item->name * name_factor_a);
		b = fingerprint_fold(b ^ item->value, reference->b + item->name * name_factor_b);
	}
	return (struct fingerprint){ a | REFERENCE_FIRST_KNOWN, b };
}

static bool references_known(const struct model_unit *unit, const struct model_type *type,
			     const struct fingerprint *references)
{
	uint32_t count = type_reference_count(type);

	for (uint32_t i = 0; i < count; i++) {
		if (references[type_reference_at(unit, type, i)].a < REFERENCE_FIRST_KNOWN)
			return false;
	}
	return true;
}

/* What counts by name is known at once; the rest is listed. Returns the number listed. */
static uint32_t reference_named(const struct model_unit *unit, struct fingerprint *references,
				uint32_t *unnamed)
{
	uint32_t count = 0;

	references[0] = (struct fingerprint){ void_a, void_b };
	for (uint32_t slot = 1; slot < unit->type_count; slot++) {
		const struct model_type *type = &unit->types[slot];
		enum type_family family = type_family_of(type);

		if (family != FAMILY_NONE) {
			references[slot] = fingerprint_of_name(family, type->name);
		} else if (type_is_absent(type)) {
			references[slot] = references[0];
		} else {
			references[slot].a = REFERENCE_UNKNOWN;
			unnamed[count++] = slot;
		}
	}
	return count;
}

/* What refers only to what is known by now. Keeps and counts the others. */
static uint32_t reference_simple(const struct model_unit *unit, struct fingerprint *references,
				 uint32_t *unnamed, uint32_t count)
{
	uint32_t left = 0;

	for (uint32_t i = 0; i < count; i++) {
		const struct model_type *type = &unit->types[unnamed[i]];

		if (references_known(unit, type, references))
			references[unnamed[i]] = fingerprint_absorb(unit, type, references);
		else
			unnamed[left++] = unnamed[i];
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
	struct fingerprint *references =
		arena_alloc(scratch, unit->type_count * sizeof(*references));
	uint32_t *unnamed = arena_alloc(scratch, unit->type_count * sizeof(*unnamed));
	uint32_t left;

	if (!references || !unnamed)
		return false;
	left = reference_named(unit, references, unnamed);
	left = reference_simple(unit, references, unnamed, left);
	if (left > 0 && !reference_rest(unit, unit_index, unnamed, left, scratch, references))
		return false;

	fingerprints[0] = (struct fingerprint){ 0, 0 };
	for (uint32_t slot = 1; slot < unit->type_count; slot++) {
		const struct model_type *type = &unit->types[slot];

		if (type_family_of(type) != FAMILY_NONE)
			fingerprints[slot] = fingerprint_absorb(unit, type, references);
		else if (type_is_absent(type))
			fingerprints[slot] = (struct fingerprint){ 0, 0 };
		else
			fingerprints[slot] = references[slot];
	}
	return true;
}
