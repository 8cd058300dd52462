/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Location expressions cut into operations, and the expressions of a location list. Nothing is
 * evaluated. DWARF 5, 2.5, 2.6, 7.7; DWARF 4, 2.6.2.
 */
#ifndef DWARF_LOCATION_H
#define DWARF_LOCATION_H

#include "base/byte_reader.h"
#include "dwarf/abbrev_plan.h"

struct location_op {
	uint8_t code; /* DW_OP_* */
	uint64_t
		number; /* first operand; entry_value: register number + 1 if its expression is one reg op, else 0 */
};

/* Next operation; false at the end and on a fault (bytes->fault, or an unknown operation). */
bool location_next_op(struct byte_reader *bytes, const struct plan_context *context,
		      struct location_op *op);

enum { LOCATION_OPS_MAX = 64 };

/* Number of operations, at most LOCATION_OPS_MAX of which are stored; -1 on broken data. */
int location_read(const uint8_t *data, size_t size, const struct plan_context *context,
		  struct location_op ops[LOCATION_OPS_MAX]);

enum location_list_form {
	LOCATION_LIST_PAIRS,       /* .debug_loc: DWARF 4, 2.6.2 */
	LOCATION_LIST_ENTRIES,     /* .debug_loclists: DWARF 5, 7.7.3 */
	LOCATION_LIST_GNU_ENTRIES, /* .debug_loc.dwo */
};

/* Next expression of a list; false at the end and on a fault. */
bool location_list_next(struct byte_reader *list, enum location_list_form form,
			uint8_t address_size, const uint8_t **data, size_t *size);

#endif
