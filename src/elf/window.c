/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "elf/elf_internal.h"

enum { WINDOW_TAIL_BYTES = 16 };

enum smelt_status elf_window_map(const struct elf_file *file, uint32_t index, uint64_t offset,
				 uint64_t size, struct elf_window *window)
{
	const struct elf_section *section = &file->sections[index];
	uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
	uint64_t start, end;
	struct stat info;
	void *map;

	elf_window_unmap(window);
	if (!elf_section_is_plain(file, index) || elf_section_check_range(file, index, NULL) ||
	    offset > section->size || size > section->size - offset || size == 0)
		return SMELT_UNSUPPORTED;
	start = (section->offset + offset) & ~(page - 1);
	end = section->offset + offset + size + WINDOW_TAIL_BYTES;
	if (fstat(file->fd, &info) != 0 || end > (uint64_t)info.st_size)
		return SMELT_UNSUPPORTED;
	map = mmap(NULL, (size_t)(end - start), PROT_READ, MAP_PRIVATE | MAP_POPULATE, file->fd,
		   (off_t)start);
	if (map == MAP_FAILED)
		return SMELT_UNSUPPORTED;
	*window = (struct elf_window){
		.data = (const uint8_t *)map + (section->offset + offset - start),
		.offset = offset,
		.size = size,
		.map = map,
		.map_size = (size_t)(end - start),
	};
	return SMELT_OK;
}

void elf_window_unmap(struct elf_window *window)
{
	if (window->map != NULL)
		munmap(window->map, window->map_size);
	*window = (struct elf_window){ 0 };
}
