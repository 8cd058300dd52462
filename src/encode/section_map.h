/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Which section an address lies in. Where sections overlap (.tbss and what follows it), the one
 * with the lowest index has it.
 */
#ifndef ENCODE_SECTION_MAP_H
#define ENCODE_SECTION_MAP_H

#include <stdbool.h>
#include <stdint.h>

/* [start, start + size) belongs to `section`. */
struct section_range {
	uint64_t start;
	uint64_t size;
	uint32_t section; /* 0: to none */
};

struct section_map {
	struct section_range *ranges; /* ascending, without overlap */
	uint32_t count;
};

/* sections: in order of index; may overlap. False when out of memory. */
bool section_map_init(struct section_map *map, const struct section_range *sections,
		      uint32_t count);
void section_map_deinit(struct section_map *map);

/* The section's index, or 0. */
uint32_t section_map_find(const struct section_map *map, uint64_t address);

#endif
