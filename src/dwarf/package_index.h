/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The index of a package file (.dwp): .debug_cu_index for units, .debug_tu_index for type units. A package holds the sections of
 * many .dwo files one behind the other; the index tells by a unit's id where its part of each section is. DWARF 5,
 * 7.3.5; version 2 is the form GNU tools made before, for DWARF 4.
 */
#ifndef DWARF_PACKAGE_INDEX_H
#define DWARF_PACKAGE_INDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum package_section {
	PACKAGE_INFO, /* .debug_info, or .debug_types of DWARF 4 */
	PACKAGE_ABBREV,
	PACKAGE_LISTS, /* .debug_loclists, or .debug_loc of DWARF 4 */
	PACKAGE_STR_OFFSETS,
	PACKAGE_SECTIONS
};

/* Points into the section's bytes, which must stay. A zeroed index has no units. */
struct package_index {
	const uint8_t *signatures; /* hash table: ids */
	const uint8_t *rows;       /* for each of these the number of its row from 1 up, 0: free */
	const uint8_t *offsets;    /* table of offsets, by row and column */
	uint32_t row_count;
	uint32_t slot_count; /* a power of two */
	uint32_t column_count;
	uint32_t columns[PACKAGE_SECTIONS]; /* number of the column + 1; 0: none */
	bool swap;
};

/* False: not an index of a known version, or it is longer than the section. */
bool package_index_read(struct package_index *index, const uint8_t *bytes, size_t size, bool swap);

/* The row, from 0 up, of the unit with this id; false: there is none. */
bool package_index_find(const struct package_index *index, uint64_t id, uint32_t *row);

/* Where the part of a row's unit begins in a section; 0 when it has none. */
uint32_t package_index_offset(const struct package_index *index, uint32_t row,
			      enum package_section section);

#endif
