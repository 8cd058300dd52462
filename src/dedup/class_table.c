/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Growing a shard fills a new array of buckets and then publishes it. Readers that still search the
 * old array can only miss what was added since, and a miss is always repeated under
 * the lock. Old arrays add up to the size of the current one.
 */
#include "dedup/class_table.h"

#include <stdlib.h>
#include <string.h>

enum {
	SHARD_FIRST_BUCKETS = 8,
	/* Keys per bucket, on average, at which a shard grows: 2 of 3. */
	SHARD_KEYS_PER_BUCKET = 2,
};

static struct class_buckets *buckets_create(uint32_t count, struct class_buckets *older)
{
	struct class_buckets *created = malloc(sizeof(*created));
	size_t bytes = (size_t)count * sizeof(struct class_bucket);

	if (!created)
		return NULL;
	created->buckets = aligned_alloc(alignof(struct class_bucket), bytes);
	if (!created->buckets) {
		free(created);
		return NULL;
	}
	memset(created->buckets, 0, bytes);
	created->older = older;
	created->mask = count - 1;
	return created;
}

static void buckets_destroy_all(struct class_buckets *buckets)
{
	while (buckets) {
		struct class_buckets *older = buckets->older;

		free(buckets->buckets);
		free(buckets);
		buckets = older;
	}
}

static void buckets_put(struct class_buckets *buckets, uint64_t placement, struct fingerprint key,
			uint32_t index)
{
	for (uint64_t i = placement >> CLASS_SHARD_BITS;; i++) {
		struct class_bucket *bucket = &buckets->buckets[i & buckets->mask];

		for (unsigned k = 0; k < CLASS_BUCKET_KEYS; k++) {
			if (atomic_load_explicit(&bucket->index[k], memory_order_relaxed) != 0)
				continue;
			bucket->a[k] = key.a;
			bucket->b[k] = key.b;
			atomic_store_explicit(&bucket->index[k], index, memory_order_release);
			return;
		}
	}
}

/* Under the shard's lock. */
static struct class_buckets *shard_grow(struct class_table *table, struct class_shard *shard,
					struct class_buckets *current)
{
	struct class_buckets *grown;

	if (current->mask > UINT32_MAX / 4)
		return NULL;
	grown = buckets_create((current->mask + 1) * 2, current);
	if (!grown)
		return NULL;
	for (uint32_t i = 0; i <= current->mask; i++) {
		const struct class_bucket *bucket = &current->buckets[i];

		for (unsigned k = 0; k < CLASS_BUCKET_KEYS; k++) {
			struct fingerprint key = { bucket->a[k], bucket->b[k] };
			uint32_t index =
				atomic_load_explicit(&bucket->index[k], memory_order_relaxed);

			if (index != 0)
				buckets_put(grown, class_placement(table, key), key, index);
		}
	}
	atomic_store_explicit(&shard->current, grown, memory_order_release);
	return grown;
}

static struct class_chunk *chunk_create(unsigned number)
{
	size_t count = (size_t)1 << (number + CLASS_FIRST_CHUNK_BITS);
	struct class_chunk *chunk = malloc(sizeof(*chunk));

	if (!chunk)
		return NULL;
	chunk->positions = malloc(count * sizeof(*chunk->positions));
	chunk->entries = malloc(count * sizeof(*chunk->entries));
	if (!chunk->positions || !chunk->entries) {
		free(chunk->positions);
		free(chunk->entries);
		free(chunk);
		return NULL;
	}
	return chunk;
}

static bool chunk_ensure(struct class_table *table, uint32_t index)
{
	uint32_t offset;
	unsigned number = class_chunk_number(index, &offset);
	struct class_chunk *chunk;

	if (number >= CLASS_CHUNKS)
		return false;
	if (atomic_load_explicit(&table->chunks[number], memory_order_acquire))
		return true;
	pthread_mutex_lock(&table->chunk_lock);
	chunk = atomic_load_explicit(&table->chunks[number], memory_order_relaxed);
	if (!chunk) {
		chunk = chunk_create(number);
		atomic_store_explicit(&table->chunks[number], chunk, memory_order_release);
	}
	pthread_mutex_unlock(&table->chunk_lock);
	return chunk != NULL;
}

/* Under the shard's lock. */
static uint32_t shard_add(struct class_table *table, struct class_shard *shard, uint64_t placement,
			  struct fingerprint key, type_position position)
{
	struct class_buckets *current = atomic_load_explicit(&shard->current, memory_order_relaxed);
	struct class_entry *entry;
	uint32_t index;

	if (shard->count >= (current->mask + 1) * SHARD_KEYS_PER_BUCKET) {
		current = shard_grow(table, shard, current);
		if (!current)
			return 0;
	}
	index = atomic_fetch_add_explicit(&table->last_index, 1, memory_order_acq_rel) + 1;
	if (!chunk_ensure(table, index))
		return 0;
	atomic_init(class_position(table, index), position);
	entry = class_entry(table, index);
	atomic_init(&entry->finished_first, TYPE_POSITION_NONE);
	entry->content = NULL;
	buckets_put(current, placement, key, index);
	shard->count++;
	return index;
}

uint32_t class_table_add(struct class_table *table, struct fingerprint key, type_position position,
			 bool *is_new)
{
	uint64_t placement = class_placement(table, key);
	struct class_shard *shard = class_shard_of(table, placement);
	uint32_t index;

	pthread_mutex_lock(&shard->lock);
	index = class_buckets_find(atomic_load_explicit(&shard->current, memory_order_relaxed),
				   placement, key);
	*is_new = index == 0;
	if (index == 0)
		index = shard_add(table, shard, placement, key, position);
	pthread_mutex_unlock(&shard->lock);
	return index;
}

enum smelt_status class_table_create(unsigned hash_bits, struct class_table **table,
				     struct smelt_error *error)
{
	struct class_table *created = aligned_alloc(alignof(struct class_table), sizeof(*created));

	if (!created)
		return error_no_memory(error);
	memset(created, 0, sizeof(*created));
	created->placement_mask =
		hash_bits == 0 || hash_bits >= 64 ? UINT64_MAX : ((uint64_t)1 << hash_bits) - 1;
	pthread_mutex_init(&created->chunk_lock, NULL);
	for (unsigned i = 0; i < CLASS_SHARDS; i++)
		pthread_mutex_init(&created->shards[i].lock, NULL);
	for (unsigned i = 0; i < CLASS_SHARDS; i++) {
		struct class_buckets *buckets = buckets_create(SHARD_FIRST_BUCKETS, NULL);

		atomic_init(&created->shards[i].current, buckets);
		if (!buckets) {
			class_table_destroy(created);
			return error_no_memory(error);
		}
	}
	*table = created;
	return SMELT_OK;
}

void class_table_destroy(struct class_table *table)
{
	if (!table)
		return;
	for (unsigned i = 0; i < CLASS_SHARDS; i++) {
		buckets_destroy_all(
			atomic_load_explicit(&table->shards[i].current, memory_order_relaxed));
		pthread_mutex_destroy(&table->shards[i].lock);
	}
	for (unsigned i = 0; i < CLASS_CHUNKS; i++) {
		struct class_chunk *chunk =
			atomic_load_explicit(&table->chunks[i], memory_order_relaxed);

		if (!chunk)
			continue;
		free(chunk->positions);
		free(chunk->entries);
		free(chunk);
	}
	pthread_mutex_destroy(&table->chunk_lock);
	free(table);
}
