/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The declaration tags of one function or variable that are encoded: not empty, each once. */
#ifndef ENCODE_TAG_LIST_H
#define ENCODE_TAG_LIST_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "encode/issues.h"
#include "model/unit.h"

struct tag_list {
	uint32_t count;
	struct decl_tag tags[];
};

/* Room for `capacity` tags; NULL when out of memory. */
struct tag_list *tag_list_create(struct arena *arena, uint32_t capacity);

/*
 * Adds those of `tags` that have a text and are not in the list; the list has room for them. owner: name of the
 * declaration, for issues. False when out of memory.
 */
bool tag_list_add(struct tag_list *list, const struct decl_tag *tags, uint32_t count,
		  uint32_t owner, struct issue_log *issues);

#endif
