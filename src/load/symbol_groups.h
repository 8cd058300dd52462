/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Function symbols by name, compiler suffixes cut: what decides which functions are
 * encoded. Every STT_FUNC symbol of .symtab, in table order within a group; names whose suffix
 * contains .cold or .part are left out.
 *
 * Half of a kernel's function symbols are no functions of the source, so names are not entered
 * into the name table. Instead units ask for the group of a name they have, and the answer is kept
 * where it costs no text the next time.
 */
#ifndef LOAD_SYMBOL_GROUPS_H
#define LOAD_SYMBOL_GROUPS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/name_table.h"
#include "base/worker_pool.h"
#include "elf/elf_file.h"

struct function_symbol {
	uint64_t address;
	const char *name;  /* full, with suffix; in the file's string section */
	bool has_suffix;   /* the name contains a dot */
	bool is_optimized; /* the suffix contains .constprop or .isra */
};

struct symbol_group {
	/* Number of the key (the name up to its first dot) once a unit asked for it; until then 0. */
	_Atomic uint32_t name;
	uint32_t key_size;     /* of the key: it starts the name of each of the symbols */
	uint32_t first_symbol; /* index into symbols */
	uint32_t symbol_count : 31;
	bool is_ambiguous : 1; /* more than one address, as the incumbent sees it */
};

/* All that a lookup needs, so that it touches little memory: every line of it is a cache miss. */
struct group_place {
	const char *key; /* the start of a symbol's name */
	uint32_t tag;    /* bits of the key's hash that are not in the place's number */
	uint32_t group;  /* index + 1; 0: free */
};

struct symbol_groups {
	struct arena arena; /* holds all of it */
	const struct name_table *names;
	struct function_symbol *symbols; /* grouped */
	uint32_t symbol_count;
	struct symbol_group *groups; /* in the order of their first symbols */
	uint32_t group_count;
	struct group_place *places; /* open addressing by text */
	uint32_t place_mask;

	/* Answers by number of the name: name << 32 | index + 1 (0: no group). A later one may replace another. */
	_Atomic uint64_t *answers;
	unsigned answer_bits; /* of their number */
};

/* No .symtab: SMELT_NO_DEBUG_INFO. No function symbol: zero groups. `file` and `names` must outlive the groups. */
enum smelt_status symbol_groups_create(struct elf_file *file, const struct name_table *names,
				       struct worker_pool *pool, struct symbol_groups **groups,
				       struct smelt_error *error);

/* The symbols of a file, or of a test. */
struct symbol_source {
	const void *symbols;
	uint32_t count;
	/* Address and name of a function symbol; false if it is another kind of symbol. The name must last. */
	bool (*get)(const void *symbols, uint32_t index, struct function_symbol *symbol);
	/*
	 * Names may overlap in a string section, so a damaged table can describe far more text than the file
	 * holds. More than this in all is refused.
	 */
	uint64_t text_limit;
};

/* The same for symbols from anywhere. */
enum smelt_status symbol_groups_create_from(const struct symbol_source *source,
					    const struct name_table *names,
					    struct worker_pool *pool, struct symbol_groups **groups,
					    struct smelt_error *error);
void symbol_groups_destroy(struct symbol_groups *groups);

static inline const char *symbol_group_key(const struct symbol_groups *groups, uint32_t group)
{
	return groups->symbols[groups->groups[group].first_symbol].name;
}

/* Index of the group whose key is the text, or UINT32_MAX. */
uint32_t symbol_groups_find_text(const struct symbol_groups *groups, const char *text, size_t size);

/*
 * Indices of the groups whose keys are names[0] .. names[count-1], UINT32_MAX for those that are none (as is 0).
 * Many at a time: a lookup that is not answered from memory at hand waits three times for the rest.
 * Thread-safe.
 */
void symbol_groups_find(const struct symbol_groups *groups, const uint32_t *names, uint32_t count,
			uint32_t *found);

#endif
