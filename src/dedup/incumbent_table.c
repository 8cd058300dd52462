/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#include "dedup/incumbent_table.h"

#include <stdlib.h>

#include "dedup/position_sort.h"
#include "dedup/type_family.h"

struct filling {
	const struct residue *residue;
	const struct name_groups *groups;
	const struct class_scan *scan;
	struct class_table *classes;
};

uint32_t incumbent_table_reversals(uint64_t entries)
{
	uint32_t reversals = entries > 0;

	/* It doubles on entry i (from 0) when (i + 1) * 4 / 3 exceeds the capacity. */
	for (uint64_t capacity = 4; (3 * (capacity + 1) + 3) / 4 <= entries; capacity *= 2)
		reversals++;
	return reversals;
}

static uint32_t count_before(const type_position *positions, uint32_t count, type_position position)
{
	uint32_t low = 0, high = count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (positions[middle] < position)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

uint64_t incumbent_table_at_composite(const struct incumbent_table *table, type_position position)
{
	return (uint64_t)table->primitive_count +
	       count_before(table->composites, table->composite_count, position);
}

uint64_t incumbent_table_at_primitive(const struct incumbent_table *table, type_position position)
{
	return count_before(table->primitives, table->primitive_count, position);
}

/* ---- filling ---- */

static type_position lowest_position(const struct filling *filling, uint32_t index)
{
	return atomic_load_explicit(class_position(filling->classes, index), memory_order_relaxed);
}

static const struct model_type *class_type(const struct filling *filling, uint32_t index)
{
	return &class_entry(filling->classes, index)->content->type;
}

/* An enumeration without enumerators is entered only if it comes before the others of its name. */
static bool is_primitive_entry(const struct filling *filling, uint32_t index)
{
	const struct model_type *type = class_type(filling, index);
	const struct name_group *group =
		&filling->groups->groups.items[filling->groups->of_class[index]];

	switch (type->kind) {
	case TYPE_INT:
	case TYPE_FLOAT:
	case TYPE_STRUCT_FORWARD:
	case TYPE_UNION_FORWARD:
		return true;
	case TYPE_ENUM:
		return type->item_count > 0 || group->family == FAMILY_NONE ||
		       (group->lowest_forward == index &&
			(!group->lowest_definition ||
			 lowest_position(filling, index) <
				 lowest_position(filling, group->lowest_definition)));
	default:
		return false;
	}
}

static bool is_composite(const struct model_type *type)
{
	return type->kind == TYPE_STRUCT || type->kind == TYPE_UNION || type->kind == TYPE_TYPEDEF;
}

/* First place of the class outside of the residue. */
static type_position first_primary(const struct filling *filling, uint32_t index)
{
	const type_position *places = class_scan_places(filling->scan, index);
	type_position lowest = lowest_position(filling, index);

	if (!residue_has(filling->residue, lowest))
		return lowest;
	for (uint32_t i = 0; i < class_scan_count(filling->scan, index); i++) {
		if (!residue_has(filling->residue, places[i]))
			return places[i];
	}
	return TYPE_POSITION_NONE;
}

static uint32_t list_primitives(const struct filling *filling, struct positioned *entries)
{
	uint32_t count = 0;

	for (uint32_t index = 1; index <= class_table_count(filling->classes); index++) {
		if (is_primitive_entry(filling, index))
			entries[count++].position = lowest_position(filling, index);
	}
	return count;
}

static uint32_t list_composites(const struct filling *filling, struct positioned *entries)
{
	const struct residue *residue = filling->residue;
	uint32_t count = 0;

	for (uint32_t index = 1; index <= class_table_count(filling->classes); index++) {
		type_position position;

		if (!is_composite(class_type(filling, index)))
			continue;
		position = first_primary(filling, index);
		if (position != TYPE_POSITION_NONE)
			entries[count++].position = position;
	}
	for (size_t i = 0; i < residue->versions.count; i++) {
		const struct type_version *version = &residue->versions.items[i];

		if (version->has_representative &&
		    is_composite(class_type(filling, version->class_index)))
			entries[count++].position =
				residue_position(&residue->units[version->unit], version->node);
	}
	return count;
}

/* Sorted positions on the heap, or NULL. */
static type_position *sorted_positions(struct positioned *entries, struct positioned *spare,
				       uint32_t count)
{
	type_position *positions = malloc(((size_t)count + 1) * sizeof(*positions));

	if (!positions)
		return NULL;
	position_sort(entries, spare, count);
	for (uint32_t i = 0; i < count; i++)
		positions[i] = entries[i].position;
	return positions;
}

bool incumbent_table_fill(struct incumbent_table *table, const struct residue *residue,
			  const struct name_groups *groups, const struct class_scan *scan)
{
	const struct filling filling = { residue, groups, scan, residue->dedup->table };
	const size_t count = class_table_count(filling.classes) + residue->versions.count + 1;
	struct positioned *entries = calloc(count * 2, sizeof(*entries));

	incumbent_table_deinit(table);
	if (!entries)
		return false;
	table->primitive_count = list_primitives(&filling, entries);
	table->primitives = sorted_positions(entries, entries + count, table->primitive_count);
	table->composite_count = list_composites(&filling, entries);
	table->composites = sorted_positions(entries, entries + count, table->composite_count);
	free(entries);
	return table->primitives && table->composites;
}

void incumbent_table_deinit(struct incumbent_table *table)
{
	free(table->primitives);
	free(table->composites);
	*table = (struct incumbent_table){ 0 };
}
