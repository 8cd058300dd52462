/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#include "dwarf/unit_header.h"

#include "dwarf/constants.h"

static bool unit_type_has_signature(uint8_t unit_type)
{
	return unit_type == DW_UT_type || unit_type == DW_UT_split_type ||
	       unit_type == DW_UT_skeleton || unit_type == DW_UT_split_compile;
}

static void read_rest(struct byte_reader *reader, bool is_types_section, struct unit_header *header)
{
	header->unit_type = is_types_section ? DW_UT_type : DW_UT_compile;
	if (header->version >= 5) {
		header->unit_type = byte_reader_u8(reader);
		header->address_size = byte_reader_u8(reader);
		header->abbrev_offset = byte_reader_unsigned(reader, header->offset_size);
	} else {
		header->abbrev_offset = byte_reader_unsigned(reader, header->offset_size);
		header->address_size = byte_reader_u8(reader);
	}
	header->signature = 0;
	header->type_offset = 0;
	if (unit_type_has_signature(header->unit_type))
		header->signature = byte_reader_u64(reader);
	if (header->unit_type == DW_UT_type || header->unit_type == DW_UT_split_type)
		header->type_offset = byte_reader_unsigned(reader, header->offset_size);
	header->header_size = (uint8_t)(reader->position - reader->start);
}

enum unit_header_status unit_header_read(const uint8_t *bytes, uint64_t offset,
					 uint64_t section_size, bool swap, bool is_types_section,
					 struct unit_header *header)
{
	uint64_t left = section_size - offset;
	struct byte_reader reader = byte_reader_over(
		bytes, left < UNIT_HEADER_MAX_BYTES ? left : UNIT_HEADER_MAX_BYTES, swap);
	uint64_t length = byte_reader_u32(&reader);
	uint16_t version;
	uint64_t length_size;

	header->offset = offset;
	header->offset_size = 4;
	header->version = 0;
	if (length == 0xffffffff) {
		header->offset_size = 8;
		length = byte_reader_u64(&reader);
	}
	length_size = (uint64_t)(reader.position - reader.start);
	version = byte_reader_u16(&reader);
	if (reader.fault || length > left - length_size)
		return UNIT_HEADER_TRUNCATED;
	header->size = length + length_size;
	if (version < 2 || version > 5) {
		header->version = version > 255 ? 255 : (uint8_t)version;
		return UNIT_HEADER_BAD_VERSION;
	}
	header->version = (uint8_t)version;
	read_rest(&reader, is_types_section, header);
	if (reader.fault || header->header_size > header->size)
		return UNIT_HEADER_TRUNCATED;
	if (header->unit_type < DW_UT_compile || header->unit_type > DW_UT_split_type)
		return UNIT_HEADER_BAD_UNIT_TYPE;
	if (header->address_size != 2 && header->address_size != 4 && header->address_size != 8)
		return UNIT_HEADER_BAD_ADDRESS_SIZE;
	return UNIT_HEADER_OK;
}

const char *unit_header_status_text(enum unit_header_status status)
{
	switch (status) {
	case UNIT_HEADER_OK:
		return "no error";
	case UNIT_HEADER_TRUNCATED:
		return "the unit ends beyond the section";
	case UNIT_HEADER_BAD_VERSION:
		return "unknown DWARF version";
	case UNIT_HEADER_BAD_ADDRESS_SIZE:
		return "unknown address size";
	case UNIT_HEADER_BAD_UNIT_TYPE:
		return "unknown unit type";
	}
	return "unknown error";
}
