/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#include "encode/kfuncs.h"

#include <stdlib.h>
#include <string.h>

#include "base/vector.h"
#include "encode/section_map.h"

enum {
	SET8_FLAGS_OFFSET = 4,
	SET8_KFUNCS = 1, /* BTF_SET8_KFUNCS */
	PAIR_FLAGS_OFFSET = 4,
	PAIR_BYTES = 8,
};

static const char SET_PREFIX[] = "__BTF_ID__set8__";
static const char PAIR_PREFIX[] = "__BTF_ID__func__";

static bool starts_with(const char *text, const char *prefix)
{
	return strncmp(text, prefix, strlen(prefix)) == 0;
}

bool kfunc_name(const char *symbol_name, const char **name, size_t *size)
{
	const char *rest = symbol_name + sizeof(PAIR_PREFIX) - 1;
	const char *last;

	if (!starts_with(symbol_name, PAIR_PREFIX) || !strstr(rest, "__"))
		return false;
	last = strrchr(rest, '_');
	if (last == rest || last[-1] != '_')
		return false;
	*name = rest;
	*size = (size_t)(last - 1 - rest);
	return true;
}

/* The word at `address`; false if it is not in the section. */
static bool read_word(const struct kfunc_section *section, uint64_t address, uint32_t *value)
{
	uint64_t offset = address - section->address;
	const bool host_is_big_endian = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;

	if (offset > section->bytes.size || section->bytes.size - offset < sizeof(*value))
		return false;
	memcpy(value, section->bytes.data + offset, sizeof(*value));
	if (section->is_big_endian != host_is_big_endian)
		*value = __builtin_bswap32(*value);
	return true;
}

struct set_list {
	struct section_range *items;
	size_t count;
	size_t capacity;
};

/* Where the sets of kfuncs are. False when out of memory. */
static bool collect_sets(const struct symbol_scan *scan, const struct kfunc_section *section,
			 struct set_list *sets)
{
	for (uint32_t c = 0; c < scan->chunk_count; c++) {
		for (size_t i = 0; i < scan->chunks[c].count; i++) {
			struct section_range *set;
			struct elf_symbol symbol;
			uint32_t flags;

			elf_symbol_table_get(&scan->table, scan->chunks[c].items[i], &symbol);
			if (!starts_with(symbol.name, SET_PREFIX) ||
			    !read_word(section, symbol.value + SET8_FLAGS_OFFSET, &flags) ||
			    !(flags & SET8_KFUNCS))
				continue;
			set = vector_push(sets);
			if (!set)
				return false;
			*set = (struct section_range){ symbol.value, symbol.size, 1 };
		}
	}
	return true;
}

bool kfuncs_visit(const struct symbol_scan *scan, const struct kfunc_section *section,
		  void (*found)(void *context, const char *name, size_t size, uint32_t flags),
		  void *context)
{
	struct set_list sets = { 0 };
	struct section_map map = { 0 };
	bool has_memory = collect_sets(scan, section, &sets) &&
			  section_map_init(&map, sets.items, (uint32_t)sets.count);

	for (uint32_t c = 0; has_memory && c < scan->chunk_count; c++) {
		for (size_t i = 0; i < scan->chunks[c].count; i++) {
			struct elf_symbol symbol;
			const char *name;
			size_t size;
			uint32_t flags;

			elf_symbol_table_get(&scan->table, scan->chunks[c].items[i], &symbol);
			if (kfunc_name(symbol.name, &name, &size) &&
			    section_map_find(&map, symbol.value) != 0 &&
			    read_word(section, symbol.value + PAIR_FLAGS_OFFSET, &flags))
				found(context, name, size, flags & KFUNC_FLAGS);
		}
	}
	section_map_deinit(&map);
	vector_deinit(&sets);
	return has_memory;
}
