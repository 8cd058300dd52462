/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Open addressing. Jobs take a stretch of a section each and may meet in the table: a free place is
 * taken by compare-and-swap, and who finds an equal text leaves the lower offset. Equal texts
 * probe the same places, so they cannot miss each other.
 */
#include "base/text_index.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>

#include "base/text_hash.h"

enum {
	BYTES_PER_JOB = 64 * 1024, /* about 50 us */
	/* Places are fetched for so many texts at a time. */
	BATCH = 32,
};

struct text_index {
	struct text_section *sections;
	uint32_t section_count;
	uint64_t hash_mask; /* of the bits that choose a place */
	uint64_t place_mask;
	/* Upper half: of the hash. Lower half: offset + 1, or 0: free. */
	_Atomic uint64_t *places;
};

struct stretch {
	uint32_t section;
	uint32_t begin;
	uint32_t end;
};

struct building {
	struct text_index *index;
	struct stretch *stretches;
	uint32_t stretch_count;
	bool is_alone; /* no other thread adds texts */
};

struct sought {
	const char *text;
	size_t size;
	uint64_t hash;
	uint32_t offset;
};

static const struct text_section *section_of(const struct text_index *index, uint32_t offset)
{
	uint32_t i = index->section_count;

	while (--i > 0 && index->sections[i].first_offset > offset)
		continue;
	return &index->sections[i];
}

const char *text_index_text(const struct text_index *index, uint32_t offset)
{
	const struct text_section *section = section_of(index, offset);

	return section->bytes + (offset - section->first_offset);
}

static uint64_t first_place(const struct text_index *index, uint64_t hash)
{
	return hash & index->hash_mask;
}

static bool place_has(const struct text_index *index, uint64_t place, const struct sought *sought)
{
	uint32_t offset = (uint32_t)place - 1;
	const struct text_section *section;
	const char *known;

	if (place >> 32 != sought->hash >> 32)
		return false;
	section = section_of(index, offset);
	offset -= section->first_offset;
	known = section->bytes + offset;
	/* Its own end is in the section. */
	return sought->size < section->size - offset &&
	       memcmp(known, sought->text, sought->size) == 0 && known[sought->size] == '\0';
}

/* Takes a free place; what is there by now otherwise, 0 if it was taken. */
static uint64_t take_place(const struct building *building, _Atomic uint64_t *place, uint64_t entry)
{
	uint64_t seen = atomic_load_explicit(place, memory_order_relaxed);

	if (seen != 0)
		return seen;
	if (building->is_alone)
		atomic_store_explicit(place, entry, memory_order_relaxed);
	else
		atomic_compare_exchange_strong_explicit(place, &seen, entry, memory_order_relaxed,
							memory_order_relaxed);
	return seen;
}

static void add_text(const struct building *building, const struct sought *sought)
{
	const struct text_index *index = building->index;
	uint64_t entry = (sought->hash >> 32) << 32 | (sought->offset + UINT64_C(1));

	for (uint64_t i = first_place(index, sought->hash);; i++) {
		_Atomic uint64_t *place = &index->places[i & index->place_mask];
		uint64_t seen = take_place(building, place, entry);

		if (seen == 0)
			return;
		if (!place_has(index, seen, sought))
			continue;
		while (entry < seen && !atomic_compare_exchange_weak_explicit(place, &seen, entry,
									      memory_order_relaxed,
									      memory_order_relaxed))
			continue;
		return;
	}
}

/* Adds the texts that start in the stretch. */
static void add_stretch_job(void *argument, uint32_t job_index, struct worker *worker)
{
	const struct building *building = argument;
	const struct stretch *stretch = &building->stretches[job_index];
	const struct text_section *section = &building->index->sections[stretch->section];
	const struct text_index *index = building->index;
	const char *text = section->bytes + stretch->begin;
	const char *end = section->bytes + stretch->end;
	struct sought batch[BATCH];

	(void)worker;
	if (stretch->begin > 0 && text[-1] != '\0')
		text += strlen(text) + 1;
	while (text < end) {
		size_t count = 0;

		for (; count < BATCH && text < end; count++) {
			struct sought *sought = &batch[count];

			sought->text = text;
			sought->size = strlen(text);
			sought->hash = text_hash(text, sought->size);
			sought->offset = section->first_offset + (uint32_t)(text - section->bytes);
			__builtin_prefetch(&index->places[first_place(index, sought->hash) &
							  index->place_mask]);
			text += sought->size + 1;
		}
		for (size_t i = 0; i < count; i++)
			add_text(building, &batch[i]);
	}
}

uint32_t text_index_find(const struct text_index *index, const char *text, size_t size)
{
	const struct sought sought = { .text = text, .size = size, .hash = text_hash(text, size) };

	for (uint64_t i = first_place(index, sought.hash);; i++) {
		uint64_t seen = atomic_load_explicit(&index->places[i & index->place_mask],
						     memory_order_relaxed);

		if (seen == 0)
			return TEXT_INDEX_NONE;
		if (place_has(index, seen, &sought))
			return (uint32_t)seen - 1;
	}
}

/* ---- life ---- */

/* NULs in 8 * steps bytes, at most 255 steps: each byte of a word has a lane to be counted in. */
static uint64_t count_nuls(const char *bytes, size_t steps)
{
	const uint64_t ones = UINT64_C(0x0101010101010101), sevens = ones * 0x7f;
	uint64_t lanes = 0, count = 0;

	for (size_t i = 0; i < steps; i++) {
		uint64_t word;

		memcpy(&word, bytes + 8 * i, sizeof(word));
		/* The top bit of each byte that is not 0. */
		word |= (word & sevens) + sevens;
		lanes += ~word >> 7 & ones;
	}
	for (; lanes; lanes >>= 8)
		count += lanes & 0xff;
	return count;
}

static uint64_t count_texts(const struct text_section *section)
{
	enum { STEPS_MAX = 255 };
	const char *bytes = section->bytes, *end = bytes + section->size;
	uint64_t count = 0;

	while (end - bytes >= 8) {
		size_t steps = (size_t)(end - bytes) / 8;

		if (steps > STEPS_MAX)
			steps = STEPS_MAX;
		count += count_nuls(bytes, steps);
		bytes += 8 * steps;
	}
	for (; bytes < end; bytes++)
		count += *bytes == '\0';
	return count;
}

static uint32_t size_up_to_last_nul(const struct text_section *section)
{
	uint32_t size = section->size;

	while (size > 0 && section->bytes[size - 1] != '\0')
		size--;
	return size;
}

static bool allocate(struct building *building, const struct text_section *sections,
		     uint32_t section_count, unsigned hash_bits, struct arena *arena)
{
	struct text_index *index = building->index;
	uint64_t texts = 0, places = 64;
	size_t stretches = 0;

	index->sections = arena_calloc(arena, section_count, sizeof(*index->sections));
	if (!index->sections)
		return false;
	index->section_count = section_count;
	for (uint32_t i = 0; i < section_count; i++) {
		index->sections[i] = sections[i];
		index->sections[i].size = size_up_to_last_nul(&sections[i]);
		texts += count_texts(&index->sections[i]);
		stretches += index->sections[i].size / BYTES_PER_JOB + 1;
	}
	while (places / 2 <= texts)
		places *= 2;
	index->place_mask = places - 1;
	index->hash_mask = hash_bits && hash_bits < 32 ? (UINT64_C(1) << hash_bits) - 1 :
							 UINT32_MAX;
	index->places = arena_calloc(arena, places, sizeof(*index->places));
	building->stretches = arena_calloc(arena, stretches, sizeof(*building->stretches));
	return index->places && building->stretches;
}

static void cut_into_stretches(struct building *building)
{
	for (uint32_t i = 0; i < building->index->section_count; i++) {
		uint32_t size = building->index->sections[i].size;

		for (uint64_t begin = 0; begin < size; begin += BYTES_PER_JOB)
			building->stretches[building->stretch_count++] = (struct stretch){
				.section = i,
				.begin = (uint32_t)begin,
				.end = size - begin < BYTES_PER_JOB ?
					       size :
					       (uint32_t)begin + BYTES_PER_JOB,
			};
	}
}

enum smelt_status text_index_create(const struct text_section *sections, uint32_t section_count,
				    unsigned hash_bits, struct worker_pool *pool,
				    struct arena *arena, struct text_index **index,
				    struct smelt_error *error)
{
	struct building building = {
		.index = arena_calloc(arena, 1, sizeof(*building.index)),
		.is_alone = worker_pool_size(pool) == 1,
	};

	if (!building.index || !allocate(&building, sections, section_count, hash_bits, arena))
		return error_no_memory(error);
	cut_into_stretches(&building);
	worker_pool_run(pool, add_stretch_job, &building, building.stretch_count);
	*index = building.index;
	return SMELT_OK;
}
