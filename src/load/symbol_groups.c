/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#include "load/symbol_groups.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

enum {
	/*
	 * Symbol names may overlap in the string section, so a damaged table can describe far more
	 * text than the file holds. A sound one is at most a few times the section.
	 */
	TEXT_LIMIT_FACTOR = 64,
	TEXT_LIMIT_MIN = 1 << 20,
};

_Static_assert(SYMBOL_GROUP_ANSWERS == 1 << 16, "symbol_groups_find() uses 16 bits of a hash");

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
				      size_t size, uint32_t *tag)
{
	uint64_t hash = text_hash(key, size);

	*tag = (uint32_t)(hash >> 32);
	for (uint32_t i = (uint32_t)hash;; i++) {
		struct group_place *place = &groups->places[i & groups->place_mask];

		if (place->group == 0 || (place->tag == *tag && has_key(place->key, key, size)))
			return place;
	}
}

uint32_t symbol_groups_find_text(const struct symbol_groups *groups, const char *text, size_t size)
{
	uint32_t tag;

	/* A name with a dot is no key, though a symbol may begin with it. */
	if (memchr(text, '.', size))
		return UINT32_MAX;
	return find_place(groups, text, size, &tag)->group - 1; /* 0: no group */
}

uint32_t symbol_groups_find_slow(const struct symbol_groups *groups, uint32_t name)
{
	const char *text = name_table_text(groups->names, name);
	uint32_t place = name * 0x9e3779b1u >> 16;
	uint32_t group;

	if (name == 0)
		return UINT32_MAX;
	group = symbol_groups_find_text(groups, text, strlen(text));
	/* Whoever else comes here with this name stores the same. */
	if (group != UINT32_MAX)
		atomic_store_explicit(&groups->groups[group].name, name, memory_order_relaxed);
	atomic_store_explicit(&groups->answers[place], (uint64_t)name << 32 | (group + 1),
			      memory_order_relaxed);
	return group;
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

/*
 * Group of a symbol, which is made if it is the first of its name. While groups are formed, symbols are not
 * grouped yet: group->first_symbol then is any of its symbols.
 */
static uint32_t join_group(struct symbol_groups *groups, uint32_t number, uint32_t key_size)
{
	uint32_t tag;
	struct group_place *place =
		find_place(groups, groups->symbols[number].name, key_size, &tag);

	if (place->group == 0) {
		struct symbol_group *group = &groups->groups[groups->group_count++];

		*place = (struct group_place){ groups->symbols[number].name, tag,
					       groups->group_count };
		group->key_size = key_size;
		group->first_symbol = number;
		group->symbol_count = 0;
		group->is_ambiguous = false;
		atomic_init(&group->name, 0);
	}
	groups->groups[place->group - 1].symbol_count++;
	return place->group - 1;
}

/* Brings the symbols of each group together, in table order. */
static void gather(struct symbol_groups *groups, const struct function_symbol *symbols,
		   const uint32_t *group_of, uint32_t count)
{
	uint32_t first = 0;

	for (uint32_t i = 0; i < groups->group_count; i++) {
		groups->groups[i].first_symbol = first;
		first += groups->groups[i].symbol_count;
		groups->groups[i].symbol_count = 0;
	}
	for (uint32_t i = 0; i < count; i++) {
		struct symbol_group *group;

		if (group_of[i] == UINT32_MAX)
			continue;
		group = &groups->groups[group_of[i]];
		groups->symbols[group->first_symbol + group->symbol_count++] = symbols[i];
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
	groups->symbols = malloc((symbol_count + 1ull) * sizeof(*groups->symbols));
	groups->groups = malloc((symbol_count + 1ull) * sizeof(*groups->groups));
	groups->places = calloc(places, sizeof(*groups->places));
	groups->place_mask = (uint32_t)(places - 1);
	groups->answers = calloc(SYMBOL_GROUP_ANSWERS, sizeof(*groups->answers));
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

struct last_key {
	const char *text;
	uint32_t size;
	uint32_t group;
};

/* Keeps the key that is last in byte order. Nearly all are told apart by their first byte. */
static void note_key(struct last_key *last, const char *text, uint32_t size, uint32_t group)
{
	int order;

	if (last->text && (unsigned char)text[0] < (unsigned char)last->text[0])
		return;
	order = last->text ? memcmp(text, last->text, size < last->size ? size : last->size) : 1;
	if (order > 0 || (order == 0 && size > last->size))
		*last = (struct last_key){ text, size, group };
}

/* symbols: scratch of the caller's, changed. */
static enum smelt_status group_symbols(struct function_symbol *symbols, uint32_t count,
				       const struct name_table *names,
				       struct symbol_groups **result, struct smelt_error *error)
{
	struct symbol_groups *groups = groups_alloc(count, names);
	uint32_t *group_of = malloc((count + 1ull) * sizeof(*group_of));
	struct last_key last = { 0 };

	if (!groups || !group_of) {
		symbol_groups_destroy(groups);
		free(group_of);
		return error_no_memory(error);
	}
	for (uint32_t i = 0; i < count; i++) {
		uint32_t key_size;

		group_of[i] = UINT32_MAX;
		if (!read_name(&symbols[i], &key_size))
			continue;
		groups->symbols[i] = symbols[i];
		group_of[i] = join_group(groups, i, key_size);
		note_key(&last, symbols[i].name, key_size, group_of[i]);
	}
	gather(groups, symbols, group_of, count);
	find_ambiguous(groups, last.group);
	free(group_of);
	*result = groups;
	return SMELT_OK;
}

enum smelt_status symbol_groups_create_from(const struct function_symbol *symbols,
					    uint32_t symbol_count, const struct name_table *names,
					    struct symbol_groups **groups,
					    struct smelt_error *error)
{
	struct function_symbol *copy = malloc((symbol_count + 1ull) * sizeof(*copy));
	enum smelt_status status;

	if (!copy)
		return error_no_memory(error);
	memcpy(copy, symbols, symbol_count * sizeof(*copy));
	status = group_symbols(copy, symbol_count, names, groups, error);
	free(copy);
	return status;
}

/* Copies the function symbols; their number goes to *count. */
static enum smelt_status collect_functions(const struct elf_file *file,
					   const struct elf_symbol_table *table,
					   struct function_symbol *functions, uint32_t *count,
					   struct smelt_error *error)
{
	uint64_t limit = table->strings.size * TEXT_LIMIT_FACTOR + TEXT_LIMIT_MIN;
	uint64_t text_bytes = 0;
	uint32_t found = 0;

	for (uint32_t i = 0; i < table->count; i++) {
		struct elf_symbol symbol;

		elf_symbol_table_get(table, i, &symbol);
		if (symbol.type != STT_FUNC)
			continue;
		text_bytes += strlen(symbol.name);
		if (text_bytes > limit)
			return error_set(error, SMELT_BAD_DATA,
					 "%s: section .symtab: symbol %u: names overlap too much",
					 elf_file_path(file), i);
		functions[found++] = (struct function_symbol){
			.address = symbol.value,
			.name = symbol.name,
		};
	}
	*count = found;
	return SMELT_OK;
}

enum smelt_status symbol_groups_create(struct elf_file *file, const struct name_table *names,
				       struct symbol_groups **groups, struct smelt_error *error)
{
	struct elf_symbol_table table;
	struct function_symbol *functions;
	uint32_t count = 0;
	enum smelt_status status = elf_symbol_table_load(file, &table, error);

	if (status)
		return status;
	/* Room for every symbol: pages that stay untouched cost less than counting first. */
	functions = malloc((table.count + 1ull) * sizeof(*functions));
	if (!functions)
		return error_no_memory(error);
	status = collect_functions(file, &table, functions, &count, error);
	if (!status)
		status = group_symbols(functions, count, names, groups, error);
	free(functions);
	return status;
}
