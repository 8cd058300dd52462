/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The variables of one section. */
#ifndef ENCODE_DATASEC_H
#define ENCODE_DATASEC_H

#include <stdint.h>

struct datasec_entry {
	uint32_t variable_id;
	uint32_t offset; /* in the section */
	uint32_t size;   /* bytes */
};

struct encoded_datasec {
	uint32_t name;
	uint32_t first_entry; /* in run->datasec_entries, by variable */
	uint32_t entry_count;
	uint32_t offset; /* in the type section */
};

/* By offset; equal offsets keep their order. spare has room for count entries. */
void datasec_sort(struct datasec_entry *entries, struct datasec_entry *spare, uint32_t count);

/*
 * The size that the record states: where its last entry ends. That is neither the section's size nor the largest
 * end, but what BTF readers have always been given.
 */
uint32_t datasec_byte_size(const struct datasec_entry *sorted, uint32_t count);

#endif
