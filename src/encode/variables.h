/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Which variables are encoded. */
#ifndef ENCODE_VARIABLES_H
#define ENCODE_VARIABLES_H

#include <stdbool.h>
#include <stdint.h>

#include "encode/tag_list.h"

struct encoded_variable {
	uint32_t name;
	uint32_t type; /* number of the set */
	uint32_t section;
	uint32_t offset; /* in the section */
	uint32_t size;   /* bytes */
	bool is_external;
	const struct tag_list *tags; /* NULL: none */
};

/* Whether BTF (as kernels check it) allows a variable to be called so. */
bool variable_name_is_valid(const char *name);

/* Things of a kernel build that have an address but are nobody's variable. */
bool variable_name_is_internal(const char *name);

#endif
