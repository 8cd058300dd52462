/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Types of one program as text. All functions append to `printer->text`; none fails by itself,
 * whether memory was enough and nesting not too deep is asked at the end (printer_status).
 */
#ifndef PRINT_PRINTER_H
#define PRINT_PRINTER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/vector.h"
#include "layout/layout.h"
#include "layout/source.h"
#include "model/program.h"
#include "print/text.h"

/* How types are shown. */
struct print_style {
	bool expands_types;    /* types of members in place */
	bool expands_pointers; /* what members point to in place */
	bool is_relative;      /* offsets from the start of the innermost struct */
	bool is_hex;
	bool is_quiet; /* no comments */
	bool only_data_members;
	bool shows_biggest_member;
	bool shows_origin;
	bool classes_as_structs;
	bool has_flat_arrays;
	bool suppresses_alignment;
	bool suppresses_force_padding;
	bool suppresses_packed;
};

/* Where something is printed. */
struct place {
	int type_width; /* of the column for types; below 0: its absolute value, as printf(3) has it */
	int name_width; /* of the column for names */
	unsigned indent;
	uint64_t base; /* offset of the aggregate from the start of the outermost type */
	bool is_relative;
	bool hides_offsets;
	bool shows_summary;
	bool in_union;
	bool is_packed; /* what is written in place: where it lies says so, not its own members */
	bool is_only_member; /* of its aggregate so far: the first */
	bool is_last_member;
};

/* One step from what is declared to the type that it is made of. */
struct declarator_step {
	uint32_t type; /* POINTER, ARRAY, FUNCTION, ... */
	uint8_t kind;
	uint8_t qualifiers; /* of a pointer: bits 1 << enum type_kind - TYPE_CONST */
};

struct printer {
	const struct program *program;
	struct layouts *layouts;
	const struct print_style *style;
	struct text *text;
	uint64_t cacheline;                     /* the highest one begun in the outermost type */
	unsigned depth;                         /* bodies and parameter lists that are open */
	bool is_too_deep;                       /* something was left out */
	const char *const *names;               /* per type: what it is called instead; or NULL */
	const char *const *enumerator_names;    /* the same per enumerator */
	const struct source_plan *const *plans; /* per type: see layout/source.h; or NULL */
	uint32_t gap_count;                     /* names for gaps given so far */
	uint32_t *
		enum_typedefs; /* per type: of an enumeration without name that is there already a typedef, or
				    UINT32_MAX, as its values must not be defined twice; or NULL */
	VECTOR(struct declarator_step) steps;
	VECTOR(uint32_t) expanding; /* types behind pointers that are open */
};

enum {
	PRINT_DEPTH_MAX = 200, /* of bodies and parameter lists; sources stay below 20 */
	TYPE_COLUMN = 26,
	NAME_COLUMN = 23,
	NAME_COLUMN_UNION = 21,
	NAME_COLUMN_EXPANDED = 55,
	INDENT_MAX = 16,
};

/* What a type is called here; NULL: nothing. */
static inline const char *printer_name(const struct printer *printer, uint32_t type)
{
	const char *other = printer->names ? printer->names[type] : NULL;

	return other ? other : printer->program->types[type].name;
}

void printer_init(struct printer *printer, struct layouts *layouts, const struct print_style *style,
		  struct text *text);
void printer_deinit(struct printer *printer);
/* SMELT_OK, SMELT_NO_MEMORY or SMELT_UNSUPPORTED, with the name of `type`. */
enum smelt_status printer_status(const struct printer *printer, uint32_t type,
				 struct smelt_error *error);

/* The outermost place for this type. */
struct place printer_place(const struct printer *printer, uint32_t type);

/*
 * A struct, class, union, enumeration or typedef, without what ends it (`;` and a newline).
 * place: from printer_place().
 */
void print_type(struct printer *printer, uint32_t type, const struct place *place);

/* The same with all that belongs to it: where it is from if the style wants that, and `;`, newline. */
void print_definition(struct printer *printer, uint32_t type);
/* A type without a name, as what the typedef `name` stands for. */
void print_definition_with_typedef(struct printer *printer, uint32_t type, uint32_t name);

/* The type as in a cast or a parameter list, and the name, if any, where it belongs. */
void print_type_and_name(struct printer *printer, uint32_t type, const char *name);

/* "struct name" */
void print_type_name(struct printer *printer, uint32_t type);

/* An integer type of the size and sign of this type, which has a size. */
const char *printer_sized_type(const struct program_type *type);

/* Text of a comment, with its colour. */
void print_comment_begin(struct printer *printer);
void print_comment_end(struct printer *printer);

#endif
