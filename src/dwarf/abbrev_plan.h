/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Abbreviations compiled to plans: what to read of a DIE and how far to move. DWARF 5, 7.5.3.
 *
 * An abbreviation is used thousands of times, so everything that can be known from it is worked out
 * once, also when many units have it. Attributes nobody wants become skip counts. When all sizes are known (or all but a name
 * that comes first, in place), each wanted value has a fixed place and is one masked load away.
 */
#ifndef DWARF_ABBREV_PLAN_H
#define DWARF_ABBREV_PLAN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/byte_reader.h"
#include "base/vector.h"

/* Attributes a loader may want; index into die_values and bit in plan->present. */
enum die_attr {
	ATTR_NAME,
	ATTR_TYPE,
	ATTR_BYTE_SIZE,
	ATTR_MEMBER_LOCATION,
	ATTR_CONST_VALUE,
	ATTR_SIBLING,
	ATTR_BIT_SIZE,
	ATTR_BIT_OFFSET,
	ATTR_DATA_BIT_OFFSET,
	ATTR_ENCODING,
	ATTR_DECLARATION,
	ATTR_UPPER_BOUND,
	ATTR_COUNT,
	ATTR_LOW_PC,
	ATTR_ABSTRACT_ORIGIN,
	ATTR_SPECIFICATION,
	ATTR_LOCATION,
	ATTR_EXTERNAL,
	ATTR_ARTIFICIAL,
	ATTR_INLINE,
	ATTR_CALLING_CONVENTION,
	ATTR_SIGNATURE,
	ATTR_GNU_ANNOTATION,
	ATTR_LANGUAGE,
	ATTR_PRODUCER,
	ATTR_STR_OFFSETS_BASE,
	ATTR_ADDR_BASE,
	ATTR_LOCLISTS_BASE,
	ATTR_DWO_NAME,
	ATTR_DWO_ID, /* DWARF 4; later it is in the header */
	ATTR_COMP_DIR,
	ATTR_GNU_VECTOR,
	/* From here on only die_reader_details() reads them: they are in no plan. */
	ATTR_PLAN_MAX,
	ATTR_ACCESSIBILITY = ATTR_PLAN_MAX,
	ATTR_ALIGNMENT,
	ATTR_CONTAINING_TYPE,
	ATTR_DECL_FILE,
	ATTR_DECL_LINE,
	ATTR_DISCRIMINANT,
	ATTR_DISCRIMINANT_LIST,
	ATTR_DISCRIMINANT_VALUE,
	ATTR_HIGH_PC,
	ATTR_LINKAGE_NAME,
	ATTR_LOWER_BOUND,
	ATTR_STMT_LIST,
	ATTR_STRING_LENGTH,
	ATTR_VIRTUALITY,
	ATTR_VTABLE_SLOT,
	ATTR_MAX,
	ATTR_UNWANTED = ATTR_MAX,
};

#define ATTR_BIT(attr) (UINT64_C(1) << (attr))

_Static_assert(ATTR_PLAN_MAX <= 32 && ATTR_MAX <= 64, "sets of attributes are bit masks");

/* Where a value of at most four bytes lies: (load32(base + offset) & mask) + constant. */
struct plan_field {
	uint32_t offset;
	uint32_t mask;
	uint32_t constant;
	uint32_t shift; /* big endian: the load is shifted right by this before masking */
};

enum plan_layout {
	PLAN_GENERIC,          /* use the operations */
	PLAN_FIXED,            /* fields count from the end of the abbreviation code */
	PLAN_FIXED_AFTER_NAME, /* a name in place (DW_FORM_string) comes first; fields count from its end */
};

/* What a loader can do with a DIE without looking further, when its layout is fixed. */
enum plan_fast {
	FAST_NONE,
	FAST_BASICS,     /* nothing wanted but name, type, value and sibling */
	FAST_LEAF,       /* the same, a pointer, qualifier or typedef without children */
	FAST_FORWARD,    /* a declaration of a struct or union; in a fast_plan FAST_LEAF */
	FAST_MEMBER,     /* the same, a member without children */
	FAST_BIT_MEMBER, /* a bit field without children, its place given by DW_AT_data_bit_offset */
	FAST_ENUMERATOR,
	FAST_PARAMETER,
	FAST_STRUCT,   /* FAST_BASICS of a structure or union, with or without children */
	FAST_FUNCTION, /* of a subroutine type */
	FAST_ARRAY,
	FAST_SUBRANGE, /* without children, the value is a constant upper bound */
};

/* What to do with a DIE inside a function's body, when the sizes of all its attributes are known. */
enum plan_body {
	BODY_OTHER, /* look closer */
	BODY_PASS,  /* nothing wanted, no children: step over body_size bytes */
	BODY_ENTER, /* the same, and its children are part of the body */
};

/*
 * All that the short way through a DIE needs, in half a cache line, by abbreviation code: names are
 * offsets of four bytes in .debug_str or in place, references are DW_FORM_ref4.
 */
struct fast_plan {
	uint8_t kind;          /* enum plan_fast; FAST_NONE: go the long way */
	uint8_t name_in_place; /* comes first; the offsets count from its end */
	uint8_t tag;           /* DW_TAG_*, below 256 */
	uint8_t size;          /* bytes of all attributes, but a name in place */
	uint8_t name_offset;
	uint8_t type_offset;
	uint8_t value_offset;
	uint8_t value_shift;
	uint32_t name_mask; /* all ones, or 0: absent */
	uint32_t type_mask;
	uint32_t value_mask;
	uint32_t value_constant;
	uint8_t has_children;
	uint8_t body; /* enum plan_body; valid whatever `kind` is */
	uint16_t body_size;
	uint8_t bit_size_offset;
	uint8_t bit_size_mask; /* 0xff, or 0: the constant alone */
	uint8_t bit_size_constant;
	uint8_t padding;
};

/* Skip `skip` bytes, then one value of `form` (0: nothing more). */
struct plan_op {
	uint32_t skip;
	uint16_t form;
	uint8_t attr; /* enum die_attr; ATTR_UNWANTED: skip it */
	int64_t implicit;
};

struct die_plan {
	uint16_t tag;
	uint8_t layout; /* enum plan_layout */
	uint8_t fast;   /* enum plan_fast */
	bool has_children;
	bool crosses_units;     /* some attribute may refer to another unit */
	uint32_t present;       /* ATTR_BIT of the wanted attributes that are there */
	uint32_t size;          /* PLAN_FIXED*: bytes of all attributes (but the name in place) */
	uint32_t first_op;      /* to read the wanted attributes */
	uint32_t first_skip_op; /* to step over all: only what has no fixed size */
	struct plan_field name; /* PLAN_FIXED* from here on; absent: mask and constant 0 */
	struct plan_field type;
	/* member: location or data bit offset; enumerator: const value; subrange: upper bound; else byte size */
	struct plan_field value;
	struct plan_field bit_size; /* members only */
	uint32_t fixed_size; /* bytes of all attributes if all have fixed sizes, else UINT32_MAX */
	struct plan_field sibling;
};

/* What sizes depend on besides the form. */
struct plan_context {
	uint8_t version;
	uint8_t address_size;
	uint8_t offset_size;
	bool swap;
};

/* An abbreviation that has a plan: its bytes from the tag on, in known_bytes. */
struct known_abbrev {
	uint64_t hash;
	uint32_t offset;
	uint32_t size;
	struct plan_context context;
	struct fast_plan fast;
};

/*
 * Plans that any number of tables share, of one thread. Every unit of a program has a table of its own that says mostly what the
 * tables before it said.
 */
struct plan_pool {
	VECTOR(struct die_plan) plans;
	VECTOR(struct plan_op) ops;
	VECTOR(struct plan_op) skip_ops;
	VECTOR(struct known_abbrev) known; /* one per plan */
	VECTOR(uint8_t) known_bytes;
	VECTOR(uint32_t) slots; /* hash table: index in `known` + 1, or 0 */
	uint32_t generation;    /* changes when plans are forgotten */
};

struct abbrev_table {
	struct plan_pool *pool;
	uint64_t offset;     /* in .debug_abbrev; UINT64_MAX when there is no valid table */
	uint32_t generation; /* of the pool; if that is another, the table is not valid */
	bool crosses_units;  /* some attribute may refer to another unit */
	/* code → index of the plan + 1; codes of most tables are 1, 2, 3, ... */
	VECTOR(uint32_t) by_code;
	VECTOR(struct fast_plan) fast; /* as long as by_code */
	VECTOR(uint64_t)
	sparse; /* code, index + 1 pairs, sorted by code, when codes are not small */
};

enum abbrev_status {
	ABBREV_OK = 0,
	ABBREV_NO_MEMORY,
	ABBREV_TRUNCATED,
	ABBREV_BAD_TAG,
	ABBREV_BAD_FORM, /* its size is unknown, so nothing after it can be read */
	ABBREV_DUPLICATE_CODE,
};

void plan_pool_init(struct plan_pool *pool);
void plan_pool_deinit(struct plan_pool *pool);

/* The pool must outlive the table. */
void abbrev_table_init(struct abbrev_table *table, struct plan_pool *pool);
void abbrev_table_deinit(struct abbrev_table *table);

/*
 * Compiles the table at `offset` < size of the section; on failure *fault_offset is where, in the section. The
 * table's memory is reused.
 */
enum abbrev_status abbrev_table_compile(struct abbrev_table *table, const uint8_t *section,
					uint64_t size, uint64_t offset,
					const struct plan_context *context, uint64_t *fault_offset);

const char *abbrev_status_text(enum abbrev_status status);

const struct die_plan *abbrev_table_find_sparse(const struct abbrev_table *table, uint64_t code);

static inline bool abbrev_table_is_valid(const struct abbrev_table *table)
{
	return table->offset != UINT64_MAX && table->generation == table->pool->generation;
}

/* NULL when the code is not in the table. */
static inline const struct die_plan *abbrev_table_find(const struct abbrev_table *table,
						       uint64_t code)
{
	if (code < table->by_code.count) {
		uint32_t index = table->by_code.items[code];

		return index ? &table->pool->plans.items[index - 1] : NULL;
	}
	return table->sparse.count ? abbrev_table_find_sparse(table, code) : NULL;
}

/* Size in bytes of a form whose size is known without the data, or -1. */
int dwarf_form_size(unsigned form, const struct plan_context *context);

#endif
