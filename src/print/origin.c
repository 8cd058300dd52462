/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#include "print/parts.h"

static void print_origin(struct printer *printer, const struct program_origin *origin,
			 const struct place *place)
{
	const struct program *program = printer->program;

	print_indent(printer, place);
	print_comment_begin(printer);
	text_string(printer->text, "Used at: ");
	text_string(printer->text, program->units[origin->unit].name);
	print_comment_end(printer);
	text_char(printer->text, '\n');
	print_indent(printer, place);
	print_comment_begin(printer);
	if (origin->file) {
		text_format(printer->text, "<%llx> ", (unsigned long long)origin->offset);
		text_string(printer->text, origin->file);
		text_char(printer->text, ':');
		text_number(printer->text, origin->line);
	} else {
		text_format(printer->text, "<%llx>", (unsigned long long)origin->offset);
	}
	print_comment_end(printer);
	text_char(printer->text, '\n');
}

void print_type_origin(struct printer *printer, uint32_t type, const struct place *place)
{
	const struct program *program = printer->program;
	struct program_origin by_number = { .offset = type };

	if (printer->style->shows_origin && !printer->style->is_quiet)
		print_origin(printer, program->origins ? &program->origins[type] : &by_number,
			     place);
}

void print_function_origin(struct printer *printer, const struct program_function *function,
			   const struct place *place)
{
	if (printer->style->shows_origin && !printer->style->is_quiet)
		print_origin(printer, &function->origin, place);
}
