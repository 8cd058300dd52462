/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Eight bytes of each text at a time are one big-endian integer: a stable radix sort by it, then the
 * same for each run of equal integers with the next eight bytes. Runs wait on a list, not on the
 * stack, and short ones are finished by insertion.
 *
 * In parallel: a sample of the keys, sorted, gives the bounds of buckets of about equal size; keys are
 * scattered to them in order, and each bucket is sorted as above.
 */
#include "base/text_sort.h"

#include <stdlib.h>
#include <string.h>

enum {
	PREFIX_BYTES = 8,
	/* Below this, comparing is cheaper than filling 256 counters per byte. */
	RADIX_MIN_COUNT = 48,

	/* 10,000 kernel symbols sort in about 1 ms, as long as a few passes of the pool take to start. */
	PARALLEL_MIN_COUNT = 10000,
	KEYS_PER_CHUNK = 2048,
	BUCKETS = 32,
	SAMPLES_PER_BUCKET = 32,
};

/* Keys [begin, end) agree in their first `depth` bytes. */
struct key_run {
	uint32_t begin;
	uint32_t end;
	uint32_t depth;
};

struct text_sorter {
	struct text_key *keys;
	struct text_key *spare;
	struct key_run *pending; /* each is longer than RADIX_MIN_COUNT and no two overlap */
	uint32_t pending_count;
};

static uint64_t prefix_at(const struct text_key *key, uint32_t depth)
{
	const unsigned char *text = (const unsigned char *)key->text + depth;
	uint32_t left = key->size > depth ? key->size - depth : 0;
	uint64_t prefix = 0;

	if (left >= PREFIX_BYTES) {
		memcpy(&prefix, text, PREFIX_BYTES);
		return __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? prefix : __builtin_bswap64(prefix);
	}
	for (uint32_t i = 0; i < PREFIX_BYTES; i++)
		prefix = prefix << 8 | (i < left ? text[i] : 0);
	return prefix;
}

/* Order of two keys that agree in their first `depth` bytes and whose prefixes start there. */
static int compare_keys(const struct text_key *a, const struct text_key *b, uint32_t depth)
{
	uint32_t common = a->size < b->size ? a->size : b->size;
	int order = 0;

	if (a->prefix != b->prefix)
		return a->prefix > b->prefix ? 1 : -1;
	depth += PREFIX_BYTES;
	if (depth < common)
		order = memcmp(a->text + depth, b->text + depth, common - depth);
	return order ? order : (a->size > b->size) - (a->size < b->size);
}

static void insertion_sort(struct text_key *keys, uint32_t count, uint32_t depth)
{
	for (uint32_t i = 1; i < count; i++) {
		struct text_key key = keys[i];
		uint32_t place = i;

		for (; place > 0 && compare_keys(&keys[place - 1], &key, depth) > 0; place--)
			keys[place] = keys[place - 1];
		keys[place] = key;
	}
}

/* One stable pass by the byte at `shift`; false if all keys have the same there. */
static bool radix_pass(const struct text_key *from, struct text_key *to, uint32_t count,
		       unsigned shift)
{
	uint32_t starts[256] = { 0 };
	uint32_t start = 0;

	for (uint32_t i = 0; i < count; i++)
		starts[from[i].prefix >> shift & 0xff]++;
	if (starts[from[0].prefix >> shift & 0xff] == count)
		return false;
	for (unsigned byte = 0; byte < 256; byte++) {
		uint32_t size = starts[byte];

		starts[byte] = start;
		start += size;
	}
	for (uint32_t i = 0; i < count; i++)
		to[starts[from[i].prefix >> shift & 0xff]++] = from[i];
	return true;
}

static void radix_sort_by_prefix(struct text_key *keys, struct text_key *spare, uint32_t count)
{
	struct text_key *from = keys;
	struct text_key *to = spare;

	for (unsigned shift = 0; shift < 8 * PREFIX_BYTES; shift += 8) {
		if (radix_pass(from, to, count, shift)) {
			struct text_key *sorted = to;

			to = from;
			from = sorted;
		}
	}
	if (from != keys)
		memcpy(keys, from, count * sizeof(*keys));
}

/* Goes on with bytes from run.depth on: at once if the run is short, else later. */
static void sort_deeper(struct text_sorter *sorter, struct key_run run)
{
	for (uint32_t i = run.begin; i < run.end; i++)
		sorter->keys[i].prefix = prefix_at(&sorter->keys[i], run.depth);
	if (run.end - run.begin < RADIX_MIN_COUNT)
		insertion_sort(sorter->keys + run.begin, run.end - run.begin, run.depth);
	else
		sorter->pending[sorter->pending_count++] = run;
}

static void sort_run(struct text_sorter *sorter, struct key_run run)
{
	struct text_key *keys = sorter->keys;

	radix_sort_by_prefix(keys + run.begin, sorter->spare, run.end - run.begin);
	for (uint32_t begin = run.begin, end; begin < run.end; begin = end) {
		uint64_t prefix = keys[begin].prefix;

		for (end = begin + 1; end < run.end && keys[end].prefix == prefix; end++)
			continue;
		/* A zero at the end of the prefix: the texts end here, hence are equal. */
		if (end - begin > 1 && (prefix & 0xff) != 0)
			sort_deeper(sorter,
				    (struct key_run){ begin, end, run.depth + PREFIX_BYTES });
	}
}

/* spare: room for count keys. */
static bool sort_keys(struct text_key *keys, struct text_key *spare, uint32_t count)
{
	struct text_sorter sorter = {
		.keys = keys,
		.spare = spare,
		.pending = malloc((count / RADIX_MIN_COUNT + 1) * sizeof(*sorter.pending)),
	};

	if (!sorter.pending)
		return false;
	sort_deeper(&sorter, (struct key_run){ 0, count, 0 });
	while (sorter.pending_count > 0)
		sort_run(&sorter, sorter.pending[--sorter.pending_count]);
	free(sorter.pending);
	return true;
}

bool text_sort(struct text_key *keys, uint32_t count)
{
	struct text_key *spare = malloc((count + 1ull) * sizeof(*spare));
	bool has_memory = spare && sort_keys(keys, spare, count);

	free(spare);
	return has_memory;
}

struct parallel_sort {
	struct text_key *keys;
	struct text_key *scattered;
	uint8_t *buckets; /* per key */
	uint32_t count;
	uint32_t chunk_count;
	struct text_key bounds[BUCKETS - 1]; /* the first key of each bucket but the first */
	uint32_t *positions; /* [chunk][bucket]: how many keys, then where the next one goes */
	uint32_t starts[BUCKETS + 1];
	_Atomic bool out_of_memory;
};

static uint32_t chunk_end(const struct parallel_sort *sort, uint32_t chunk)
{
	uint32_t left = sort->count - chunk * KEYS_PER_CHUNK;

	return chunk * KEYS_PER_CHUNK + (left < KEYS_PER_CHUNK ? left : KEYS_PER_CHUNK);
}

/* Equal texts must meet in one bucket, so only the text decides. */
static uint32_t find_bucket(const struct parallel_sort *sort, const struct text_key *key)
{
	uint32_t low = 0;
	uint32_t high = BUCKETS - 1;

	while (low < high) {
		uint32_t middle = (low + high) / 2;

		if (compare_keys(key, &sort->bounds[middle], 0) < 0)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

static void count_job(void *argument, uint32_t chunk, struct worker *worker)
{
	struct parallel_sort *sort = argument;
	uint32_t *positions = sort->positions + chunk * BUCKETS;

	(void)worker;
	for (uint32_t i = chunk * KEYS_PER_CHUNK; i < chunk_end(sort, chunk); i++) {
		sort->keys[i].prefix = prefix_at(&sort->keys[i], 0);
		sort->buckets[i] = (uint8_t)find_bucket(sort, &sort->keys[i]);
		positions[sort->buckets[i]]++;
	}
}

static void scatter_job(void *argument, uint32_t chunk, struct worker *worker)
{
	struct parallel_sort *sort = argument;
	uint32_t *positions = sort->positions + chunk * BUCKETS;

	(void)worker;
	for (uint32_t i = chunk * KEYS_PER_CHUNK; i < chunk_end(sort, chunk); i++)
		sort->scattered[positions[sort->buckets[i]]++] = sort->keys[i];
}

static void sort_job(void *argument, uint32_t bucket, struct worker *worker)
{
	struct parallel_sort *sort = argument;
	uint32_t start = sort->starts[bucket];
	uint32_t size = sort->starts[bucket + 1] - start;

	(void)worker;
	/* The keys' old places are free now: first as spare room, then for the result. */
	if (!sort_keys(sort->scattered + start, sort->keys + start, size))
		sort->out_of_memory = true;
	memcpy(sort->keys + start, sort->scattered + start, size * sizeof(*sort->keys));
}

static void place_buckets(struct parallel_sort *sort)
{
	uint32_t position = 0;

	for (uint32_t bucket = 0; bucket < BUCKETS; bucket++) {
		sort->starts[bucket] = position;
		for (uint32_t chunk = 0; chunk < sort->chunk_count; chunk++) {
			uint32_t *place = &sort->positions[chunk * BUCKETS + bucket];
			uint32_t size = *place;

			*place = position;
			position += size;
		}
	}
	sort->starts[BUCKETS] = position;
}

static bool choose_bounds(struct parallel_sort *sort)
{
	enum { SAMPLES = BUCKETS * SAMPLES_PER_BUCKET };
	struct text_key samples[SAMPLES];

	/* Evenly spread, so that the result of one input is always the same. */
	for (uint32_t i = 0; i < SAMPLES; i++)
		samples[i] = sort->keys[(uint64_t)i * sort->count / SAMPLES];
	if (!text_sort(samples, SAMPLES))
		return false;
	for (uint32_t i = 0; i < BUCKETS - 1; i++) {
		sort->bounds[i] = samples[(i + 1) * SAMPLES_PER_BUCKET];
		sort->bounds[i].prefix = prefix_at(&sort->bounds[i], 0);
	}
	return true;
}

bool text_sort_parallel(struct text_key *keys, uint32_t count, struct worker_pool *pool)
{
	struct parallel_sort sort = {
		.keys = keys,
		.count = count,
		.chunk_count = (uint32_t)((count + KEYS_PER_CHUNK - 1ull) / KEYS_PER_CHUNK),
	};
	bool has_memory;

	if (count < PARALLEL_MIN_COUNT || worker_pool_size(pool) == 1)
		return text_sort(keys, count);
	sort.scattered = malloc(count * sizeof(*sort.scattered));
	sort.buckets = malloc(count);
	sort.positions = calloc((size_t)sort.chunk_count * BUCKETS, sizeof(*sort.positions));
	has_memory = sort.scattered && sort.buckets && sort.positions && choose_bounds(&sort);
	if (has_memory) {
		worker_pool_run(pool, count_job, &sort, sort.chunk_count);
		place_buckets(&sort);
		worker_pool_run(pool, scatter_job, &sort, sort.chunk_count);
		worker_pool_run(pool, sort_job, &sort, BUCKETS);
		has_memory = !sort.out_of_memory;
	}
	free(sort.scattered);
	free(sort.buckets);
	free(sort.positions);
	return has_memory;
}
