/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#include <smelt/encode.h>

#include "elf/section_writer.h"

enum smelt_status smelt_write_elf_sections(const char *path,
					   const struct smelt_elf_section *sections, size_t count,
					   struct smelt_error *error)
{
	return elf_write_sections(path, sections, count, error);
}
