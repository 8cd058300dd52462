/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * One pass over the symbol table for the two questions that need all of it: which symbols
 * does a section have, and is a variable that claims to be at the start of a
 * section really there (a linker that discards a section leaves its DWARF behind with address 0).
 */
#ifndef ENCODE_SYMBOL_SCAN_H
#define ENCODE_SYMBOL_SCAN_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/key_map.h"
#include "base/name_table.h"
#include "base/worker_pool.h"
#include "elf/elf_file.h"

/* Variables that claim to start a section, by section and name. */
struct section_starts {
	struct key_map numbers; /* (section, name): index into is_there */
	_Atomic bool *is_there; /* an object of that name is in that section */
	uint8_t *has_any;       /* per section */
};

struct symbol_chunk {
	uint32_t *items;
	size_t count;
	size_t capacity;
};

struct symbol_scan {
	struct name_table *names;
	struct elf_symbol_table table;
	uint32_t listed_section;       /* whose symbols to list; 0: none */
	uint32_t first_section;        /* what `starts` calls the file's section 0 */
	struct section_starts *starts; /* or NULL */

	struct symbol_chunk *chunks; /* symbols of listed_section in table order, cut anywhere */
	uint32_t chunk_count;
};

/* False when out of memory. table, names, listed_section, first_section and starts are set by the caller. */
bool symbol_scan_run(struct symbol_scan *scan, struct worker_pool *pool);
void symbol_scan_deinit(struct symbol_scan *scan);

#endif
