/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Reading DIEs of one unit through their plans. DWARF 5, 2.2, 2.3, 7.5.
 *
 * The reader works on the bytes of the whole unit in memory; 16 readable bytes must follow them. A
 * fault (broken data) sticks in the reader, with the place where it was noticed; position then is
 * the end, so that every walk ends.
 */
#ifndef DWARF_DIE_READER_H
#define DWARF_DIE_READER_H

#include "dwarf/abbrev_plan.h"
#include "dwarf/unit_header.h"

/* What kind of thing a die_value is. */
enum die_value_class {
	VALUE_NONE = 0, /* absent, or in a form that means nothing here */
	VALUE_UNSIGNED, /* number zero-extended */
	VALUE_SIGNED,   /* number sign-extended */
	VALUE_ADDRESS,
	VALUE_ADDRESS_INDEX,
	VALUE_STRING, /* number: offset of the text from the start of the unit's bytes; in place */
	VALUE_STRP,   /* number: offset in .debug_str */
	VALUE_LINE_STRP,           /* number: offset in .debug_line_str */
	VALUE_STRP_ALT,            /* number: offset in .debug_str of the alternate file */
	VALUE_STRING_INDEX,        /* number: index into the unit's .debug_str_offsets */
	VALUE_REFERENCE,           /* number: offset from the unit's header */
	VALUE_REFERENCE_ADDRESS,   /* number: offset in .debug_info */
	VALUE_REFERENCE_ALT,       /* number: offset in .debug_info of the alternate file */
	VALUE_REFERENCE_SIGNATURE, /* number: type signature */
	VALUE_BLOCK, /* number: offset from the start of the unit's bytes; `size` bytes */
	VALUE_SECTION_OFFSET,
	VALUE_LIST_INDEX, /* number: index of a location or range list */
};

struct die_value {
	uint64_t number;
	uint32_t size; /* VALUE_BLOCK, VALUE_STRING (without the NUL) */
	uint32_t value_class;
};

/* A DIE's wanted attributes; only those in `present` are set. */
struct die_values {
	uint64_t present;
	struct die_value values[ATTR_MAX];
};

enum die_fault {
	DIE_OK = 0,
	DIE_TRUNCATED,  /* a value or the list of children runs beyond the unit */
	DIE_BAD_ABBREV, /* abbreviation code without abbreviation */
	DIE_BAD_FORM,
	DIE_BAD_SIBLING, /* sibling reference that does not point forward inside the unit */
	DIE_TOO_DEEP,
	DIE_BAD_STRING, /* string outside its section */
	DIE_NO_MEMORY,
};

/* Nesting beyond this is a fault; real programs stay under 100. */
enum { DIE_DEPTH_MAX = 1024 };

struct die_reader {
	const uint8_t *bytes; /* of the unit, from its header on */
	const uint8_t *end;
	const uint8_t *position; /* of the next DIE, or inside one while it is read */
	const struct abbrev_table *abbrevs;
	struct plan_context context;
	enum die_fault fault;
	uint64_t fault_offset; /* from `bytes` */
	uint64_t die_count;
};

void die_reader_fail(struct die_reader *reader, enum die_fault fault, const uint8_t *at);

static inline uint64_t die_reader_offset(const struct die_reader *reader)
{
	return (uint64_t)(reader->position - reader->bytes);
}

const struct die_plan *die_reader_next_slow(struct die_reader *reader);

/*
 * Reads the abbreviation code at the position: the plan of the DIE that starts here, or NULL at the
 * end of a list of children (a null entry) and on a fault. Its attributes come next.
 */
static inline const struct die_plan *die_reader_next(struct die_reader *reader)
{
	const uint8_t *position = reader->position;
	const struct abbrev_table *abbrevs = reader->abbrevs;
	uint32_t code;

	/* Sixteen bytes follow the unit, so two can be looked at wherever the position is inside it. */
	if (position >= reader->end)
		return NULL; /* producers may leave out the last null entries of a unit */
	code = *position++;
	/* Longer codes are beyond every table by code: the long way reads them. */
	if (code >= 0x80)
		code = *position < 0x80 ? (code & 0x7f) | (uint32_t)*position++ << 7 : UINT32_MAX;
	if (code == 0 && position <= reader->end) {
		reader->position = position;
		return NULL;
	}
	if (code < abbrevs->by_code.count && abbrevs->by_code.items[code] != 0 &&
	    position <= reader->end) {
		reader->position = position;
		reader->die_count++;
		return &abbrevs->pool->plans.items[abbrevs->by_code.items[code] - 1];
	}
	return die_reader_next_slow(reader);
}

static inline uint32_t plan_field_load(const struct plan_field *field, const uint8_t *base,
				       bool swap)
{
	uint32_t value;

	memcpy(&value, base + field->offset, sizeof(value));
	if (swap)
		value = bswap_32(value) >> field->shift;
	return (value & field->mask) + field->constant;
}

/*
 * For a fixed plan: the base its fields count from, position moved past the DIE's attributes. A name in place
 * starts where position was. NULL on a fault.
 */
static inline const uint8_t *die_reader_fixed(struct die_reader *reader,
					      const struct die_plan *plan)
{
	const uint8_t *base = reader->position;

	if (plan->layout == PLAN_FIXED_AFTER_NAME) {
		const uint8_t *nul = memchr(base, 0, (size_t)(reader->end - base));

		if (nul == NULL) {
			die_reader_fail(reader, DIE_TRUNCATED, base);
			return NULL;
		}
		base = nul + 1;
	}
	if (plan->size > (size_t)(reader->end - base)) {
		die_reader_fail(reader, DIE_TRUNCATED, base);
		return NULL;
	}
	reader->position = base + plan->size;
	return base;
}

/* Reads the wanted attributes of a DIE of any layout; position moves past them. */
void die_reader_values(struct die_reader *reader, const struct die_plan *plan,
		       struct die_values *values);

/*
 * As die_reader_values, for those few DIEs of which more is wanted than a plan keeps: all attributes that enum
 * die_attr knows.
 */
void die_reader_details(struct die_reader *reader, const struct die_plan *plan,
			struct die_values *values);

/* One value of op's form, also of a form given in the data (DW_FORM_indirect). */
struct die_value die_reader_value(struct die_reader *reader, struct byte_reader *bytes,
				  const struct plan_op *op);

void die_reader_skip_generic(struct die_reader *reader, const struct die_plan *plan);

/* Moves past the attributes without reading any. */
static inline void die_reader_skip(struct die_reader *reader, const struct die_plan *plan)
{
	if (plan->layout != PLAN_GENERIC)
		(void)die_reader_fixed(reader, plan);
	else
		die_reader_skip_generic(reader, plan);
}

/* Moves past the DIE whose plan was just read: attributes and all children. */
void die_reader_skip_tree(struct die_reader *reader, const struct die_plan *plan);
/* Moves past the rest of a list of children, its null entry included. */
void die_reader_skip_children(struct die_reader *reader);

const char *die_fault_text(enum die_fault fault);

#endif
