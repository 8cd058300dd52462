/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * What one compilation unit says, free of any file format.
 *
 * Types of a unit are numbered by slots: 1 .. type_count-1 in the order in which their
 * descriptions end (a type nested in another comes before it); slot 0 is void. All names
 * are numbers of one name_table.
 */
#ifndef MODEL_UNIT_H
#define MODEL_UNIT_H

#include <stdbool.h>
#include <stdint.h>

#include "model/type_kind.h"

struct name_table;

/* A member, an enumerator or a parameter. */
struct model_item {
	uint32_t name;
	uint32_t type; /* slot; 0 for enumerators */
	uint64_t
		value; /* member: bit offset << 8 | bit size (0: no bit field); enumerator: value; else 0 */
};

static inline uint64_t model_item_bit_offset(const struct model_item *item)
{
	return item->value >> 8;
}

static inline uint8_t model_item_bit_size(const struct model_item *item)
{
	return (uint8_t)item->value;
}

struct model_type {
	uint32_t name;
	uint32_t type;       /* slot of the target, element, return type; 0: void or none */
	uint32_t size;       /* bytes; ARRAY: number of elements, all dimensions */
	uint32_t first_item; /* index into the unit's items */
	uint32_t
		item_count; /* members, enumerators, parameters; a final (0, 0) parameter is `...` */
	uint8_t kind;       /* enum type_kind */
	uint8_t flags;      /* enum type_flag */
	uint16_t reserved;
};

/*
 * A unit's types; scratch of the worker that loads it.
 *
 * Names of types and items may be provisional when `names` is set: taken from an offset in a string section
 * without a look whether another offset has the same text. A provisional name is no other text's number,
 * so equal names always mean equal texts; but different names mean different texts only
 * once they are settled (name_table_settle).
 */
struct model_unit {
	struct name_table *names;
	struct model_type *types; /* [0] is void */
	uint32_t type_count;
	struct model_item *items; /* not NULL, even without items */
	uint32_t item_count;
};

/* An attribute string on a declaration. */
struct decl_tag {
	uint32_t value;    /* name number of the text; 0: empty */
	int32_t component; /* index of the member or parameter, or -1 for the whole */
};

enum function_flag {
	FUNCTION_OPTIMIZED_PARAMETERS = 1,
	FUNCTION_UNEXPECTED_REGISTER = 2,
	FUNCTION_REORDERED = 4,
	FUNCTION_SIGNATURE_CHANGED = 8,
	FUNCTION_UNCERTAIN = 16,
	FUNCTION_OPTIMIZED_SYMBOL = 32,
};

struct function_parameter {
	uint32_t name;
	uint32_t type; /* slot */
};

/* One description of a function by one unit ("state" in the encoder's terms). */
struct function_state {
	uint64_t address;     /* 0: none */
	uint32_t group;       /* index into the run's symbol groups */
	uint32_t return_type; /* slot */
	uint32_t first_parameter;
	uint32_t parameter_count; /* a final (0, 0) is `...` */
	uint32_t first_tag;
	uint32_t tag_count;
	uint32_t
		symbol; /* index + 1 of the symbol with a suffix at this address (true signatures), or 0 */
	uint32_t flags; /* enum function_flag */
};

/* A variable at unit level with a fixed address. */
struct variable_record {
	uint64_t address;
	uint64_t size; /* bytes of its type; 0: unknown or empty */
	uint32_t name;
	uint32_t type; /* slot */
	uint32_t first_tag;
	uint32_t tag_count;
	bool is_external;
};

struct type_tag_record {
	uint32_t type; /* slot of a struct, union or typedef */
	struct decl_tag tag;
};

/* What is kept of a unit after its job; arrays live in run arenas. */
struct unit_record {
	uint32_t type_count; /* slots, with slot 0 */
	uint32_t int_slot;   /* first base type named `int`, or 0 */
	bool has_arrays;
	bool is_excluded;  /* by language or name */
	uint32_t *classes; /* per slot: the deduplicator's class */

	struct function_state *functions; /* in the order their descriptions end */
	uint32_t function_count;
	struct function_parameter *parameters;
	struct decl_tag *tags;             /* of functions and variables */
	struct variable_record *variables; /* document order */
	uint32_t variable_count;
	struct type_tag_record *type_tags; /* by slot, then in the order written */
	uint32_t type_tag_count;

	/*
	 * Names that recording the functions needs (parameters, tag values), in order of use; some
	 * that a lower unit uses as well may be missing.
	 */
	uint32_t *function_names;
	uint32_t function_name_count;

	uint64_t die_count;
	uint64_t type_die_count;
	uint64_t sanitized_count;
};

#endif
