/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * 99 of 100 types of a kernel are repeats. For those this file computes a fingerprint, finds the
 * class, and looks whether this unit is lower than those that had the class so far. Only what is
 * not found takes a lock.
 *
 * A class remembers the lowest position it was seen at, and, for reference types, which instance
 * of that unit is finished first. The latter matters only when the unit has the class
 * twice, which compilers rarely do, so the order is computed only then.
 *
 * Races: positions only go down, and the entry for `finished_first` is taken over only by
 * a lower unit. A unit that lost its class to a lower one while it was busy may
 * still leave its claim there; settling ignores it because its unit is not that of the position.
 */
#include "dedup/classify.h"

#include <string.h>

#include "base/name_table.h"
#include "dedup/finish_order.h"
#include "dedup/type_family.h"

/* A lookup waits for memory; this many are under way at a time. */
enum { LOOKUP_DISTANCE = 8 };

struct classifier {
	struct class_table *table;
	uint32_t unit_index;
	const struct model_unit *unit;
	uint32_t old_classes;
	const struct fingerprint *keys;
	uint32_t *classes;
	uint32_t *missing; /* slots whose class was not found */
	uint32_t missing_count;
	bool needs_finish_order;
};

/* `slot` has class `index`, whose position may have to come down to it. */
static inline void note_instance(struct classifier *job, uint32_t slot, uint32_t index)
{
	_Atomic type_position *position = class_position(job->table, index);
	type_position seen = atomic_load_explicit(position, memory_order_relaxed);
	type_position here = type_position_of(job->unit_index, slot);

	if (type_position_unit(seen) < job->unit_index)
		return;
	if (type_position_unit(seen) == job->unit_index && seen != here)
		job->needs_finish_order |= type_is_reference(&job->unit->types[slot]);
	while (here < seen &&
	       !atomic_compare_exchange_weak_explicit(position, &seen, here, memory_order_relaxed,
						      memory_order_relaxed)) {
	}
}

static void look_up(struct classifier *job)
{
	const uint32_t count = job->unit->type_count;
	const struct class_bucket *ahead[LOOKUP_DISTANCE];

	for (uint32_t slot = 1; slot < count && slot <= LOOKUP_DISTANCE; slot++)
		ahead[slot % LOOKUP_DISTANCE] = class_table_prefetch(job->table, job->keys[slot]);
	job->classes[0] = 0;
	for (uint32_t slot = 1; slot < count; slot++) {
		const struct class_bucket *bucket = ahead[slot % LOOKUP_DISTANCE];
		uint32_t index;

		if (slot + LOOKUP_DISTANCE < count)
			ahead[slot % LOOKUP_DISTANCE] =
				class_table_prefetch(job->table, job->keys[slot + LOOKUP_DISTANCE]);
		index = class_table_find_from(job->table, bucket, job->keys[slot]);
		job->classes[slot] = index;
		if (index > job->old_classes)
			note_instance(job, slot, index);
		else if (index == 0 && !type_is_absent(&job->unit->types[slot]))
			job->missing[job->missing_count++] = slot;
	}
}

/* The names that go into the fingerprint of a type, at most 2 and 2 per item. */
static uint32_t list_names(const struct model_unit *unit, uint32_t slot, uint32_t *names)
{
	const struct model_type *type = &unit->types[slot];
	uint32_t count = 0;

	names[count++] = type->name;
	names[count++] = unit->types[type->type].name;
	for (uint32_t i = 0; i < type->item_count; i++) {
		const struct model_item *item = &unit->items[type->first_item + i];

		names[count++] = item->name;
		names[count++] = unit->types[item->type].name;
	}
	return count;
}

/*
 * Whether the names that went into the missing types' fingerprints are final, which they may become by being looked at. Those
 * of types that were found need no look: a class is only added with final names, and no other
 * text's number is ever equal to a provisional one.
 */
static bool settle_missing_names(const struct classifier *job, struct arena *scratch, bool *final)
{
	const struct model_unit *unit = job->unit;
	uint64_t most = 0;
	uint32_t *names, *settled, count = 0;

	for (uint32_t i = 0; i < job->missing_count; i++)
		most += 2 + 2 * (uint64_t)unit->types[job->missing[i]].item_count;
	names = arena_alloc(scratch, most * sizeof(*names));
	settled = arena_alloc(scratch, most * sizeof(*settled));
	if (!names || !settled)
		return false;
	for (uint32_t i = 0; i < job->missing_count; i++)
		count += list_names(unit, job->missing[i], names + count);
	memcpy(settled, names, count * sizeof(*names));
	if (!name_table_settle_all(unit->names, settled, count))
		return false;
	*final = memcmp(settled, names, count * sizeof(*names)) == 0;
	return true;
}

bool classify_settle_names(const struct model_unit *unit)
{
	bool done = true;

	for (uint32_t slot = 1; slot < unit->type_count; slot++) {
		uint32_t *name = &unit->types[slot].name;

		*name = name_table_settle(unit->names, *name);
		done &= *name != UINT32_MAX;
	}
	for (uint32_t i = 0; i < unit->item_count; i++) {
		uint32_t *name = &unit->items[i].name;

		*name = name_table_settle(unit->names, *name);
		done &= *name != UINT32_MAX;
	}
	return done;
}

/* Adds the missing classes; keeps in missing[] the slots whose class is new. */
static bool add_missing(struct classifier *job)
{
	uint32_t new_count = 0;

	for (uint32_t i = 0; i < job->missing_count; i++) {
		uint32_t slot = job->missing[i];
		bool is_new;
		uint32_t index = class_table_add(job->table, job->keys[slot],
						 type_position_of(job->unit_index, slot), &is_new);

		if (index == 0)
			return false;
		job->classes[slot] = index;
		if (is_new)
			job->missing[new_count++] = slot;
		else
			note_instance(job, slot, index);
	}
	job->missing_count = new_count;
	return true;
}

bool classify_store_content(struct class_table *table, uint32_t class_index,
			    const struct model_type *type, const struct model_item *items,
			    const uint32_t *classes, struct arena *kept)
{
	struct class_content *content = arena_alloc(
		kept, sizeof(*content) + (size_t)type->item_count * sizeof(content->items[0]));

	if (!content)
		return false;
	content->type = *type;
	content->type.first_item = 0;
	content->type.flags &= FINGERPRINT_FLAGS;
	content->type.type = classes[type->type];
	for (uint32_t i = 0; i < type->item_count; i++) {
		content->items[i] = items[i];
		content->items[i].type = classes[items[i].type];
	}
	class_entry(table, class_index)->content = content;
	return true;
}

/* Enters what this unit finishes first of the classes it has lowest. */
static bool note_finish_order(struct classifier *job, struct arena *scratch)
{
	uint32_t count;
	const uint32_t *order = finish_order(job->unit, scratch, &count);

	if (!order)
		return false;
	for (uint32_t i = 0; i < count; i++) {
		uint32_t index = job->classes[order[i]];
		_Atomic type_position *first = &class_entry(job->table, index)->finished_first;
		type_position seen = atomic_load_explicit(first, memory_order_relaxed);
		type_position here = type_position_of(job->unit_index, order[i]);
		type_position lowest = atomic_load_explicit(class_position(job->table, index),
							    memory_order_relaxed);

		if (type_position_unit(lowest) != job->unit_index)
			continue;
		while (job->unit_index < type_position_unit(seen) &&
		       !atomic_compare_exchange_weak_explicit(
			       first, &seen, here, memory_order_relaxed, memory_order_relaxed)) {
		}
	}
	return true;
}

bool classify_unit(struct class_table *table, uint32_t unit_index, const struct model_unit *unit,
		   uint32_t old_classes, uint32_t *classes, struct arena *scratch,
		   struct arena *kept)
{
	struct fingerprint *keys = arena_alloc(scratch, unit->type_count * sizeof(*keys));
	struct classifier job = {
		.table = table,
		.unit_index = unit_index,
		.unit = unit,
		.old_classes = old_classes,
		.keys = keys,
		.classes = classes,
		.missing = arena_alloc(scratch, unit->type_count * sizeof(*job.missing)),
	};
	bool names_are_final = true;

	if (!keys || !job.missing || !fingerprint_unit(unit, unit_index, scratch, keys))
		return false;
	look_up(&job);
	if (unit->names && job.missing_count > 0 &&
	    !settle_missing_names(&job, scratch, &names_are_final))
		return false;
	if (!names_are_final) {
		if (!classify_settle_names(unit) ||
		    !fingerprint_unit(unit, unit_index, scratch, keys))
			return false;
		job.missing_count = 0;
		look_up(&job);
	}
	if (!add_missing(&job))
		return false;
	for (uint32_t i = 0; i < job.missing_count; i++) {
		uint32_t slot = job.missing[i];
		const struct model_type *type = &unit->types[slot];

		if (!classify_store_content(table, classes[slot], type,
					    unit->items + type->first_item, classes, kept))
			return false;
	}
	return !job.needs_finish_order || note_finish_order(&job, scratch);
}
