/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Types as source that compiles: what a type needs comes before it, each name means one thing.
 *
 * First all is planned, as a list of items, and names are given; then the items are printed. So a type is
 * called the same wherever it is mentioned, also before its definition.
 */
#ifndef PRINT_COMPILE_H
#define PRINT_COMPILE_H

#include "base/arena.h"
#include "base/vector.h"
#include "layout/source.h"
#include "print/printer.h"
#include "print/seen.h"

enum compile_item_kind {
	ITEM_EMPTY_LINE,
	ITEM_FORWARD,      /* "struct NAME;" */
	ITEM_DEFINITION,   /* of a struct, union or enumeration */
	ITEM_TYPEDEF,      /* with the body of an enumeration without name, if it stands for one */
	ITEM_TYPEDEF_BODY, /* of a struct or union without name; `type` is the typedef */
	ITEM_BASE,         /* a typedef for a base type that C does not have */
};

struct compile_item {
	uint32_t type;
	uint8_t kind; /* enum compile_item_kind */
};

/* What a name means: the first owner has the name itself, others one made from it. */
struct compile_owner {
	const char *name; /* in the source */
	uint32_t next;    /* index + 1 of the next owner of the same name */
	uint32_t type;    /* of the program of `serial` */
	uint32_t serial;
	uint32_t content;  /* number of the definition's text; UINT32_MAX: not looked at */
	uint8_t kind;      /* enum type_kind; forward kinds as what they declare */
	bool is_forwarded; /* declared in the source */
	bool is_defined;
};

/* What is in the source so far, over all programs. */
struct compile_names {
	struct seen_set names;         /* with a letter for their name space in front */
	VECTOR(uint32_t) first_owners; /* per name: index + 1 */
	VECTOR(struct compile_owner) owners;
	struct seen_set contents;
	struct arena arena; /* names that were made */
};

enum compile_state { COMPILE_NEW, COMPILE_OPEN, COMPILE_DONE };

/* A program on its way into the source. */
struct compile_run {
	struct compile_names *names;
	struct printer *printer;
	struct source_layouts source;
	struct text *scratch;
	uint32_t serial;   /* different for each program of the source */
	uint8_t *states;   /* per type: enum compile_state */
	uint32_t *owners;  /* per type: index + 1 */
	uint32_t *repeats; /* per FUNCTION that is done: empty lines that needing it again brings */
	uint32_t *enum_typedefs; /* see struct printer */
	const char **type_names; /* per type: other than its own; or NULL */
	const char **enumerator_names;
	VECTOR(struct compile_item) items;
	unsigned depth;
	bool skips_atomic; /* no typedefs for the base types of <stdatomic.h> */
	bool out_of_memory;
	bool is_too_deep;
};

void compile_names_init(struct compile_names *names);
void compile_names_deinit(struct compile_names *names);

/* All must outlive the run. printer: of the program. */
enum smelt_status compile_run_init(struct compile_run *run, struct compile_names *names,
				   struct printer *printer, uint32_t serial, struct text *scratch,
				   struct smelt_error *error);
void compile_run_deinit(struct compile_run *run);

/*
 * Plans a type of any kind that can be shown, and what it needs. `name`: a typedef that a type without
 * a name is to be defined with, or 0. Returns whether it is new in this source: if not, it is there
 * already, or (*is_repeat) something that is the same.
 */
bool compile_add(struct compile_run *run, uint32_t type, uint32_t name, bool *is_repeat);

void compile_add_empty_line(struct compile_run *run);
/* SMELT_OK, SMELT_NO_MEMORY or SMELT_UNSUPPORTED, with the name of `type`. */
enum smelt_status compile_status(const struct compile_run *run, uint32_t type,
				 struct smelt_error *error);

/* Prints the n-th item to the printer's text, which is empty before. */
void compile_print(struct compile_run *run, size_t item);

/* Assertions about the sizes and offsets of what the items define. */
void compile_print_assertions(struct compile_run *run);

/* compile_names.c */

/*
 * An owner of the type's name that means the same, made if there is none; the type has a name of its own
 * then if the plain one means something else. UINT32_MAX: no memory.
 */
uint32_t compile_claim(struct compile_run *run, uint32_t type);
/* Whether the type is to be defined now: nothing that is the same has been so far. */
bool compile_claim_definition(struct compile_run *run, uint32_t type);
/* Names of an enumeration's values, which share their name space with typedefs. */
void compile_claim_enumerators(struct compile_run *run, uint32_t type);
/* Keeps what a type's definition says, for programs that come later; `text`: how it was printed. */
void compile_note_content(struct compile_run *run, uint32_t type, const struct text *text);

#endif
