/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Pointers into the arena of a BPF program: a kfunc's flags say that its result or one of its first two
 * parameters is one. In BTF that is a pointer to a tagged pointee; one pair of records per
 * pointee, right before the first function that needs it, unless the base has them. See KFUNC_ARENA_*.
 */
#ifndef ENCODE_ARENA_POINTERS_H
#define ENCODE_ARENA_POINTERS_H

#include <stddef.h>
#include <stdint.h>

#include "base/key_map.h"

struct arena_pointer {
	uint32_t pointee;    /* number of the set */
	uint32_t tag_id;     /* BTF ids of the TYPE_TAG and the pointer to it: of the base, */
	uint32_t pointer_id; /* or given by number_records(); until then 0 */
};

struct arena_pointers {
	struct key_map by_pointee; /* index into items */
	struct arena_pointer *items;
	size_t count;
	size_t capacity;
};

void arena_pointers_deinit(struct arena_pointers *pointers);

#endif
