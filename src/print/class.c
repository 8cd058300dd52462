/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* What classes of C++ and structs of Rust have beyond those of C. */
#include "print/parts.h"

static const char *const accessibilities[] = {
	[ACCESS_PUBLIC] = "public",
	[ACCESS_PROTECTED] = "protected",
	[ACCESS_PRIVATE] = "private",
};

void print_bases(struct printer *printer, uint32_t number)
{
	const struct program_type *type = &printer->program->types[number];
	const struct program_member *members = program_members(printer->program, type);
	const char *separator = " : ";

	for (uint32_t i = 0; i < type->item_count; i++) {
		const char *name = printer->program->types[members[i].type].name;

		if (members[i].kind != MEMBER_BASE)
			continue;
		text_string(printer->text, separator);
		if (members[i].flags & MEMBER_IS_VIRTUAL)
			text_string(printer->text, "virtual ");
		if (members[i].accessibility != ACCESS_NOT_RECORDED) {
			text_string(printer->text, accessibilities[members[i].accessibility]);
			text_char(printer->text, ' ');
		}
		text_string(printer->text, name ? name : "");
		separator = ", ";
	}
}

/* The compiler leaves out what is the default, so a first entry without any needs no label. */
void print_accessibility(struct printer *printer, const struct program_member *member,
			 uint8_t *accessibility, const struct place *place)
{
	if (member->kind == MEMBER_BASE || member->accessibility == ACCESS_NOT_RECORDED ||
	    member->accessibility == *accessibility ||
	    (member->kind > MEMBER_BASE && printer->style->only_data_members))
		return;
	*accessibility = member->accessibility;
	text_tabs(printer->text, place->indent ? place->indent - 1 : 0);
	text_string(printer->text, accessibilities[member->accessibility]);
	text_string(printer->text, ":\n\n");
}

/* Whether types defined in a body belong to it: in C they belong to the unit, wherever they are written. */
static bool has_member_types(const struct printer *printer, uint32_t type)
{
	const struct program *program = printer->program;

	switch (program->units[program_unit_of(program, type)].language) {
	case 0x01: /* C89, C, C99, C11: DWARF 5, table 7.17 */
	case LANGUAGE_C:
	case 0x0c:
	case 0x1d:
		return false;
	default:
		return true;
	}
}

static void print_member_type(struct printer *printer, uint32_t type, const struct place *place)
{
	struct place inner = *place;

	if (printer->depth >= PRINT_DEPTH_MAX) {
		printer->is_too_deep = true;
		return;
	}
	inner.base = 0;
	inner.shows_summary = true;
	inner.in_union = false;
	printer->depth++;
	print_type_origin(printer, type, place);
	print_indent(printer, place);
	print_type(printer, type, &inner);
	text_string(printer->text, ";\n\n");
	printer->depth--;
}

static void print_method(struct printer *printer, const struct program_function *function,
			 const struct place *place)
{
	print_function_origin(printer, function, place);
	print_indent(printer, place);
	if (function->traits & FUNCTION_IS_VIRTUAL)
		text_string(printer->text, "virtual ");
	print_type_and_name(printer, function->return_type, NULL);
	text_char(printer->text, ' ');
	text_string(printer->text, function->name ? function->name : "");
	print_parameters(printer, function->first_parameter, function->parameter_count);
	if (function->traits & FUNCTION_IS_PURE_VIRTUAL)
		text_string(printer->text, " = 0");
	text_char(printer->text, ';');
	if (function->linkage_name && !printer->style->is_quiet) {
		text_char(printer->text, ' ');
		print_comment_begin(printer);
		text_string(printer->text, "linkage=");
		text_string(printer->text, function->linkage_name);
		print_comment_end(printer);
	}
	text_string(printer->text, "\n\n");
}

static void print_static_member(struct printer *printer, const struct program_member *member,
				const struct place *place)
{
	print_indent(printer, place);
	text_string(printer->text, "static ");
	print_declaration(printer, member->type, member->name, place);
	if (member->flags & MEMBER_HAS_VALUE) {
		text_string(printer->text, " = ");
		text_number(printer->text, member->value);
	}
	text_string(printer->text, ";\n\n");
}

/* Members of all variants; which of them are there a comment says. */
static void print_variant_part(struct printer *printer, const struct program_variant_part *part,
			       const struct place *place)
{
	const struct program *program = printer->program;

	for (uint32_t i = 0; i < part->variant_count && !printer->text->failed; i++) {
		const struct program_variant *variant = &program->variants[part->first_variant + i];

		if (!printer->style->is_quiet) {
			print_indent(printer, place);
			print_comment_begin(printer);
			if (variant->is_default) {
				text_string(printer->text, "otherwise:");
			} else {
				text_string(printer->text, "if the value at ");
				text_number(printer->text, part->bit_offset / 8);
				text_string(printer->text, " is ");
				text_number(printer->text, variant->value);
				text_char(printer->text, ':');
			}
			print_comment_end(printer);
			text_char(printer->text, '\n');
		}
		for (uint32_t k = 0; k < variant->member_count; k++) {
			const struct program_member *member =
				&program->members[variant->first_member + k];

			print_indent(printer, place);
			print_declaration(printer, member->type, member->name, place);
			text_string(printer->text, ";\n");
		}
	}
	text_char(printer->text, '\n');
}

void print_other_entry(struct printer *printer, const struct program_member *member,
		       const struct place *place)
{
	if (member->kind == MEMBER_VARIANT_PART) {
		print_variant_part(printer, &printer->program->variant_parts[member->type], place);
		return;
	}
	if (printer->style->only_data_members)
		return;
	switch ((enum member_kind)member->kind) {
	case MEMBER_STATIC:
		print_static_member(printer, member, place);
		break;
	case MEMBER_METHOD:
		print_method(printer, &printer->program->functions[member->type], place);
		break;
	case MEMBER_TYPE:
		if (has_member_types(printer, member->type))
			print_member_type(printer, member->type, place);
		break;
	case MEMBER_DATA:
	case MEMBER_BASE:
	case MEMBER_VARIANT_PART:
		break;
	}
}

void print_vtable(struct printer *printer, uint32_t number, const struct place *place)
{
	const struct program *program = printer->program;
	const struct program_type *type = &program->types[number];
	const struct program_member *members = program_members(program, type);
	uint32_t count = 0;

	for (uint32_t i = 0; i < type->item_count; i++)
		count += members[i].kind == MEMBER_METHOD &&
			 program->functions[members[i].type].vtable_slot >= 0;
	if (count == 0 || printer->style->is_quiet)
		return;
	print_indent(printer, place);
	print_comment_begin(printer);
	text_string(printer->text, "vtable has ");
	text_number(printer->text, count);
	text_string(printer->text, " entries: {\n");
	for (uint32_t i = 0; i < type->item_count; i++) {
		const struct program_function *function;

		if (members[i].kind != MEMBER_METHOD)
			continue;
		function = &program->functions[members[i].type];
		if (function->vtable_slot < 0)
			continue;
		print_indent(printer, place);
		text_string(printer->text, "   [");
		text_signed(printer->text, function->vtable_slot);
		text_string(printer->text, "] = ");
		text_string(printer->text, function->name ? function->name : "");
		if (function->linkage_name) {
			text_char(printer->text, '(');
			text_string(printer->text, function->linkage_name);
			text_char(printer->text, ')');
		}
		text_string(printer->text, ",\n");
	}
	print_indent(printer, place);
	text_char(printer->text, '}');
	print_comment_end(printer);
	text_char(printer->text, '\n');
}
