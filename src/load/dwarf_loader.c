/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Finding a file's DWARF: its sections, its units, and whether these must be loaded as one. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dwarf/constants.h"
#include "load/load_internal.h"

/* Owner and type of the note in which a kernel says that it was built with link-time optimisation. */
static const char lto_note_owner[] = "Linux";
enum { LTO_NOTE_TYPE = 0x101 };

static uint32_t find_section(const struct elf_file *file, const char *name, const char *suffix)
{
	char text[32];

	snprintf(text, sizeof(text), "%s%s", name, suffix);
	return elf_file_find_section(file, text);
}

/* A section that may be absent. */
static enum smelt_status load_optional(struct elf_file *file, const char *name, const char *suffix,
				       struct elf_bytes *bytes, struct smelt_error *error)
{
	uint32_t index = find_section(file, name, suffix);

	*bytes = (struct elf_bytes){ 0 };
	return index ? elf_section_load(file, index, bytes, error) : SMELT_OK;
}

enum smelt_status load_sections(struct elf_file *file, const char *suffix,
				struct dwarf_sections *sections, struct smelt_error *error)
{
	const struct {
		const char *name;
		struct elf_bytes *bytes;
	} wanted[] = {
		{ ".debug_abbrev", &sections->abbrev },
		{ ".debug_str", &sections->str },
		{ ".debug_line_str", &sections->line_str },
		{ ".debug_str_offsets", &sections->str_offsets },
		{ ".debug_addr", &sections->addr },
	};

	sections->file = file;
	for (size_t i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++) {
		enum smelt_status status =
			load_optional(file, wanted[i].name, suffix, wanted[i].bytes, error);

		if (status)
			return status;
	}
	sections->is_split = *suffix != 0;
	sections->loclists_index = find_section(file, ".debug_loclists", suffix);
	sections->loc_index = find_section(file, ".debug_loc", suffix);
	return SMELT_OK;
}

static const char *info_section_name(bool is_split, bool is_types)
{
	if (is_split)
		return is_types ? ".debug_types.dwo" : ".debug_info.dwo";
	return is_types ? ".debug_types" : ".debug_info";
}

static enum smelt_status add_info_section(struct dwarf_loader *loader,
					  const struct dwarf_sections *sections, uint32_t index,
					  bool is_types, struct smelt_error *error)
{
	struct info_section *section = vector_push(&loader->info_sections);

	if (section == NULL)
		return error_no_memory(error);
	*section = (struct info_section){
		.sections = sections,
		.name = info_section_name(sections->is_split, is_types),
		.size = elf_section_content_size(sections->file, index),
		.index = index,
		.is_types = is_types,
		.is_plain = elf_section_is_plain(sections->file, index),
		.base = loader->index_end,
	};
	loader->index_end += section->size;
	return section->is_plain ? SMELT_OK :
				   elf_section_load(sections->file, index, &section->bytes, error);
}

enum smelt_status add_info_sections(struct dwarf_loader *loader,
				    const struct dwarf_sections *sections,
				    struct smelt_error *error)
{
	struct elf_file *file = sections->file;
	enum smelt_status status = SMELT_OK;

	for (unsigned is_types = 0; is_types < 2; is_types++) {
		const char *name = info_section_name(sections->is_split, is_types);
		uint32_t index = elf_file_find_section(file, name);

		for (; index != 0 && status == SMELT_OK;
		     index = elf_file_next_section(file, name, index)) {
			if (elf_section_content_size(file, index) != 0)
				status = add_info_section(loader, sections, index, is_types, error);
		}
	}
	return status;
}

static enum smelt_status read_header_bytes(const struct info_section *section, uint64_t offset,
					   uint8_t *buffer, struct smelt_error *error)
{
	uint64_t size = section->size;
	size_t count = size - offset < UNIT_HEADER_MAX_BYTES ? (size_t)(size - offset) :
							       UNIT_HEADER_MAX_BYTES;

	memset(buffer, 0, UNIT_HEADER_MAX_BYTES);
	if (section->is_plain)
		return elf_section_read(section->sections->file, section->index, offset, buffer,
					count, error);
	memcpy(buffer, section->bytes.data + offset, count);
	return SMELT_OK;
}

enum smelt_status read_unit(struct dwarf_loader *loader, uint32_t number, uint64_t offset,
			    struct file_unit *unit, struct smelt_error *error)
{
	const struct info_section *section = &loader->info_sections.items[number];
	uint8_t bytes[UNIT_HEADER_MAX_BYTES];
	enum unit_header_status bad;
	enum smelt_status status;

	*unit = (struct file_unit){ .section = number };
	if (offset >= section->size)
		return error_set(error, SMELT_BAD_DATA, "%s: %s: no unit at offset 0x%llx",
				 elf_file_path(section->sections->file), section->name,
				 (unsigned long long)offset);
	status = read_header_bytes(section, offset, bytes, error);
	if (status)
		return status;
	bad = unit_header_read(bytes, offset, section->size, loader->swap, section->is_types,
			       &unit->header);
	if (bad)
		return error_set(error, SMELT_BAD_DATA, "%s: %s: unit at offset 0x%llx: %s",
				 elf_file_path(section->sections->file), section->name,
				 (unsigned long long)offset, unit_header_status_text(bad));
	return SMELT_OK;
}

enum smelt_status index_section(struct dwarf_loader *loader, uint32_t number,
				struct smelt_error *error)
{
	uint64_t size = loader->info_sections.items[number].size;

	for (uint64_t offset = 0; offset < size;) {
		struct file_unit *unit = vector_push(&loader->units);
		enum smelt_status status;

		if (unit == NULL)
			return error_no_memory(error);
		status = read_unit(loader, number, offset, unit, error);
		if (status)
			return status;
		offset += unit->header.size;
	}
	return SMELT_OK;
}

static bool unit_needs_merge(const struct file_unit *unit)
{
	return unit->header.unit_type == DW_UT_type || unit->header.unit_type == DW_UT_split_type ||
	       unit->header.unit_type == DW_UT_partial;
}

static bool says_link_time_optimisation(struct dwarf_loader *loader)
{
	struct elf_bytes description;
	struct byte_reader reader;

	if (!elf_file_find_note(loader->file, lto_note_owner, LTO_NOTE_TYPE, &description) ||
	    description.size < 4)
		return false;
	reader = byte_reader_over(description.data, 4, loader->swap);
	return byte_reader_u32(&reader) != 0;
}

static void enter_signature(struct dwarf_loader *loader, const struct file_unit *unit)
{
	size_t mask = loader->signatures.count - 1;
	struct signature_entry *entry;

	for (size_t i = unit->header.signature;; i++) {
		entry = &loader->signatures.items[i & mask];
		if (entry->index_offset == 0 || entry->signature == unit->header.signature)
			break;
	}
	if (entry->index_offset != 0)
		return; /* copies of one type unit: COMDAT groups that were not linked */
	entry->signature = unit->header.signature;
	entry->index_offset = loader->info_sections.items[unit->section].base +
			      unit->header.offset + unit->header.type_offset;
}

static enum smelt_status index_signatures(struct dwarf_loader *loader, struct smelt_error *error)
{
	size_t count = 0, capacity = 16;

	for (size_t i = 0; i < loader->units.count; i++)
		count += loader->units.items[i].header.type_offset != 0;
	if (count == 0)
		return SMELT_OK;
	while (capacity < 2 * count)
		capacity *= 2;
	if (!vector_reserve(&loader->signatures, capacity))
		return error_no_memory(error);
	memset(loader->signatures.items, 0, capacity * sizeof(*loader->signatures.items));
	loader->signatures.count = capacity;
	for (size_t i = 0; i < loader->units.count; i++) {
		if (loader->units.items[i].header.type_offset != 0)
			enter_signature(loader, &loader->units.items[i]);
	}
	return SMELT_OK;
}

static uint64_t index_start(const struct dwarf_loader *loader, const struct file_unit *unit)
{
	return loader->info_sections.items[unit->section].base + unit->header.offset;
}

static int compare_starts(const void *a, const void *b, void *loader)
{
	uint64_t x = index_start(loader, a);
	uint64_t y = index_start(loader, b);

	return (x > y) - (x < y);
}

/*
 * The DIE index wants ascending offsets. Units of .dwo files, which are in the places of their skeletons, come after all
 * others; a unit that two skeletons share stays once.
 */
static enum smelt_status order_by_index(struct dwarf_loader *loader, struct smelt_error *error)
{
	struct file_unit *units = loader->units.items;
	uint64_t end = 0;
	size_t kept = 0;

	qsort_r(units, loader->units.count, sizeof(*units), compare_starts, loader);
	for (size_t i = 0; i < loader->units.count; i++) {
		uint64_t start = index_start(loader, &units[i]);

		if (kept > 0 && start == index_start(loader, &units[kept - 1]))
			continue;
		if (start < end)
			return error_set(error, SMELT_BAD_DATA,
					 "%s: the index of its .dwp file names units that overlap",
					 elf_file_path(loader->file));
		end = start + units[i].header.size;
		units[kept++] = units[i];
	}
	loader->units.count = kept;
	return SMELT_OK;
}

/* Decides whether the units, when they are known, are loaded as one, and prepares it. */
static enum smelt_status group_units(struct dwarf_loader *loader, struct smelt_error *error)
{
	enum smelt_status status = SMELT_OK;

	for (size_t i = 0; i < loader->units.count && !loader->is_merged; i++)
		loader->is_merged = unit_needs_merge(&loader->units.items[i]);
	if (!loader->is_merged)
		return SMELT_OK;
	if (loader->index_end > UINT32_MAX)
		return error_set(error, SMELT_UNSUPPORTED,
				 "%s: units refer to each other over more than 4 GiB",
				 elf_file_path(loader->file));
	if (loader->split.is_done)
		status = order_by_index(loader, error);
	return status ? status : index_signatures(loader, error);
}

static enum smelt_status index_units(struct dwarf_loader *loader, struct smelt_error *error)
{
	loader->is_merged = loader->alternate != NULL || says_link_time_optimisation(loader);
	for (uint32_t i = 0; i < loader->info_sections.count; i++) {
		enum smelt_status status = index_section(loader, i, error);

		if (status)
			return status;
	}
	return group_units(loader, error);
}

bool dwarf_loader_needs_reload(const struct dwarf_loader *loader)
{
	return (!loader->is_merged && atomic_load(&loader->needs_merge)) ||
	       (!loader->settles_names && atomic_load(&loader->names->settled_empty)) ||
	       (!loader->split.is_done && atomic_load(&loader->has_skeletons));
}

enum smelt_status dwarf_loader_prepare_reload(struct dwarf_loader *loader,
					      struct smelt_error *error)
{
	enum smelt_status status = SMELT_OK;

	loader->is_merged |= atomic_load(&loader->needs_merge);
	loader->settles_names |= atomic_load(&loader->names->settled_empty);
	memset((void *)loader->seen_names, 0, sizeof(*loader->seen_names) << loader->seen_bits);
	if (atomic_load(&loader->has_skeletons))
		status = split_open_units(loader, error);
	return status ? status : group_units(loader, error);
}

/* The file that holds the DWARF: the given one, or its separate debug file. */
static enum smelt_status find_dwarf(struct dwarf_loader *loader, struct elf_file **dwarf,
				    struct smelt_error *error)
{
	uint32_t index = elf_file_find_section(loader->file, ".debug_info");
	enum smelt_status status;

	*dwarf = loader->file;
	if (index != 0 && elf_section_content_size(loader->file, index) != 0)
		return SMELT_OK;
	if (elf_file_find_section(loader->file, ".debug_info.dwo") != 0)
		return error_set(
			error, SMELT_UNSUPPORTED,
			"%s: holds part of the DWARF of a program, which is to be given instead",
			elf_file_path(loader->file));
	status = elf_file_open_debug(loader->file, &loader->debug_file, error);
	if (status)
		return status;
	*dwarf = loader->debug_file;
	index = *dwarf ? elf_file_find_section(*dwarf, ".debug_info") : 0;
	if (index == 0 || elf_section_content_size(*dwarf, index) == 0)
		return error_set(error, SMELT_NO_DEBUG_INFO, "%s: no DWARF debug information",
				 elf_file_path(loader->file));
	return SMELT_OK;
}

static enum smelt_status open_sections(struct dwarf_loader *loader, struct smelt_error *error)
{
	const struct elf_header *header;
	struct elf_file *dwarf;
	enum smelt_status status = find_dwarf(loader, &dwarf, error);

	if (status)
		return status;
	header = elf_file_header(dwarf);
	loader->machine = header->machine;
	loader->is_big_endian = header->is_big_endian;
	loader->swap = header->is_big_endian == (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__);
	status = load_sections(dwarf, "", &loader->sections[0], error);
	if (status == SMELT_OK)
		status = add_info_sections(loader, &loader->sections[0], error);
	if (status == SMELT_OK)
		status = elf_file_open_alternate(dwarf, &loader->alternate, error);
	if (status || loader->alternate == NULL)
		return status;
	loader->alternate_base = loader->index_end;
	status = load_sections(loader->alternate, "", &loader->sections[1], error);
	return status ? status : add_info_sections(loader, &loader->sections[1], error);
}

/* The first loader of a context makes the table, over the strings of its file. */
static enum smelt_status use_names(struct dwarf_loader *loader, struct smelt_error *error)
{
	static const char fake_int[] = "__SANITIZED_FAKE_INT__";
	const struct elf_bytes *str = &loader->sections[0].str;
	struct load_context *context = loader->context;
	enum smelt_status status;

	if (context->names == NULL) {
		status = name_table_create(str->size ? (const char *)str->data : "", str->size,
					   loader->options.kabi_prefix, &context->names, error);
		if (status)
			return status;
		loader->sections[0].is_primary = true;
	}
	loader->names = context->names;
	loader->seen_bits = name_table_cache_bits(loader->names);
	loader->seen_names = calloc((size_t)1 << loader->seen_bits, sizeof(*loader->seen_names));
	if (loader->seen_names == NULL)
		return error_no_memory(error);
	loader->int_name = name_table_intern(loader->names, "int", 3);
	loader->fake_int_name = name_table_intern(loader->names, fake_int, sizeof(fake_int) - 1);
	if (loader->int_name == UINT32_MAX || loader->fake_int_name == UINT32_MAX)
		return error_no_memory(error);
	return SMELT_OK;
}

enum smelt_status dwarf_loader_create(struct load_context *context, struct elf_file *file,
				      const struct dwarf_load_options *options,
				      struct dwarf_loader **result, struct smelt_error *error)
{
	struct dwarf_loader *loader = calloc(1, sizeof(*loader));
	enum smelt_status status;

	if (loader == NULL)
		return error_no_memory(error);
	loader->context = context;
	loader->number = ++context->loader_count;
	loader->file = file;
	loader->options = *options;
	arena_init(&loader->split.arena);
	status = open_sections(loader, error);
	if (status == SMELT_OK)
		status = use_names(loader, error);
	if (status == SMELT_OK)
		status = index_units(loader, error);
	if (status) {
		dwarf_loader_destroy(loader);
		return status;
	}
	*result = loader;
	return SMELT_OK;
}

void dwarf_loader_destroy(struct dwarf_loader *loader)
{
	if (loader == NULL)
		return;
	split_deinit(&loader->split);
	elf_file_close(loader->debug_file);
	elf_file_close(loader->alternate);
	vector_deinit(&loader->info_sections);
	vector_deinit(&loader->units);
	vector_deinit(&loader->signatures);
	free(loader->seen_names);
	free(loader);
}

struct name_table *dwarf_loader_names(struct dwarf_loader *loader)
{
	return loader->names;
}

struct elf_file *dwarf_loader_file(struct dwarf_loader *loader)
{
	return loader->sections[0].file;
}

uint8_t dwarf_loader_address_size(const struct dwarf_loader *loader)
{
	return loader->units.count ? loader->units.items[0].header.address_size : 0;
}

bool dwarf_loader_is_big_endian(const struct dwarf_loader *loader)
{
	return loader->is_big_endian;
}

uint32_t dwarf_loader_unit_count(const struct dwarf_loader *loader)
{
	return loader->is_merged ? 1 : (uint32_t)loader->units.count;
}

uint32_t dwarf_loader_file_unit_count(const struct dwarf_loader *loader)
{
	return (uint32_t)loader->units.count;
}

uint32_t dwarf_loader_missing_units(const struct dwarf_loader *loader, const char **cause)
{
	*cause = loader->split.missing_cause.text;
	return loader->split.missing_count;
}
