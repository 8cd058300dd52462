/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#include "encode/symbol_scan.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "base/vector.h"

/* About 100 us of work. */
enum { SYMBOLS_PER_JOB = 16 * 1024 };

static void check_start(struct symbol_scan *scan, const struct elf_symbol *symbol)
{
	struct section_starts *starts = scan->starts;
	uint32_t section = scan->first_section + symbol->section;
	uint32_t name;
	uint32_t number;

	if (symbol->type != STT_OBJECT || !starts->has_any[section])
		return;
	name = name_table_find(scan->names, symbol->name, strlen(symbol->name));
	number = key_map_find(&starts->numbers, (struct map_key){ section, name, 0 });
	if (number != UINT32_MAX)
		atomic_store_explicit(&starts->is_there[number], true, memory_order_relaxed);
}

static void scan_job(void *argument, uint32_t job_index, struct worker *worker)
{
	struct symbol_scan *scan = argument;
	struct symbol_chunk *chunk = &scan->chunks[job_index];
	uint32_t first = job_index * SYMBOLS_PER_JOB;
	uint32_t end = scan->table.count - first < SYMBOLS_PER_JOB ? scan->table.count :
								     first + SYMBOLS_PER_JOB;

	(void)worker;
	for (uint32_t i = first; i < end; i++) {
		struct elf_symbol symbol;

		elf_symbol_table_get(&scan->table, i, &symbol);
		if (symbol.section == 0)
			continue;
		if (symbol.section == scan->listed_section) {
			uint32_t *index = vector_push(chunk);

			if (!index) {
				chunk->count = SIZE_MAX;
				return;
			}
			*index = i;
		}
		if (scan->starts)
			check_start(scan, &symbol);
	}
}

bool symbol_scan_run(struct symbol_scan *scan, struct worker_pool *pool)
{
	scan->chunk_count = (scan->table.count + SYMBOLS_PER_JOB - 1) / SYMBOLS_PER_JOB;
	scan->chunks = calloc(scan->chunk_count + 1, sizeof(*scan->chunks));
	if (!scan->chunks)
		return false;
	worker_pool_run(pool, scan_job, scan, scan->chunk_count);
	for (uint32_t i = 0; i < scan->chunk_count; i++) {
		if (scan->chunks[i].count == SIZE_MAX)
			return false;
	}
	return true;
}

void symbol_scan_deinit(struct symbol_scan *scan)
{
	for (uint32_t i = 0; scan->chunks && i < scan->chunk_count; i++)
		vector_deinit(&scan->chunks[i]);
	free(scan->chunks);
	scan->chunks = NULL;
	scan->chunk_count = 0;
}
