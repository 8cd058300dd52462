/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* What the files that print parts of types need from each other. */
#ifndef PRINT_PARTS_H
#define PRINT_PARTS_H

#include "print/printer.h"

/* The indent of what is inside. */
static inline struct place place_inside(const struct place *place)
{
	struct place inner = *place;

	inner.indent = (place->indent < INDENT_MAX ? place->indent : INDENT_MAX) + 1;
	return inner;
}

static inline void print_indent(struct printer *printer, const struct place *place)
{
	text_tabs(printer->text, place->indent < INDENT_MAX ? place->indent : INDENT_MAX);
}

static inline const char *plural(uint64_t count)
{
	return count == 1 ? "" : "s";
}

/* declaration.c */

/*
 * TYPE NAME in columns, as a member, typedef or variable is declared; name may be NULL. A type that
 * is written in place brings its body with it.
 */
void print_declaration(struct printer *printer, uint32_t type, const char *name,
		       const struct place *place);
/* Whether it brings the body of a type without a name with it, somewhere. */
bool declaration_has_nameless_body(struct printer *printer, uint32_t type);
/* Whether a member of this type shows the body of a type without a name, nothing around it. */
bool declaration_is_anonymous_body(const struct printer *printer, uint32_t type);

/* function.c */

/* "(int a, char *b, ...)" */
void print_parameters(struct printer *printer, uint32_t first, uint32_t count);

/* aggregate.c, enumeration.c: bodies with their keyword, up to and with the attributes right behind the brace */
void print_struct(struct printer *printer, uint32_t type, const struct place *place);
void print_union(struct printer *printer, uint32_t type, const struct place *place);
void print_enum(struct printer *printer, uint32_t type, const struct place *place);
/* The keyword, and the name if there is one. */
void print_head(struct printer *printer, const char *keyword, uint32_t type);
/* " __attribute__((__aligned__(N)))" of a struct, if it has one to show. */
void print_struct_alignment(struct printer *printer, uint32_t type);

/* typedef.c */

void print_typedef(struct printer *printer, uint32_t type, const struct place *place);

/* member.c */

/*
 * Line of the n-th entry, a data member or base, with the indent before and without a newline.
 * `place` is that inside the aggregate.
 */
void print_member(struct printer *printer, uint32_t aggregate, uint32_t entry,
		  const struct place *place);
void print_alignment(struct printer *printer, uint64_t alignment);

/* summary.c */
void print_summary(struct printer *printer, uint32_t type, const struct place *place);

/* class.c: what C has not */

/* " : public Base" */
void print_bases(struct printer *printer, uint32_t type);
/* A label if the entry's accessibility is not that of those before, kept in *accessibility. */
void print_accessibility(struct printer *printer, const struct program_member *member,
			 uint8_t *accessibility, const struct place *place);
/* An entry that is neither a data member nor a base, with all its lines; nothing if such are not shown. */
void print_other_entry(struct printer *printer, const struct program_member *member,
		       const struct place *place);
void print_vtable(struct printer *printer, uint32_t type, const struct place *place);

/* origin.c: comments that say where something is from */
void print_type_origin(struct printer *printer, uint32_t type, const struct place *place);
void print_function_origin(struct printer *printer, const struct program_function *function,
			   const struct place *place);

#endif
