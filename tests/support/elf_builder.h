/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Builds ELF files from parts, of either class and byte order, for tests. What a test does
 * not say is chosen here: offsets, the string tables, .symtab, the relocation sections.
 * Runs out of memory by abort(). The builder owns copies of what it is given.
 */
#ifndef TESTS_SUPPORT_ELF_BUILDER_H
#define TESTS_SUPPORT_ELF_BUILDER_H

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vector.h"

/* A section; zero fields are fine. */
struct elf_part {
	const char *name;
	uint32_t type;
	uint64_t flags;
	uint64_t address;
	const void *data; /* NULL with a size: zeros */
	uint64_t size;    /* SHT_NOBITS: takes no room in the file */
	uint32_t link;
	uint32_t info;
	uint64_t entry_size;
	uint64_t alignment;
};

struct elf_part_symbol {
	const char *name;
	uint64_t value;
	uint64_t size;
	uint8_t info;      /* ELF64_ST_INFO(binding, type) */
	uint32_t section;  /* index, also above SHN_LORESERVE */
	uint16_t reserved; /* or SHN_ABS, SHN_COMMON, ... */
};

struct elf_part_relocation {
	uint32_t target; /* section */
	uint64_t offset;
	uint32_t symbol;
	uint32_t type;  /* MIPS64: first | second << 8 | third << 16 | special symbol << 24 */
	int64_t addend; /* RELA only */
};

struct elf_builder {
	bool is_64bit;
	bool is_big_endian;
	bool uses_rel;               /* SHT_REL instead of SHT_RELA */
	bool has_extended_numbering; /* also when the numbers are small */
	uint16_t type;
	uint16_t machine;
	uint32_t flags;
	VECTOR(struct elf_part) parts;          /* [0] is the null section */
	VECTOR(struct elf_part_symbol) symbols; /* [0] is the null symbol */
	VECTOR(struct elf_part_relocation) relocations;
};

void elf_builder_init(struct elf_builder *builder, bool is_64bit, bool is_big_endian, uint16_t type,
		      uint16_t machine);
void elf_builder_deinit(struct elf_builder *builder);

/* Each returns the index of what it added. */
uint32_t elf_builder_add(struct elf_builder *builder, const struct elf_part *part);
uint32_t elf_builder_add_data(struct elf_builder *builder, const char *name, const void *data,
			      size_t size);
uint32_t elf_builder_add_symbol(struct elf_builder *builder, const struct elf_part_symbol *symbol);
void elf_builder_add_relocation(struct elf_builder *builder,
				const struct elf_part_relocation *relocation);

/* A note of one record, padded to `alignment` (4 or 8). */
uint32_t elf_builder_add_note(struct elf_builder *builder, const char *section, uint64_t alignment,
			      const char *owner, uint32_t type, const void *data, size_t size);

/* The file, from malloc(). Adds the sections that are still missing, so it can be called once. */
uint8_t *elf_builder_finish(struct elf_builder *builder, size_t *size);

/* Finishes into a new file; its path is below the system's temporary folder. */
char *elf_builder_write(struct elf_builder *builder);

/* New files with given content; both free what they return through test_file_remove(). */
char *test_file_create(const void *data, size_t size);
void test_file_remove(char *path);

/* Numbers in a given byte order. */
void put_u16(uint8_t *bytes, uint16_t value, bool is_big_endian);
void put_u32(uint8_t *bytes, uint32_t value, bool is_big_endian);
void put_u64(uint8_t *bytes, uint64_t value, bool is_big_endian);

#endif
