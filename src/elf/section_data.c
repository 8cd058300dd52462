/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Section bytes. A section is read into the heap with pread(2): a file that shrinks
 * while we work is then an error and not a SIGBUS. Only plain sections too large to be
 * copied are mapped. For 5 MB in the page cache: 0.8 ms read, 0.4 ms mapped.
 */
#include <elf.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "elf/elf_internal.h"

/* A plain section from this size on is mapped. */
enum { MAP_FROM_BYTES = 1 << 20 };

static bool has_relocations(const struct elf_file *file, uint32_t index)
{
	return file->first_relocation && file->first_relocation[index] != 0;
}

bool elf_section_is_plain(const struct elf_file *file, uint32_t index)
{
	return !elf_section_is_compressed(file, index) && !has_relocations(file, index);
}

uint64_t elf_section_content_size(const struct elf_file *file, uint32_t index)
{
	const struct elf_section *section = &file->sections[index];
	uint64_t size;

	if (elf_section_has_no_bytes(section))
		return 0;
	if (!elf_section_is_compressed(file, index))
		return section->size;
	if (elf_section_uncompressed_size(file, index, &size, NULL))
		return 0;
	return size;
}

enum smelt_status elf_section_read(const struct elf_file *file, uint32_t index, uint64_t offset,
				   void *buffer, size_t size, struct smelt_error *error)
{
	const struct elf_section *section = &file->sections[index];
	enum smelt_status status = elf_section_check_range(file, index, error);
	uint64_t available = elf_section_has_no_bytes(section) ? 0 : section->size;

	if (status)
		return status;
	if (!elf_section_is_plain(file, index))
		return elf_section_error(file, index, SMELT_BAD_ARGUMENT, error,
					 "compressed or relocated, cannot be read in parts");
	if (offset > available || size > available - offset)
		return elf_section_error(file, index, SMELT_BAD_DATA, error,
					 "%zu bytes at offset 0x%" PRIx64
					 " exceed its size 0x%" PRIx64,
					 size, offset, available);
	return elf_file_read_at(file, index, section->offset + offset, buffer, size, error);
}

/* Memory for `size` bytes and the padding, which is zeroed. */
static uint8_t *allocate_content(uint64_t size)
{
	uint8_t *memory;

	if (size > SIZE_MAX - ELF_PADDING_BYTES)
		return NULL;
	memory = malloc((size_t)size + ELF_PADDING_BYTES);
	if (memory)
		memset(memory + size, 0, ELF_PADDING_BYTES);
	return memory;
}

/*
 * Maps a plain section; false when that is not possible or the padding would lie beyond
 * the last page of the file, where reading is a SIGBUS.
 */
static bool map_section(const struct elf_file *file, uint32_t index,
			struct section_content *content)
{
	const struct elf_section *section = &file->sections[index];
	uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
	uint64_t start = section->offset & -page;
	uint64_t end = section->offset + section->size + ELF_PADDING_BYTES;
	uint64_t mappable = (file->size + page - 1) & -page;
	void *memory;

	if (end > mappable || end - start > SIZE_MAX)
		return false;
	memory = mmap(NULL, (size_t)(end - start), PROT_READ, MAP_PRIVATE, file->fd, (off_t)start);
	if (memory == MAP_FAILED)
		return false;
	content->memory = memory;
	content->mapped_size = (size_t)(end - start);
	content->bytes.data = (const uint8_t *)memory + (section->offset - start);
	content->bytes.size = section->size;
	return true;
}

/* Content without relocation, into new memory. */
static enum smelt_status copy_content(const struct elf_file *file, uint32_t index, uint8_t **data,
				      uint64_t *size, struct smelt_error *error)
{
	const struct elf_section *section = &file->sections[index];
	bool is_compressed = elf_section_is_compressed(file, index);
	enum smelt_status status = SMELT_OK;
	uint8_t *memory;

	*size = section->size;
	if (is_compressed)
		status = elf_section_uncompressed_size(file, index, size, error);
	if (status)
		return status;
	memory = allocate_content(*size);
	if (!memory)
		return elf_section_error(file, index, SMELT_NO_MEMORY, error,
					 "no memory for %" PRIu64 " bytes", *size);
	if (is_compressed)
		status = elf_section_decompress(file, index, memory, *size, error);
	else
		status = elf_file_read_at(file, index, section->offset, memory, (size_t)*size,
					  error);
	if (status) {
		free(memory);
		return status;
	}
	*data = memory;
	return SMELT_OK;
}

static enum smelt_status fill_content(struct elf_file *file, uint32_t index,
				      struct section_content *content, struct smelt_error *error)
{
	static const uint8_t nothing[ELF_PADDING_BYTES];
	enum smelt_status status = elf_section_check_range(file, index, error);
	uint8_t *data = NULL;
	uint64_t size = 0;

	if (status)
		return status;
	if (elf_section_has_no_bytes(&file->sections[index])) {
		content->bytes = (struct elf_bytes){ nothing, 0 };
		return SMELT_OK;
	}
	if (elf_section_is_plain(file, index) && file->sections[index].size >= MAP_FROM_BYTES &&
	    map_section(file, index, content))
		return SMELT_OK;
	status = copy_content(file, index, &data, &size, error);
	if (status)
		return status;
	if (has_relocations(file, index))
		status = elf_section_relocate(file, index, data, size, error);
	if (status) {
		free(data);
		return status;
	}
	content->memory = data;
	content->bytes = (struct elf_bytes){ data, size };
	return SMELT_OK;
}

enum smelt_status elf_section_load_locked(struct elf_file *file, uint32_t index,
					  struct elf_bytes *bytes, struct smelt_error *error)
{
	struct section_content *content = &file->contents[index];

	if (!atomic_load_explicit(&content->is_loaded, memory_order_relaxed)) {
		enum smelt_status status = fill_content(file, index, content, error);

		if (status)
			return status;
		atomic_store_explicit(&content->is_loaded, true, memory_order_release);
	}
	*bytes = content->bytes;
	return SMELT_OK;
}

enum smelt_status elf_section_load(struct elf_file *file, uint32_t index, struct elf_bytes *bytes,
				   struct smelt_error *error)
{
	struct section_content *content = &file->contents[index];
	enum smelt_status status;

	if (atomic_load_explicit(&content->is_loaded, memory_order_acquire)) {
		*bytes = content->bytes;
		return SMELT_OK;
	}
	pthread_mutex_lock(&file->lock);
	status = elf_section_load_locked(file, index, bytes, error);
	pthread_mutex_unlock(&file->lock);
	return status;
}
