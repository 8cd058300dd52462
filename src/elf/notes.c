/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Notes, such as the build-id. gABI chapter 5, "Note Section". */
#include <elf.h>
#include <string.h>

#include "elf/elf_internal.h"
#include "elf/endian_bytes.h"

enum { NOTE_HEADER_BYTES = 12 };

/* The name's size counts its NUL, but some writers forget that. */
static bool is_owner(const uint8_t *name, uint64_t name_size, const char *owner)
{
	size_t length = strlen(owner);

	return (name_size == length || (name_size == length + 1 && name[length] == '\0')) &&
	       memcmp(name, owner, length) == 0;
}

/*
 * Names and descriptions are padded to `alignment`, which is 4, or 8 in sections that say so.
 * Stops at the first note that does not fit.
 */
static bool find_in_section(const struct elf_bytes *notes, uint64_t alignment, bool big,
			    const char *owner, uint32_t type, struct elf_bytes *description)
{
	uint64_t mask = alignment - 1;
	uint64_t offset = 0;

	while (offset <= notes->size && notes->size - offset >= NOTE_HEADER_BYTES) {
		const uint8_t *note = notes->data + offset;
		uint64_t name_size = load_u32(note, big);
		uint64_t size = load_u32(note + 4, big);
		/* 32-bit sizes: none of these sums wraps. */
		uint64_t name_end = (NOTE_HEADER_BYTES + name_size + mask) & ~mask;

		if (name_end + size > notes->size - offset)
			return false;
		if (load_u32(note + 8, big) == type &&
		    is_owner(note + NOTE_HEADER_BYTES, name_size, owner)) {
			*description = (struct elf_bytes){ note + name_end, size };
			return true;
		}
		offset += (name_end + size + mask) & ~mask;
	}
	return false;
}

bool elf_file_find_note(struct elf_file *file, const char *owner, uint32_t type,
			struct elf_bytes *description)
{
	for (uint32_t i = 1; i < file->section_count; i++) {
		const struct elf_section *section = &file->sections[i];
		struct elf_bytes notes;

		/* A broken note section is as good as none. */
		if (section->type != SHT_NOTE || elf_section_load(file, i, &notes, NULL))
			continue;
		if (find_in_section(&notes, section->alignment == 8 ? 8 : 4,
				    file->header.is_big_endian, owner, type, description))
			return true;
	}
	return false;
}
