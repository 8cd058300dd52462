/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * A kernel has some 50,000 function symbols, many with long common prefixes ("__pfx_",
 * "__x64_sys_"), so comparing whole names pair by pair is most of the cost of sorting them.
 * Here eight bytes of each key at a time are one big-endian integer: a stable radix sort
 * by it, then the same for each run of equal integers with the next eight bytes. Runs
 * wait on a list, not on the stack, and short ones are finished by insertion.
 */
#include "load/symbol_groups.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

enum {
	PREFIX_BYTES = 8,
	/* Below this, comparing is cheaper than filling 256 counters per byte. */
	RADIX_MIN_COUNT = 48,
	/*
	 * Symbol names may overlap in the string section, so a damaged table can describe far more
	 * text than the file holds. A sound one is at most a few times the section.
	 */
	TEXT_LIMIT_FACTOR = 64,
	TEXT_LIMIT_MIN = 1 << 20,
};

struct sort_key {
	uint64_t prefix; /* PREFIX_BYTES of the key from some depth on, zeros after its end */
	const char *text;
	uint32_t size;
	uint32_t symbol; /* number in table order */
};

/* Keys [begin, end) agree in their first `depth` bytes. */
struct key_run {
	uint32_t begin;
	uint32_t end;
	uint32_t depth;
};

struct key_sorter {
	struct sort_key *keys;
	struct sort_key *spare;
	struct key_run *pending; /* each is longer than RADIX_MIN_COUNT and no two overlap */
	uint32_t pending_count;
};

static uint64_t prefix_at(const struct sort_key *key, uint32_t depth)
{
	const unsigned char *text = (const unsigned char *)key->text + depth;
	uint32_t left = key->size > depth ? key->size - depth : 0;
	uint64_t prefix = 0;

	for (uint32_t i = 0; i < PREFIX_BYTES; i++)
		prefix = prefix << 8 | (i < left ? text[i] : 0);
	return prefix;
}

/* Whether `a` sorts after `b`; they agree in their first `depth` bytes. Keys have no NUL inside. */
static bool key_is_after(const struct sort_key *a, const struct sort_key *b, uint32_t depth)
{
	uint32_t common = a->size < b->size ? a->size : b->size;
	int order;

	if (a->prefix != b->prefix)
		return a->prefix > b->prefix;
	depth += PREFIX_BYTES;
	if (depth >= common)
		return a->size > b->size;
	order = memcmp(a->text + depth, b->text + depth, common - depth);
	return order ? order > 0 : a->size > b->size;
}

static void insertion_sort(struct sort_key *keys, uint32_t count, uint32_t depth)
{
	for (uint32_t i = 1; i < count; i++) {
		struct sort_key key = keys[i];
		uint32_t place = i;

		for (; place > 0 && key_is_after(&keys[place - 1], &key, depth); place--)
			keys[place] = keys[place - 1];
		keys[place] = key;
	}
}

/* One stable pass by the byte at `shift`; false if all keys have the same there. */
static bool radix_pass(const struct sort_key *from, struct sort_key *to, uint32_t count,
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

static void radix_sort_by_prefix(struct sort_key *keys, struct sort_key *spare, uint32_t count)
{
	struct sort_key *from = keys;
	struct sort_key *to = spare;

	for (unsigned shift = 0; shift < 8 * PREFIX_BYTES; shift += 8) {
		if (radix_pass(from, to, count, shift)) {
			struct sort_key *sorted = to;

			to = from;
			from = sorted;
		}
	}
	if (from != keys)
		memcpy(keys, from, count * sizeof(*keys));
}

/* Keys of one run have the same prefix; goes on with what follows it. */
static void sort_deeper(struct key_sorter *sorter, struct key_run run)
{
	for (uint32_t i = run.begin; i < run.end; i++)
		sorter->keys[i].prefix = prefix_at(&sorter->keys[i], run.depth);
	if (run.end - run.begin < RADIX_MIN_COUNT)
		insertion_sort(sorter->keys + run.begin, run.end - run.begin, run.depth);
	else
		sorter->pending[sorter->pending_count++] = run;
}

static void sort_run(struct key_sorter *sorter, struct key_run run)
{
	struct sort_key *keys = sorter->keys;

	radix_sort_by_prefix(keys + run.begin, sorter->spare, run.end - run.begin);
	for (uint32_t begin = run.begin, end; begin < run.end; begin = end) {
		uint64_t prefix = keys[begin].prefix;

		for (end = begin + 1; end < run.end && keys[end].prefix == prefix; end++)
			continue;
		/* A zero at the end of the prefix: the keys end here, hence are equal. */
		if (end - begin > 1 && (prefix & 0xff) != 0)
			sort_deeper(sorter,
				    (struct key_run){ begin, end, run.depth + PREFIX_BYTES });
	}
}

/* Sorts by text, equal ones by their order before. */
static bool sort_keys(struct sort_key *keys, uint32_t count)
{
	struct key_sorter sorter = {
		.keys = keys,
		.spare = malloc((count + 1) * sizeof(*keys)),
		.pending = malloc((count / RADIX_MIN_COUNT + 1) * sizeof(*sorter.pending)),
	};
	bool has_memory = sorter.spare && sorter.pending;

	if (has_memory && count > 0)
		sort_run(&sorter, (struct key_run){ 0, count, 0 });
	while (sorter.pending_count > 0)
		sort_run(&sorter, sorter.pending[--sorter.pending_count]);
	free(sorter.spare);
	free(sorter.pending);
	return has_memory;
}

/* Finds the suffix; false if the symbol is no function of its own. */
static bool make_key(struct function_symbol *symbol, uint32_t number, struct sort_key *key)
{
	const char *suffix = strchrnul(symbol->name, '.');

	symbol->has_suffix = *suffix != '\0';
	symbol->is_optimized = false;
	if (symbol->has_suffix) {
		if (strstr(suffix, ".cold") || strstr(suffix, ".part"))
			return false;
		symbol->is_optimized = strstr(suffix, ".constprop") || strstr(suffix, ".isra");
	}
	*key = (struct sort_key){
		.text = symbol->name,
		.size = (uint32_t)(suffix - symbol->name),
		.symbol = number,
	};
	key->prefix = prefix_at(key, 0);
	return true;
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

static void enter_by_name(struct symbol_groups *groups, uint32_t group)
{
	uint32_t place = groups->groups[group].name * 0x9e3779b1u;

	while (groups->by_name[place & groups->by_name_mask] != 0)
		place++;
	groups->by_name[place & groups->by_name_mask] = group + 1;
}

static bool is_same_key(const struct sort_key *a, const struct sort_key *b)
{
	return a->size == b->size && memcmp(a->text, b->text, a->size) == 0;
}

/* Cuts the sorted keys into groups. The arrays of `groups` have room for one per key. */
static bool form_groups(struct symbol_groups *groups, const struct function_symbol *symbols,
			const struct sort_key *keys, struct name_table *names)
{
	uint32_t count = groups->symbol_count;

	for (uint32_t begin = 0, end; begin < count; begin = end) {
		struct symbol_group *group = &groups->groups[groups->group_count];

		end = begin;
		do {
			groups->symbols[end] = symbols[keys[end].symbol];
			end++;
		} while (end < count && is_same_key(&keys[begin], &keys[end]));

		*group = (struct symbol_group){
			.name = name_table_intern(names, keys[begin].text, keys[begin].size),
			.first_symbol = begin,
			.symbol_count = end - begin,
			/* The last name is not checked: again what the incumbent does. */
			.is_ambiguous = end < count &&
					has_two_addresses(groups->symbols + begin, end - begin),
		};
		if (group->name == UINT32_MAX)
			return false;
		enter_by_name(groups, groups->group_count++);
	}
	return true;
}

static struct symbol_groups *groups_alloc(uint32_t symbol_count)
{
	struct symbol_groups *groups = calloc(1, sizeof(*groups));
	uint32_t places = 16;

	if (!groups)
		return NULL;
	while (places / 2 <= symbol_count && places < UINT32_C(1) << 31)
		places *= 2;
	groups->symbol_count = symbol_count;
	groups->symbols = malloc((symbol_count + 1) * sizeof(*groups->symbols));
	groups->groups = malloc((symbol_count + 1) * sizeof(*groups->groups));
	groups->by_name = calloc(places, sizeof(*groups->by_name));
	groups->by_name_mask = places - 1;
	if (groups->symbols && groups->groups && groups->by_name)
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
	free(groups->by_name);
	free(groups);
}

static enum smelt_status group_symbols(struct function_symbol *symbols, uint32_t symbol_count,
				       struct sort_key *keys, struct name_table *names,
				       struct symbol_groups **result, struct smelt_error *error)
{
	struct symbol_groups *groups;
	uint32_t count = 0;

	for (uint32_t i = 0; i < symbol_count; i++)
		count += make_key(&symbols[i], i, &keys[count]);
	if (!sort_keys(keys, count))
		return error_no_memory(error);
	groups = groups_alloc(count);
	if (!groups)
		return error_no_memory(error);
	if (!form_groups(groups, symbols, keys, names)) {
		symbol_groups_destroy(groups);
		return error_no_memory(error);
	}
	*result = groups;
	return SMELT_OK;
}

enum smelt_status symbol_groups_create_from(const struct function_symbol *symbols,
					    uint32_t symbol_count, struct name_table *names,
					    struct symbol_groups **groups,
					    struct smelt_error *error)
{
	struct function_symbol *copy = malloc((symbol_count + 1) * sizeof(*copy));
	struct sort_key *keys = malloc((symbol_count + 1) * sizeof(*keys));
	enum smelt_status status = SMELT_NO_MEMORY;

	if (copy && keys) {
		memcpy(copy, symbols, symbol_count * sizeof(*copy));
		status = group_symbols(copy, symbol_count, keys, names, groups, error);
	} else {
		error_no_memory(error);
	}
	free(copy);
	free(keys);
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

enum smelt_status symbol_groups_create(struct elf_file *file, struct name_table *names,
				       struct symbol_groups **groups, struct smelt_error *error)
{
	struct elf_symbol_table table;
	struct function_symbol *functions;
	struct sort_key *keys = NULL;
	uint32_t count = 0;
	enum smelt_status status = elf_symbol_table_load(file, &table, error);

	if (status)
		return status;
	/* Room for every symbol: pages that stay untouched cost less than counting first. */
	functions = malloc((table.count + 1ull) * sizeof(*functions));
	if (!functions)
		return error_no_memory(error);
	status = collect_functions(file, &table, functions, &count, error);
	if (!status) {
		keys = malloc((count + 1ull) * sizeof(*keys));
		status = keys ? group_symbols(functions, count, keys, names, groups, error) :
				error_no_memory(error);
	}
	free(keys);
	free(functions);
	return status;
}
