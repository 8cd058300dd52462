/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * How a file looks with other sections in it, worked out before a byte is written.
 *
 *	old:	| ELF header | content                | old sections, names, headers |
 *	new:	| ELF header | content                | tail                         |
 *			     ^ elf header size        ^ content_end
 *
 * The content is all that stays: segments, and sections that are not replaced. The tail has the
 * new sections, the section names and the section headers; only it and three fields of the ELF header
 * are new. As the tail can be made for any place, a writer may use another one for a while.
 */
#ifndef ELF_SECTION_UPDATE_H
#define ELF_SECTION_UPDATE_H

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <smelt/encode.h>

#include "base/error.h"
#include "elf/elf_file.h"

struct elf_update {
	const struct elf_file *file;
	const struct smelt_elf_section *sections;
	size_t count;
	bool is_needed; /* false: the file is as it should be; nothing below is set then */
	uint64_t content_end;

	uint8_t header[sizeof(Elf64_Ehdr)]; /* as in the file */
	size_t header_size;                 /* 52 or 64 */
	uint8_t *table;                     /* section headers, with empty ones for new sections */
	uint32_t table_count;
	uint32_t *slots; /* for each of `sections` its index in the table; 0: has none */
	char *names;     /* section names, new ones included */
	size_t names_size;
};

/* What to write, and where. */
struct elf_tail {
	uint8_t *data;
	size_t size;
	uint64_t offset;
	uint8_t header[sizeof(Elf64_Ehdr)]; /* the ELF header that goes with it */
};

/*
 * Sections as for smelt_write_elf_sections(); `file` and they must outlive the update. To be
 * deinitialised also after a failure.
 */
enum smelt_status elf_update_init(struct elf_update *update, const struct elf_file *file,
				  const struct smelt_elf_section *sections, size_t count,
				  struct smelt_error *error);
void elf_update_deinit(struct elf_update *update);

/*
 * The tail for a place at or behind content_end. A temporary one has a mark at its end, by which
 * elf_update_init() recognises a file that was left unfinished.
 */
enum smelt_status elf_update_build(const struct elf_update *update, uint64_t offset,
				   bool is_temporary, struct elf_tail *tail,
				   struct smelt_error *error);
void elf_tail_deinit(struct elf_tail *tail);

#endif
