/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Headers of the units in .debug_info and .debug_types. DWARF 5, 7.5.1; DWARF 4, 7.5.1. */
#ifndef DWARF_UNIT_HEADER_H
#define DWARF_UNIT_HEADER_H

#include "base/byte_reader.h"

/* Longest header: 12 (length) + 2 + 1 + 1 + 8 (abbrev) + 8 (signature) + 8 (type offset). */
enum { UNIT_HEADER_MAX_BYTES = 40 };

struct unit_header {
	uint64_t offset; /* of the header in its section */
	uint64_t size;   /* of the whole unit, header included */
	uint64_t abbrev_offset;
	uint64_t signature;   /* type units: of the type; skeletons: the id of the split unit */
	uint64_t type_offset; /* type units: of the type's DIE, from `offset` */
	uint8_t header_size;  /* the root DIE follows */
	uint8_t version;      /* 2 .. 5 */
	uint8_t unit_type; /* DW_UT_*; up to DWARF 4 DW_UT_compile, or DW_UT_type in .debug_types */
	uint8_t address_size;
	uint8_t offset_size; /* 4: 32-bit DWARF, 8: 64-bit DWARF */
};

enum unit_header_status {
	UNIT_HEADER_OK = 0,
	UNIT_HEADER_TRUNCATED, /* the header, or the unit it announces, ends beyond the section */
	UNIT_HEADER_BAD_VERSION,
	UNIT_HEADER_BAD_ADDRESS_SIZE,
	UNIT_HEADER_BAD_UNIT_TYPE,
};

/*
 * Reads the header at `offset`. `bytes` holds min(UNIT_HEADER_MAX_BYTES, section_size - offset)
 * bytes from there on. header->version is set also when it is what is wrong.
 */
enum unit_header_status unit_header_read(const uint8_t *bytes, uint64_t offset,
					 uint64_t section_size, bool swap, bool is_types_section,
					 struct unit_header *header);

const char *unit_header_status_text(enum unit_header_status status);

#endif
