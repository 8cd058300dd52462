/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#include "encode/prototypes.h"

#include <stdlib.h>

static uint32_t hash_step(uint32_t hash, uint32_t value)
{
	uint64_t mixed = (uint64_t)(hash ^ value) * UINT64_C(0x9e3779b97f4a7c15);

	return (uint32_t)(mixed >> 32) ^ (uint32_t)mixed;
}

struct prototype_table *prototype_table_create(const struct dedup_type *types, uint32_t type_count,
					       uint32_t function_count, unsigned hash_bits)
{
	struct prototype_table *table = calloc(1, sizeof(*table));
	uint64_t needed = function_count + 1ull;
	uint64_t places = 64;

	if (!table)
		return NULL;
	for (uint32_t i = 0; i < type_count; i++)
		needed += types[i].type.kind == TYPE_FUNCTION;
	while (places / 2 < needed)
		places *= 2;
	table->types = types;
	table->type_count = type_count;
	table->place_mask = (uint32_t)(places - 1);
	table->hash_mask = hash_bits && hash_bits < 32 ? (1u << hash_bits) - 1 : UINT32_MAX;
	table->functions = calloc(function_count + 1ull, sizeof(*table->functions));
	table->places = calloc(places, sizeof(*table->places));
	if (table->functions && table->places)
		return table;
	prototype_table_destroy(table);
	return NULL;
}

void prototype_table_destroy(struct prototype_table *table)
{
	if (!table)
		return;
	free((void *)table->functions);
	free(table->places);
	free(table);
}

static bool equals_type(const struct prototype *prototype, const struct dedup_type *type)
{
	if (type->type.type != prototype->return_type ||
	    type->type.item_count != prototype->parameter_count)
		return false;
	for (uint32_t i = 0; i < prototype->parameter_count; i++) {
		if (type->items[i].name != prototype->parameters[i].name ||
		    type->items[i].type != prototype->parameters[i].type)
			return false;
	}
	return true;
}

static bool equals_prototype(const struct prototype *a, const struct prototype *b)
{
	if (a->hash != b->hash || a->return_type != b->return_type ||
	    a->parameter_count != b->parameter_count)
		return false;
	for (uint32_t i = 0; i < a->parameter_count; i++) {
		if (a->parameters[i].name != b->parameters[i].name ||
		    a->parameters[i].type != b->parameters[i].type)
			return false;
	}
	return true;
}

static bool equals_order(const struct prototype_table *table, const struct prototype *prototype,
			 uint32_t order)
{
	if (prototype_is_type(table, order))
		return equals_type(prototype, &table->types[order - 1]);
	return equals_prototype(prototype, table->functions[prototype_function_of(table, order)]);
}

/* The order at a place only ever sinks, and always to an equal prototype. */
static void claim_if_lower(_Atomic uint32_t *place, uint32_t seen, uint32_t order)
{
	while (order < seen &&
	       !atomic_compare_exchange_weak_explicit(place, &seen, order, memory_order_acq_rel,
						      memory_order_acquire))
		continue;
}

/*
 * Acquire and release: who sees an order also sees its prototype. `prototype` may be NULL for one that no
 * other equals: types of the set are distinct.
 */
static uint32_t insert(struct prototype_table *table, uint32_t hash,
		       const struct prototype *prototype, uint32_t order)
{
	for (uint32_t i = hash & table->hash_mask;; i++) {
		uint32_t number = i & table->place_mask;
		_Atomic uint32_t *place = &table->places[number];
		uint32_t seen = atomic_load_explicit(place, memory_order_acquire);

		if (seen == 0 && atomic_compare_exchange_strong_explicit(place, &seen, order,
									 memory_order_acq_rel,
									 memory_order_acquire))
			return number;
		if (prototype && equals_order(table, prototype, seen)) {
			claim_if_lower(place, seen, order);
			return number;
		}
	}
}

void prototype_table_add_type(struct prototype_table *table, uint32_t number)
{
	const struct dedup_type *type = &table->types[number - 1];
	uint32_t hash = hash_step(type->type.item_count, type->type.type);

	for (uint32_t i = 0; i < type->type.item_count; i++)
		hash = hash_step(hash_step(hash, type->items[i].name), type->items[i].type);
	insert(table, hash, NULL, number);
}

uint32_t prototype_table_add(struct prototype_table *table, uint32_t function,
			     struct prototype *prototype)
{
	uint32_t hash = hash_step(prototype->parameter_count, prototype->return_type);

	for (uint32_t i = 0; i < prototype->parameter_count; i++)
		hash = hash_step(hash_step(hash, prototype->parameters[i].name),
				 prototype->parameters[i].type);
	prototype->hash = hash;
	table->functions[function] = prototype;
	return insert(table, hash, prototype, prototype_order_of_function(table, function));
}
