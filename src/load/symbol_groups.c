/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#include "load/symbol_groups.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

static uint64_t text_hash(const char *text, size_t size)
{
	uint64_t hash = size * UINT64_C(0x9e3779b97f4a7c15);
	uint64_t word;

	for (; size >= sizeof(word); text += sizeof(word), size -= sizeof(word)) {
		memcpy(&word, text, sizeof(word));
		hash = (hash ^ word) * UINT64_C(0xff51afd7ed558ccd);
		hash ^= hash >> 32;
	}
	word = 0;
	for (size_t i = 0; i < size; i++)
		word = word << 8 | (unsigned char)text[i];
	hash = (hash ^ word) * UINT64_C(0xc4ceb9fe1a85ec53);
	return hash ^ hash >> 29;
}

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
	return &groups->answers[name * 0x9e3779b1u >> (32 - SYMBOL_GROUP_ANSWER_BITS)];
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

/* The key that is last in byte order. */
struct last_key {
	const char *text;
	uint32_t size;
	uint32_t group;
};

/* Nearly all keys are told apart by their first byte. */
static void note_key(struct last_key *last, const char *text, uint32_t size, uint32_t group)
{
	int order = 1;

	if (last->text) {
		if ((unsigned char)text[0] < (unsigned char)last->text[0])
			return;
		order = memcmp(text, last->text, size < last->size ? size : last->size);
	}
	if (order > 0 || (order == 0 && size > last->size))
		*last = (struct last_key){ text, size, group };
}

/* A symbol that has a group. */
struct member {
	uint32_t symbol; /* index in the source */
	uint32_t group;
};

/* A symbol on its way to its group. */
struct pending_symbol {
	const char *name;
	uint64_t hash;
	uint32_t key_size;
	uint32_t symbol;
};

/* Symbols whose places are fetched at the same time: taken one by one, joining is mostly waiting for memory. */
enum { JOIN_BATCH = 16 };

struct group_builder {
	const struct symbol_source *source;
	struct symbol_groups *groups;
	struct member *members;
	uint32_t member_count;
	struct pending_symbol batch[JOIN_BATCH];
	uint32_t batch_count;
	struct last_key last;
};

/* Group of a symbol, which is made if it is the first of its name. */
static uint32_t join_group(struct symbol_groups *groups, const struct pending_symbol *symbol)
{
	struct group_place *place =
		find_place(groups, symbol->name, symbol->key_size, symbol->hash);
	struct symbol_group *group;

	if (place->group == 0) {
		*place = (struct group_place){ symbol->name, (uint32_t)(symbol->hash >> 32),
					       groups->group_count + 1 };
		group = &groups->groups[groups->group_count++];
		group->key_size = symbol->key_size;
		group->symbol_count = 0;
		atomic_init(&group->name, 0);
	}
	groups->groups[place->group - 1].symbol_count++;
	return place->group - 1;
}

static void join_batch(struct group_builder *builder)
{
	for (uint32_t i = 0; i < builder->batch_count; i++) {
		const struct pending_symbol *symbol = &builder->batch[i];
		uint32_t group = join_group(builder->groups, symbol);

		note_key(&builder->last, symbol->name, symbol->key_size, group);
		builder->members[builder->member_count++] =
			(struct member){ symbol->symbol, group };
	}
	builder->batch_count = 0;
}

/* Finds the group of each symbol that has one. False if there is too much text. */
static bool form_groups(struct group_builder *builder)
{
	const struct symbol_groups *groups = builder->groups;
	uint64_t text_left = builder->source->text_limit;

	for (uint32_t i = 0; i < builder->source->count; i++) {
		struct pending_symbol *pending = &builder->batch[builder->batch_count];
		struct function_symbol symbol;
		size_t size;

		if (!builder->source->get(builder->source->symbols, i, &symbol))
			continue;
		size = strlen(symbol.name);
		if (size > text_left)
			return false;
		text_left -= size;
		if (!read_name(&symbol, &pending->key_size))
			continue;
		pending->name = symbol.name;
		pending->hash = text_hash(symbol.name, pending->key_size);
		pending->symbol = i;
		__builtin_prefetch(&groups->places[(uint32_t)pending->hash & groups->place_mask]);
		if (++builder->batch_count == JOIN_BATCH)
			join_batch(builder);
	}
	join_batch(builder);
	return true;
}

/* Brings the symbols of each group together, in table order. */
static void gather_symbols(struct group_builder *builder)
{
	struct symbol_groups *groups = builder->groups;
	uint32_t first = 0;

	for (uint32_t i = 0; i < groups->group_count; i++) {
		groups->groups[i].first_symbol = first;
		first += groups->groups[i].symbol_count;
		groups->groups[i].symbol_count = 0;
	}
	for (uint32_t i = 0; i < builder->member_count; i++) {
		struct member member = builder->members[i];
		struct symbol_group *group = &groups->groups[member.group];
		struct function_symbol *symbol =
			&groups->symbols[group->first_symbol + group->symbol_count++];
		uint32_t key_size;

		builder->source->get(builder->source->symbols, member.symbol, symbol);
		read_name(symbol, &key_size);
	}
	groups->symbol_count = first;
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

static void find_ambiguous(struct symbol_groups *groups, uint32_t last)
{
	for (uint32_t i = 0; i < groups->group_count; i++) {
		struct symbol_group *group = &groups->groups[i];

		/* The last name in byte order is not checked: again what the incumbent does. */
		group->is_ambiguous = i != last &&
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
	groups->names = names;
	/* Pages of these that stay untouched cost nothing. */
	groups->symbols = malloc((symbol_count + 1ull) * sizeof(*groups->symbols));
	groups->groups = malloc((symbol_count + 1ull) * sizeof(*groups->groups));
	groups->places = calloc(places, sizeof(*groups->places));
	groups->place_mask = (uint32_t)(places - 1);
	groups->answers = calloc(1u << SYMBOL_GROUP_ANSWER_BITS, sizeof(*groups->answers));
	if (groups->symbols && groups->groups && groups->places && groups->answers)
		return groups;
	symbol_groups_destroy(groups);
	return NULL;
}

void symbol_groups_destroy(struct symbol_groups *groups)
{
	if (!groups)
		return;
	free(groups->symbols);
	free(groups->groups);
	free(groups->places);
	free(groups->answers);
	free(groups);
}

static uint32_t count_functions(const struct symbol_source *source)
{
	struct function_symbol symbol;
	uint32_t count = 0;

	for (uint32_t i = 0; i < source->count; i++)
		count += source->get(source->symbols, i, &symbol);
	return count;
}

enum smelt_status symbol_groups_create_from(const struct symbol_source *source,
					    const struct name_table *names,
					    struct symbol_groups **groups,
					    struct smelt_error *error)
{
	uint32_t count = count_functions(source);
	struct group_builder builder = {
		.source = source,
		.groups = groups_alloc(count, names),
		.members = malloc((count + 1ull) * sizeof(*builder.members)),
	};

	if (!builder.groups || !builder.members) {
		symbol_groups_destroy(builder.groups);
		free(builder.members);
		return error_no_memory(error);
	}
	if (!form_groups(&builder)) {
		symbol_groups_destroy(builder.groups);
		free(builder.members);
		return error_set(error, SMELT_BAD_DATA, "symbol table: names overlap too much");
	}
	gather_symbols(&builder);
	find_ambiguous(builder.groups, builder.last.group);
	free(builder.members);
	*groups = builder.groups;
	return SMELT_OK;
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
				       struct symbol_groups **groups, struct smelt_error *error)
{
	struct elf_symbol_table table;
	enum smelt_status status = elf_symbol_table_load(file, &table, error);
	struct symbol_source source = { .symbols = &table, .get = get_function };

	if (status)
		return status;
	source.count = table.count;
	/* A sound table is at most a few times the section. */
	source.text_limit = table.strings.size * 64 + (1 << 20);
	status = symbol_groups_create_from(&source, names, groups, error);
	if (status == SMELT_BAD_DATA)
		error_prefix(error, "%s", elf_file_path(file));
	return status;
}
