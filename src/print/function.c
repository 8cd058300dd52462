/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#include "print/parts.h"

static bool is_ellipsis(const struct program_parameter *parameter)
{
	return parameter->type == 0 && !parameter->name;
}

void print_parameters(struct printer *printer, uint32_t first, uint32_t count)
{
	const struct program_parameter *parameters = printer->program->parameters + first;

	if (printer->depth >= PRINT_DEPTH_MAX) {
		printer->is_too_deep = true;
		return;
	}
	printer->depth++;
	/* A lone ellipsis is how debug information says that nothing is known of the parameters. */
	if (count == 0 || (count == 1 && is_ellipsis(parameters))) {
		text_string(printer->text, "(void");
	} else {
		for (uint32_t i = 0; i < count && !printer->text->failed; i++) {
			text_string(printer->text, i == 0 ? "(" : ", ");
			if (is_ellipsis(&parameters[i]))
				text_string(printer->text, "...");
			else
				print_type_and_name(printer, parameters[i].type,
						    parameters[i].name);
		}
	}
	text_char(printer->text, ')');
	printer->depth--;
}
