/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Names of source files, from the header of a line number program. DWARF 5, 6.2.4; DWARF 4, 6.2.4 for versions 2 to 4. The
 * program itself is not looked at.
 */
#ifndef DWARF_LINE_HEADER_H
#define DWARF_LINE_HEADER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vector.h"

struct line_section {
	const uint8_t *data;
	uint64_t size;
};

struct line_sections {
	struct line_section line;
	struct line_section str;
	struct line_section line_str;
	bool swap;
};

struct line_file {
	const char *name; /* in one of the sections; NULL: in a form that is not known */
	uint32_t folder;  /* index into folders */
};

struct line_header {
	/*
	 * [0] is where the compiler ran, or NULL: the unit says it; others may be relative to it. Texts are
	 * in the sections.
	 */
	VECTOR(const char *) folders;
	VECTOR(struct line_file) files; /* as DW_AT_decl_file counts; up to version 4 [0] is none */
};

/* Of a zeroed one, or to use it again. */
void line_header_deinit(struct line_header *header);

enum line_header_status {
	LINE_HEADER_OK = 0,
	LINE_HEADER_NO_MEMORY,
	LINE_HEADER_TRUNCATED,
	LINE_HEADER_BAD_VERSION,
	LINE_HEADER_BAD_FORM,
	LINE_HEADER_BAD_STRING,
};

/*
 * Reads the header at `offset` of sections->line. *header is zeroed or one that was read before; after a failure it
 * has no files.
 */
enum line_header_status line_header_read(struct line_header *header,
					 const struct line_sections *sections, uint64_t offset);

const char *line_header_status_text(enum line_header_status status);

/* The folder of a file, NULL: where the compiler ran. For file < header->files.count. */
const char *line_header_folder(const struct line_header *header, uint64_t file);

#endif
