/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The set of distinct contents ("classes"), keyed by fingerprint and shared by all workers.
 * It only grows. Looking up takes no lock and, for what is there, touches one cache line;
 * adding takes the lock of one shard. Classes are numbered from 1 in the order of arrival, which
 * therefore must not decide anything that can be seen.
 *
 *   shard -> buckets[]            a bucket is a cache line of three keys and class indices
 *   chunks[] -> positions[]       per class: the lowest place it was seen at
 *            -> entries[]         per class: the rest
 */
#ifndef DEDUP_CLASS_TABLE_H
#define DEDUP_CLASS_TABLE_H

#include <pthread.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "dedup/dedup.h"
#include "dedup/fingerprint.h"
#include "model/unit.h"

enum {
	CLASS_SHARD_BITS = 6,
	CLASS_SHARDS = 1 << CLASS_SHARD_BITS,
	CLASS_BUCKET_KEYS = 3,
	CLASS_FIRST_CHUNK_BITS = 10,
	CLASS_CHUNKS = 32 - CLASS_FIRST_CHUNK_BITS,
};

/* Later than any type. */
#define TYPE_POSITION_NONE UINT64_MAX

/* A class's content as the unit that added it had it; references are class indices. */
struct class_content {
	struct model_type type; /* first_item is 0 */
	struct model_item items[];
};

struct class_entry {
	/*
	 * For kinds whose representative is the one finished first: that one in its lowest unit,
	 * if it may differ.
	 */
	_Atomic type_position finished_first;
	struct class_content
		*content; /* of the unit that added the class; read after the last unit */
};

struct class_bucket {
	alignas(64) uint64_t a[CLASS_BUCKET_KEYS];
	uint64_t b[CLASS_BUCKET_KEYS];
	/* 0: free. Written last, so that who sees it sees the key. */
	_Atomic uint32_t index[CLASS_BUCKET_KEYS];
};

struct class_buckets {
	struct class_buckets *older; /* kept to the end: a reader may still be in it */
	uint32_t mask;               /* number of buckets - 1 */
	struct class_bucket *buckets;
};

struct class_shard {
	alignas(64) _Atomic(struct class_buckets *) current;
	pthread_mutex_t lock;
	uint32_t count;
};

struct class_chunk {
	_Atomic type_position *positions;
	struct class_entry *entries;
};

struct class_table {
	struct class_shard shards[CLASS_SHARDS];
	uint64_t placement_mask;
	_Atomic uint32_t last_index;
	pthread_mutex_t chunk_lock;
	_Atomic(struct class_chunk *) chunks[CLASS_CHUNKS];
};

/*
 * hash_bits: how many bits of a fingerprint decide where it is kept, 0: all (others are for
 * tests).
 */
enum smelt_status class_table_create(unsigned hash_bits, struct class_table **table,
				     struct smelt_error *error);
void class_table_destroy(struct class_table *table);

/* Classes are 1 .. count. */
static inline uint32_t class_table_count(struct class_table *table)
{
	return atomic_load_explicit(&table->last_index, memory_order_acquire);
}

/*
 * Finds or adds. A new class is at `position` and has no content yet: whoever gets *is_new stores
 * it before the pass ends. Returns 0 when out of memory.
 */
uint32_t class_table_add(struct class_table *table, struct fingerprint key, type_position position,
			 bool *is_new);

static inline uint64_t class_placement(const struct class_table *table, struct fingerprint key)
{
	return key.a >> 2 & table->placement_mask;
}

static inline struct class_shard *class_shard_of(struct class_table *table, uint64_t placement)
{
	return &table->shards[placement % CLASS_SHARDS];
}

/* The bucket to look for a key in first, and starts to fetch it. */
static inline const struct class_bucket *class_table_prefetch(struct class_table *table,
							      struct fingerprint key)
{
	uint64_t placement = class_placement(table, key);
	struct class_buckets *buckets = atomic_load_explicit(
		&class_shard_of(table, placement)->current, memory_order_acquire);
	const struct class_bucket *bucket =
		&buckets->buckets[placement >> CLASS_SHARD_BITS & buckets->mask];

	__builtin_prefetch(bucket);
	return bucket;
}

static inline uint32_t class_buckets_find(const struct class_buckets *buckets, uint64_t placement,
					  struct fingerprint key)
{
	/* Never full, so there is a free place to end at. */
	for (uint64_t i = placement >> CLASS_SHARD_BITS;; i++) {
		const struct class_bucket *bucket = &buckets->buckets[i & buckets->mask];

		for (unsigned k = 0; k < CLASS_BUCKET_KEYS; k++) {
			uint32_t index =
				atomic_load_explicit(&bucket->index[k], memory_order_acquire);

			if (index == 0)
				return 0;
			if (bucket->a[k] == key.a && bucket->b[k] == key.b)
				return index;
		}
	}
}

/* Index of the class, or 0: not there, or only just added by another worker. */
static inline uint32_t class_table_find(struct class_table *table, struct fingerprint key)
{
	uint64_t placement = class_placement(table, key);

	return class_buckets_find(atomic_load_explicit(&class_shard_of(table, placement)->current,
						       memory_order_acquire),
				  placement, key);
}

/*
 * As class_table_find, from the bucket that class_table_prefetch() gave. The table may have grown since; then
 * what was added later is not found.
 */
static inline uint32_t class_table_find_from(struct class_table *table,
					     const struct class_bucket *bucket,
					     struct fingerprint key)
{
	for (unsigned k = 0; k < CLASS_BUCKET_KEYS; k++) {
		uint32_t index = atomic_load_explicit(&bucket->index[k], memory_order_acquire);

		if (index == 0)
			return 0;
		if (bucket->a[k] == key.a && bucket->b[k] == key.b)
			return index;
	}
	return class_table_find(table, key);
}

/* Chunk c holds 2^(10+c) classes, so that an index says where it is without a search. */
static inline unsigned class_chunk_number(uint32_t index, uint32_t *offset)
{
	uint64_t shifted = (uint64_t)index + (1u << CLASS_FIRST_CHUNK_BITS);
	unsigned log2 = 63 - (unsigned)__builtin_clzll(shifted);

	*offset = (uint32_t)(shifted - ((uint64_t)1 << log2));
	return log2 - CLASS_FIRST_CHUNK_BITS;
}

static inline _Atomic type_position *class_position(struct class_table *table, uint32_t index)
{
	uint32_t offset;
	unsigned number = class_chunk_number(index, &offset);

	return &atomic_load_explicit(&table->chunks[number], memory_order_acquire)
			->positions[offset];
}

static inline struct class_entry *class_entry(struct class_table *table, uint32_t index)
{
	uint32_t offset;
	unsigned number = class_chunk_number(index, &offset);

	return &atomic_load_explicit(&table->chunks[number], memory_order_acquire)->entries[offset];
}

static inline uint32_t type_position_unit(type_position position)
{
	return (uint32_t)(position >> 32);
}

static inline uint32_t type_position_slot(type_position position)
{
	return (uint32_t)position;
}

/* Where the representative of the class's instances is. After the last unit. */
static inline type_position class_representative(struct class_table *table, uint32_t index)
{
	type_position lowest =
		atomic_load_explicit(class_position(table, index), memory_order_relaxed);
	type_position finished = atomic_load_explicit(&class_entry(table, index)->finished_first,
						      memory_order_relaxed);

	/* A claim of a unit that turned out not to be the lowest is void. */
	return type_position_unit(finished) == type_position_unit(lowest) ? finished : lowest;
}

#endif
