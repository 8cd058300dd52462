/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#include "dwarf/package_index.h"

#include "base/byte_reader.h"

/* DWARF 5, table 7.1, and what version 2 had in its place. */
enum {
	DW_SECT_INFO = 1,
	DW_SECT_TYPES = 2, /* version 2 */
	DW_SECT_ABBREV = 3,
	DW_SECT_LOCLISTS = 5, /* .debug_loc in version 2 */
	DW_SECT_STR_OFFSETS = 6,
};

static uint64_t number_at(const struct package_index *index, const uint8_t *bytes, unsigned size)
{
	struct byte_reader reader = byte_reader_over(bytes, size, index->swap);

	return byte_reader_unsigned(&reader, size);
}

static uint32_t word_at(const struct package_index *index, const uint8_t *words, uint64_t number)
{
	return (uint32_t)number_at(index, words + 4 * number, 4);
}

/* Version 2 is a word, from 5 on a half and two bytes of padding. */
static bool read_version(struct byte_reader *reader)
{
	struct byte_reader half = *reader;
	uint32_t word = byte_reader_u32(reader);

	return word == 2 || byte_reader_u16(&half) == 5;
}

static void read_columns(struct package_index *index, const uint8_t *ids)
{
	for (uint32_t column = 0; column < index->column_count; column++) {
		switch (word_at(index, ids, column)) {
		case DW_SECT_INFO:
		case DW_SECT_TYPES:
			index->columns[PACKAGE_INFO] = column + 1;
			break;
		case DW_SECT_ABBREV:
			index->columns[PACKAGE_ABBREV] = column + 1;
			break;
		case DW_SECT_LOCLISTS:
			index->columns[PACKAGE_LISTS] = column + 1;
			break;
		case DW_SECT_STR_OFFSETS:
			index->columns[PACKAGE_STR_OFFSETS] = column + 1;
			break;
		default:
			break;
		}
	}
}

bool package_index_read(struct package_index *index, const uint8_t *bytes, size_t size, bool swap)
{
	struct byte_reader reader = byte_reader_over(bytes, size, swap);
	struct package_index read = { .swap = swap };
	bool is_known = read_version(&reader);
	const uint8_t *ids;

	read.column_count = byte_reader_u32(&reader);
	read.row_count = byte_reader_u32(&reader);
	read.slot_count = byte_reader_u32(&reader);
	read.signatures = byte_reader_bytes(&reader, UINT64_C(8) * read.slot_count);
	read.rows = byte_reader_bytes(&reader, UINT64_C(4) * read.slot_count);
	/* More columns than there are kinds of sections, and the product below could overflow. */
	if (!is_known || read.column_count > 32)
		return false;
	ids = byte_reader_bytes(&reader, UINT64_C(4) * read.column_count);
	read.offsets = byte_reader_bytes(&reader, UINT64_C(4) * read.row_count * read.column_count);
	if (reader.fault || (read.slot_count & (read.slot_count - 1)) != 0)
		return false;
	read_columns(&read, ids);
	*index = read;
	return true;
}

bool package_index_find(const struct package_index *index, uint64_t id, uint32_t *row)
{
	uint32_t mask = index->slot_count - 1;
	uint32_t step = ((uint32_t)(id >> 32) & mask) | 1;
	uint32_t slot = (uint32_t)id & mask;

	for (uint32_t tried = 0; tried < index->slot_count; tried++, slot = (slot + step) & mask) {
		uint32_t found = word_at(index, index->rows, slot);

		if (found == 0)
			return false;
		if (number_at(index, index->signatures + UINT64_C(8) * slot, 8) != id)
			continue;
		*row = found - 1;
		return found <= index->row_count;
	}
	return false;
}

uint32_t package_index_offset(const struct package_index *index, uint32_t row,
			      enum package_section section)
{
	uint32_t column = index->columns[section];

	return column == 0 ? 0 :
			     word_at(index, index->offsets,
				     (uint64_t)row * index->column_count + column - 1);
}
