/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The ELF container: headers, sections, symbols and notes of one file, both
 * classes and byte orders, EXEC, DYN and REL. The rest of the program sees
 * decompressed and (ET_REL) relocated section bytes and never an ELF record.
 * All functions are safe on damaged input: bounds are checked once, here.
 * gABI chapters 4 and 5; SHF_COMPRESSED; the older .zdebug_* form.
 */
#ifndef ELF_ELF_FILE_H
#define ELF_ELF_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct elf_file;

/* One section header, widened and in host byte order. */
struct elf_section {
	const char *name; /* never NULL; "" when the name is missing or out of bounds */
	uint32_t type;    /* SHT_* */
	uint64_t flags;   /* SHF_* */
	uint64_t address; /* ET_REL: sh_addr as stored (usually 0), see elf_section_address() */
	uint64_t offset;
	uint64_t size; /* as stored: compressed size when compressed */
	uint64_t entry_size;
	uint64_t alignment;
	uint32_t link;
	uint32_t info;
};

/* Facts of the ELF header. */
struct elf_header {
	bool is_64bit;
	bool is_big_endian;
	uint16_t type;        /* ET_* */
	uint16_t machine;     /* EM_* */
	uint8_t address_size; /* 4 or 8, from the class */
};

struct elf_bytes {
	const uint8_t *data;
	uint64_t size;
};

enum smelt_status elf_file_open(const char *path, struct elf_file **file,
				struct smelt_error *error);
void elf_file_close(struct elf_file *file); /* NULL is fine */

const char *elf_file_path(const struct elf_file *file);
const struct elf_header *elf_file_header(const struct elf_file *file);

/* Number of section headers (extended numbering resolved); index 0 is the null section. */
uint32_t elf_file_section_count(const struct elf_file *file);
const struct elf_section *elf_file_section(const struct elf_file *file, uint32_t index);
/* Index of the first section called `name`, or 0. ".debug_x" also finds ".zdebug_x". */
uint32_t elf_file_find_section(const struct elf_file *file, const char *name);
/* As find_section, but starts after `previous` (0: from the start), for files with several (COMDAT). */
uint32_t elf_file_next_section(const struct elf_file *file, const char *name, uint32_t previous);

/*
 * Address of a section: sh_addr, or for ET_REL the address of the invented layout
 * (0x10000 upwards, SHF_ALLOC sections in header order, each aligned to sh_addralign;
 * sections of size 0 get one too), which relocations are applied against.
 */
uint64_t elf_section_address(const struct elf_file *file, uint32_t index);

/*
 * The whole section: mapped from the file, or, when compressed or relocated, a heap
 * copy that the file owns. SHT_NOBITS gives size 0. At least 16 readable bytes follow
 * the data, so that fixed-size loads near the end need no care of their own. Thread-safe (a lock inside); the result is
 * cached, calls after the first are cheap.
 */
enum smelt_status elf_section_load(struct elf_file *file, uint32_t index, struct elf_bytes *bytes,
				   struct smelt_error *error);

/* Whether the bytes in the file are the bytes wanted: not compressed, not to be relocated. */
bool elf_section_is_plain(const struct elf_file *file, uint32_t index);

/* Size of the section's content, after decompression; 0 for SHT_NOBITS. */
uint64_t elf_section_content_size(const struct elf_file *file, uint32_t index);

/*
 * Copies [offset, offset+size) of a plain section with pread(2), so that large sections do
 * not stay in this process's memory. Thread-safe. The range must lie within the section;
 * a file that shrank meanwhile is an error.
 */
enum smelt_status elf_section_read(const struct elf_file *file, uint32_t index, uint64_t offset,
				   void *buffer, size_t size, struct smelt_error *error);

/* A stretch of a plain section mapped into memory. */
struct elf_window {
	const uint8_t *data; /* of the first byte asked for */
	uint64_t offset;     /* of it in the section */
	uint64_t size;
	void *map;
	size_t map_size;
};

/*
 * Maps [offset, offset+size) of a plain section with its pages present, in place of what *window
 * held; a zeroed window holds nothing. At least 16 readable bytes follow. Cheaper than
 * elf_section_read for bytes that are looked at once, at the price that a file cut short by somebody
 * else meanwhile ends the process (SIGBUS). SMELT_UNSUPPORTED when the range cannot be mapped
 * so: read it then.
 */
enum smelt_status elf_window_map(const struct elf_file *file, uint32_t index, uint64_t offset,
				 uint64_t size, struct elf_window *window);
void elf_window_unmap(struct elf_window *window);

/* One symbol, widened, host byte order. */
struct elf_symbol {
	const char *name; /* "" when out of bounds */
	uint64_t value;   /* as stored: section-relative in ET_REL */
	uint64_t size;
	uint32_t
		section; /* SHN_XINDEX resolved; 0 when undefined, reserved (SHN_ABS, ...) or nonsense */
	uint16_t raw_section; /* st_shndx */
	uint8_t type;         /* STT_* */
	uint8_t binding;      /* STB_* */
};

struct elf_symbol_table {
	struct elf_bytes symbols;
	struct elf_bytes strings;  /* ends in NUL or is empty */
	struct elf_bytes extended; /* SHT_SYMTAB_SHNDX or empty */
	uint32_t count;
	uint32_t section_count; /* of the file */
	bool is_64bit;
	bool is_big_endian;
};

enum elf_symbols {
	ELF_SYMBOLS_NONE,
	ELF_SYMBOLS_ELSEWHERE, /* a debug file of which the program kept the symbols */
	ELF_SYMBOLS_HERE,
};
enum elf_symbols elf_file_symbols(const struct elf_file *file);

/*
 * The section named .symtab. SMELT_NO_DEBUG_INFO when there is none; no symbols when they are elsewhere.
 */
enum smelt_status elf_symbol_table_load(struct elf_file *file, struct elf_symbol_table *table,
					struct smelt_error *error);
/* index < table->count */
void elf_symbol_table_get(const struct elf_symbol_table *table, uint32_t index,
			  struct elf_symbol *symbol);

/* First note with this owner and type in any SHT_NOTE section; false if none. */
bool elf_file_find_note(struct elf_file *file, const char *owner, uint32_t type,
			struct elf_bytes *description);

/*
 * Opens the file that holds the DWARF for `file`: by build-id below /usr/lib/debug/.build-id, by
 * .gnu_debuglink next to the file, in .debug/ and below /usr/lib/debug. Where both files have a
 * build-id these must agree; else the CRC of .gnu_debuglink must be right. *debug is NULL when
 * there is none (not an error). SMELT_DEBUG_PATH (colon-separated roots) is searched instead of
 * /usr/lib/debug when set.
 */
enum smelt_status elf_file_open_debug(struct elf_file *file, struct elf_file **debug,
				      struct smelt_error *error);

/*
 * Opens the file named by .gnu_debugaltlink or .debug_sup: absolute (as it stands, below the root
 * folders, or in the unpacked tree the file lies in), relative to the file's folder, or by its
 * build-id. *alternate is NULL when the section is absent or says that this is the alternate file; a
 * named file that cannot be found or whose build-id differs is an error.
 */
enum smelt_status elf_file_open_alternate(struct elf_file *file, struct elf_file **alternate,
					  struct smelt_error *error);

/*
 * Where a .dwo file that `file` names may be: places 0, 1, ... until *path is NULL; from malloc(). First
 * where the compiler put it (`folder` is the one it ran in), then near `file`, which may have been moved together with
 * it. False when out of memory.
 */
bool elf_file_split_path(const struct elf_file *file, const char *folder, const char *name,
			 unsigned place, char **path);

/* Opens FILE.dwp; *package is NULL when there is none. */
enum smelt_status elf_file_open_package(const struct elf_file *file, struct elf_file **package,
					struct smelt_error *error);

#endif
