/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Writing sections into a file so that it survives every failure. */
#ifndef ELF_SECTION_WRITER_H
#define ELF_SECTION_WRITER_H

#include <stddef.h>

#include <smelt/encode.h>

/* Does what smelt_write_elf_sections() promises. */
enum smelt_status elf_write_sections(const char *path, const struct smelt_elf_section *sections,
				     size_t count, struct smelt_error *error);

#endif
