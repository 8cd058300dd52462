/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Names in compilable source. C11, 6.2.3: tags of structs, unions and enumerations have one name space,
 * typedefs and enumerators another.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

#include "print/compile.h"

enum { NO_CONTENT = UINT32_MAX };

static const char SPACE_TAG = 't', SPACE_ORDINARY = 'o';

void compile_names_init(struct compile_names *names)
{
	*names = (struct compile_names){ 0 };
	arena_init(&names->arena);
}

void compile_names_deinit(struct compile_names *names)
{
	seen_set_deinit(&names->names);
	seen_set_deinit(&names->contents);
	vector_deinit(&names->first_owners);
	vector_deinit(&names->owners);
	arena_deinit(&names->arena);
}

/* The list of owners of a name; NULL: no memory. */
static uint32_t *find_owners(struct compile_run *run, char space, const char *name)
{
	struct compile_names *names = run->names;
	uint32_t *first;
	uint32_t number;
	bool is_new;

	text_reset(run->scratch);
	text_char(run->scratch, space);
	text_string(run->scratch, name);
	if (run->scratch->failed ||
	    !seen_set_add(&names->names, run->scratch->data, run->scratch->size, &number, &is_new))
		return NULL;
	if (is_new) {
		first = vector_push(&names->first_owners);
		if (!first)
			return NULL;
		*first = 0;
	}
	return &names->first_owners.items[number];
}

/* The name as C can have it: other languages put anything into theirs. */
static const char *to_identifier(struct compile_run *run, const char *name)
{
	size_t length = strlen(name);
	char *copy;

	for (size_t i = 0; i < length; i++) {
		if (isalnum((unsigned char)name[i]) || name[i] == '_' || name[i] == '$')
			continue;
		copy = arena_strndup(&run->names->arena, name, length);
		for (; copy && i < length; i++)
			if (!isalnum((unsigned char)copy[i]) && copy[i] != '$')
				copy[i] = '_';
		return copy;
	}
	return name;
}

/* NAME__N, the first that nobody has. */
static const char *make_name(struct compile_run *run, char space, const char *name)
{
	size_t bytes = strlen(name) + sizeof("__4294967295");
	char *made = arena_alloc(&run->names->arena, bytes);

	for (uint32_t n = 1; made && n < UINT32_MAX; n++) {
		uint32_t *owners;

		(void)snprintf(made, bytes, "%s__%u", name, n);
		owners = find_owners(run, space, made);
		if (!owners)
			return NULL;
		if (*owners == 0)
			return made;
	}
	return NULL;
}

/* Adds an owner to a list; its index, or UINT32_MAX. */
static uint32_t add_owner(struct compile_run *run, char space, const char *name,
			  const struct compile_owner *owner)
{
	struct compile_names *names = run->names;
	uint32_t *first = find_owners(run, space, name);
	struct compile_owner *added = first ? vector_push(&names->owners) : NULL;

	if (!added) {
		run->out_of_memory = true;
		return UINT32_MAX;
	}
	*added = *owner;
	added->next = 0;
	while (*first) /* at the end: the first one stays the one with the plain name */
		first = &names->owners.items[*first - 1].next;
	*first = (uint32_t)names->owners.count;
	return (uint32_t)names->owners.count - 1;
}

static enum type_kind declared_kind(enum type_kind kind)
{
	return kind == TYPE_STRUCT_FORWARD ? TYPE_STRUCT :
	       kind == TYPE_UNION_FORWARD  ? TYPE_UNION :
					     kind;
}

/* Number of the definition's text, names as they are in the program. */
static uint32_t content_of(struct compile_run *run, uint32_t type)
{
	static const struct print_style usual;
	struct printer *printer = run->printer;
	struct printer saved = *printer;
	uint32_t number = NO_CONTENT;
	bool is_new;

	text_reset(run->scratch);
	printer->style = &usual;
	printer->text = run->scratch;
	printer->names = NULL;
	printer->enumerator_names = NULL;
	printer->plans = NULL;
	printer->enum_typedefs = NULL;
	print_definition(printer, type);
	printer->style = saved.style;
	printer->text = saved.text;
	printer->names = saved.names;
	printer->enumerator_names = saved.enumerator_names;
	printer->plans = saved.plans;
	printer->enum_typedefs = saved.enum_typedefs;
	if (run->scratch->failed || !seen_set_add(&run->names->contents, run->scratch->data,
						  run->scratch->size, &number, &is_new))
		run->out_of_memory = true;
	return number;
}

static bool is_declaration(const struct program_type *type)
{
	return type->kind == TYPE_STRUCT_FORWARD || type->kind == TYPE_UNION_FORWARD ||
	       (type->kind == TYPE_ENUM && type->item_count == 0);
}

/* Whether this owner is what the type would be. */
static bool owns_same(struct compile_run *run, struct compile_owner *owner, uint32_t number)
{
	const struct program_type *types = run->printer->program->types;

	if (owner->kind != declared_kind(types[number].kind))
		return false;
	if (is_declaration(&types[number]))
		return true;
	if (owner->serial == run->serial && owner->content == NO_CONTENT) {
		if (is_declaration(&types[owner->type]))
			return true; /* a declaration comes to be what it declares */
		owner->content = content_of(run, owner->type);
	}
	/* Of a declaration in an earlier program nothing else is known. */
	return owner->content == NO_CONTENT || owner->content == content_of(run, number);
}

static void rename_type(struct compile_run *run, uint32_t type, const char *name)
{
	if (!run->type_names)
		run->type_names =
			calloc(run->printer->program->type_count, sizeof(*run->type_names));
	if (run->type_names)
		run->type_names[type] = name;
	else
		run->out_of_memory = true;
	run->printer->names = run->type_names;
}

/* The owner in a list that is what the type would be, or 0; indices + 1. */
static uint32_t find_same(struct compile_run *run, uint32_t first, uint32_t type)
{
	for (uint32_t at = first; at; at = run->names->owners.items[at - 1].next)
		if (owns_same(run, &run->names->owners.items[at - 1], type))
			return at;
	return 0;
}

static uint32_t add_claim(struct compile_run *run, char space, const char *name, bool is_taken,
			  uint32_t type)
{
	const struct program_type *claimed = &run->printer->program->types[type];
	struct compile_owner owner = { .name = is_taken ? make_name(run, space, name) : name,
				       .type = type,
				       .serial = run->serial,
				       .content = NO_CONTENT,
				       .kind = declared_kind(claimed->kind) };
	uint32_t index;

	if (!owner.name) {
		run->out_of_memory = true;
		return UINT32_MAX;
	}
	if (owner.name != claimed->name)
		rename_type(run, type, owner.name);
	index = add_owner(run, space, name, &owner);
	if (is_taken && add_owner(run, space, owner.name, &owner) == UINT32_MAX)
		return UINT32_MAX;
	return index;
}

uint32_t compile_claim(struct compile_run *run, uint32_t type)
{
	const struct program_type *claimed = &run->printer->program->types[type];
	bool has_tag = type_kind_is_aggregate(declared_kind(claimed->kind)) ||
		       claimed->kind == TYPE_ENUM;
	char space = has_tag ? SPACE_TAG : SPACE_ORDINARY;
	const char *name;
	uint32_t *first;
	uint32_t index;

	if (run->owners[type])
		return run->owners[type] - 1;
	name = to_identifier(run, claimed->name);
	first = name ? find_owners(run, space, name) : NULL;
	if (!first) {
		run->out_of_memory = true;
		return UINT32_MAX;
	}
	index = find_same(run, *first, type);
	if (index-- == 0)
		index = add_claim(run, space, name, *first != 0, type);
	else if (run->names->owners.items[index].name != claimed->name)
		rename_type(run, type, run->names->owners.items[index].name);
	if (index != UINT32_MAX)
		run->owners[type] = index + 1;
	return index;
}

bool compile_claim_definition(struct compile_run *run, uint32_t type)
{
	uint32_t index = compile_claim(run, type);

	if (index == UINT32_MAX || run->names->owners.items[index].is_defined)
		return false;
	run->names->owners.items[index].is_defined = true;
	run->names->owners.items[index].type = type;
	run->names->owners.items[index].serial = run->serial;
	return true;
}

void compile_claim_enumerators(struct compile_run *run, uint32_t type)
{
	const struct program *program = run->printer->program;
	const struct program_type *claimed = &program->types[type];

	for (uint32_t i = 0; i < claimed->item_count && !run->out_of_memory; i++) {
		uint32_t index = claimed->first_item + i;
		const char *name = to_identifier(run, program->enumerators[index].name);
		uint32_t *first = name ? find_owners(run, SPACE_ORDINARY, name) : NULL;
		struct compile_owner owner = { .type = type,
					       .serial = run->serial,
					       .content = NO_CONTENT,
					       .kind = TYPE_VOID };

		owner.name = first && *first ? make_name(run, SPACE_ORDINARY, name) : name;
		if (!first || !owner.name ||
		    add_owner(run, SPACE_ORDINARY, owner.name, &owner) == UINT32_MAX) {
			run->out_of_memory = true;
			return;
		}
		if (owner.name == program->enumerators[index].name)
			continue;
		if (!run->enumerator_names)
			run->enumerator_names =
				calloc(program->enumerator_count, sizeof(*run->enumerator_names));
		if (run->enumerator_names)
			run->enumerator_names[index] = owner.name;
		else
			run->out_of_memory = true;
		run->printer->enumerator_names = run->enumerator_names;
	}
}

void compile_note_content(struct compile_run *run, uint32_t type, const struct text *text)
{
	bool is_as_content = !run->type_names && !run->enumerator_names && !run->source.plans[type];
	uint32_t owner = run->owners[type];
	bool is_new;

	if (!owner || run->names->owners.items[owner - 1].content != NO_CONTENT)
		return;
	if (!is_as_content)
		run->names->owners.items[owner - 1].content = content_of(run, type);
	else if (!seen_set_add(&run->names->contents, text->data, text->size,
			       &run->names->owners.items[owner - 1].content, &is_new))
		run->out_of_memory = true;
}
