/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * What an ET_REL file needs before its sections can be relocated: addresses for its
 * sections, which it has none of, and which relocation sections apply to which section.
 */
#include <elf.h>
#include <stdlib.h>

#include "elf/elf_internal.h"

/* Where the layout starts. */
enum { LAYOUT_BASE = 0x10000 };

static uint64_t align_up(uint64_t value, uint64_t alignment)
{
	/* Only powers of two are valid; others cannot matter to anything but the layout. */
	if (alignment == 0 || (alignment & (alignment - 1)) != 0)
		return value;
	return (value + alignment - 1) & -alignment;
}

/* Lays out the SHF_ALLOC sections up to `last` one after the other; returns where they end. */
static uint64_t lay_out_from(struct elf_file *file, uint64_t base, uint32_t last)
{
	uint64_t end = base;

	for (uint32_t i = 1; i <= last; i++) {
		const struct elf_section *section = &file->sections[i];

		if (!(section->flags & SHF_ALLOC))
			continue;
		file->addresses[i] = align_up(end, section->alignment);
		end = file->addresses[i] + section->size;
	}
	return end;
}

/*
 * Gives each SHF_ALLOC section of an ET_REL file an address exactly as libdwfl does. Addresses
 * that the file has are kept; but ld -r can leave one in a single section of many (seen:
 * __patchable_function_entries of kernel modules), and libdwfl keeps that one only where no padding
 * would be needed before the section. Such a section takes no room in the layout.
 */
static void lay_out_sections(struct elf_file *file)
{
	uint64_t base = LAYOUT_BASE;
	uint64_t end = base;
	uint64_t lowest_kept = 0;
	bool is_first = true;

	for (uint32_t i = 1; i < file->section_count; i++) {
		const struct elf_section *section = &file->sections[i];
		uint64_t next = align_up(end, section->alignment);

		file->addresses[i] = section->address;
		if (!(section->flags & SHF_ALLOC))
			continue;
		if (section->address == 0 || (lowest_kept == 0 && end > base && end != next)) {
			file->addresses[i] = next;
			if (end == base) {
				base = next;
			} else if (align_up(base, section->alignment) != base) {
				/* Wider than the base's alignment: starts again further up. */
				base = align_up(base, section->alignment);
				end = lay_out_from(file, base, i);
				continue;
			}
			end = next + section->size;
		} else {
			if (is_first || end < section->address + section->size)
				end = section->address + section->size;
			if (is_first || lowest_kept > section->address)
				lowest_kept = section->address;
		}
		is_first = false;
	}
}

static bool is_relocation_section(const struct elf_section *section)
{
	enum { CREL = 0x40000014 }; /* compact relocations; newer than some <elf.h> */

	return section->type == SHT_REL || section->type == SHT_RELA || section->type == CREL;
}

/* What relocation itself reads. Relocating that too would be nonsense without end. */
static bool is_never_relocated(const struct elf_section *section)
{
	return is_relocation_section(section) || section->type == SHT_SYMTAB ||
	       section->type == SHT_DYNSYM || section->type == SHT_STRTAB ||
	       section->type == SHT_SYMTAB_SHNDX;
}

/* Chains the relocation sections to the sections they apply to, in header order. */
static void chain_relocation_sections(struct elf_file *file)
{
	for (uint32_t i = file->section_count - 1; i > 0; i--) {
		const struct elf_section *section = &file->sections[i];
		uint32_t target = section->info;

		if (!is_relocation_section(section) || section->size == 0)
			continue;
		if (target == 0 || target >= file->section_count ||
		    is_never_relocated(&file->sections[target]))
			continue;
		file->next_relocation[i] = file->first_relocation[target];
		file->first_relocation[target] = i;
	}
}

enum smelt_status elf_file_prepare_relocatable(struct elf_file *file, struct smelt_error *error)
{
	if (file->header.type != ET_REL || file->section_count == 0)
		return SMELT_OK;
	file->addresses = calloc(file->section_count, sizeof(*file->addresses));
	file->first_relocation = calloc(file->section_count, sizeof(*file->first_relocation));
	file->next_relocation = calloc(file->section_count, sizeof(*file->next_relocation));
	if (!file->addresses || !file->first_relocation || !file->next_relocation)
		return error_no_memory(error);
	lay_out_sections(file);
	chain_relocation_sections(file);
	return SMELT_OK;
}

uint64_t elf_section_address(const struct elf_file *file, uint32_t index)
{
	return file->addresses ? file->addresses[index] : file->sections[index].address;
}
