/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Section numbers never change, since symbols, groups and other headers have them in many
 * places: a section that goes leaves an empty header (SHT_NULL, "inactive"), which the next new
 * section may take. Program headers are not touched either. A section that moves into the tail
 * is no longer part of a segment, so it loses SHF_ALLOC and its address; the segment keeps
 * the old bytes.
 * gABI chapter 4, "ELF Header", "Sections"; chapter 5, "Program Header".
 */
#include "elf/section_update.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "elf/elf_internal.h"
#include "elf/endian_bytes.h"

enum {
	/* Records of BTF are made of 32-bit words; readers map them. */
	SECTION_ALIGNMENT = 4,
	COMPARE_BYTES = 1 << 16,
};

/* What a file ends in while a temporary tail is there. */
static const char unfinished[] = "smelt:unfinished";
enum { UNFINISHED_BYTES = sizeof(unfinished) - 1 };

/* Where things are in the tail. */
struct tail_layout {
	uint64_t names;
	uint64_t table;
	uint64_t end;
};

static size_t section_header_size(const struct elf_file *file)
{
	return file->header.is_64bit ? sizeof(Elf64_Shdr) : sizeof(Elf32_Shdr);
}

static uint64_t align_up(uint64_t value, uint64_t alignment)
{
	return (value + alignment - 1) & -alignment;
}

/* Next section of this name behind `previous`, or 0. */
static uint32_t next_called(const struct elf_file *file, const char *name, uint32_t previous)
{
	for (uint32_t i = previous + 1; i < file->section_count; i++)
		if (strcmp(file->sections[i].name, name) == 0)
			return i;
	return 0;
}

/* Whether the bytes in the file are these; what cannot be read is not. */
static bool section_equals(const struct elf_file *file, uint32_t index,
			   const struct smelt_elf_section *wanted)
{
	const struct elf_section *section = &file->sections[index];
	uint8_t buffer[COMPARE_BYTES];

	if (section->type != SHT_PROGBITS || section->size != wanted->size ||
	    !elf_section_is_plain(file, index))
		return false;
	for (size_t done = 0; done < wanted->size;) {
		size_t size = wanted->size - done < sizeof(buffer) ? wanted->size - done :
								     sizeof(buffer);

		if (elf_section_read(file, index, done, buffer, size, NULL) ||
		    memcmp(buffer, (const uint8_t *)wanted->data + done, size) != 0)
			return false;
		done += size;
	}
	return true;
}

static bool file_has(const struct elf_file *file, const struct smelt_elf_section *wanted)
{
	uint32_t index = next_called(file, wanted->name, 0);

	if (!wanted->data || index == 0)
		return !wanted->data && index == 0;
	return next_called(file, wanted->name, index) == 0 && section_equals(file, index, wanted);
}

static bool file_has_all(const struct elf_file *file, const struct smelt_elf_section *sections,
			 size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!file_has(file, &sections[i]))
			return false;
	return true;
}

static bool is_unfinished(const struct elf_file *file)
{
	char end[UNFINISHED_BYTES];

	return file->size > sizeof(end) &&
	       !elf_file_read_at(file, 0, file->size - sizeof(end), end, sizeof(end), NULL) &&
	       memcmp(end, unfinished, sizeof(end)) == 0;
}

static enum smelt_status check_names(const struct elf_update *update, struct smelt_error *error)
{
	const struct elf_file *file = update->file;
	uint32_t index = file->names_section;

	if (index == SHN_UNDEF || elf_section_has_no_bytes(&file->sections[index]))
		return error_set(error, SMELT_UNSUPPORTED,
				 "%s: has no section names; sections cannot be added", file->path);
	if (file->sections[index].type != SHT_STRTAB)
		return elf_section_error(file, index, SMELT_BAD_DATA, error,
					 "has the section names, but is no string table");
	if (elf_section_is_compressed(file, index))
		return elf_section_error(file, index, SMELT_UNSUPPORTED, error,
					 "section names are compressed");
	for (size_t i = 0; i < update->count; i++)
		if (strcmp(file->sections[index].name, update->sections[i].name) == 0)
			return elf_section_error(file, index, SMELT_UNSUPPORTED, error,
						 "has the section names and cannot be replaced");
	return SMELT_OK;
}

/* The names as they are, with room for those of all new sections. */
static enum smelt_status load_names(struct elf_update *update, struct smelt_error *error)
{
	const struct elf_file *file = update->file;
	const struct elf_section *section = &file->sections[file->names_section];
	enum smelt_status status;
	size_t room = 1;

	for (size_t i = 0; i < update->count; i++)
		room += strlen(update->sections[i].name) + 1;
	if (section->size > SIZE_MAX - room)
		return error_no_memory(error);
	update->names = malloc((size_t)section->size + room);
	if (!update->names)
		return error_no_memory(error);
	update->names_size = (size_t)section->size;
	status = elf_file_read_at(file, file->names_section, section->offset, update->names,
				  update->names_size, error);
	if (!status && update->names[0] != '\0')
		status = elf_section_error(file, file->names_section, SMELT_BAD_DATA, error,
					   "does not start with an empty name");
	return status;
}

/* Offset of a name that is there, perhaps as the end of a longer one. */
static uint32_t name_offset(const struct elf_update *update, const char *name)
{
	const char *found = memmem(update->names, update->names_size, name, strlen(name) + 1);

	assert(found);
	return (uint32_t)(found - update->names);
}

/* load_names() has made room. */
static void add_name(struct elf_update *update, const char *name)
{
	size_t size = strlen(name) + 1;

	if (memmem(update->names, update->names_size, name, size))
		return;
	if (update->names[update->names_size - 1] != '\0')
		update->names[update->names_size++] = '\0';
	memcpy(update->names + update->names_size, name, size);
	update->names_size += size;
}

static enum smelt_status load_table(struct elf_update *update, struct smelt_error *error)
{
	const struct elf_file *file = update->file;
	size_t entry_size = section_header_size(file);

	update->table = calloc(file->section_count + update->count, entry_size);
	update->slots = calloc(update->count, sizeof(*update->slots));
	if (!update->table || !update->slots)
		return error_no_memory(error);
	update->table_count = file->section_count;
	return elf_file_read_at(file, 0, file->table_offset, update->table,
				file->section_count * entry_size, error);
}

/* A name outside the names reads as none, but would be one once these have grown. */
static enum smelt_status check_name_offsets(const struct elf_update *update,
					    struct smelt_error *error)
{
	const struct elf_file *file = update->file;
	uint64_t size = file->sections[file->names_section].size;

	for (uint32_t i = 0; i < file->section_count; i++) {
		uint32_t offset = load_u32(update->table + i * section_header_size(file),
					   file->header.is_big_endian);

		if (offset >= size)
			return elf_section_error(file, i, SMELT_BAD_DATA, error,
						 "name at offset 0x%" PRIx32
						 " is outside the section names",
						 offset);
	}
	return SMELT_OK;
}

static uint8_t *table_entry(const struct elf_update *update, uint8_t *table, uint32_t index)
{
	return table + index * section_header_size(update->file);
}

/* sh_type is behind sh_name in either class. */
static uint32_t entry_type(const struct elf_update *update, uint32_t index)
{
	return load_u32(table_entry(update, update->table, index) + offsetof(Elf64_Shdr, sh_type),
			update->file->header.is_big_endian);
}

static void clear_entry(struct elf_update *update, uint32_t index)
{
	memset(table_entry(update, update->table, index), 0, section_header_size(update->file));
}

static bool is_replaced(const struct elf_update *update, uint32_t index)
{
	const struct elf_file *file = update->file;

	for (size_t i = 0; i < update->count && index < file->section_count; i++)
		if (strcmp(file->sections[index].name, update->sections[i].name) == 0)
			return true;
	return false;
}

static void drop_old_sections(struct elf_update *update)
{
	for (uint32_t i = 1; i < update->file->section_count; i++)
		if (is_replaced(update, i))
			clear_entry(update, i);
}

/* 0 is no slot. */
static bool slot_is_taken(const struct elf_update *update, uint32_t index)
{
	for (size_t i = 0; i < update->count; i++)
		if (index != 0 && update->slots[i] == index)
			return true;
	return false;
}

/* An inactive header, or a new one at the end. */
static uint32_t free_slot(struct elf_update *update)
{
	for (uint32_t i = 1; i < update->table_count; i++)
		if (entry_type(update, i) == SHT_NULL && !slot_is_taken(update, i))
			return i;
	return update->table_count++;
}

/* A section keeps its number if the file has one of its name already. */
static void assign_slots(struct elf_update *update)
{
	for (size_t i = 0; i < update->count; i++)
		if (update->sections[i].data)
			update->slots[i] = next_called(update->file, update->sections[i].name, 0);
	for (size_t i = 0; i < update->count; i++)
		if (update->sections[i].data && update->slots[i] == 0)
			update->slots[i] = free_slot(update);
}

/* Takes out what relocates old sections: it would hit other bytes now. */
static void drop_relocations(struct elf_update *update)
{
	const struct elf_file *file = update->file;

	for (uint32_t i = 1; i < file->section_count; i++) {
		const struct elf_section *section = &file->sections[i];

		if ((section->type == SHT_REL || section->type == SHT_RELA) &&
		    (is_replaced(update, section->info) || slot_is_taken(update, section->info)))
			clear_entry(update, i);
	}
}

static void raise_end(const struct elf_file *file, uint64_t *end, uint64_t offset, uint64_t size)
{
	/* Beyond the file there is nothing to keep; headers of debug files say such things. */
	uint64_t this_end = size > file->size || offset > file->size - size ? file->size :
									      offset + size;

	if (size > 0 && *end < this_end)
		*end = this_end;
}

/* Sections that stay where they are. */
static void raise_end_to_sections(struct elf_update *update)
{
	const struct elf_file *file = update->file;

	for (uint32_t i = 1; i < file->section_count; i++) {
		const struct elf_section *section = &file->sections[i];

		if (i != file->names_section && !elf_section_has_no_bytes(section) &&
		    entry_type(update, i) != SHT_NULL)
			raise_end(file, &update->content_end, section->offset, section->size);
	}
}

static void raise_end_to_segment(struct elf_update *update, const uint8_t *entry)
{
	const struct elf_header *header = &update->file->header;
	bool is_64bit = header->is_64bit;
	uint64_t offset, size;

	offset = load_word(entry + (is_64bit ? offsetof(Elf64_Phdr, p_offset) :
					       offsetof(Elf32_Phdr, p_offset)),
			   is_64bit, header->is_big_endian);
	size = load_word(entry + (is_64bit ? offsetof(Elf64_Phdr, p_filesz) :
					     offsetof(Elf32_Phdr, p_filesz)),
			 is_64bit, header->is_big_endian);
	raise_end(update->file, &update->content_end, offset, size);
}

/* Offset, number and size of program headers, checked. */
static enum smelt_status find_program_headers(const struct elf_update *update, uint64_t *table,
					      uint32_t *count, size_t *entry_size,
					      struct smelt_error *error)
{
	const struct elf_file *file = update->file;
	const uint8_t *header = update->header;
	bool is_64bit = file->header.is_64bit;
	bool big = file->header.is_big_endian;
	uint16_t stated_size;

	*entry_size = is_64bit ? sizeof(Elf64_Phdr) : sizeof(Elf32_Phdr);
	*table = load_word(
		header + (is_64bit ? offsetof(Elf64_Ehdr, e_phoff) : offsetof(Elf32_Ehdr, e_phoff)),
		is_64bit, big);
	stated_size = load_u16(header + (is_64bit ? offsetof(Elf64_Ehdr, e_phentsize) :
						    offsetof(Elf32_Ehdr, e_phentsize)),
			       big);
	*count = load_u16(
		header + (is_64bit ? offsetof(Elf64_Ehdr, e_phnum) : offsetof(Elf32_Ehdr, e_phnum)),
		big);
	if (*count == PN_XNUM)
		*count = file->sections[0].info;
	if (*count == 0)
		return SMELT_OK;
	if (stated_size == *entry_size && *table <= file->size &&
	    *count <= (file->size - *table) / *entry_size)
		return SMELT_OK;
	return error_set(error, SMELT_BAD_DATA,
			 "%s: program header table: offset 0x%" PRIx64 " and %" PRIu32
			 " entries of %u bytes exceed the file size 0x%" PRIx64,
			 file->path, *table, *count, stated_size, file->size);
}

static enum smelt_status raise_end_to_segments(struct elf_update *update, struct smelt_error *error)
{
	enum { BATCH = 64 };
	const struct elf_file *file = update->file;
	uint8_t entries[BATCH * sizeof(Elf64_Phdr)];
	uint64_t table;
	uint32_t count;
	size_t entry_size;
	enum smelt_status status = find_program_headers(update, &table, &count, &entry_size, error);

	if (status)
		return status;
	raise_end(file, &update->content_end, table, (uint64_t)count * entry_size);
	for (uint32_t first = 0; first < count; first += BATCH) {
		uint32_t read = count - first < BATCH ? count - first : BATCH;

		status = elf_file_read_at(file, 0, table + (uint64_t)first * entry_size, entries,
					  read * entry_size, error);
		if (status)
			return status;
		for (uint32_t i = 0; i < read; i++)
			raise_end_to_segment(update, entries + i * entry_size);
	}
	return SMELT_OK;
}

static enum smelt_status load_header(struct elf_update *update, struct smelt_error *error)
{
	update->header_size = update->file->header.is_64bit ? sizeof(Elf64_Ehdr) :
							      sizeof(Elf32_Ehdr);
	update->content_end = update->header_size;
	return elf_file_read_at(update->file, 0, 0, update->header, update->header_size, error);
}

enum smelt_status elf_update_init(struct elf_update *update, const struct elf_file *file,
				  const struct smelt_elf_section *sections, size_t count,
				  struct smelt_error *error)
{
	enum smelt_status status = SMELT_OK;

	*update = (struct elf_update){ .file = file, .sections = sections, .count = count };
	update->is_needed = !file_has_all(file, sections, count) || is_unfinished(file);
	if (!update->is_needed)
		return SMELT_OK;
	status = check_names(update, error);
	if (!status)
		status = load_header(update, error);
	if (!status)
		status = load_names(update, error);
	if (!status)
		status = load_table(update, error);
	if (!status)
		status = check_name_offsets(update, error);
	if (status)
		return status;
	drop_old_sections(update);
	assign_slots(update);
	drop_relocations(update);
	for (size_t i = 0; i < count; i++)
		if (sections[i].data)
			add_name(update, sections[i].name);
	raise_end_to_sections(update);
	return raise_end_to_segments(update, error);
}

void elf_update_deinit(struct elf_update *update)
{
	free(update->names);
	free(update->slots);
	free(update->table);
}

/* Serialises a section header. */
static void put_entry(const struct elf_file *file, uint8_t *entry, uint32_t name,
		      const struct elf_section *section)
{
	bool is_64bit = file->header.is_64bit;
	bool big = file->header.is_big_endian;
	size_t word = is_64bit ? 8 : 4;
	uint8_t *rest = entry + 8 + 4 * word; /* behind sh_size */

	store_u32(entry, name, big);
	store_u32(entry + 4, section->type, big);
	store_word(entry + 8, section->flags, is_64bit, big);
	store_word(entry + 8 + word, section->address, is_64bit, big);
	store_word(entry + 8 + 2 * word, section->offset, is_64bit, big);
	store_word(entry + 8 + 3 * word, section->size, is_64bit, big);
	store_u32(rest, section->link, big);
	store_u32(rest + 4, section->info, big);
	store_word(rest + 8, section->alignment, is_64bit, big);
	store_word(rest + 8 + word, section->entry_size, is_64bit, big);
}

static struct tail_layout lay_out(const struct elf_update *update, uint64_t offset)
{
	struct tail_layout layout;

	for (size_t i = 0; i < update->count; i++)
		if (update->sections[i].data)
			offset = align_up(offset, SECTION_ALIGNMENT) + update->sections[i].size;
	layout.names = offset;
	layout.table = align_up(offset + update->names_size, update->file->header.address_size);
	layout.end = layout.table + update->table_count * section_header_size(update->file);
	return layout;
}

/* The new sections, with their headers. */
static void fill_sections(const struct elf_update *update, struct elf_tail *tail, uint8_t *table)
{
	uint64_t offset = tail->offset;

	for (size_t i = 0; i < update->count; i++) {
		const struct smelt_elf_section *section = &update->sections[i];
		struct elf_section entry = { .type = SHT_PROGBITS,
					     .size = section->size,
					     .alignment = SECTION_ALIGNMENT };

		if (!section->data)
			continue;
		offset = align_up(offset, SECTION_ALIGNMENT);
		entry.offset = offset;
		put_entry(update->file, table_entry(update, table, update->slots[i]),
			  name_offset(update, section->name), &entry);
		memcpy(tail->data + (offset - tail->offset), section->data, section->size);
		offset += section->size;
	}
}

/* Headers of the names and of the null section, which has the number of sections if it is large. */
static void fill_special_entries(const struct elf_update *update, const struct tail_layout *layout,
				 uint8_t *table)
{
	const struct elf_file *file = update->file;
	struct elf_section names = file->sections[file->names_section];
	struct elf_section null_section = file->sections[0];
	uint8_t *entry = table_entry(update, table, file->names_section);

	if (names.flags & SHF_ALLOC) {
		names.flags &= ~(uint64_t)SHF_ALLOC;
		names.address = 0;
	}
	names.offset = layout->names;
	names.size = update->names_size;
	put_entry(file, entry, load_u32(entry, file->header.is_big_endian), &names);

	null_section.size = update->table_count < SHN_LORESERVE ? 0 : update->table_count;
	put_entry(file, table, load_u32(table, file->header.is_big_endian), &null_section);
}

/* e_shstrndx stays, as the number of the section does. */
static void fill_header(const struct elf_update *update, uint64_t table_offset, uint8_t *header)
{
	bool is_64bit = update->file->header.is_64bit;
	bool big = update->file->header.is_big_endian;
	uint32_t count = update->table_count;

	memcpy(header, update->header, update->header_size);
	store_word(
		header + (is_64bit ? offsetof(Elf64_Ehdr, e_shoff) : offsetof(Elf32_Ehdr, e_shoff)),
		table_offset, is_64bit, big);
	store_u16(
		header + (is_64bit ? offsetof(Elf64_Ehdr, e_shnum) : offsetof(Elf32_Ehdr, e_shnum)),
		count < SHN_LORESERVE ? (uint16_t)count : 0, big);
}

enum smelt_status elf_update_build(const struct elf_update *update, uint64_t offset,
				   bool is_temporary, struct elf_tail *tail,
				   struct smelt_error *error)
{
	const struct elf_file *file = update->file;
	struct tail_layout layout = lay_out(update, offset);
	uint8_t *table;

	assert(offset >= update->content_end);
	*tail = (struct elf_tail){ .offset = offset };
	if (!file->header.is_64bit && layout.end > UINT32_MAX)
		return error_set(error, SMELT_UNSUPPORTED,
				 "%s: a 32-bit file cannot grow beyond 4 GiB", file->path);
	tail->size = (size_t)(layout.end - offset) + (is_temporary ? UNFINISHED_BYTES : 0);
	tail->data = calloc(1, tail->size);
	if (!tail->data)
		return error_no_memory(error);
	table = tail->data + (layout.table - offset);
	memcpy(table, update->table, update->table_count * section_header_size(file));
	memcpy(tail->data + (layout.names - offset), update->names, update->names_size);
	fill_sections(update, tail, table);
	fill_special_entries(update, &layout, table);
	if (is_temporary)
		memcpy(tail->data + (layout.end - offset), unfinished, UNFINISHED_BYTES);
	fill_header(update, layout.table, tail->header);
	return SMELT_OK;
}

void elf_tail_deinit(struct elf_tail *tail)
{
	free(tail->data);
	*tail = (struct elf_tail){ 0 };
}
