/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Opening a file: ELF header, section headers, section names. The headers are read
 * with pread(2) and widened; the file itself is not mapped. A section whose bytes lie
 * outside the file is not an error here, only when somebody wants its bytes: broken
 * sections that nobody needs do no harm.
 * gABI chapter 4, "ELF Header", "Sections".
 */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "elf/elf_internal.h"
#include "elf/endian_bytes.h"

enum { ARCHIVE_MAGIC_BYTES = 8 };

/* Fields of the ELF header that only opening needs. */
struct table_location {
	uint64_t offset; /* e_shoff */
	uint32_t count;  /* e_shnum */
	uint16_t entry_size;
	uint32_t names; /* e_shstrndx */
};

static enum smelt_status read_error(const struct elf_file *file, uint32_t section, uint64_t offset,
				    bool is_at_end, struct smelt_error *error)
{
	char action[SMELT_ERROR_TEXT_BYTES] = "read";
	int os_errno = errno;

	if (is_at_end && section)
		return elf_section_error(file, section, SMELT_BAD_DATA, error,
					 "file ends at offset 0x%" PRIx64, offset);
	if (is_at_end)
		return error_set(error, SMELT_BAD_DATA, "%s: file ends at offset 0x%" PRIx64,
				 file->path, offset);
	if (section)
		snprintf(action, sizeof(action), "section %s: read", file->sections[section].name);
	errno = os_errno;
	return error_os(error, action, file->path);
}

enum smelt_status elf_file_read_at(const struct elf_file *file, uint32_t section, uint64_t offset,
				   void *buffer, size_t size, struct smelt_error *error)
{
	uint8_t *next = buffer;

	while (size > 0) {
		ssize_t got = pread(file->fd, next, size, (off_t)offset);

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return read_error(file, section, offset, got == 0, error);
		next += got;
		offset += (uint64_t)got;
		size -= (size_t)got;
	}
	return SMELT_OK;
}

enum smelt_status elf_section_error(const struct elf_file *file, uint32_t index,
				    enum smelt_status status, struct smelt_error *error,
				    const char *format, ...)
{
	char text[SMELT_ERROR_TEXT_BYTES];
	const char *name = file->sections[index].name;
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	if (*name)
		return error_set(error, status, "%s: section %s: %s", file->path, name, text);
	return error_set(error, status, "%s: section [%" PRIu32 "]: %s", file->path, index, text);
}

bool elf_section_has_no_bytes(const struct elf_section *section)
{
	return section->type == SHT_NOBITS || section->type == SHT_NULL || section->size == 0;
}

enum smelt_status elf_section_check_range(const struct elf_file *file, uint32_t index,
					  struct smelt_error *error)
{
	const struct elf_section *section = &file->sections[index];

	if (elf_section_has_no_bytes(section))
		return SMELT_OK;
	if (section->offset <= file->size && section->size <= file->size - section->offset)
		return SMELT_OK;
	return elf_section_error(file, index, SMELT_BAD_DATA, error,
				 "offset 0x%" PRIx64 " and size 0x%" PRIx64
				 " exceed the file size 0x%" PRIx64,
				 section->offset, section->size, file->size);
}

static enum smelt_status bad_magic_error(const struct elf_file *file, const uint8_t *ident,
					 size_t size, struct smelt_error *error)
{
	static const char archive[] = "!<arch>\n";
	static const char thin_archive[] = "!<thin>\n";

	if (size == 0)
		return error_set(error, SMELT_NOT_ELF, "%s: not an ELF file (empty)", file->path);
	if (size >= ARCHIVE_MAGIC_BYTES && (memcmp(ident, archive, ARCHIVE_MAGIC_BYTES) == 0 ||
					    memcmp(ident, thin_archive, ARCHIVE_MAGIC_BYTES) == 0))
		return error_set(error, SMELT_UNSUPPORTED,
				 "%s: is an archive; extract its members and pass those",
				 file->path);
	return error_set(error, SMELT_NOT_ELF, "%s: not an ELF file", file->path);
}

/* Class, byte order and version. */
static enum smelt_status parse_ident(struct elf_file *file, const uint8_t *ident,
				     struct smelt_error *error)
{
	if (ident[EI_CLASS] != ELFCLASS32 && ident[EI_CLASS] != ELFCLASS64)
		return error_set(error, SMELT_BAD_DATA, "%s: ELF header: unknown class %u",
				 file->path, ident[EI_CLASS]);
	if (ident[EI_DATA] != ELFDATA2LSB && ident[EI_DATA] != ELFDATA2MSB)
		return error_set(error, SMELT_BAD_DATA, "%s: ELF header: unknown byte order %u",
				 file->path, ident[EI_DATA]);
	if (ident[EI_VERSION] != EV_CURRENT)
		return error_set(error, SMELT_BAD_DATA, "%s: ELF header: unknown version %u",
				 file->path, ident[EI_VERSION]);
	file->header.is_64bit = ident[EI_CLASS] == ELFCLASS64;
	file->header.is_big_endian = ident[EI_DATA] == ELFDATA2MSB;
	file->header.address_size = file->header.is_64bit ? 8 : 4;
	return SMELT_OK;
}

static enum smelt_status check_type(const struct elf_file *file, struct smelt_error *error)
{
	switch (file->header.type) {
	case ET_REL:
	case ET_EXEC:
	case ET_DYN:
		return SMELT_OK;
	case ET_CORE:
		return error_set(error, SMELT_UNSUPPORTED, "%s: core files are not supported",
				 file->path);
	default:
		return error_set(error, SMELT_UNSUPPORTED, "%s: ELF type %u is not supported",
				 file->path, file->header.type);
	}
}

static enum smelt_status parse_header(struct elf_file *file, struct table_location *table,
				      struct smelt_error *error)
{
	uint8_t bytes[sizeof(Elf64_Ehdr)] = { 0 };
	size_t available = file->size < sizeof(bytes) ? (size_t)file->size : sizeof(bytes);
	enum smelt_status status = elf_file_read_at(file, 0, 0, bytes, available, error);
	bool big, is_64bit;

	if (status)
		return status;
	if (available < SELFMAG || memcmp(bytes, ELFMAG, SELFMAG) != 0)
		return bad_magic_error(file, bytes, available, error);
	if (available >= EI_NIDENT)
		status = parse_ident(file, bytes, error);
	if (status)
		return status;
	is_64bit = file->header.is_64bit;
	big = file->header.is_big_endian;
	if (available < (is_64bit ? sizeof(Elf64_Ehdr) : sizeof(Elf32_Ehdr)))
		return error_set(error, SMELT_BAD_DATA,
				 "%s: %zu bytes, too short for an ELF header", file->path,
				 available);

	file->header.type = load_u16(bytes + offsetof(Elf64_Ehdr, e_type), big);
	file->header.machine = load_u16(bytes + offsetof(Elf64_Ehdr, e_machine), big);
	if (is_64bit) {
		table->offset = load_u64(bytes + offsetof(Elf64_Ehdr, e_shoff), big);
		file->processor_flags = load_u32(bytes + offsetof(Elf64_Ehdr, e_flags), big);
		table->entry_size = load_u16(bytes + offsetof(Elf64_Ehdr, e_shentsize), big);
		table->count = load_u16(bytes + offsetof(Elf64_Ehdr, e_shnum), big);
		table->names = load_u16(bytes + offsetof(Elf64_Ehdr, e_shstrndx), big);
	} else {
		table->offset = load_u32(bytes + offsetof(Elf32_Ehdr, e_shoff), big);
		file->processor_flags = load_u32(bytes + offsetof(Elf32_Ehdr, e_flags), big);
		table->entry_size = load_u16(bytes + offsetof(Elf32_Ehdr, e_shentsize), big);
		table->count = load_u16(bytes + offsetof(Elf32_Ehdr, e_shnum), big);
		table->names = load_u16(bytes + offsetof(Elf32_Ehdr, e_shstrndx), big);
	}
	return check_type(file, error);
}

static void widen_section(const struct elf_file *file, const uint8_t *bytes,
			  struct elf_section *section, uint32_t *name_offset)
{
	bool big = file->header.is_big_endian;

	section->name = "";
	*name_offset = load_u32(bytes, big);
	section->type = load_u32(bytes + 4, big);
	if (file->header.is_64bit) {
		section->flags = load_u64(bytes + offsetof(Elf64_Shdr, sh_flags), big);
		section->address = load_u64(bytes + offsetof(Elf64_Shdr, sh_addr), big);
		section->offset = load_u64(bytes + offsetof(Elf64_Shdr, sh_offset), big);
		section->size = load_u64(bytes + offsetof(Elf64_Shdr, sh_size), big);
		section->link = load_u32(bytes + offsetof(Elf64_Shdr, sh_link), big);
		section->info = load_u32(bytes + offsetof(Elf64_Shdr, sh_info), big);
		section->alignment = load_u64(bytes + offsetof(Elf64_Shdr, sh_addralign), big);
		section->entry_size = load_u64(bytes + offsetof(Elf64_Shdr, sh_entsize), big);
	} else {
		section->flags = load_u32(bytes + offsetof(Elf32_Shdr, sh_flags), big);
		section->address = load_u32(bytes + offsetof(Elf32_Shdr, sh_addr), big);
		section->offset = load_u32(bytes + offsetof(Elf32_Shdr, sh_offset), big);
		section->size = load_u32(bytes + offsetof(Elf32_Shdr, sh_size), big);
		section->link = load_u32(bytes + offsetof(Elf32_Shdr, sh_link), big);
		section->info = load_u32(bytes + offsetof(Elf32_Shdr, sh_info), big);
		section->alignment = load_u32(bytes + offsetof(Elf32_Shdr, sh_addralign), big);
		section->entry_size = load_u32(bytes + offsetof(Elf32_Shdr, sh_entsize), big);
	}
}

/*
 * e_shnum and e_shstrndx are 16 bits wide; larger numbers are in the null section's
 * sh_size and sh_link.
 */
static enum smelt_status resolve_extended_numbering(const struct elf_file *file,
						    struct table_location *table,
						    struct smelt_error *error)
{
	uint8_t bytes[sizeof(Elf64_Shdr)];
	struct elf_section null_section;
	uint32_t name;
	enum smelt_status status;

	if (table->count != 0 && table->names != SHN_XINDEX)
		return SMELT_OK;
	status = elf_file_read_at(file, 0, table->offset, bytes, table->entry_size, error);
	if (status)
		return error_prefix(error, "%s: section header table", file->path);
	widen_section(file, bytes, &null_section, &name);
	if (table->names == SHN_XINDEX)
		table->names = null_section.link;
	if (table->count != 0)
		return SMELT_OK;
	if (null_section.size > UINT32_MAX)
		return error_set(error, SMELT_BAD_DATA,
				 "%s: section header table: %" PRIu64 " sections", file->path,
				 null_section.size);
	table->count = (uint32_t)null_section.size;
	return SMELT_OK;
}

static enum smelt_status check_table(const struct elf_file *file,
				     const struct table_location *table, struct smelt_error *error)
{
	/* The product cannot wrap: 32 bits times at most 64. */
	uint64_t size = (uint64_t)table->count * table->entry_size;

	if (table->offset > file->size || size > file->size - table->offset)
		return error_set(error, SMELT_BAD_DATA,
				 "%s: section header table: offset 0x%" PRIx64 " and %" PRIu32
				 " entries exceed the file size 0x%" PRIx64,
				 file->path, table->offset, table->count, file->size);
	if (table->names >= table->count && table->names != SHN_UNDEF)
		return error_set(error, SMELT_BAD_DATA,
				 "%s: section names: index %" PRIu32 " of %" PRIu32 " sections",
				 file->path, table->names, table->count);
	return SMELT_OK;
}

/* Reads the headers; name_offsets[i] is sh_name of section i. */
static enum smelt_status read_headers(struct elf_file *file, const struct table_location *table,
				      uint32_t *name_offsets, struct smelt_error *error)
{
	enum { BATCH = 512 };
	uint8_t bytes[BATCH * sizeof(Elf64_Shdr)];

	for (uint32_t first = 0; first < table->count; first += BATCH) {
		uint32_t count = table->count - first < BATCH ? table->count - first : BATCH;
		enum smelt_status status = elf_file_read_at(
			file, 0, table->offset + (uint64_t)first * table->entry_size, bytes,
			(size_t)count * table->entry_size, error);

		if (status)
			return status;
		for (uint32_t i = 0; i < count; i++)
			widen_section(file, bytes + (size_t)i * table->entry_size,
				      &file->sections[first + i], &name_offsets[first + i]);
	}
	return SMELT_OK;
}

static enum smelt_status read_names(struct elf_file *file, uint32_t names_index,
				    const uint32_t *name_offsets, struct smelt_error *error)
{
	const struct elf_section *names = &file->sections[names_index];
	enum smelt_status status;

	if (names_index == SHN_UNDEF || elf_section_has_no_bytes(names))
		return SMELT_OK;
	status = elf_section_check_range(file, names_index, error);
	if (status)
		return error_prefix(error, "section names");
	if (names->size >= SIZE_MAX)
		return error_no_memory(error);
	file->section_names = malloc((size_t)names->size + 1);
	if (!file->section_names)
		return error_no_memory(error);
	status = elf_file_read_at(file, names_index, names->offset, file->section_names,
				  (size_t)names->size, error);
	if (status)
		return status;
	file->section_names[names->size] = '\0';
	for (uint32_t i = 0; i < file->section_count; i++)
		if (name_offsets[i] < names->size)
			file->sections[i].name = file->section_names + name_offsets[i];
	return SMELT_OK;
}

static enum smelt_status read_sections(struct elf_file *file, struct table_location *table,
				       struct smelt_error *error)
{
	enum smelt_status status;
	uint32_t *name_offsets;
	size_t allocated;

	if (table->offset != 0) {
		if (table->entry_size !=
		    (file->header.is_64bit ? sizeof(Elf64_Shdr) : sizeof(Elf32_Shdr)))
			return error_set(error, SMELT_BAD_DATA,
					 "%s: ELF header: section headers of %u bytes", file->path,
					 table->entry_size);
		status = resolve_extended_numbering(file, table, error);
		if (!status)
			status = check_table(file, table, error);
		if (status)
			return status;
	} else {
		*table = (struct table_location){ 0 };
	}

	/* Index 0 must be valid even in a file without section headers. */
	allocated = table->count ? table->count : 1;
	file->sections = calloc(allocated, sizeof(*file->sections));
	file->contents = calloc(allocated, sizeof(*file->contents));
	name_offsets = calloc(allocated, sizeof(*name_offsets));
	if (!file->sections || !file->contents || !name_offsets) {
		free(name_offsets);
		return error_no_memory(error);
	}
	file->sections[0].name = "";
	file->section_count = table->count;
	file->table_offset = table->offset;
	file->names_section = table->names;
	status = read_headers(file, table, name_offsets, error);
	if (!status)
		status = read_names(file, table->names, name_offsets, error);
	free(name_offsets);
	return status;
}

static enum smelt_status open_descriptor(struct elf_file *file, struct smelt_error *error)
{
	struct stat info;

	/*
	 * Looked at before it is opened: opening a FIFO waits for a writer, opening a device can
	 * have effects, and the path may come out of another file (.gnu_debugaltlink).
	 */
	if (stat(file->path, &info) != 0)
		return error_os(error, "open", file->path);
	if (S_ISDIR(info.st_mode))
		return error_set(error, SMELT_NOT_ELF, "%s: is a directory", file->path);
	if (!S_ISREG(info.st_mode))
		return error_set(error, SMELT_NOT_ELF, "%s: not a regular file", file->path);
	file->fd = open(file->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (file->fd < 0)
		return error_os(error, "open", file->path);
	if (fstat(file->fd, &info) != 0)
		return error_os(error, "stat", file->path);
	file->size = (uint64_t)info.st_size;
	file->device = info.st_dev;
	file->inode = info.st_ino;
	return SMELT_OK;
}

static enum smelt_status open_and_read(struct elf_file *file, struct smelt_error *error)
{
	struct table_location table = { 0 };
	enum smelt_status status = open_descriptor(file, error);

	if (!status)
		status = parse_header(file, &table, error);
	if (!status)
		status = read_sections(file, &table, error);
	if (!status)
		status = elf_file_prepare_relocatable(file, error);
	return status;
}

enum smelt_status elf_file_open(const char *path, struct elf_file **file, struct smelt_error *error)
{
	struct elf_file *opened = calloc(1, sizeof(*opened));
	enum smelt_status status;

	if (!opened)
		return error_no_memory(error);
	opened->fd = -1;
	pthread_mutex_init(&opened->lock, NULL);
	opened->path = strdup(path);
	status = opened->path ? open_and_read(opened, error) : error_no_memory(error);
	if (status) {
		elf_file_close(opened);
		return status;
	}
	*file = opened;
	return SMELT_OK;
}

void elf_file_close(struct elf_file *file)
{
	if (!file)
		return;
	for (uint32_t i = 0; file->contents && i < file->section_count; i++) {
		if (file->contents[i].mapped_size)
			munmap(file->contents[i].memory, file->contents[i].mapped_size);
		else
			free(file->contents[i].memory);
	}
	if (file->fd >= 0)
		close(file->fd);
	pthread_mutex_destroy(&file->lock);
	free(file->symbols.values);
	free(file->next_relocation);
	free(file->first_relocation);
	free(file->addresses);
	free(file->section_names);
	free(file->contents);
	free(file->sections);
	free(file->path);
	free(file);
}

const char *elf_file_path(const struct elf_file *file)
{
	return file->path;
}

const struct elf_header *elf_file_header(const struct elf_file *file)
{
	return &file->header;
}

uint32_t elf_file_section_count(const struct elf_file *file)
{
	return file->section_count;
}

const struct elf_section *elf_file_section(const struct elf_file *file, uint32_t index)
{
	return &file->sections[index];
}

/* `name` is ".debug_x" and `found` is ".zdebug_x". */
static bool is_zdebug_spelling(const char *name, const char *found)
{
	return strncmp(found, ".z", 2) == 0 && strncmp(name, ".debug_", 7) == 0 &&
	       strcmp(found + 2, name + 1) == 0;
}

uint32_t elf_file_next_section(const struct elf_file *file, const char *name, uint32_t previous)
{
	for (uint32_t i = previous + 1; i < file->section_count; i++) {
		const char *found = file->sections[i].name;

		if (strcmp(found, name) == 0 || is_zdebug_spelling(name, found))
			return i;
	}
	return 0;
}

uint32_t elf_file_find_section(const struct elf_file *file, const char *name)
{
	return elf_file_next_section(file, name, 0);
}
