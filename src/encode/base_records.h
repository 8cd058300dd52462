/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Records of a base that a run may repeat and that are no types of the model. */
#ifndef ENCODE_BASE_RECORDS_H
#define ENCODE_BASE_RECORDS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "btf/reader.h"

struct base_records {
	const struct btf_view *view;
	uint32_t *heads; /* by name and target: lowest id of a chain, or 0 */
	uint32_t *next;  /* per id */
	uint64_t mask;
};

/* hash_bits: 0: all. Memory is that of `arena`; false when there is none. */
bool base_records_init(struct base_records *records, const struct btf_view *view,
		       unsigned hash_bits, struct arena *arena);

/* Ids, 0: there is none. Names are string offsets. */
uint32_t base_records_function(const struct base_records *records, uint32_t name,
			       uint32_t prototype);
uint32_t base_records_decl_tag(const struct base_records *records, uint32_t value, uint32_t type,
			       int32_t component);
/* A TYPE_TAG with the flag of compilers' attributes. */
uint32_t base_records_attribute(const struct base_records *records, uint32_t value, uint32_t type);

#endif
