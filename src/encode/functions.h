/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The functions that are encoded, by name. */
#ifndef ENCODE_FUNCTIONS_H
#define ENCODE_FUNCTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "encode/arena_pointers.h"
#include "encode/prototypes.h"
#include "encode/run.h"
#include "encode/tag_list.h"

/*
 * Records: [TYPE_TAG, PTR for new arena pointers], [FUNC_PROTO if it is the first], [FUNC], DECL_TAGs. What
 * the base has is not repeated.
 */
struct encoded_function {
	uint32_t name;         /* of the group, or the full one of a symbol; 0: not encoded */
	uint32_t place;        /* in the table of prototypes */
	uint32_t first_id;     /* of its records */
	uint32_t prototype_id; /* if its prototype is the first of its kind, or in the base */
	uint32_t base_id;      /* of the base's function that it is, or 0 */
	uint32_t first_arena;  /* index into arena_pointers of those it is the first to need */
	uint16_t arena_count;
	uint16_t arena_records; /* theirs, as far as they are not in the base */
	bool has_own_prototype;
	struct tag_list *tags; /* NULL: none */
};

static inline const struct prototype *function_prototype(const struct encode_run *run,
							 uint32_t function)
{
	return run->prototypes->functions[function];
}

/*
 * base_functions.c: finds the function, its prototype and its tags in the base; order: of the prototype that stands
 * for its own. False when out of memory.
 */
bool find_function_in_base(struct encode_run *run, uint32_t function, uint32_t order,
			   struct arena *scratch);

/* BTF id of a type in a prototype. */
uint32_t prototype_type_id(const struct encode_run *run, uint32_t type);

/* The base's id of such a type, or BASE_NONE. */
uint32_t prototype_base_id(const struct encode_run *run, uint32_t type);

#endif
