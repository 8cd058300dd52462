/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#include "elf/elf_internal.h"

enum smelt_status elf_section_relocate(struct elf_file *file, uint32_t index, uint8_t *data,
				       uint64_t size, struct smelt_error *error)
{
	(void)data;
	(void)size;
	return elf_section_error(file, index, SMELT_UNSUPPORTED, error, "relocations");
}
