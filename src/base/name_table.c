/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * A hash table by content, in shards under a lock each, stands behind the bitmap: it has the
 * strings that were looked at, each under the number it got, which is an offset + 1 for the first
 * offset with this content that anybody asked for. That offset's bit is set, so it is never looked up again.
 */
#include "base/name_table.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/text_hash.h"
#include "base/vector.h"

enum {
	SHARD_BITS = 6,
	SHARDS = 1 << SHARD_BITS,
	/* A shard starts with room for its part of the section's names, as far as these are names of 32 bytes. */
	SHARD_LEAST_CAPACITY = 32,
	SHARD_FIRST_CAPACITY = 2048,
	NAME_BYTES = 32,
};

struct name_entry {
	uint32_t hash; /* the lower half; the upper one chose the shard */
	uint32_t name; /* 0: free */
};

struct shard {
	pthread_mutex_t lock; /* `entries` and `capacity` are read without it only to prefetch */
	_Atomic(struct name_entry *) entries;
	_Atomic uint32_t capacity; /* power of two */
	uint32_t count;
	struct arena texts;
};

struct name_index {
	struct shard shards[SHARDS];

	/* Texts of names from elsewhere, by number - section_size - 1; chunks never move. */
	_Atomic(const char **) chunks[32];
	_Atomic uint32_t extra_count;
	pthread_mutex_t extra_lock;

	const char *prefix;
	size_t prefix_size;
	uint32_t first_capacity; /* of a shard */

	uint32_t *ranks; /* canonical offsets before each word of the bitmap, when frozen */
	uint32_t canonical_count;
	size_t words;
};

static struct name_entry *shard_entries(const struct shard *shard)
{
	return atomic_load_explicit(&shard->entries, memory_order_relaxed);
}

static uint32_t shard_capacity(const struct shard *shard)
{
	return atomic_load_explicit(&shard->capacity, memory_order_relaxed);
}

static bool has_prefix(const struct name_index *index, const char *text, size_t size)
{
	return index->prefix_size != 0 && size >= index->prefix_size &&
	       memcmp(text, index->prefix, index->prefix_size) == 0;
}

static void mark_canonical(struct name_table *table, uint32_t offset)
{
	atomic_fetch_or_explicit(&table->canonical[offset / 64], UINT64_C(1) << (offset % 64),
				 memory_order_relaxed);
}

/* Small tables are made often, for modules one after the other; what is not used of them is not free. */
static uint32_t first_capacity(uint32_t section_size)
{
	uint32_t capacity = SHARD_LEAST_CAPACITY;

	while (capacity < SHARD_FIRST_CAPACITY && capacity < section_size / NAME_BYTES * 2 / SHARDS)
		capacity *= 2;
	return capacity;
}

static uint32_t usable_section_size(const char *section, uint64_t size)
{
	if (size > INT32_MAX)
		return 0;
	while (size > 0 && section[size - 1] != '\0')
		size--;
	return (uint32_t)size;
}

enum smelt_status name_table_create(const char *section, uint64_t size, const char *prefix,
				    struct name_table **result, struct smelt_error *error)
{
	struct name_table *table = calloc(1, sizeof(*table));
	struct name_index *index = calloc(1, sizeof(*index));

	if (table == NULL || index == NULL) {
		free(table);
		free(index);
		return error_no_memory(error);
	}
	table->section = section;
	table->section_size = usable_section_size(section, size);
	table->index = index;
	index->prefix = prefix;
	index->prefix_size = prefix ? strlen(prefix) : 0;
	index->first_capacity = first_capacity(table->section_size);
	index->words = table->section_size / 64 + 1;
	for (unsigned i = 0; i < SHARDS; i++) {
		pthread_mutex_init(&index->shards[i].lock, NULL);
		arena_init(&index->shards[i].texts);
	}
	pthread_mutex_init(&index->extra_lock, NULL);
	table->canonical = calloc(index->words, sizeof(*table->canonical));
	if (table->canonical == NULL) {
		name_table_destroy(table);
		return error_no_memory(error);
	}
	*result = table;
	return SMELT_OK;
}

unsigned name_table_cache_bits(const struct name_table *table)
{
	enum { LEAST_BITS = 10, MOST_BITS = 16 };
	unsigned bits = LEAST_BITS;

	while (bits < MOST_BITS && 1u << bits < table->section_size / NAME_BYTES)
		bits++;
	return bits;
}

void name_table_destroy(struct name_table *table)
{
	if (table == NULL)
		return;
	for (unsigned i = 0; i < SHARDS; i++) {
		struct shard *shard = &table->index->shards[i];

		pthread_mutex_destroy(&shard->lock);
		free(shard_entries(shard));
		arena_deinit(&shard->texts);
	}
	for (size_t i = 0; i < 32; i++)
		free((void *)atomic_load(&table->index->chunks[i]));
	pthread_mutex_destroy(&table->index->extra_lock);
	free(table->index->ranks);
	free(table->index);
	free(table->canonical);
	free(table);
}

/* Chunk c holds 1024 << c texts and starts at index (1024 << c) - 1024. */
static void locate_extra(uint32_t number, unsigned *chunk, uint32_t *place)
{
	uint64_t shifted = (uint64_t)number + 1024;

	*chunk = 53 - (unsigned)__builtin_clzll(shifted);
	*place = (uint32_t)(shifted - (UINT64_C(1024) << *chunk));
}

/* Number for a new text, which must stay; UINT32_MAX when out of memory. */
static uint32_t add_extra(struct name_table *table, const char *text)
{
	struct name_index *index = table->index;
	uint32_t name = UINT32_MAX;
	const char **texts;
	uint32_t number, place;
	unsigned chunk;

	pthread_mutex_lock(&index->extra_lock);
	number = atomic_load_explicit(&index->extra_count, memory_order_relaxed);
	locate_extra(number, &chunk, &place);
	texts = atomic_load_explicit(&index->chunks[chunk], memory_order_relaxed);
	if (texts == NULL) {
		texts = calloc((size_t)1024 << chunk, sizeof(*texts));
		atomic_store_explicit(&index->chunks[chunk], texts, memory_order_release);
	}
	if (texts != NULL && number < UINT32_MAX - table->section_size - 2) {
		texts[place] = text;
		atomic_store_explicit(&index->extra_count, number + 1, memory_order_release);
		name = table->section_size + 1 + number;
	}
	pthread_mutex_unlock(&index->extra_lock);
	return name;
}

static bool shard_grow(struct shard *shard, uint32_t capacity_if_new)
{
	const uint32_t old_capacity = shard_capacity(shard);
	struct name_entry *old = shard_entries(shard);
	uint32_t capacity = old_capacity ? old_capacity * 2 : capacity_if_new;
	struct name_entry *entries = calloc(capacity, sizeof(*entries));

	if (entries == NULL)
		return false;
	for (uint32_t i = 0; i < old_capacity; i++) {
		uint32_t bucket = old[i].hash;

		if (old[i].name == 0)
			continue;
		while (entries[bucket & (capacity - 1)].name != 0)
			bucket++;
		entries[bucket & (capacity - 1)] = old[i];
	}
	free(old);
	atomic_store_explicit(&shard->entries, entries, memory_order_relaxed);
	atomic_store_explicit(&shard->capacity, capacity, memory_order_relaxed);
	return true;
}

enum on_missing { MISSING_IS_NONE, MISSING_IS_ADDED };

/* A text to look up. */
struct sought {
	const char *text;
	size_t size;
	uint64_t hash;
	uint32_t offset; /* where it lies in the section, or UINT32_MAX when it lies elsewhere */
};

static struct shard *shard_of(const struct name_table *table, uint64_t hash)
{
	return &table->index->shards[hash >> (64 - SHARD_BITS)];
}

static struct sought sought_text(const struct name_table *table, const char *text, size_t size,
				 uint32_t offset)
{
	if (has_prefix(table->index, text, size)) {
		text = table->index->prefix;
		size = table->index->prefix_size;
		offset = UINT32_MAX;
	}
	return (struct sought){
		.text = text, .size = size, .hash = text_hash(text, size), .offset = offset
	};
}

/* Whether `name` is the text. In the section, where nearly all are, its end is known to be in there, too. */
static bool name_is(const struct name_table *table, uint32_t name, const struct sought *sought)
{
	const char *known = name_table_text(table, name);

	if (name <= table->section_size)
		return sought->size < table->section_size - (name - 1) &&
		       memcmp(known, sought->text, sought->size) == 0 &&
		       known[sought->size] == '\0';
	return strncmp(known, sought->text, sought->size) == 0 && known[sought->size] == '\0';
}

static uint32_t shard_lookup(struct name_table *table, struct shard *shard,
			     const struct sought *sought, enum on_missing missing)
{
	uint32_t bucket = (uint32_t)sought->hash, mask, name;
	struct name_entry *entry;

	if (shard->count >= shard_capacity(shard) / 2 &&
	    !shard_grow(shard, table->index->first_capacity))
		return UINT32_MAX;
	mask = shard_capacity(shard) - 1;
	for (;; bucket++) {
		entry = &shard_entries(shard)[bucket & mask];
		if (entry->name == 0)
			break;
		if (entry->hash == (uint32_t)sought->hash && name_is(table, entry->name, sought))
			return entry->name;
	}
	if (missing == MISSING_IS_NONE)
		return 0;
	if (sought->offset != UINT32_MAX) {
		name = sought->offset + 1;
		mark_canonical(table, sought->offset);
	} else {
		char *copy = arena_strndup(&shard->texts, sought->text, sought->size);

		name = copy ? add_extra(table, copy) : UINT32_MAX;
	}
	if (name != UINT32_MAX) {
		*entry = (struct name_entry){ .hash = (uint32_t)sought->hash, .name = name };
		shard->count++;
	}
	return name;
}

static uint32_t lookup(struct name_table *table, const struct sought *sought,
		       enum on_missing missing)
{
	struct shard *shard = shard_of(table, sought->hash);
	uint32_t name;

	if (sought->size == 0)
		return 0;
	pthread_mutex_lock(&shard->lock);
	name = shard_lookup(table, shard, sought, missing);
	pthread_mutex_unlock(&shard->lock);
	return name;
}

uint32_t name_table_intern(struct name_table *table, const char *text, size_t size)
{
	const struct sought sought = sought_text(table, text, size, UINT32_MAX);

	return lookup(table, &sought, MISSING_IS_ADDED);
}

uint32_t name_table_find(struct name_table *table, const char *text, size_t size)
{
	const struct sought sought = sought_text(table, text, size, UINT32_MAX);

	return lookup(table, &sought, MISSING_IS_NONE);
}

uint32_t name_table_from_offset_slow(struct name_table *table, uint32_t offset)
{
	const char *text = table->section + offset;
	const struct sought sought = sought_text(table, text, strlen(text), offset);

	return lookup(table, &sought, MISSING_IS_ADDED);
}

static uint32_t settle(struct name_table *table, const struct sought *sought)
{
	if (sought->size == 0)
		atomic_store_explicit(&table->settled_empty, true, memory_order_relaxed);
	return lookup(table, sought, MISSING_IS_ADDED);
}

uint32_t name_table_settle_slow(struct name_table *table, uint32_t name)
{
	const char *text = table->section + name - 1;
	const struct sought sought = sought_text(table, text, strlen(text), name - 1);

	return settle(table, &sought);
}

/* The names at `places` (at most SETTLE_BATCH), each step for all before the next, so that their waits for memory overlap. */
enum { SETTLE_BATCH = 32 };
static bool settle_batch(struct name_table *table, uint32_t *const *places, size_t count)
{
	struct sought sought[SETTLE_BATCH];
	bool done = true;

	for (size_t i = 0; i < count; i++) {
		const char *text = table->section + *places[i] - 1;
		const struct shard *shard;

		sought[i] = sought_text(table, text, strlen(text), *places[i] - 1);
		shard = shard_of(table, sought[i].hash);
		__builtin_prefetch(shard_entries(shard) +
				   ((uint32_t)sought[i].hash & (shard_capacity(shard) - 1)));
	}
	for (size_t i = 0; i < count; i++) {
		*places[i] = settle(table, &sought[i]);
		done &= *places[i] != UINT32_MAX;
	}
	return done;
}

bool name_table_settle_all(struct name_table *table, uint32_t *names, size_t count)
{
	uint32_t *places[SETTLE_BATCH];
	size_t pending = 0;
	bool done = true;

	for (size_t i = 0; i < count; i++) {
		if (name_table_is_settled(table, names[i]))
			continue;
		__builtin_prefetch(table->section + names[i] - 1);
		places[pending++] = &names[i];
		if (pending == SETTLE_BATCH) {
			done &= settle_batch(table, places, pending);
			pending = 0;
		}
	}
	return settle_batch(table, places, pending) && done;
}

const char *name_table_text(const struct name_table *table, uint32_t name)
{
	const char **texts;
	uint32_t place;
	unsigned chunk;

	if (name == 0)
		return "";
	if (name <= table->section_size)
		return table->section + name - 1;
	locate_extra(name - table->section_size - 1, &chunk, &place);
	texts = atomic_load_explicit(&table->index->chunks[chunk], memory_order_acquire);
	return texts[place];
}

bool name_table_freeze(struct name_table *table)
{
	struct name_index *index = table->index;
	uint32_t count = 1; /* 0 is "no name" */

	if (index->ranks == NULL)
		index->ranks = calloc(index->words, sizeof(*index->ranks));
	if (index->ranks == NULL)
		return false;
	for (size_t i = 0; i < index->words; i++) {
		index->ranks[i] = count;
		count += (uint32_t)__builtin_popcountll(
			atomic_load_explicit(&table->canonical[i], memory_order_relaxed));
	}
	index->canonical_count = count;
	return true;
}

uint32_t name_table_dense_count(const struct name_table *table)
{
	return table->index->canonical_count +
	       atomic_load_explicit(&table->index->extra_count, memory_order_relaxed);
}

uint32_t name_table_dense_index(const struct name_table *table, uint32_t name)
{
	const struct name_index *index = table->index;
	uint32_t offset = name - 1;
	uint64_t before;

	if (name == 0)
		return 0;
	if (name > table->section_size)
		return index->canonical_count + (name - table->section_size - 1);
	before = atomic_load_explicit(&table->canonical[offset / 64], memory_order_relaxed) &
		 ((UINT64_C(1) << (offset % 64)) - 1);
	return index->ranks[offset / 64] + (uint32_t)__builtin_popcountll(before);
}
