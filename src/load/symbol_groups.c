/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Groups are made in four steps:
 *
 *   read    ∥  all symbols; of function symbols what is needed to find the group
 *   join       each to the group of its name, in table order
 *   place      the groups' symbols, one group after the other
 *   gather  ∥  the symbols to their places
 */
#include "load/symbol_groups.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "base/text_hash.h"

/* Whether the part before its first dot is `key`, which has no dot itself. */
static bool has_key(const char *symbol_name, const char *key, size_t size)
{
	return strncmp(symbol_name, key, size) == 0 &&
	       (symbol_name[size] == '\0' || symbol_name[size] == '.');
}

/* Where the group of a key is or would go. */
static struct group_place *find_place(const struct symbol_groups *groups, const char *key,
				      size_t size, uint64_t hash)
{
	for (uint32_t i = (uint32_t)hash;; i++) {
		struct group_place *place = &groups->places[i & groups->place_mask];

		if (place->group == 0 ||
		    (place->tag == hash >> 32 && has_key(place->key, key, size)))
			return place;
	}
}

static uint32_t find_hashed(const struct symbol_groups *groups, const char *text, size_t size,
			    uint64_t hash)
{
	/* A name with a dot is no key, though a symbol may begin with it. */
	if (memchr(text, '.', size))
		return UINT32_MAX;
	return find_place(groups, text, size, hash)->group - 1; /* 0: no group */
}

uint32_t symbol_groups_find_text(const struct symbol_groups *groups, const char *text, size_t size)
{
	return find_hashed(groups, text, size, text_hash(text, size));
}

/* Lookups that wait for memory at the same time. */
enum { LOOKUP_BATCH = 16 };

struct pending_lookup {
	const char *text;
	uint64_t hash;
	uint32_t size;
	uint32_t index; /* among the names asked for */
};

static _Atomic uint64_t *answer_place(const struct symbol_groups *groups, uint32_t name)
{
	return &groups->answers[name * 0x9e3779b1u >> (32 - groups->answer_bits)];
}

/* Whoever else finds the same name stores the same. */
static void keep_answer(const struct symbol_groups *groups, uint32_t name, uint32_t group)
{
	if (group != UINT32_MAX)
		atomic_store_explicit(&groups->groups[group].name, name, memory_order_relaxed);
	atomic_store_explicit(answer_place(groups, name), (uint64_t)name << 32 | (group + 1),
			      memory_order_relaxed);
}

/* The texts of the batch are on their way; next the places, then the keys that are likely to be equal. */
static void find_batch(const struct symbol_groups *groups, struct pending_lookup *batch,
		       uint32_t batch_count, const uint32_t *names, uint32_t *found)
{
	for (uint32_t i = 0; i < batch_count; i++) {
		batch[i].size = (uint32_t)strlen(batch[i].text);
		batch[i].hash = text_hash(batch[i].text, batch[i].size);
		__builtin_prefetch(&groups->places[(uint32_t)batch[i].hash & groups->place_mask]);
	}
	for (uint32_t i = 0; i < batch_count; i++) {
		const struct group_place *place =
			&groups->places[(uint32_t)batch[i].hash & groups->place_mask];

		if (place->tag == batch[i].hash >> 32)
			__builtin_prefetch(place->key);
	}
	for (uint32_t i = 0; i < batch_count; i++) {
		uint32_t index = batch[i].index;

		found[index] = find_hashed(groups, batch[i].text, batch[i].size, batch[i].hash);
		keep_answer(groups, names[index], found[index]);
	}
}

void symbol_groups_find(const struct symbol_groups *groups, const uint32_t *names, uint32_t count,
			uint32_t *found)
{
	struct pending_lookup batch[LOOKUP_BATCH];
	uint32_t batch_count = 0;

	for (uint32_t i = 0; i < count; i++) {
		uint32_t name = names[i];
		uint64_t answer =
			atomic_load_explicit(answer_place(groups, name), memory_order_relaxed);

		if (name == 0 || answer >> 32 == name) {
			/* "No group" is 0, and one less is UINT32_MAX. */
			found[i] = name ? (uint32_t)answer - 1 : UINT32_MAX;
			continue;
		}
		batch[batch_count].text = name_table_text(groups->names, name);
		batch[batch_count].index = i;
		__builtin_prefetch(batch[batch_count].text);
		if (++batch_count == LOOKUP_BATCH) {
			find_batch(groups, batch, batch_count, names, found);
			batch_count = 0;
		}
	}
	find_batch(groups, batch, batch_count, names, found);
}

/* Fills in what the name says; false if the symbol is no function of its own. */
static bool read_name(struct function_symbol *symbol, uint32_t *key_size)
{
	const char *suffix = strchrnul(symbol->name, '.');

	*key_size = (uint32_t)(suffix - symbol->name);
	symbol->has_suffix = *suffix != '\0';
	symbol->is_optimized = false;
	if (!symbol->has_suffix)
		return true;
	symbol->is_optimized = strstr(suffix, ".constprop") || strstr(suffix, ".isra");
	return !strstr(suffix, ".cold") && !strstr(suffix, ".part");
}

/* A function symbol on its way to its place. */
struct member {
	const char *name;
	uint32_t symbol; /* index in the source */
	uint32_t key_size;
	union {
		uint64_t hash; /* of the key; until it is joined */
		struct {
			uint32_t group;
			uint32_t place; /* index in groups->symbols */
		};
	};
};

/* A stretch of the table; its members are those of builder->members from its first symbol's index on. */
struct symbol_chunk {
	uint32_t member_count;
	uint64_t text_bytes;
	const struct member *last; /* the one whose key is last in byte order */
};

enum {
	SYMBOLS_PER_CHUNK = 8192,
	/* Places are asked for so long before they are looked at; else joining is mostly waiting for memory. */
	JOIN_DISTANCE = 16,
};

struct group_builder {
	const struct symbol_source *source;
	struct symbol_groups *groups;
	struct member *members;
	struct symbol_chunk *chunks;
	uint32_t chunk_count;
};

/* Nearly all keys are told apart by their first byte. */
static bool key_is_after(const struct member *a, const struct member *b)
{
	uint32_t common = a->key_size < b->key_size ? a->key_size : b->key_size;
	int order;

	if (common > 0 && a->name[0] != b->name[0])
		return (unsigned char)a->name[0] > (unsigned char)b->name[0];
	order = memcmp(a->name, b->name, common);
	return order ? order > 0 : a->key_size > b->key_size;
}

/* False: no function of its own. */
static bool read_member(struct group_builder *builder, struct symbol_chunk *chunk, uint32_t index,
			struct member *member)
{
	struct function_symbol symbol;

	if (!builder->source->get(builder->source->symbols, index, &symbol))
		return false;
	chunk->text_bytes += strlen(symbol.name);
	if (chunk->text_bytes > builder->source->text_limit ||
	    !read_name(&symbol, &member->key_size))
		return false;
	member->name = symbol.name;
	member->symbol = index;
	member->hash = text_hash(symbol.name, member->key_size);
	if (!chunk->last || key_is_after(member, chunk->last))
		chunk->last = member;
	return true;
}

static void read_job(void *argument, uint32_t chunk_index, struct worker *worker)
{
	struct group_builder *builder = argument;
	struct symbol_chunk *chunk = &builder->chunks[chunk_index];
	uint32_t first = chunk_index * SYMBOLS_PER_CHUNK;
	struct member *members = builder->members + first;

	(void)worker;
	for (uint32_t i = first; i - first < SYMBOLS_PER_CHUNK && i < builder->source->count; i++)
		chunk->member_count +=
			read_member(builder, chunk, i, &members[chunk->member_count]);
}

/* Group of a symbol, which is made if it is the first of its name. */
static uint32_t join_group(struct symbol_groups *groups, const struct member *member)
{
	struct group_place *place =
		find_place(groups, member->name, member->key_size, member->hash);
	struct symbol_group *group;

	if (place->group == 0) {
		*place = (struct group_place){ member->name, (uint32_t)(member->hash >> 32),
					       groups->group_count + 1 };
		group = &groups->groups[groups->group_count++];
		group->key_size = member->key_size;
		group->symbol_count = 0;
		atomic_init(&group->name, 0);
	}
	groups->groups[place->group - 1].symbol_count++;
	return place->group - 1;
}

static void join_groups(struct group_builder *builder)
{
	struct symbol_groups *groups = builder->groups;

	for (uint32_t c = 0; c < builder->chunk_count; c++) {
		struct member *members = builder->members + (size_t)c * SYMBOLS_PER_CHUNK;
		uint32_t count = builder->chunks[c].member_count;

		for (uint32_t i = 0; i < count; i++) {
			uint32_t ahead = i + JOIN_DISTANCE < count ? i + JOIN_DISTANCE : i;

			__builtin_prefetch(&groups->places[(uint32_t)members[ahead].hash &
							   groups->place_mask]);
			members[i].group = join_group(groups, &members[i]);
		}
	}
}

static void place_symbols(struct group_builder *builder)
{
	struct symbol_groups *groups = builder->groups;
	uint32_t first = 0;

	for (uint32_t i = 0; i < groups->group_count; i++) {
		groups->groups[i].first_symbol = first;
		first += groups->groups[i].symbol_count;
		groups->groups[i].symbol_count = 0;
	}
	groups->symbol_count = first;
	for (uint32_t c = 0; c < builder->chunk_count; c++) {
		struct member *members = builder->members + (size_t)c * SYMBOLS_PER_CHUNK;

		for (uint32_t i = 0; i < builder->chunks[c].member_count; i++) {
			struct symbol_group *group = &groups->groups[members[i].group];

			members[i].place = group->first_symbol + group->symbol_count++;
		}
	}
}

static void gather_job(void *argument, uint32_t chunk_index, struct worker *worker)
{
	struct group_builder *builder = argument;
	const struct member *members = builder->members + (size_t)chunk_index * SYMBOLS_PER_CHUNK;

	(void)worker;
	for (uint32_t i = 0; i < builder->chunks[chunk_index].member_count; i++) {
		struct function_symbol *symbol = &builder->groups->symbols[members[i].place];
		uint32_t key_size;

		builder->source->get(builder->source->symbols, members[i].symbol, symbol);
		read_name(symbol, &key_size);
	}
}

/* Zeros count only after another address: what the incumbent does, needed for the same bytes. */
static bool has_two_addresses(const struct function_symbol *symbols, uint32_t count)
{
	uint64_t address = 0;

	for (uint32_t i = 0; i < count; i++) {
		if (address != 0 && symbols[i].address != address)
			return true;
		address = symbols[i].address;
	}
	return false;
}

/* Group of the key that is last in byte order. */
static uint32_t find_last_group(const struct group_builder *builder)
{
	const struct member *last = NULL;

	for (uint32_t c = 0; c < builder->chunk_count; c++) {
		const struct member *other = builder->chunks[c].last;

		if (other && (!last || key_is_after(other, last)))
			last = other;
	}
	return last ? last->group : 0;
}

static void find_ambiguous(struct symbol_groups *groups, uint32_t last)
{
	for (uint32_t i = 0; i < groups->group_count; i++) {
		struct symbol_group *group = &groups->groups[i];

		/* The last name is not checked: again what the incumbent does. */
		group->is_ambiguous = group->symbol_count > 1 && i != last &&
				      has_two_addresses(groups->symbols + group->first_symbol,
							group->symbol_count);
	}
}

static struct symbol_groups *groups_alloc(uint32_t symbol_count, const struct name_table *names)
{
	struct symbol_groups *groups = calloc(1, sizeof(*groups));
	uint64_t places = 16;

	if (!groups)
		return NULL;
	while (places / 2 <= symbol_count)
		places *= 2;
	arena_init(&groups->arena);
	groups->names = names;
	groups->symbols =
		arena_alloc(&groups->arena, (symbol_count + 1ull) * sizeof(*groups->symbols));
	groups->groups =
		arena_alloc(&groups->arena, (symbol_count + 1ull) * sizeof(*groups->groups));
	groups->places = arena_calloc(&groups->arena, places, sizeof(*groups->places));
	groups->place_mask = (uint32_t)(places - 1);
	groups->answer_bits = name_table_cache_bits(names);
	groups->answers =
		arena_calloc(&groups->arena, 1u << groups->answer_bits, sizeof(*groups->answers));
	if (groups->symbols && groups->groups && groups->places && groups->answers)
		return groups;
	symbol_groups_destroy(groups);
	return NULL;
}

void symbol_groups_destroy(struct symbol_groups *groups)
{
	if (!groups)
		return;
	arena_deinit(&groups->arena);
	free(groups);
}

static uint64_t sum_chunks(const struct group_builder *builder, uint32_t *member_count)
{
	uint64_t text_bytes = 0;

	*member_count = 0;
	for (uint32_t c = 0; c < builder->chunk_count; c++) {
		*member_count += builder->chunks[c].member_count;
		text_bytes += builder->chunks[c].text_bytes;
	}
	return text_bytes;
}

/* members and chunks are there. */
static enum smelt_status build_groups(struct group_builder *builder, const struct name_table *names,
				      struct worker_pool *pool, struct smelt_error *error)
{
	uint32_t member_count;

	worker_pool_run(pool, read_job, builder, builder->chunk_count);
	if (sum_chunks(builder, &member_count) > builder->source->text_limit)
		return error_set(error, SMELT_BAD_DATA, "symbol table: names overlap too much");
	builder->groups = groups_alloc(member_count, names);
	if (!builder->groups)
		return error_no_memory(error);
	join_groups(builder);
	place_symbols(builder);
	worker_pool_run(pool, gather_job, builder, builder->chunk_count);
	find_ambiguous(builder->groups, find_last_group(builder));
	return SMELT_OK;
}

enum smelt_status symbol_groups_create_from(const struct symbol_source *source,
					    const struct name_table *names,
					    struct worker_pool *pool, struct symbol_groups **groups,
					    struct smelt_error *error)
{
	struct group_builder builder = {
		.source = source,
		.chunk_count =
			(uint32_t)((source->count + SYMBOLS_PER_CHUNK - 1ull) / SYMBOLS_PER_CHUNK),
	};
	struct arena scratch;
	enum smelt_status status;

	arena_init(&scratch);
	builder.members = arena_alloc(&scratch, (source->count + 1ull) * sizeof(*builder.members));
	builder.chunks =
		arena_calloc(&scratch, builder.chunk_count + 1ull, sizeof(*builder.chunks));
	if (builder.members && builder.chunks)
		status = build_groups(&builder, names, pool, error);
	else
		status = error_no_memory(error);
	arena_deinit(&scratch);
	if (!status)
		*groups = builder.groups;
	return status;
}

static bool get_function(const void *symbols, uint32_t index, struct function_symbol *function)
{
	struct elf_symbol symbol;

	elf_symbol_table_get(symbols, index, &symbol);
	function->address = symbol.value;
	function->name = symbol.name;
	return symbol.type == STT_FUNC;
}

enum smelt_status symbol_groups_create(struct elf_file *file, const struct name_table *names,
				       struct worker_pool *pool, struct symbol_groups **groups,
				       struct smelt_error *error)
{
	struct elf_symbol_table table;
	enum smelt_status status = elf_symbol_table_load(file, &table, error);
	struct symbol_source source = { .symbols = &table, .get = get_function };

	if (status)
		return status;
	source.count = table.count;
	/* A sound table is at most a few times the section. */
	source.text_limit = table.strings.size * 64 + (1 << 20);
	status = symbol_groups_create_from(&source, names, pool, groups, error);
	if (status == SMELT_BAD_DATA)
		error_prefix(error, "%s", elf_file_path(file));
	return status;
}
