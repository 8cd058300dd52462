/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The addresses that relocations take symbols to have, computed once for a symbol table:
 * a relocation is then a load, an addition and a store.
 */
#include <elf.h>
#include <inttypes.h>
#include <stdlib.h>

#include "elf/elf_internal.h"

/* Address of a symbol for relocation; false if its section does not exist. */
static bool symbol_address(const struct elf_file *file, const struct elf_symbol *symbol,
			   uint64_t *address)
{
	*address = 0;
	if (symbol->raw_section == SHN_UNDEF)
		return true;
	if (symbol->raw_section == SHN_ABS) {
		*address = symbol->value;
		return true;
	}
	/* Common symbols have no place yet. */
	if (symbol->raw_section >= SHN_LORESERVE && symbol->raw_section != SHN_XINDEX)
		return true;
	if (symbol->section == 0)
		return false;
	*address = symbol->value;
	/* Offsets into thread-local storage count from the start of the section. */
	if (!(file->sections[symbol->section].flags & SHF_TLS))
		*address += elf_section_address(file, symbol->section);
	return true;
}

enum smelt_status elf_file_prepare_symbols(struct elf_file *file, uint32_t section,
					   struct smelt_error *error)
{
	struct symbol_addresses prepared = { .section = section };
	enum smelt_status status;

	if (file->symbols.values && file->symbols.section == section)
		return SMELT_OK;
	if (section >= file->section_count ||
	    (section != 0 && file->sections[section].type != SHT_SYMTAB &&
	     file->sections[section].type != SHT_DYNSYM))
		return error_set(error, SMELT_BAD_DATA,
				 "%s: section [%" PRIu32 "]: no symbol table for relocations",
				 file->path, section);
	if (section != 0) {
		status = elf_symbol_table_load_locked(file, section, &prepared.table, error);
		if (status)
			return status;
	}
	prepared.count = prepared.table.count ? prepared.table.count : 1;
	prepared.values = calloc(prepared.count, sizeof(*prepared.values));
	if (!prepared.values)
		return error_no_memory(error);
	for (uint32_t i = 1; i < prepared.table.count; i++) {
		struct elf_symbol symbol;

		elf_symbol_table_get(&prepared.table, i, &symbol);
		if (!symbol_address(file, &symbol, &prepared.values[i])) {
			free(prepared.values);
			return elf_section_error(file, section, SMELT_BAD_DATA, error,
						 "symbol %" PRIu32 " is in no section", i);
		}
	}
	free(file->symbols.values);
	file->symbols = prepared;
	return SMELT_OK;
}
