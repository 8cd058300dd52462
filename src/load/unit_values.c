/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Attribute values of one unit in the model's terms: names, references, numbers, addresses. */
#include <string.h>

#include "load/load_internal.h"

static uint64_t read_sized(const uint8_t *bytes, unsigned size, bool swap)
{
	struct byte_reader reader = byte_reader_over(bytes, size, swap);

	return byte_reader_unsigned(&reader, size);
}

static void bad_string(struct unit_load *load)
{
	die_reader_fail(&load->reader, DIE_BAD_STRING, load->reader.position);
}

/* Text at an offset of a string section; NULL (and a fault) when it is not inside. */
static const char *section_text(struct unit_load *load, const struct elf_bytes *section,
				uint64_t offset, size_t *size)
{
	const uint8_t *nul;

	if (offset >= section->size) {
		bad_string(load);
		return NULL;
	}
	nul = memchr(section->data + offset, 0, section->size - offset);
	if (nul == NULL) {
		bad_string(load);
		return NULL;
	}
	*size = (size_t)(nul - (section->data + offset));
	return (const char *)section->data + offset;
}

/* DWARF 5, 7.26: an index into the unit's part of .debug_str_offsets. */
static bool string_index_offset(struct unit_load *load, uint64_t index, uint64_t *offset)
{
	const struct elf_bytes *table = &load->sections->str_offsets;
	unsigned size = load->unit->header.offset_size;
	uint64_t start = load->str_offsets_base;

	if (start > table->size || index >= (table->size - start) / size) {
		bad_string(load);
		return false;
	}
	*offset = read_sized(table->data + start + index * size, size, load->loader->swap);
	return true;
}

/* The section and offset of a text outside the unit; false on a fault. */
static bool locate_text(struct unit_load *load, const struct die_value *value,
			const struct elf_bytes **section, uint64_t *offset)
{
	*offset = value->number;
	switch (value->value_class) {
	case VALUE_STRP:
		*section = &load->sections->str;
		return true;
	case VALUE_LINE_STRP:
		*section = &load->sections->line_str;
		return true;
	case VALUE_STRP_ALT:
		*section = &load->loader->sections[1].str;
		return true;
	case VALUE_STRING_INDEX:
		*section = &load->sections->str;
		return string_index_offset(load, value->number, offset);
	default:
		return false;
	}
}

const char *load_text(struct unit_load *load, const struct die_value *value)
{
	const struct elf_bytes *section;
	uint64_t offset;
	size_t size;

	if (value->value_class == VALUE_STRING)
		return (const char *)load->reader.bytes + value->number;
	if (!locate_text(load, value, &section, &offset))
		return NULL;
	return section_text(load, section, offset, &size);
}

static uint32_t intern(struct unit_load *load, const char *text, size_t size)
{
	uint32_t name = name_table_intern(load->loader->names, text, size);

	if (name == UINT32_MAX) {
		walk_no_memory(load);
		return 0;
	}
	return name;
}

/* A name in the unit's own bytes. At least 16 readable bytes follow any position there. */
uint32_t load_short_name(struct unit_load *load, const char *text, size_t size)
{
	struct short_name *entry;
	uint64_t word;

	if (size >= 8)
		return intern(load, text, size);
	if (size == 0)
		return 0;
	memcpy(&word, text, 8);
	word &= (UINT64_C(1) << (8 * size)) -
		1; /* little endian host: the first bytes are the low ones */
	entry = &load->worker->short_names[word * UINT64_C(0x9e3779b97f4a7c15) >>
					   (64 - SHORT_NAMES_BITS)];
	if (entry->text != word) {
		uint32_t name = intern(load, text, size);

		if (name == 0)
			return 0;
		*entry = (struct short_name){ .text = word, .name = name };
	}
	return entry->name;
}

uint32_t load_name(struct unit_load *load, const struct die_value *value)
{
	const struct elf_bytes *section;
	const char *text;
	uint64_t offset;
	size_t size;

	if (value->value_class == VALUE_STRING)
		return load_short_name(load, (const char *)load->reader.bytes + value->number,
				       value->size);
	if (!locate_text(load, value, &section, &offset))
		return 0;
	if (load->sections->is_primary && section == &load->sections->str &&
	    offset < load->loader->names->section_size) {
		uint32_t name = name_table_from_offset(load->loader->names, (uint32_t)offset);

		if (name == UINT32_MAX)
			walk_no_memory(load);
		return name == UINT32_MAX ? 0 : name;
	}
	text = section_text(load, section, offset, &size);
	return text ? intern(load, text, size) : 0;
}

uint32_t load_settled_name(struct unit_load *load, uint32_t name)
{
	name = name_table_settle(load->loader->names, name);
	if (name != UINT32_MAX)
		return name;
	load->out_of_memory = true;
	return 0;
}

static uint64_t signature_lookup(const struct dwarf_loader *loader, uint64_t signature)
{
	size_t mask = loader->signatures.count - 1;

	if (loader->signatures.count == 0)
		return 0;
	for (size_t i = signature;; i++) {
		const struct signature_entry *entry = &loader->signatures.items[i & mask];

		if (entry->index_offset == 0 || entry->signature == signature)
			return entry->index_offset;
	}
}

uint32_t load_reference(struct unit_load *load, const struct die_value *value)
{
	const struct dwarf_loader *loader = load->loader;
	uint64_t offset;

	switch (value->value_class) {
	case VALUE_REFERENCE:
		offset = value->number;
		if (offset >= load->unit->header.size)
			return 0;
		offset += load->index_delta;
		break;
	case VALUE_REFERENCE_ADDRESS: /* both only in merged mode; see dwarf_loader.needs_merge */
		offset = value->number + loader->info_sections.items[load->unit->section].base;
		break;
	case VALUE_REFERENCE_ALT:
		offset = loader->alternate_base ? loader->alternate_base + value->number : 0;
		break;
	case VALUE_REFERENCE_SIGNATURE:
		offset = signature_lookup(loader, value->number);
		break;
	default:
		return 0;
	}
	return offset > UINT32_MAX ? 0 : (uint32_t)offset;
}

int64_t load_number(const struct die_values *values, enum die_attr attr)
{
	const struct die_value *value = &values->values[attr];

	if (!values_have(values, attr))
		return 0;
	switch (value->value_class) {
	case VALUE_UNSIGNED:
	case VALUE_SIGNED:
	case VALUE_ADDRESS:
		return (int64_t)value->number;
	default:
		return 0;
	}
}

bool load_address(struct unit_load *load, const struct die_value *value, uint64_t *address)
{
	const struct elf_bytes *table = &load->sections->addr;
	unsigned size = load->unit->header.address_size;

	if (value->value_class == VALUE_ADDRESS) {
		*address = value->number;
		return true;
	}
	if (value->value_class != VALUE_ADDRESS_INDEX || load->addr_base > table->size ||
	    value->number >= (table->size - load->addr_base) / size)
		return false;
	*address = read_sized(table->data + load->addr_base + value->number * size, size,
			      load->loader->swap);
	return true;
}
