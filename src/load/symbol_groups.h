/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Function symbols by name, compiler suffixes cut: what decides which functions are
 * encoded. Every STT_FUNC symbol of .symtab, in table order within a group; names whose suffix
 * contains .cold or .part are left out.
 */
#ifndef LOAD_SYMBOL_GROUPS_H
#define LOAD_SYMBOL_GROUPS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/name_table.h"
#include "base/worker_pool.h"
#include "elf/elf_file.h"

struct function_symbol {
	uint64_t address;
	const char *name;  /* full, with suffix */
	bool has_suffix;   /* the name contains a dot */
	bool is_optimized; /* the suffix contains .constprop or .isra */
};

struct symbol_group {
	uint32_t name;         /* of the key: the name up to its first dot */
	uint32_t first_symbol; /* index into symbols */
	uint32_t symbol_count;
	bool is_ambiguous; /* more than one address, as the incumbent sees it */
};

struct symbol_groups {
	struct function_symbol *symbols; /* grouped */
	uint32_t symbol_count;
	struct symbol_group *groups; /* sorted by name, byte order */
	uint32_t group_count;
	uint32_t *by_name; /* open addressing: group index + 1, or 0 */
	uint32_t by_name_mask;
};

/*
 * Interns the keys in `names`. No .symtab: SMELT_NO_DEBUG_INFO. No function symbol: zero groups.
 */
enum smelt_status symbol_groups_create(struct elf_file *file, struct name_table *names,
				       struct symbol_groups **groups, struct smelt_error *error);

/*
 * The same for symbols already at hand, in table order; address and name are read, the names must
 * outlive the groups.
 */
enum smelt_status symbol_groups_create_from(const struct function_symbol *symbols,
					    uint32_t symbol_count, struct name_table *names,
					    struct symbol_groups **groups,
					    struct smelt_error *error);
void symbol_groups_destroy(struct symbol_groups *groups);

/* Index of the group whose key is `name`, or UINT32_MAX. */
static inline uint32_t symbol_groups_find(const struct symbol_groups *groups, uint32_t name)
{
	for (uint32_t i = name * 0x9e3779b1u;; i++) {
		uint32_t entry = groups->by_name[i & groups->by_name_mask];

		if (entry == 0)
			return UINT32_MAX;
		if (groups->groups[entry - 1].name == name)
			return entry - 1;
	}
}

#endif
