/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* What the files of this folder share; see elf_file.h for the meaning of the whole. */
#ifndef ELF_ELF_INTERNAL_H
#define ELF_ELF_INTERNAL_H

#include <pthread.h>
#include <stdatomic.h>
#include <sys/types.h>

#include "elf/elf_file.h"

/* Zero bytes after every buffer handed out: the promise of elf_section_load(). */
enum { ELF_PADDING_BYTES = 16 };

/* The bytes of one section once they were asked for. Written once, under the file's lock. */
struct section_content {
	atomic_bool is_loaded;
	struct elf_bytes bytes;
	void *memory;       /* what bytes.data lies in, or NULL */
	size_t mapped_size; /* of `memory` if it is a mapping, 0 if it is from malloc() */
};

/* Address of each symbol of one symbol table, as relocations use it. */
struct symbol_addresses {
	uint32_t section; /* of the symbol table; 0: none yet */
	uint32_t count;
	uint64_t *values;
	struct elf_symbol_table table;
};

struct elf_file {
	char *path;
	int fd;
	uint64_t size;
	dev_t device; /* with `inode`: is another path the same file? */
	ino_t inode;
	struct elf_header header;
	uint32_t processor_flags; /* e_flags */

	uint64_t table_offset;  /* e_shoff, 0 without section headers */
	uint32_t names_section; /* e_shstrndx, resolved */
	uint32_t section_count;
	struct elf_section *sections; /* at least the null section */
	struct section_content *contents;
	char *section_names;

	/* ET_REL only, else NULL: per section its address, the first relocation section
	 * that applies to it, and (per relocation section) the next one for the same target. */
	uint64_t *addresses;
	uint32_t *first_relocation;
	uint32_t *next_relocation;

	pthread_mutex_t lock; /* for `contents` and `symbols` */
	struct symbol_addresses symbols;
};

/*
 * Copies [offset, offset+size) of the file; an error when the file ends before. `section` is
 * the section that the error names, or 0.
 */
enum smelt_status elf_file_read_at(const struct elf_file *file, uint32_t section, uint64_t offset,
				   void *buffer, size_t size, struct smelt_error *error);

/* "FILE: section NAME: TEXT". */
enum smelt_status elf_section_error(const struct elf_file *file, uint32_t index,
				    enum smelt_status status, struct smelt_error *error,
				    const char *format, ...) __attribute__((format(printf, 5, 6)));

/* Fills the fields of ET_REL files; nothing to do for others. */
enum smelt_status elf_file_prepare_relocatable(struct elf_file *file, struct smelt_error *error);

/* Nothing in the file, whatever offset and size say. */
bool elf_section_has_no_bytes(const struct elf_section *section);

/* Checks that the section's bytes lie within the file. */
enum smelt_status elf_section_check_range(const struct elf_file *file, uint32_t index,
					  struct smelt_error *error);

/* elf_section_load() for callers that hold the lock. */
enum smelt_status elf_section_load_locked(struct elf_file *file, uint32_t index,
					  struct elf_bytes *bytes, struct smelt_error *error);

bool elf_section_is_compressed(const struct elf_file *file, uint32_t index);

/* Size after decompression, checked to be a credible one. Only for compressed sections. */
enum smelt_status elf_section_uncompressed_size(const struct elf_file *file, uint32_t index,
						uint64_t *size, struct smelt_error *error);
/* Decompresses into `buffer` of exactly that size. */
enum smelt_status elf_section_decompress(const struct elf_file *file, uint32_t index, void *buffer,
					 uint64_t size, struct smelt_error *error);

/*
 * Applies all relocation sections for section `index` of an ET_REL file to its content
 * `data`. Under the lock.
 */
enum smelt_status elf_section_relocate(struct elf_file *file, uint32_t index, uint8_t *data,
				       uint64_t size, struct smelt_error *error);

/*
 * Computes file->symbols for the symbol table in section `section` (0: a table of only the null
 * symbol). Under the lock.
 */
enum smelt_status elf_file_prepare_symbols(struct elf_file *file, uint32_t section,
					   struct smelt_error *error);

/* The table of symbols in section `index`, with its strings. Under the lock. */
enum smelt_status elf_symbol_table_load_locked(struct elf_file *file, uint32_t index,
					       struct elf_symbol_table *table,
					       struct smelt_error *error);

#endif
