/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* A unit of the file made ready to be read: its bytes, its abbreviations, where its lists begin. */
#include <string.h>

#include "load/load_internal.h"

enum smelt_status unit_error(const struct unit_load *load, struct smelt_error *error,
			     enum smelt_status status, uint64_t offset, const char *cause)
{
	const struct info_section *section =
		&load->loader->info_sections.items[load->unit->section];

	return error_set(error, status, "%s: %s: unit at offset 0x%llx: entry at offset 0x%llx: %s",
			 elf_file_path(load->sections->file), section->name,
			 (unsigned long long)load->unit->header.offset,
			 (unsigned long long)(load->unit->header.offset + offset), cause);
}

enum smelt_status unit_reader_error(const struct unit_load *load, struct smelt_error *error)
{
	if (load->out_of_memory)
		return error_no_memory(error);
	return unit_error(load, error, SMELT_BAD_DATA, load->reader.fault_offset,
			  die_fault_text(load->reader.fault));
}

/* The unit's bytes in this worker's window into the section, moved there if need be; NULL: cannot be mapped. */
static const uint8_t *window_bytes(struct unit_load *load, const struct info_section *section)
{
	/* Consecutive units share a window; measured, larger ones gain nothing. */
	enum { WINDOW_BYTES = 1024 * 1024 };
	const struct unit_header *header = &load->unit->header;
	struct elf_window *window = &load->worker->window;
	uint64_t left, size = header->size > WINDOW_BYTES ? header->size : WINDOW_BYTES;

	if (load->worker->window_section != section || header->offset < window->offset ||
	    header->offset + header->size > window->offset + window->size) {
		left = section->size - header->offset;
		if (size > left)
			size = left;
		load->worker->window_section = section;
		if (elf_window_map(load->sections->file, section->index, header->offset, size,
				   window))
			return NULL;
	}
	return window->data + (header->offset - window->offset);
}

/* The unit's bytes in memory, with the sixteen readable bytes after them that the reader needs. */
static enum smelt_status load_bytes(struct unit_load *load, struct smelt_error *error)
{
	const struct info_section *section =
		&load->loader->info_sections.items[load->unit->section];
	const struct unit_header *header = &load->unit->header;
	struct load_worker *worker = load->worker;
	enum smelt_status status;
	const uint8_t *bytes;

	if (section->dwo_path != NULL) {
		struct elf_bytes content;

		status = elf_section_load(load->sections->file, section->index, &content, error);
		if (status)
			return status;
		bytes = content.data + header->offset;
	} else {
		bytes = section->is_plain ? window_bytes(load, section) :
					    section->bytes.data + header->offset;
	}
	if (bytes == NULL) {
		if (!vector_reserve(&worker->unit_bytes, header->size + 16))
			return error_no_memory(error);
		status = elf_section_read(load->sections->file, section->index, header->offset,
					  worker->unit_bytes.items, header->size, error);
		if (status)
			return status;
		memset(worker->unit_bytes.items + header->size, 0, 16);
		bytes = worker->unit_bytes.items;
	}
	load->reader.bytes = bytes;
	load->reader.position = bytes + header->header_size;
	load->reader.end = bytes + header->size;
	return SMELT_OK;
}

static bool same_context(const struct plan_context *a, const struct plan_context *b)
{
	return a->version == b->version && a->address_size == b->address_size &&
	       a->offset_size == b->offset_size && a->swap == b->swap;
}

/* Tables used lately are kept: units may share one, or take turns with a few. */
static enum smelt_status load_abbrevs(struct unit_load *load, struct smelt_error *error)
{
	const struct elf_bytes *section = &load->sections->abbrev;
	struct load_worker *worker = load->worker;
	uint64_t offset = load->unit->header.abbrev_offset, fault_offset = 0;
	enum abbrev_status status;
	unsigned place;

	for (unsigned i = 0; i < ABBREV_TABLES; i++) {
		if (worker->abbrevs[i].offset == offset &&
		    abbrev_table_is_valid(&worker->abbrevs[i]) &&
		    worker->abbrev_owner[i] == load->sections &&
		    same_context(&worker->abbrev_context[i], &load->reader.context)) {
			load->reader.abbrevs = &worker->abbrevs[i];
			return SMELT_OK;
		}
	}
	place = worker->next_abbrev++ % ABBREV_TABLES;
	if (offset >= section->size)
		return unit_error(load, error, SMELT_BAD_DATA, 0,
				  "its abbreviation table is outside .debug_abbrev");
	status = abbrev_table_compile(&worker->abbrevs[place], section->data, section->size, offset,
				      &load->reader.context, &fault_offset);
	if (status == ABBREV_NO_MEMORY)
		return error_no_memory(error);
	if (status)
		return error_set(error, SMELT_BAD_DATA, "%s: .debug_abbrev: offset 0x%llx: %s",
				 elf_file_path(load->sections->file),
				 (unsigned long long)fault_offset, abbrev_status_text(status));
	worker->abbrev_owner[place] = load->sections;
	worker->abbrev_context[place] = load->reader.context;
	load->reader.abbrevs = &worker->abbrevs[place];
	return SMELT_OK;
}

static enum smelt_status set_unit(struct unit_load *load, const struct file_unit *unit,
				  struct smelt_error *error)
{
	struct dwarf_loader *loader = load->loader;
	const struct info_section *section = &loader->info_sections.items[unit->section];
	enum smelt_status status;

	load->unit = unit;
	status = split_sections(load, section, &load->sections, error);
	if (status)
		return status;
	load->index_delta = loader->is_merged ? section->base + unit->header.offset : 0;
	load->name_limit = load->sections->is_primary && !loader->settles_names ?
				   loader->names->section_size :
				   0;
	load->unit_size = unit->header.size < UINT32_MAX ? (uint32_t)unit->header.size : UINT32_MAX;
	load->reader = (struct die_reader){
		.context = { .version = unit->header.version,
			     .address_size = unit->header.address_size,
			     .offset_size = unit->header.offset_size,
			     .swap = loader->swap },
	};
	return SMELT_OK;
}

enum smelt_status unit_open(struct unit_load *load, const struct file_unit *unit,
			    struct smelt_error *error)
{
	enum smelt_status status = set_unit(load, unit, error);

	if (status)
		return status;
	if (unit->header.size > UINT32_MAX)
		return unit_error(load, error, SMELT_UNSUPPORTED, 0, "the unit is over 4 GiB");
	status = load_bytes(load, error);
	return status ? status : load_abbrevs(load, error);
}

/* Bases that a unit does not state lie after the header of their section. DWARF 5, 3.1.1, 7.26 to 7.29. */
void unit_read_bases(struct unit_load *load, const struct die_values *values)
{
	bool new_form = load->unit->header.version >= 5;
	bool wide = load->unit->header.offset_size == 8;

	load->str_offsets_base = new_form ? (wide ? 16 : 8) : 0;
	load->addr_base = new_form ? (wide ? 16 : 8) : 0;
	load->loclists_base = new_form ? (wide ? 20 : 12) : 0;
	if (load->unit->split != NULL) {
		const struct split_unit *split = load->unit->split;

		load->str_offsets_base += split->str_offsets_start;
		load->loclists_base += split->lists_start;
		load->addr_base = split->addr_base;
		return;
	}
	if (values_have(values, ATTR_STR_OFFSETS_BASE))
		load->str_offsets_base = values->values[ATTR_STR_OFFSETS_BASE].number;
	if (values_have(values, ATTR_ADDR_BASE))
		load->addr_base = values->values[ATTR_ADDR_BASE].number;
	if (values_have(values, ATTR_LOCLISTS_BASE))
		load->loclists_base = values->values[ATTR_LOCLISTS_BASE].number;
}
