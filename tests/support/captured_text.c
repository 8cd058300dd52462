/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#include "support/captured_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/name_table.h"

/* The arrays that a type's indices are of. */
struct parts {
	FILE *out;
	const struct program_member *members;
	const struct program_enumerator *enumerators;
	const struct program_parameter *parameters;
	const uint64_t *dimensions;
	const struct program_variant_part *variant_parts;
	const struct program_variant *variants;
	const struct program_function *functions;
};

static const char *const kind_names[TYPE_KIND_COUNT] = {
	[TYPE_VOID] = "void",
	[TYPE_INT] = "int",
	[TYPE_FLOAT] = "float",
	[TYPE_POINTER] = "pointer",
	[TYPE_REFERENCE] = "reference",
	[TYPE_RVALUE_REFERENCE] = "rvalue_reference",
	[TYPE_MEMBER_POINTER] = "member_pointer",
	[TYPE_CONST] = "const",
	[TYPE_VOLATILE] = "volatile",
	[TYPE_RESTRICT] = "restrict",
	[TYPE_ATOMIC] = "atomic",
	[TYPE_TYPEDEF] = "typedef",
	[TYPE_TAG] = "tag",
	[TYPE_ARRAY] = "array",
	[TYPE_STRUCT] = "struct",
	[TYPE_UNION] = "union",
	[TYPE_ENUM] = "enum",
	[TYPE_FUNCTION] = "function",
	[TYPE_STRUCT_FORWARD] = "struct_forward",
	[TYPE_UNION_FORWARD] = "union_forward",
	[TYPE_UNSPECIFIED] = "unspecified",
	[TYPE_STRING] = "string",
};

static const char *text_or(const char *text)
{
	return text ? text : "-";
}

static void print_parameters(const struct parts *parts, uint32_t first, uint32_t count)
{
	fputs(" (", parts->out);
	for (uint32_t i = 0; i < count; i++) {
		const struct program_parameter *p = &parts->parameters[first + i];

		fprintf(parts->out, "%s %s %u", i ? "," : "", text_or(p->name), p->type);
	}
	fputs(" )", parts->out);
}

static void print_function(const struct parts *parts, const struct program_function *function)
{
	static const char *const traits[] = { "external", "declaration", "inline",
					      "inlined",  "virtual",     "pure" };

	fprintf(parts->out, "%s", text_or(function->name));
	if (function->linkage_name)
		fprintf(parts->out, "/%s", function->linkage_name);
	fprintf(parts->out, " -> %u", function->return_type);
	print_parameters(parts, function->first_parameter, function->parameter_count);
	if (function->vtable_slot >= 0)
		fprintf(parts->out, " slot %d", function->vtable_slot);
	if (function->address)
		fprintf(parts->out, " at 0x%" PRIx64 "+%" PRIu64, function->address,
			function->size);
	for (unsigned i = 0; i < 6; i++) {
		if (function->traits >> i & 1)
			fprintf(parts->out, " %s", traits[i]);
	}
}

static void print_members(const struct parts *parts, uint32_t first, uint32_t count);

static void print_variant_part(const struct parts *parts, const struct program_variant_part *part)
{
	fprintf(parts->out, "variants by %u @%" PRIu64, part->discriminant, part->bit_offset);
	for (uint32_t i = 0; i < part->variant_count; i++) {
		const struct program_variant *variant = &parts->variants[part->first_variant + i];

		if (variant->is_default)
			fputs(" default", parts->out);
		else
			fprintf(parts->out, " %" PRIu64, variant->value);
		print_members(parts, variant->first_member, variant->member_count);
	}
}

static void print_member(const struct parts *parts, const struct program_member *member)
{
	static const char *const access[] = { "", "public ", "protected ", "private " };

	fputs(access[member->accessibility], parts->out);
	if (member->flags & MEMBER_IS_VIRTUAL)
		fputs("virtual ", parts->out);
	if (member->flags & MEMBER_IS_ARTIFICIAL)
		fputs("artificial ", parts->out);
	switch ((enum member_kind)member->kind) {
	case MEMBER_DATA:
		fprintf(parts->out, "%s %u @%" PRIu64, text_or(member->name), member->type,
			member->bit_offset);
		break;
	case MEMBER_BASE:
		fprintf(parts->out, "base %u", member->type);
		if (!(member->flags & MEMBER_IS_VIRTUAL))
			fprintf(parts->out, " @%" PRIu64, member->bit_offset);
		break;
	case MEMBER_STATIC:
		fprintf(parts->out, "static %s %u", text_or(member->name), member->type);
		if (member->flags & MEMBER_HAS_VALUE)
			fprintf(parts->out, " = %" PRId64, (int64_t)member->value);
		break;
	case MEMBER_METHOD:
		fputs("method ", parts->out);
		print_function(parts, &parts->functions[member->type]);
		break;
	case MEMBER_TYPE:
		fprintf(parts->out, "type %u", member->type);
		break;
	case MEMBER_VARIANT_PART:
		print_variant_part(parts, &parts->variant_parts[member->type]);
		break;
	}
	if (member->bit_size)
		fprintf(parts->out, ":%u", member->bit_size);
	if (member->alignment)
		fprintf(parts->out, " align %u", member->alignment);
}

static void print_members(const struct parts *parts, uint32_t first, uint32_t count)
{
	fputs(" {", parts->out);
	for (uint32_t i = 0; i < count; i++) {
		fputs(i ? ", " : " ", parts->out);
		print_member(parts, &parts->members[first + i]);
	}
	fputs(" }", parts->out);
}

static void print_flags(const struct parts *parts, const struct program_type *type)
{
	static const char *const flags[] = { "signed", "bool",      "wide",        "bitfields",
					     "class",  "interface", "declaration", "vector" };

	for (unsigned i = 0; i < 8; i++) {
		if (type->flags >> i & 1)
			fprintf(parts->out, " %s", flags[i]);
	}
}

static void print_items(const struct parts *parts, const struct program_type *type)
{
	FILE *out = parts->out;

	switch ((enum type_kind)type->kind) {
	case TYPE_STRUCT:
	case TYPE_UNION:
		print_members(parts, type->first_item, type->item_count);
		break;
	case TYPE_ENUM:
		fputs(" {", out);
		for (uint32_t i = 0; i < type->item_count; i++) {
			const struct program_enumerator *e =
				&parts->enumerators[type->first_item + i];

			fprintf(out, "%s %s %" PRId64, i ? "," : "", text_or(e->name),
				(int64_t)e->value);
		}
		fputs(" }", out);
		break;
	case TYPE_ARRAY:
		fputc(' ', out);
		for (uint32_t i = 0; i < type->item_count; i++)
			fprintf(out, "[%" PRIu64 "]", parts->dimensions[type->first_item + i]);
		break;
	case TYPE_FUNCTION:
		print_parameters(parts, type->first_item, type->item_count);
		break;
	case TYPE_MEMBER_POINTER:
		fprintf(out, " of %u", type->member_of);
		break;
	default:
		break;
	}
}

static void print_type(const struct parts *parts, uint32_t number, const struct program_type *type,
		       const struct program_origin *origin)
{
	fprintf(parts->out, "%u %s", number, kind_names[type->kind]);
	if (type->name)
		fprintf(parts->out, " %s", type->name);
	if (type->size)
		fprintf(parts->out, " %" PRIu64, type->size);
	if (type->type)
		fprintf(parts->out, " -> %u", type->type);
	if (type->alignment)
		fprintf(parts->out, " align %u", type->alignment);
	if (origin && origin->line)
		fprintf(parts->out, " line %u", origin->line);
	if (origin && origin->unit)
		fprintf(parts->out, " unit %u", origin->unit);
	print_flags(parts, type);
}

static int compare_slots(const void *left, const void *right)
{
	const struct captured_type *const *a = left, *const *b = right;

	return ((*a)->slot > (*b)->slot) - ((*a)->slot < (*b)->slot);
}

static void print_captured_scope(FILE *out, const struct capture *capture, struct name_table *names,
				 uint32_t index)
{
	const struct captured_scope *scope = &capture->scopes.items[index];

	if (scope->parent) {
		print_captured_scope(out, capture, names, scope->parent);
		fputs("::", out);
	}
	fputs(scope->name ? name_table_text(names, scope->name) : "-", out);
}

char *captured_text(const struct capture *capture, struct name_table *names)
{
	const struct captured_type **sorted = calloc(capture->types.count + 1, sizeof(*sorted));
	struct parts parts = {
		.members = capture->members.items,
		.enumerators = capture->enumerators.items,
		.parameters = capture->parameters.items,
		.dimensions = capture->dimensions.items,
		.variant_parts = capture->variant_parts.items,
		.variants = capture->variants.items,
		.functions = capture->functions.items,
	};
	char *text = NULL;
	size_t size;

	parts.out = open_memstream(&text, &size);
	if (parts.out == NULL || sorted == NULL)
		abort();
	for (size_t i = 0; i < capture->types.count; i++)
		sorted[i] = &capture->types.items[i];
	qsort(sorted, capture->types.count, sizeof(*sorted), compare_slots);
	for (size_t i = 0; i < capture->types.count; i++) {
		print_type(&parts, sorted[i]->slot, &sorted[i]->type, &sorted[i]->origin);
		if (sorted[i]->type.scope) {
			fputs(" in ", parts.out);
			print_captured_scope(parts.out, capture, names, sorted[i]->type.scope);
		}
		print_items(&parts, &sorted[i]->type);
		fputc('\n', parts.out);
	}
	fclose(parts.out);
	free(sorted);
	return text;
}

static void print_scope(FILE *out, const struct program *program, uint32_t index)
{
	const struct program_scope *scope = &program->scopes[index];

	if (scope->parent) {
		print_scope(out, program, scope->parent);
		fputs("::", out);
	}
	fputs(text_or(scope->name), out);
}

char *program_text(const struct program *program)
{
	struct parts parts = {
		.members = program->members,
		.enumerators = program->enumerators,
		.parameters = program->parameters,
		.dimensions = program->dimensions,
		.variant_parts = program->variant_parts,
		.variants = program->variants,
		.functions = program->functions,
	};
	char *text = NULL;
	size_t size;

	parts.out = open_memstream(&text, &size);
	if (parts.out == NULL)
		abort();
	for (uint32_t i = 1; i < program->type_count; i++) {
		const struct program_type *type = &program->types[i];

		print_type(&parts, i, type, program->origins ? &program->origins[i] : NULL);
		if (type->scope) {
			fputs(" in ", parts.out);
			print_scope(parts.out, program, type->scope);
		}
		print_items(&parts, type);
		fputc('\n', parts.out);
	}
	fclose(parts.out);
	return text;
}
