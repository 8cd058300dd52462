/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Symbol tables. gABI chapter 4, "Symbol Table". */
#include <elf.h>
#include <inttypes.h>

#include "elf/elf_internal.h"
#include "elf/endian_bytes.h"

/* The SHT_SYMTAB_SHNDX section of symbol table `index`, or 0. */
static uint32_t find_extended_indexes(const struct elf_file *file, uint32_t index)
{
	for (uint32_t i = 1; i < file->section_count; i++)
		if (file->sections[i].type == SHT_SYMTAB_SHNDX && file->sections[i].link == index)
			return i;
	return 0;
}

/* Cuts behind the last NUL: any offset below the size is then the start of a C string. */
static void truncate_strings(struct elf_bytes *strings)
{
	while (strings->size > 0 && strings->data[strings->size - 1] != '\0')
		strings->size--;
}

enum smelt_status elf_symbol_table_load_locked(struct elf_file *file, uint32_t index,
					       struct elf_symbol_table *table,
					       struct smelt_error *error)
{
	struct elf_symbol_table loaded = {
		.section_count = file->section_count,
		.is_64bit = file->header.is_64bit,
		.is_big_endian = file->header.is_big_endian,
	};
	uint32_t strings = file->sections[index].link;
	uint32_t extended = find_extended_indexes(file, index);
	enum smelt_status status;
	uint64_t count;

	if (strings >= file->section_count || file->sections[strings].type != SHT_STRTAB)
		return elf_section_error(file, index, SMELT_BAD_DATA, error,
					 "names in section %" PRIu32 ", which is no string table",
					 strings);
	status = elf_section_load_locked(file, index, &loaded.symbols, error);
	if (!status)
		status = elf_section_load_locked(file, strings, &loaded.strings, error);
	if (!status && extended)
		status = elf_section_load_locked(file, extended, &loaded.extended, error);
	if (status)
		return status;

	count = loaded.symbols.size / (loaded.is_64bit ? sizeof(Elf64_Sym) : sizeof(Elf32_Sym));
	if (count > UINT32_MAX)
		return elf_section_error(file, index, SMELT_UNSUPPORTED, error,
					 "%" PRIu64 " symbols", count);
	loaded.count = (uint32_t)count;
	truncate_strings(&loaded.strings);
	*table = loaded;
	return SMELT_OK;
}

enum elf_symbols elf_file_symbols(const struct elf_file *file)
{
	uint32_t index = elf_file_find_section(file, ".symtab");

	if (index == 0)
		return ELF_SYMBOLS_NONE;
	switch (file->sections[index].type) {
	case SHT_SYMTAB:
		return ELF_SYMBOLS_HERE;
	case SHT_NOBITS:
		return ELF_SYMBOLS_ELSEWHERE;
	default:
		return ELF_SYMBOLS_NONE;
	}
}

enum smelt_status elf_symbol_table_load(struct elf_file *file, struct elf_symbol_table *table,
					struct smelt_error *error)
{
	enum elf_symbols symbols = elf_file_symbols(file);
	uint32_t index = elf_file_find_section(file, ".symtab");
	enum smelt_status status;

	if (symbols == ELF_SYMBOLS_NONE)
		return error_set(error, SMELT_NO_DEBUG_INFO, "%s: no symbol table", file->path);
	if (symbols == ELF_SYMBOLS_ELSEWHERE) {
		*table = (struct elf_symbol_table){ 0 };
		return SMELT_OK;
	}
	pthread_mutex_lock(&file->lock);
	status = elf_symbol_table_load_locked(file, index, table, error);
	pthread_mutex_unlock(&file->lock);
	return status;
}

/* Section of a symbol with st_shndx `raw`; 0 for the reserved values and for nonsense. */
static uint32_t resolve_section(const struct elf_symbol_table *table, uint32_t index, uint16_t raw)
{
	uint32_t section = raw;

	if (raw == SHN_XINDEX) {
		if (index >= table->extended.size / 4)
			return 0;
		section = load_u32(table->extended.data + (size_t)index * 4, table->is_big_endian);
	} else if (raw >= SHN_LORESERVE) {
		return 0;
	}
	return section < table->section_count ? section : 0;
}

void elf_symbol_table_get(const struct elf_symbol_table *table, uint32_t index,
			  struct elf_symbol *symbol)
{
	bool big = table->is_big_endian;
	uint32_t name;
	uint8_t info;

	if (table->is_64bit) {
		const uint8_t *bytes = table->symbols.data + (size_t)index * sizeof(Elf64_Sym);

		name = load_u32(bytes, big);
		info = bytes[offsetof(Elf64_Sym, st_info)];
		symbol->raw_section = load_u16(bytes + offsetof(Elf64_Sym, st_shndx), big);
		symbol->value = load_u64(bytes + offsetof(Elf64_Sym, st_value), big);
		symbol->size = load_u64(bytes + offsetof(Elf64_Sym, st_size), big);
	} else {
		const uint8_t *bytes = table->symbols.data + (size_t)index * sizeof(Elf32_Sym);

		name = load_u32(bytes, big);
		info = bytes[offsetof(Elf32_Sym, st_info)];
		symbol->raw_section = load_u16(bytes + offsetof(Elf32_Sym, st_shndx), big);
		symbol->value = load_u32(bytes + offsetof(Elf32_Sym, st_value), big);
		symbol->size = load_u32(bytes + offsetof(Elf32_Sym, st_size), big);
	}
	symbol->name = name < table->strings.size ? (const char *)table->strings.data + name : "";
	symbol->type = ELF64_ST_TYPE(info);
	symbol->binding = ELF64_ST_BIND(info);
	symbol->section = resolve_section(table, index, symbol->raw_section);
}
