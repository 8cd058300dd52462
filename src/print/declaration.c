/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Declarations. A type is walked from what is declared inwards, each step pointer, array or function, up
 * to the type that has a name or a body. Then it is written: that type and the pointers to it in one
 * column, in the other the name with the steps that C writes around it. C11, 6.7.6.
 */
#include <stdlib.h>

#include "print/parts.h"

enum { QUALIFIERS_MAX = 4, BODY_INDENT = 8 };

struct declarator {
	size_t first_step; /* in printer->steps, outermost first */
	size_t step_count;
	size_t pointer_count;               /* the last of these steps: in the column of the type */
	uint32_t specifier;                 /* the type where the walk ended */
	uint8_t qualifiers[QUALIFIERS_MAX]; /* of it: enum type_kind, outermost first */
	unsigned qualifier_count;
	bool is_followed; /* by --expand_pointers */
	bool is_in_place; /* the specifier's body is written */
};

static const char *const qualifier_words[QUALIFIERS_MAX] = { "const", "volatile", "restrict",
							     "_Atomic" };

static const char *qualifier_word(enum type_kind kind)
{
	return qualifier_words[kind - TYPE_CONST];
}

static const struct declarator_step *step_at(const struct printer *printer,
					     const struct declarator *declarator, size_t index)
{
	return &printer->steps.items[declarator->first_step + index];
}

static bool is_pointer_like(enum type_kind kind)
{
	return kind >= TYPE_POINTER && kind <= TYPE_MEMBER_POINTER;
}

static void add_qualifier(struct declarator *declarator, enum type_kind kind)
{
	for (unsigned i = 0; i < declarator->qualifier_count; i++)
		if (declarator->qualifiers[i] == kind)
			return;
	declarator->qualifiers[declarator->qualifier_count++] = (uint8_t)kind;
}

static void add_step(struct printer *printer, struct declarator *declarator, uint32_t type,
		     enum type_kind kind)
{
	struct declarator_step *step = vector_push(&printer->steps);
	unsigned qualifiers = 0;

	if (!step) {
		printer->text->failed = true;
		return;
	}
	if (kind != TYPE_ARRAY) { /* what qualifies an array qualifies its elements */
		for (unsigned i = 0; i < declarator->qualifier_count; i++)
			qualifiers |= 1u << (declarator->qualifiers[i] - TYPE_CONST);
		declarator->qualifier_count = 0;
	}
	*step = (struct declarator_step){ .type = type,
					  .kind = (uint8_t)kind,
					  .qualifiers = (uint8_t)qualifiers };
	declarator->step_count++;
}

/* Writes the names of a chain of typedefs; returns what they stand for. */
static uint32_t print_typedef_chain(struct printer *printer, uint32_t type)
{
	const struct program_type *types = printer->program->types;
	const char *separator = "/* typedef ";

	for (; types[type].kind == TYPE_TYPEDEF; type = types[type].type) {
		text_string(printer->text, separator);
		text_string(printer->text,
			    printer_name(printer, type) ? printer_name(printer, type) : "");
		separator = " -> ";
	}
	text_string(printer->text, " */ ");
	return type;
}

/* expands: typedefs of what is declared itself are written as comments and looked through. */
static void walk(struct printer *printer, uint32_t type, bool expands,
		 struct declarator *declarator)
{
	bool is_behind_pointer = false;
	uint32_t mark = 0; /* a type that was passed, a later one each time the walk has doubled */

	*declarator = (struct declarator){ .first_step = printer->steps.count };
	for (size_t walked = 1;; walked++) {
		const struct program_type *at = &printer->program->types[type];
		enum type_kind kind = at->kind;

		if (type == mark && type != 0) {
			type = 0; /* a function that returns itself, of a damaged file */
			break;
		}
		if ((walked & (walked - 1)) == 0)
			mark = type;

		if (kind == TYPE_TAG) {
			type = at->type;
		} else if (type_kind_is_qualifier(kind)) {
			add_qualifier(declarator, kind);
			type = at->type;
		} else if (is_pointer_like(kind) || kind == TYPE_FUNCTION) {
			add_step(printer, declarator, type, kind);
			is_behind_pointer = true;
			type = at->type;
		} else if (kind == TYPE_ARRAY && !(at->flags & TYPE_VECTOR && is_behind_pointer)) {
			add_step(printer, declarator, type, kind);
			type = at->type;
		} else if (kind == TYPE_TYPEDEF && expands && !is_behind_pointer &&
			   declarator->qualifier_count == 0) {
			type = print_typedef_chain(printer, type);
		} else {
			break;
		}
	}
	declarator->specifier = type;
	while (declarator->pointer_count < declarator->step_count) {
		size_t last = declarator->step_count - declarator->pointer_count - 1;

		if (!is_pointer_like(step_at(printer, declarator, last)->kind))
			break;
		declarator->pointer_count++;
	}
}

/* Leaves nothing of the walk behind. */
static void unwalk(struct printer *printer, const struct declarator *declarator)
{
	printer->steps.count = declarator->first_step;
}

static bool has_step(const struct printer *printer, const struct declarator *declarator,
		     enum type_kind kind)
{
	for (size_t i = 0; i < declarator->step_count; i++)
		if (step_at(printer, declarator, i)->kind == kind)
			return true;
	return false;
}

static bool has_body(const struct program_type *type)
{
	return type_kind_is_aggregate(type->kind) || type->kind == TYPE_ENUM;
}

static bool is_forward(const struct program_type *type)
{
	return type->kind == TYPE_STRUCT_FORWARD || type->kind == TYPE_UNION_FORWARD;
}

/* --expand_pointers: from now on the pointers belong to the name, and the type is looked through. */
static void follow_pointers(struct printer *printer, struct declarator *declarator)
{
	const struct program_type *types = printer->program->types;
	uint32_t type = declarator->specifier;

	if (declarator->pointer_count == 0 || has_step(printer, declarator, TYPE_FUNCTION))
		return;
	while (types[type].kind == TYPE_TYPEDEF)
		type = types[type].type;
	if (!has_body(&types[type]) && !is_forward(&types[type]) && types[type].kind != TYPE_INT &&
	    types[type].kind != TYPE_FLOAT)
		return;
	if (type != declarator->specifier)
		(void)print_typedef_chain(printer, declarator->specifier);
	declarator->specifier = type;
	declarator->pointer_count = 0;
	declarator->is_followed = true;
}

static bool is_expanding(const struct printer *printer, uint32_t type)
{
	for (size_t i = 0; i < printer->expanding.count; i++)
		if (printer->expanding.items[i] == type)
			return true;
	return false;
}

static void decide_in_place(const struct printer *printer, struct declarator *declarator)
{
	const struct print_style *style = printer->style;
	uint32_t specifier = declarator->specifier;
	const struct program_type *type = &printer->program->types[specifier];

	if (declarator->is_followed)
		declarator->is_in_place = (has_body(type) || is_forward(type)) &&
					  !is_expanding(printer, specifier);
	else if (has_body(type))
		declarator->is_in_place = !type->name ||
					  (style->expands_types && !style->expands_pointers &&
					   declarator->pointer_count == 0 &&
					   !has_step(printer, declarator, TYPE_FUNCTION));
}

/* "struct ", "enum ", ..., or NULL for types that are called by their name alone. */
static const char *keyword(const struct printer *printer, const struct program_type *type)
{
	switch ((enum type_kind)type->kind) {
	case TYPE_STRUCT:
	case TYPE_STRUCT_FORWARD:
		if (!printer->style->classes_as_structs && type->flags & TYPE_CLASS)
			return "class ";
		return "struct ";
	case TYPE_UNION:
	case TYPE_UNION_FORWARD:
		return "union ";
	case TYPE_ENUM:
		return "enum ";
	default:
		return NULL;
	}
}

static void print_vector(struct printer *printer, uint32_t type)
{
	text_string(printer->text, " __attribute__ ((__vector_size__ (");
	text_number(printer->text, facts_of(&printer->layouts->facts, type)->size);
	text_string(printer->text, ")))");
}

static void print_specifier(struct printer *printer, uint32_t number)
{
	const struct program_type *type = &printer->program->types[number];
	const char *word = keyword(printer, type);

	if (word)
		text_string(printer->text, word);
	if (type->kind == TYPE_ARRAY) { /* of a vector, see walk() */
		print_type_and_name(printer, type->type, NULL);
		print_vector(printer, number);
	} else if (type->kind == TYPE_VOID) {
		text_string(printer->text, "void");
	} else if (type->kind == TYPE_STRING) {
		text_string(printer->text, "string");
	} else if (printer_name(printer, number)) {
		text_string(printer->text, printer_name(printer, number));
	} else if (!word) {
		text_string(printer->text, "<no name>");
	}
}

/* Qualifiers from the n-th on, the specifier, and a blank for each of these qualifiers. */
static void print_qualified_specifier(struct printer *printer, const struct declarator *declarator,
				      unsigned n)
{
	for (unsigned i = n; i < declarator->qualifier_count; i++) {
		text_string(printer->text, qualifier_word(declarator->qualifiers[i]));
		text_char(printer->text, ' ');
	}
	print_specifier(printer, declarator->specifier);
	text_fill(printer->text, ' ', declarator->qualifier_count - n);
}

static void print_star(struct printer *printer, const struct declarator_step *step)
{
	const struct program_type *types = printer->program->types;

	if (step->kind == TYPE_MEMBER_POINTER) {
		const char *name = printer_name(printer, types[step->type].member_of);

		text_string(printer->text, name ? name : "");
		text_string(printer->text, "::*");
		return;
	}
	text_string(printer->text, step->kind == TYPE_REFERENCE        ? "&" :
				   step->kind == TYPE_RVALUE_REFERENCE ? "&&" :
									 "*");
}

/* The pointers in the column of the type: " * const *". */
static void print_pointers(struct printer *printer, const struct declarator *declarator)
{
	for (size_t i = 0; i < declarator->pointer_count; i++) {
		const struct declarator_step *step =
			step_at(printer, declarator, declarator->step_count - 1 - i);

		text_char(printer->text, ' ');
		print_star(printer, step);
		for (unsigned q = 0; q < QUALIFIERS_MAX; q++) {
			if (step->qualifiers >> q & 1) {
				text_char(printer->text, ' ');
				text_string(printer->text, qualifier_words[q]);
			}
		}
	}
}

/*
 * Whether a dimension without elements may be left open: C has that for the last member of a
 * struct that has others.
 */
static bool is_open(const struct place *place)
{
	return !place || (place->is_last_member && !place->is_only_member && !place->in_union);
}

static void print_dimension(struct printer *printer, uint64_t count, const struct place *place)
{
	text_char(printer->text, '[');
	if (count || !is_open(place))
		text_number(printer->text, count);
	text_char(printer->text, ']');
}

/* --flat_arrays: all dimensions of the arrays from this step on, as one. Returns the steps done. */
static size_t print_flat_dimensions(struct printer *printer, const struct declarator *declarator,
				    size_t index, const struct place *place)
{
	const struct program *program = printer->program;
	uint64_t product = 1;
	size_t done = 0;

	for (; index + done < declarator->step_count; done++) {
		const struct declarator_step *step = step_at(printer, declarator, index + done);
		const struct program_type *array = &program->types[step->type];

		if (step->kind != TYPE_ARRAY || array->flags & TYPE_VECTOR)
			break;
		for (uint32_t i = 0; i < array->item_count; i++)
			product *= program->dimensions[array->first_item + i];
	}
	print_dimension(printer, product, place);
	return done;
}

/* Returns the steps done. */
static size_t print_dimensions(struct printer *printer, const struct declarator *declarator,
			       size_t index, const struct place *place)
{
	const struct program *program = printer->program;
	uint32_t number = step_at(printer, declarator, index)->type;
	const struct program_type *array = &program->types[number];

	if (array->flags & TYPE_VECTOR) {
		print_vector(printer, number);
		return 1;
	}
	if (printer->style->has_flat_arrays)
		return print_flat_dimensions(printer, declarator, index, place);
	for (uint32_t i = 0; i < array->item_count; i++)
		print_dimension(printer, program->dimensions[array->first_item + i], place);
	return 1;
}

/* Whether C needs parentheses between this step, an array or function, and those outside of it. */
static bool needs_parentheses(const struct printer *printer, const struct declarator *declarator,
			      size_t index)
{
	const struct declarator_step *step = step_at(printer, declarator, index);

	if (is_pointer_like(step->kind))
		return false;
	return index == 0 ? step->kind == TYPE_FUNCTION :
			    is_pointer_like(step_at(printer, declarator, index - 1)->kind);
}

/* What stands left of the name, innermost step first. */
static void print_left(struct printer *printer, const struct declarator *declarator, size_t count,
		       bool has_name)
{
	for (size_t i = count; i-- > 0;) {
		const struct declarator_step *step = step_at(printer, declarator, i);

		if (needs_parentheses(printer, declarator, i))
			text_char(printer->text, '(');
		if (!is_pointer_like(step->kind))
			continue;
		print_star(printer, step);
		for (unsigned q = 0; q < QUALIFIERS_MAX; q++) {
			if (!(step->qualifiers >> q & 1))
				continue;
			text_string(printer->text, qualifier_words[q]);
			if (has_name || i > 0)
				text_char(printer->text, ' ');
		}
	}
}

static void print_right(struct printer *printer, const struct declarator *declarator, size_t count,
			const struct place *place)
{
	for (size_t i = 0; i < count;) {
		/* a copy: parameters walk too */
		struct declarator_step step = *step_at(printer, declarator, i);

		if (needs_parentheses(printer, declarator, i))
			text_char(printer->text, ')');
		if (step.kind == TYPE_FUNCTION) {
			const struct program_type *type = &printer->program->types[step.type];

			print_parameters(printer, type->first_item, type->item_count);
			place = NULL;
			i++;
		} else if (step.kind == TYPE_ARRAY) {
			i += print_dimensions(printer, declarator, i, place);
		} else {
			place = NULL;
			i++;
		}
	}
}

/* The name and the steps around it. place: for open dimensions; NULL: such are always open. */
static void print_name(struct printer *printer, const struct declarator *declarator,
		       const char *name, const struct place *place)
{
	size_t count = declarator->step_count - declarator->pointer_count;

	print_left(printer, declarator, count, name && *name);
	if (name)
		text_string(printer->text, name);
	print_right(printer, declarator, count, place);
}

/* Whether the type's column holds just the specifier: no pointers, nothing in parentheses. */
static bool is_plain(const struct printer *printer, const struct declarator *declarator)
{
	return declarator->is_followed ||
	       (declarator->pointer_count == 0 && !has_step(printer, declarator, TYPE_FUNCTION) &&
		(declarator->step_count == 0 ||
		 !is_pointer_like(step_at(printer, declarator, 0)->kind)));
}

/* As the specifier of plain ones: "const struct NAME", the padding being that of what is behind `const`. */
static void print_plain_column(struct printer *printer, const struct declarator *declarator,
			       int width)
{
	const struct program_type *type = &printer->program->types[declarator->specifier];
	const char *word = keyword(printer, type);
	unsigned q = 0;
	size_t start;

	for (; q < declarator->qualifier_count; q++) {
		if (declarator->qualifiers[q] != TYPE_CONST &&
		    declarator->qualifiers[q] != TYPE_ATOMIC)
			break;
		start = text_width(printer->text);
		text_string(printer->text, qualifier_word(declarator->qualifiers[q]));
		text_char(printer->text, ' ');
		width -= (int)(text_width(printer->text) - start);
	}
	start = text_width(printer->text);
	if (q == declarator->qualifier_count && word && type->name) {
		text_string(printer->text, word);
		width -= (int)(text_width(printer->text) - start);
		start = text_width(printer->text);
		text_string(printer->text, printer_name(printer, declarator->specifier));
	} else {
		print_qualified_specifier(printer, declarator, q);
	}
	text_pad(printer->text, start, (size_t)abs(width));
}

static void print_in_columns(struct printer *printer, const struct declarator *declarator,
			     const char *name, const struct place *place)
{
	size_t start = text_width(printer->text);

	if (is_plain(printer, declarator)) {
		print_plain_column(printer, declarator, place->type_width);
	} else {
		print_qualified_specifier(printer, declarator, 0);
		print_pointers(printer, declarator);
		text_pad(printer->text, start, (size_t)abs(place->type_width));
	}
	text_char(printer->text, ' ');
	print_name(printer, declarator, name, place);
}

static void print_forward_body(struct printer *printer, uint32_t type, const struct place *place)
{
	print_specifier(printer, type);
	text_string(printer->text, " {\n");
	print_indent(printer, place);
	text_char(printer->text, '}');
}

static void print_body(struct printer *printer, const struct declarator *declarator,
		       const struct place *place)
{
	uint32_t type = declarator->specifier;

	switch ((enum type_kind)printer->program->types[type].kind) {
	case TYPE_STRUCT:
		print_struct(printer, type, place);
		break;
	case TYPE_UNION:
		print_union(printer, type, place);
		break;
	case TYPE_ENUM:
		print_enum(printer, type, place);
		break;
	default:
		print_forward_body(printer, type, place);
		break;
	}
}

/* Opens a body, or says that it is too much. */
static bool enter(struct printer *printer, const struct declarator *declarator)
{
	uint32_t *expanding;

	if (printer->depth >= PRINT_DEPTH_MAX) {
		printer->is_too_deep = true;
		return false;
	}
	if (declarator->is_followed) {
		expanding = vector_push(&printer->expanding);
		if (!expanding) {
			printer->text->failed = true;
			return false;
		}
		*expanding = declarator->specifier;
	}
	printer->depth++;
	return true;
}

static void leave(struct printer *printer, const struct declarator *declarator)
{
	printer->depth--;
	if (declarator->is_followed)
		printer->expanding.count--;
}

/* A type is what is declared itself if there is no step, qualifier or typedef in between. */
static void print_with_body(struct printer *printer, const struct declarator *declarator,
			    uint32_t declared, const char *name, const struct place *place)
{
	struct place inner = *place;
	bool has_name = (name && *name) || declarator->step_count > declarator->pointer_count;
	bool is_direct = declared == declarator->specifier;

	if (!enter(printer, declarator))
		return;
	for (unsigned i = 0; i < declarator->qualifier_count; i++) {
		size_t start = text_width(printer->text);

		text_string(printer->text, qualifier_word(declarator->qualifiers[i]));
		text_char(printer->text, ' ');
		inner.type_width -= (int)(text_width(printer->text) - start);
	}
	inner.type_width -= BODY_INDENT;
	inner.shows_summary = false;
	if (declarator->is_followed) {
		inner.hides_offsets = true;
		inner.is_packed = false;
	} else if (declarator->pointer_count > 0) {
		inner.type_width -= BODY_INDENT;
		inner.is_relative = true;
		inner.is_packed = false;
	}
	print_body(printer, declarator, &inner);
	leave(printer, declarator);
	if (is_direct)
		print_struct_alignment(printer, declarator->specifier);
	print_pointers(printer, declarator);
	if (has_name) {
		text_char(printer->text, ' ');
		print_name(printer, declarator, name, place);
	}
	if (!is_direct)
		print_struct_alignment(printer, declarator->specifier);
}

void print_declaration(struct printer *printer, uint32_t type, const char *name,
		       const struct place *place)
{
	const struct print_style *style = printer->style;
	struct declarator declarator;

	walk(printer, type, style->expands_types && !style->expands_pointers, &declarator);
	if (printer->text->failed) {
		unwalk(printer, &declarator);
		return;
	}
	if (style->expands_pointers)
		follow_pointers(printer, &declarator);
	decide_in_place(printer, &declarator);
	if (declarator.is_in_place)
		print_with_body(printer, &declarator, type, name, place);
	else
		print_in_columns(printer, &declarator, name, place);
	unwalk(printer, &declarator);
}

bool declaration_is_anonymous_body(const struct printer *printer, uint32_t type)
{
	const struct program_type *declared = &printer->program->types[type];

	return has_body(declared) && !declared->name;
}

bool declaration_has_nameless_body(struct printer *printer, uint32_t type)
{
	struct declarator declarator;

	walk(printer, type, false, &declarator);
	unwalk(printer, &declarator);
	return declaration_is_anonymous_body(printer, declarator.specifier);
}

void print_type_and_name(struct printer *printer, uint32_t type, const char *name)
{
	struct declarator declarator;

	walk(printer, type, false, &declarator);
	if (!printer->text->failed) {
		print_qualified_specifier(printer, &declarator, 0);
		print_pointers(printer, &declarator);
		if ((name && *name) || declarator.step_count > declarator.pointer_count) {
			text_char(printer->text, ' ');
			print_name(printer, &declarator, name, NULL);
		}
	}
	unwalk(printer, &declarator);
}

void print_type_name(struct printer *printer, uint32_t type)
{
	print_type_and_name(printer, type, NULL);
}
