/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#include "support/loaded_dwarf.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void loaded_dwarf_open(struct loaded_dwarf *loaded, struct dwarf_builder *builder,
		       const struct dwarf_load_options *options)
{
	*loaded = (struct loaded_dwarf){ .path = dwarf_builder_write(builder) };
	arena_init(&loaded->worker.scratch);
	if (elf_file_open(loaded->path, &loaded->file, &loaded->error) ||
	    worker_pool_create(1, &loaded->pool, &loaded->error) ||
	    load_context_create(&loaded->context, &loaded->error))
		abort();
	loaded->status = dwarf_loader_create(loaded->context, loaded->file, options,
					     &loaded->loader, &loaded->error);
	if (loaded->status)
		return;
	/* No symbol table: no functions. */
	if (symbol_groups_create(loaded->file, dwarf_loader_names(loaded->loader), loaded->pool,
				 &loaded->groups, &loaded->error))
		loaded->groups = NULL;
}

static void load_once(struct loaded_dwarf *loaded, uint32_t unit)
{
	arena_reset(&loaded->worker.scratch);
	loaded->status = dwarf_loader_load_unit(loaded->loader, unit, loaded->groups,
						&loaded->worker, &loaded->types, &loaded->record,
						&loaded->error);
}

void loaded_dwarf_unit(struct loaded_dwarf *loaded, uint32_t unit)
{
	if (loaded->loader == NULL)
		return;
	load_once(loaded, unit);
	while (loaded->status == SMELT_OK && dwarf_loader_needs_reload(loaded->loader)) {
		loaded->status = dwarf_loader_prepare_reload(loaded->loader, &loaded->error);
		if (loaded->status == SMELT_OK)
			load_once(loaded,
				  unit < dwarf_loader_unit_count(loaded->loader) ? unit : 0);
	}
}

void loaded_dwarf_close(struct loaded_dwarf *loaded)
{
	symbol_groups_destroy(loaded->groups);
	dwarf_loader_destroy(loaded->loader);
	load_context_destroy(loaded->context);
	worker_pool_destroy(loaded->pool);
	elf_file_close(loaded->file);
	arena_deinit(&loaded->worker.scratch);
	test_file_remove(loaded->path);
}

static const char *name_of(const struct loaded_dwarf *loaded, uint32_t name)
{
	const char *text = name_table_text(dwarf_loader_names(loaded->loader), name);

	return *text ? text : "-"; /* provisional names may be the number of an empty text */
}

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
	[TYPE_ALIAS] = "alias",
	[TYPE_UNSPECIFIED] = "unspecified",
	[TYPE_STRING] = "string",
};

static void print_items(FILE *out, const struct loaded_dwarf *loaded, const struct model_type *type)
{
	const struct model_item *items = loaded->types.items + type->first_item;

	for (uint32_t i = 0; i < type->item_count; i++) {
		fprintf(out, "%s%s", i ? ", " : " ", name_of(loaded, items[i].name));
		if (type->kind == TYPE_ENUM)
			fprintf(out, " %" PRId64, (int64_t)items[i].value);
		else
			fprintf(out, " %u", items[i].type);
		if (type->kind == TYPE_STRUCT || type->kind == TYPE_UNION)
			fprintf(out, " @%" PRIu64, model_item_bit_offset(&items[i]));
		if (type->kind != TYPE_ENUM && model_item_bit_size(&items[i]))
			fprintf(out, ":%u", model_item_bit_size(&items[i]));
	}
}

static void print_type(FILE *out, const struct loaded_dwarf *loaded, uint32_t slot)
{
	const struct model_type *type = &loaded->types.types[slot];

	fprintf(out, "%u %s", slot, kind_names[type->kind]);
	switch (type->kind) {
	case TYPE_POINTER:
	case TYPE_REFERENCE:
	case TYPE_RVALUE_REFERENCE:
	case TYPE_CONST:
	case TYPE_VOLATILE:
	case TYPE_RESTRICT:
	case TYPE_ATOMIC:
		fprintf(out, " -> %u", type->type);
		break;
	case TYPE_TYPEDEF:
	case TYPE_TAG:
		fprintf(out, " %s -> %u", name_of(loaded, type->name), type->type);
		break;
	case TYPE_MEMBER_POINTER:
		fprintf(out, " -> %u in %u %u", type->type,
			loaded->types.items[type->first_item].type, type->size);
		break;
	case TYPE_ARRAY:
		fprintf(out, " -> %u x %u", type->type, type->size);
		break;
	case TYPE_FUNCTION:
		fprintf(out, " -> %u (", type->type);
		print_items(out, loaded, type);
		fputs(" )", out);
		break;
	case TYPE_STRUCT_FORWARD:
	case TYPE_UNION_FORWARD:
		fprintf(out, " %s", name_of(loaded, type->name));
		break;
	default:
		fprintf(out, " %s %u", name_of(loaded, type->name), type->size);
	}
	if (type->flags & TYPE_SIGNED)
		fputs(" signed", out);
	if (type->flags & TYPE_BOOL)
		fputs(" bool", out);
	if (type->flags & TYPE_WIDE)
		fputs(" wide", out);
	if (type->flags & TYPE_BITFIELDS)
		fputs(" bitfields", out);
	if (type->flags & TYPE_CLASS)
		fputs(" class", out);
	if (type->kind == TYPE_STRUCT || type->kind == TYPE_UNION || type->kind == TYPE_ENUM) {
		fputs(" {", out);
		print_items(out, loaded, type);
		fputs(" }", out);
	}
	fputc('\n', out);
}

char *loaded_dwarf_text(const struct loaded_dwarf *loaded)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	if (out == NULL)
		abort();
	for (uint32_t slot = 1; slot < loaded->types.type_count; slot++)
		print_type(out, loaded, slot);
	fclose(out);
	return text;
}

static void print_flags(FILE *out, uint32_t flags)
{
	static const struct {
		uint32_t flag;
		const char *name;
	} names[] = {
		{ FUNCTION_OPTIMIZED_PARAMETERS, "optimized" },
		{ FUNCTION_UNEXPECTED_REGISTER, "unexpected" },
		{ FUNCTION_REORDERED, "reordered" },
		{ FUNCTION_SIGNATURE_CHANGED, "changed" },
		{ FUNCTION_UNCERTAIN, "uncertain" },
		{ FUNCTION_OPTIMIZED_SYMBOL, "optimized_symbol" },
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (flags & names[i].flag)
			fprintf(out, " %s", names[i].name);
	}
}

static void print_function(FILE *out, const struct loaded_dwarf *loaded,
			   const struct function_state *function)
{
	const struct symbol_group *group = &loaded->groups->groups[function->group];

	fprintf(out, "%.*s -> %u (", (int)group->key_size,
		symbol_group_key(loaded->groups, function->group), function->return_type);
	for (uint32_t i = 0; i < function->parameter_count; i++) {
		const struct function_parameter *parameter =
			&loaded->record.parameters[function->first_parameter + i];

		fprintf(out, "%s%s %u", i ? ", " : " ", name_of(loaded, parameter->name),
			parameter->type);
	}
	fputs(" )", out);
	print_flags(out, function->flags);
	if (function->symbol != 0)
		fprintf(out, " = %s", loaded->groups->symbols[function->symbol - 1].name);
	for (uint32_t i = 0; i < function->tag_count; i++) {
		const struct decl_tag *tag = &loaded->record.tags[function->first_tag + i];

		fprintf(out, " [%s %d]", name_of(loaded, tag->value), tag->component);
	}
	fputc('\n', out);
}

char *loaded_dwarf_functions(const struct loaded_dwarf *loaded)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	if (out == NULL)
		abort();
	for (uint32_t i = 0; i < loaded->record.function_count; i++)
		print_function(out, loaded, &loaded->record.functions[i]);
	fclose(out);
	return text;
}
