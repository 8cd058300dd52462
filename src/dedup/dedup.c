/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#include "dedup/dedup.h"

#include <assert.h>
#include <stdlib.h>

#include "dedup/classify.h"
#include "dedup/dedup_internal.h"

enum smelt_status dedup_create(struct worker_pool *pool, unsigned hash_bits, struct dedup **dedup,
			       struct smelt_error *error)
{
	struct dedup *created = calloc(1, sizeof(*created));
	enum smelt_status status;

	if (!created)
		return error_no_memory(error);
	created->pool = pool;
	created->worker_count = worker_pool_size(pool);
	arena_init(&created->arena);
	created->workers = aligned_alloc(alignof(struct dedup_worker),
					 created->worker_count * sizeof(*created->workers));
	if (!created->workers) {
		dedup_destroy(created);
		return error_no_memory(error);
	}
	for (unsigned i = 0; i < created->worker_count; i++)
		arena_init(&created->workers[i].kept);
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
	assert(worker->index < dedup->worker_count);
	if (!classify_unit(dedup->table, unit, types, classes, &worker->scratch,
			   &dedup->workers[worker->index].kept))
		return error_no_memory(error);
	return SMELT_OK;
}

uint32_t dedup_add_type(struct dedup *dedup, type_position position, const struct model_type *type)
{
	const struct model_type types[2] = { { 0 }, *type };
	const struct model_unit unit = { .types = (struct model_type *)types, .type_count = 2 };
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

const struct dedup_first_use *dedup_first_uses(const struct dedup *dedup, uint32_t *count)
{
	*count = dedup->first_use_count;
	return dedup->first_uses;
}

uint32_t dedup_ambiguous_names(const struct dedup *dedup)
{
	return dedup->ambiguous_names;
}
