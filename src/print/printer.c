/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#include "print/printer.h"

#include <stdlib.h>

#include "print/parts.h"

void printer_init(struct printer *printer, struct layouts *layouts, const struct print_style *style,
		  struct text *text)
{
	*printer = (struct printer){
		.program = layouts->program, .layouts = layouts, .style = style, .text = text
	};
}

void printer_deinit(struct printer *printer)
{
	vector_deinit(&printer->steps);
	vector_deinit(&printer->expanding);
}

enum smelt_status printer_status(const struct printer *printer, uint32_t type,
				 struct smelt_error *error)
{
	const char *name = printer->program->types[type].name;

	if (printer->text->is_too_long)
		return error_set(error, SMELT_UNSUPPORTED,
				 "%s: the text of type %u (%s) is longer than %zu MiB",
				 printer->program->path, type, name ? name : "no name",
				 printer->text->limit >> 20);
	if (printer->text->failed || printer->layouts->out_of_memory ||
	    printer->layouts->facts.out_of_memory)
		return error_no_memory(error);
	if (printer->is_too_deep)
		return error_set(error, SMELT_UNSUPPORTED,
				 "%s: type %u (%s) is nested more than %d levels deep",
				 printer->program->path, type, name ? name : "no name",
				 PRINT_DEPTH_MAX);
	return SMELT_OK;
}

struct place printer_place(const struct printer *printer, uint32_t type)
{
	const struct print_style *style = printer->style;
	bool is_union = printer->program->types[type].kind == TYPE_UNION;

	return (struct place){
		.type_width = TYPE_COLUMN,
		.name_width = style->expands_types ? NAME_COLUMN_EXPANDED :
			      is_union             ? NAME_COLUMN_UNION :
						     NAME_COLUMN,
		.is_relative = style->is_relative,
		.shows_summary = true,
	};
}

void print_type(struct printer *printer, uint32_t type, const struct place *place)
{
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
	case TYPE_TYPEDEF:
		print_typedef(printer, type, place);
		break;
	default:
		print_type_name(printer, type);
		break;
	}
}

void print_definition(struct printer *printer, uint32_t type)
{
	struct place place = printer_place(printer, type);

	printer->cacheline = 0;
	print_type_origin(printer, type, &place);
	print_type(printer, type, &place);
	print_struct_alignment(printer, type);
	text_string(printer->text, ";\n");
}

void print_definition_with_typedef(struct printer *printer, uint32_t type, uint32_t name)
{
	struct place place = printer_place(printer, type);

	printer->cacheline = 0;
	print_type_origin(printer, type, &place);
	text_string(printer->text, "typedef ");
	print_type(printer, type, &place);
	text_char(printer->text, ' ');
	text_string(printer->text, printer_name(printer, name));
	print_struct_alignment(printer, type);
	text_string(printer->text, ";\n");
}

const char *printer_sized_type(const struct program_type *type)
{
	bool is_signed = type->flags & TYPE_SIGNED;

	if (type->kind == TYPE_FLOAT)
		return type->size == 4 ? "float" : type->size == 8 ? "double" : "long double";
	if (type->flags & TYPE_BOOL && type->size == 1)
		return "_Bool";
	switch (type->size) {
	case 1:
		return is_signed ? "signed char" : "unsigned char";
	case 2:
		return is_signed ? "short" : "unsigned short";
	case 4:
		return is_signed ? "int" : "unsigned int";
	case 8:
		return is_signed ? "long long" : "unsigned long long";
	default:
		return is_signed ? "__int128" : "unsigned __int128";
	}
}
