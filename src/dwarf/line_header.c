/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#include "dwarf/line_header.h"

#include <stdlib.h>
#include <string.h>

#include "base/byte_reader.h"
#include "dwarf/abbrev_plan.h"
#include "dwarf/constants.h"

enum { FORMATS_MAX = 255 }; /* their number is one byte */

struct header_reader {
	const struct line_sections *sections;
	struct byte_reader bytes;
	struct plan_context context;
	struct line_header *header;
};

/* What an entry of a table says of itself, DWARF 5, 6.2.4.1. */
struct entry_format {
	uint64_t content;
	uint64_t form;
};

void line_header_deinit(struct line_header *header)
{
	vector_deinit(&header->folders);
	vector_deinit(&header->files);
}

static enum line_header_status add_folder(struct header_reader *reader, const char *folder)
{
	const char **place = vector_push(&reader->header->folders);

	if (place == NULL)
		return LINE_HEADER_NO_MEMORY;
	*place = folder;
	return LINE_HEADER_OK;
}

static enum line_header_status add_file(struct header_reader *reader, const char *name,
					uint64_t folder)
{
	struct line_file *place = vector_push(&reader->header->files);

	if (place == NULL)
		return LINE_HEADER_NO_MEMORY;
	*place = (struct line_file){
		.name = name,
		.folder = folder < UINT32_MAX ? (uint32_t)folder : UINT32_MAX,
	};
	return LINE_HEADER_OK;
}

/* ---- Versions 2 to 4 ---- */

static enum line_header_status read_old_tables(struct header_reader *reader)
{
	enum line_header_status status = add_folder(reader, NULL);
	const char *text;

	while (!status && (text = byte_reader_string(&reader->bytes)) != NULL && *text != 0)
		status = add_folder(reader, text);
	if (!status)
		status = add_file(reader, NULL, 0);
	while (!status && (text = byte_reader_string(&reader->bytes)) != NULL && *text != 0) {
		uint64_t folder = byte_reader_uleb128(&reader->bytes);

		(void)byte_reader_uleb128(&reader->bytes); /* when it was changed */
		(void)byte_reader_uleb128(&reader->bytes); /* its size */
		status = add_file(reader, text, folder);
	}
	return status;
}

/* ---- Version 5 ---- */

static enum line_header_status section_text(const struct line_section *section, uint64_t offset,
					    const char **text)
{
	if (offset >= section->size ||
	    memchr(section->data + offset, 0, section->size - offset) == NULL)
		return LINE_HEADER_BAD_STRING;
	*text = (const char *)section->data + offset;
	return LINE_HEADER_OK;
}

static enum line_header_status read_text(struct header_reader *reader, uint64_t form,
					 const char **text)
{
	const unsigned size = reader->context.offset_size;

	switch (form) {
	case DW_FORM_string:
		*text = byte_reader_string(&reader->bytes);
		return LINE_HEADER_OK;
	case DW_FORM_line_strp:
		return section_text(&reader->sections->line_str,
				    byte_reader_unsigned(&reader->bytes, size), text);
	case DW_FORM_strp:
		return section_text(&reader->sections->str,
				    byte_reader_unsigned(&reader->bytes, size), text);
	default:
		return LINE_HEADER_BAD_FORM;
	}
}

static enum line_header_status skip_form(struct header_reader *reader, uint64_t form)
{
	int size = form <= UINT16_MAX ? dwarf_form_size((unsigned)form, &reader->context) : -1;

	if (size >= 0)
		(void)byte_reader_bytes(&reader->bytes, (uint64_t)size);
	else if (form == DW_FORM_udata || form == DW_FORM_strx)
		(void)byte_reader_uleb128(&reader->bytes);
	else if (form == DW_FORM_string)
		(void)byte_reader_string(&reader->bytes);
	else if (form == DW_FORM_block)
		(void)byte_reader_bytes(&reader->bytes, byte_reader_uleb128(&reader->bytes));
	else
		return LINE_HEADER_BAD_FORM;
	return LINE_HEADER_OK;
}

static enum line_header_status read_index(struct header_reader *reader, uint64_t form,
					  uint64_t *index)
{
	int size = form <= UINT16_MAX ? dwarf_form_size((unsigned)form, &reader->context) : -1;

	if (form == DW_FORM_udata)
		*index = byte_reader_uleb128(&reader->bytes);
	else if (size == 1 || size == 2 || size == 4 || size == 8)
		*index = byte_reader_unsigned(&reader->bytes, (unsigned)size);
	else
		return LINE_HEADER_BAD_FORM;
	return LINE_HEADER_OK;
}

static enum line_header_status read_entry(struct header_reader *reader,
					  const struct entry_format *formats, unsigned count,
					  const char **name, uint64_t *folder)
{
	enum line_header_status status = LINE_HEADER_OK;

	*name = NULL;
	*folder = 0;
	for (unsigned i = 0; i < count && !status; i++) {
		uint64_t form = formats[i].form;

		if (formats[i].content == DW_LNCT_path && form != DW_FORM_strx &&
		    (form < DW_FORM_strx1 || form > DW_FORM_strx4))
			status = read_text(reader, form, name);
		else if (formats[i].content == DW_LNCT_directory_index)
			status = read_index(reader, form, folder);
		else
			status = skip_form(reader, form);
	}
	return status;
}

/* A table of folders or files: the form of its entries, how many there are, and these. */
static enum line_header_status read_table(struct header_reader *reader, bool is_files)
{
	struct entry_format formats[FORMATS_MAX];
	enum line_header_status status = LINE_HEADER_OK;
	unsigned format_count = byte_reader_u8(&reader->bytes);
	uint64_t count;

	for (unsigned i = 0; i < format_count; i++) {
		formats[i].content = byte_reader_uleb128(&reader->bytes);
		formats[i].form = byte_reader_uleb128(&reader->bytes);
	}
	count = byte_reader_uleb128(&reader->bytes);
	/* Entries have a byte at least. */
	if (count > (uint64_t)(reader->bytes.end - reader->bytes.position))
		return LINE_HEADER_TRUNCATED;
	for (uint64_t i = 0; i < count && !status && !reader->bytes.fault; i++) {
		const char *name;
		uint64_t folder;

		status = read_entry(reader, formats, format_count, &name, &folder);
		if (!status)
			status = is_files ? add_file(reader, name, folder) :
					    add_folder(reader, name);
	}
	return status;
}

/* ---- All ---- */

/* Up to what follows the table of opcode lengths. */
static enum line_header_status read_start(struct header_reader *reader, unsigned *version)
{
	struct byte_reader *bytes = &reader->bytes;
	uint64_t size = byte_reader_u32(bytes);
	unsigned opcode_base;

	reader->context.offset_size = 4;
	if (size == UINT32_MAX) { /* DWARF 5, 7.4 */
		reader->context.offset_size = 8;
		size = byte_reader_u64(bytes);
	}
	if (bytes->fault || size > (uint64_t)(bytes->end - bytes->position))
		return LINE_HEADER_TRUNCATED;
	bytes->end = bytes->position + size;
	*version = byte_reader_u16(bytes);
	reader->context.version = (uint8_t)*version;
	if (!bytes->fault && (*version < 2 || *version > 5))
		return LINE_HEADER_BAD_VERSION;
	if (*version >= 5) {
		reader->context.address_size = byte_reader_u8(bytes);
		(void)byte_reader_u8(bytes); /* segment selectors */
	}
	(void)byte_reader_unsigned(bytes, reader->context.offset_size); /* size of the header */
	/* minimum_instruction_length, (since 4) maximum_operations_per_instruction, default_is_stmt, line_base, line_range */
	(void)byte_reader_bytes(bytes, *version >= 4 ? 5 : 4);
	opcode_base = byte_reader_u8(bytes);
	if (opcode_base > 0)
		(void)byte_reader_bytes(bytes, opcode_base - 1);
	return LINE_HEADER_OK;
}

static enum line_header_status read_header(struct header_reader *reader)
{
	unsigned version;
	enum line_header_status status = read_start(reader, &version);

	if (status)
		return status;
	if (version < 5)
		return read_old_tables(reader);
	status = read_table(reader, false);
	return status ? status : read_table(reader, true);
}

enum line_header_status line_header_read(struct line_header *header,
					 const struct line_sections *sections, uint64_t offset)
{
	struct header_reader reader = { .sections = sections,
					.context = { .swap = sections->swap },
					.header = header };
	enum line_header_status status;

	header->folders.count = 0;
	header->files.count = 0;
	if (offset >= sections->line.size)
		return LINE_HEADER_TRUNCATED;
	reader.bytes = byte_reader_over(sections->line.data + offset, sections->line.size - offset,
					sections->swap);
	status = read_header(&reader);
	if (!status && reader.bytes.fault)
		status = LINE_HEADER_TRUNCATED;
	if (status)
		header->files.count = 0;
	return status;
}

const char *line_header_status_text(enum line_header_status status)
{
	switch (status) {
	case LINE_HEADER_OK:
		return "no error";
	case LINE_HEADER_NO_MEMORY:
		return "out of memory";
	case LINE_HEADER_TRUNCATED:
		return "the header runs beyond its program";
	case LINE_HEADER_BAD_VERSION:
		return "unknown version";
	case LINE_HEADER_BAD_FORM:
		return "unknown form of a file's name or folder";
	case LINE_HEADER_BAD_STRING:
		return "string outside its section";
	}
	return "unknown error";
}

const char *line_header_folder(const struct line_header *header, uint64_t file)
{
	uint32_t folder = header->files.items[file].folder;

	return folder < header->folders.count ? header->folders.items[folder] : NULL;
}
