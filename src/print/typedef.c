/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#include "print/parts.h"

#include <stdlib.h>

/*
 * `typedef` and a declaration; the column for types is there only where the type is written with one:
 * unions with a tag, and arrays.
 */
void print_typedef(struct printer *printer, uint32_t number, const struct place *place)
{
	const struct program *program = printer->program;
	const struct program_type *type = &program->types[number];
	const struct program_type *target = &program->types[type->type];
	const char *name = printer_name(printer, number) ? printer_name(printer, number) : "";
	bool expands = printer->style->expands_types;
	struct place inner = *place;

	text_string(printer->text, "typedef ");
	switch ((enum type_kind)target->kind) {
	case TYPE_STRUCT:
	case TYPE_UNION:
	case TYPE_ENUM:
		if (!target->name || (expands && target->kind != TYPE_ENUM)) {
			inner.type_width -= 8;
			print_type(printer, type->type, &inner);
			text_char(printer->text, ' ');
			text_string(printer->text, name);
			print_struct_alignment(printer, type->type);
			return;
		}
		if (target->kind == TYPE_UNION) {
			print_declaration(printer, type->type, name, place);
			return;
		}
		break;
	case TYPE_ARRAY:
		print_declaration(printer, type->type, name, place);
		return;
	default:
		if (!declaration_has_nameless_body(printer, type->type))
			break;
		print_declaration(printer, type->type, name, place);
		return;
	}
	print_type_and_name(printer, type->type, name);
}
