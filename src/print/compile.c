/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#include "print/compile.h"

#include <stdlib.h>

#include "print/parts.h"

enum {
	COMPILE_DEPTH_MAX = 1000, /* of types that need each other; sources stay below 100 */
	REPEATS_MAX = 1000,
};

static bool need(struct compile_run *run, uint32_t type);

enum smelt_status compile_run_init(struct compile_run *run, struct compile_names *names,
				   struct printer *printer, uint32_t serial, struct text *scratch,
				   struct smelt_error *error)
{
	uint32_t count = printer->program->type_count;
	enum smelt_status status;

	*run = (struct compile_run){
		.names = names, .printer = printer, .serial = serial, .scratch = scratch
	};
	status = source_layouts_init(&run->source, printer->layouts, error);
	if (status)
		return status;
	run->states = calloc(count, sizeof(*run->states));
	run->owners = calloc(count, sizeof(*run->owners));
	run->repeats = calloc(count, sizeof(*run->repeats));
	run->enum_typedefs = calloc(count, sizeof(*run->enum_typedefs));
	if (run->states && run->owners && run->repeats && run->enum_typedefs)
		return SMELT_OK;
	compile_run_deinit(run);
	return error_no_memory(error);
}

void compile_run_deinit(struct compile_run *run)
{
	source_layouts_deinit(&run->source);
	free(run->states);
	free(run->owners);
	free(run->repeats);
	free(run->enum_typedefs);
	free(run->type_names);
	free(run->enumerator_names);
	vector_deinit(&run->items);
	*run = (struct compile_run){ 0 };
}

static void add_item(struct compile_run *run, enum compile_item_kind kind, uint32_t type)
{
	struct compile_item *item = vector_push(&run->items);

	if (item)
		*item = (struct compile_item){ type, (uint8_t)kind };
	else
		run->out_of_memory = true;
}

static const struct program_type *type_at(const struct compile_run *run, uint32_t type)
{
	return &run->printer->program->types[type];
}

/* Whether going deeper is fine. */
static bool go_on(struct compile_run *run)
{
	if (run->depth >= COMPILE_DEPTH_MAX)
		run->is_too_deep = true;
	return !run->is_too_deep && !run->out_of_memory;
}

/*
 * A struct or union whose definition comes next: what its members need. False: it is there already, or being
 * defined right now, or (*is_repeat) something that is the same.
 */
static bool define(struct compile_run *run, uint32_t number, bool *is_repeat)
{
	const struct program *program = run->printer->program;
	const struct program_type *type = type_at(run, number);
	const struct program_member *members = program_members(program, type);

	*is_repeat = false;
	if (run->states[number] != COMPILE_NEW || !go_on(run))
		return false;
	run->states[number] = COMPILE_DONE;
	if (type->name && !compile_claim_definition(run, number)) {
		*is_repeat = true;
		return false;
	}
	run->depth++;
	for (uint32_t i = 0; i < type->item_count && go_on(run); i++)
		if (members[i].kind <= MEMBER_BASE && need(run, members[i].type))
			add_item(run, ITEM_EMPTY_LINE, 0);
	run->depth--;
	if (!source_layouts_plan(&run->source, number))
		run->out_of_memory = true;
	return true;
}

static bool need_enum(struct compile_run *run, uint32_t number)
{
	if (run->states[number] != COMPILE_NEW)
		return false;
	run->states[number] = COMPILE_DONE;
	if (type_at(run, number)->name && !compile_claim_definition(run, number))
		return false;
	compile_claim_enumerators(run, number);
	if (type_at(run, number)->name)
		add_item(run, ITEM_DEFINITION, number);
	return type_at(run, number)->name != NULL;
}

/* Behind a pointer a name is enough. */
static bool need_declaration(struct compile_run *run, uint32_t number)
{
	struct compile_owner *owner;
	uint32_t index;

	if (!type_at(run, number)->name)
		return false;
	index = compile_claim(run, number);
	if (index == UINT32_MAX)
		return false;
	owner = &run->names->owners.items[index];
	if (owner->is_forwarded)
		return false;
	owner->is_forwarded = true;
	add_item(run, ITEM_FORWARD, number);
	return true;
}

/*
 * Empty lines that needing a type brings when all that it needs is there; *counts: it is set off by one more
 * where it is mentioned.
 */
static uint32_t repeated_lines(const struct compile_run *run, uint32_t number, bool *counts)
{
	bool is_behind_pointer = false;

	for (;;) {
		const struct program_type *type = type_at(run, number);

		if (type->kind == TYPE_POINTER || type->kind == TYPE_REFERENCE ||
		    type->kind == TYPE_RVALUE_REFERENCE || type->kind == TYPE_MEMBER_POINTER)
			is_behind_pointer = true;
		else if (!type_kind_is_qualifier(type->kind) && type->kind != TYPE_ARRAY)
			break;
		number = type->type;
	}
	if (type_kind_is_aggregate(type_at(run, number)->kind))
		*counts |= !is_behind_pointer;
	else if (type_at(run, number)->kind == TYPE_FUNCTION)
		*counts |= run->repeats[number] > 0;
	return type_at(run, number)->kind == TYPE_FUNCTION ? run->repeats[number] : 0;
}

static uint32_t count_repeats(const struct compile_run *run, uint32_t number)
{
	const struct program_type *function = type_at(run, number);
	const struct program_parameter *parameters =
		run->printer->program->parameters + function->first_item;
	bool counts = false;
	uint32_t lines = repeated_lines(run, function->type, &counts);

	for (uint32_t i = 0; i < function->item_count && lines < REPEATS_MAX; i++)
		lines += repeated_lines(run, parameters[i].type, &counts);
	return lines + counts;
}

static bool need_function(struct compile_run *run, uint32_t number)
{
	const struct program_type *function = type_at(run, number);
	const struct program_parameter *parameters =
		run->printer->program->parameters + function->first_item;
	bool is_printed;

	if (run->states[number] == COMPILE_OPEN || !go_on(run))
		return false;
	if (run->states[number] == COMPILE_DONE) {
		for (uint32_t i = 0; i < run->repeats[number]; i++)
			add_item(run, ITEM_EMPTY_LINE, 0);
		return run->repeats[number] > 0;
	}
	run->states[number] = COMPILE_OPEN;
	run->depth++;
	is_printed = need(run, function->type);
	for (uint32_t i = 0; i < function->item_count && go_on(run); i++)
		is_printed |= need(run, parameters[i].type);
	if (is_printed)
		add_item(run, ITEM_EMPTY_LINE, 0);
	run->depth--;
	run->states[number] = COMPILE_DONE;
	run->repeats[number] = count_repeats(run, number);
	return is_printed;
}

static void finish_typedef(struct compile_run *run, uint32_t number)
{
	if (run->states[number] ==
	    COMPILE_DONE) /* came up again on the way, and was printed there */
		return;
	run->states[number] = COMPILE_DONE;
	if (strncmp(type_at(run, number)->name, "__builtin_", 10) == 0)
		return; /* compilers know it, and do not want to be told */
	if (compile_claim_definition(run, number))
		add_item(run, ITEM_TYPEDEF, number);
}

static void define_and_print(struct compile_run *run, uint32_t number)
{
	bool is_repeat;

	if (define(run, number, &is_repeat))
		add_item(run, ITEM_DEFINITION, number);
}

/* Returns whether the typedef's line is still to come: it can be part of the target's definition. */
static bool need_typedef_target(struct compile_run *run, uint32_t number)
{
	uint32_t target = type_at(run, number)->type;
	bool is_behind_pointer = false;
	bool is_direct = true; /* the target itself: no qualifier in between */

	for (;;) {
		const struct program_type *type = type_at(run, target);
		bool is_repeat;

		switch ((enum type_kind)type->kind) {
		case TYPE_CONST:
		case TYPE_VOLATILE:
		case TYPE_RESTRICT:
		case TYPE_ATOMIC:
		case TYPE_TAG:
		case TYPE_ARRAY:
			is_direct = false;
			break;
		case TYPE_POINTER:
		case TYPE_REFERENCE:
		case TYPE_RVALUE_REFERENCE:
		case TYPE_MEMBER_POINTER:
			is_direct = false;
			is_behind_pointer = true;
			break;
		case TYPE_FUNCTION:
			(void)need_function(run, target);
			return true;
		case TYPE_ENUM:
			(void)need_enum(run, target);
			return true;
		case TYPE_STRUCT:
		case TYPE_UNION:
			if (type->name) {
				if (!is_behind_pointer)
					define_and_print(run, target);
				return true;
			}
			(void)define(run, target, &is_repeat);
			if (!is_direct)
				return true;
			run->states[number] = COMPILE_DONE;
			if (compile_claim_definition(run, number))
				add_item(run, ITEM_TYPEDEF_BODY, number);
			return false;
		case TYPE_INT:
		case TYPE_FLOAT:
			(void)need(run, target);
			return true;
		default: /* a TYPEDEF was needed before */
			return true;
		}
		target = type->type;
	}
}

/* What a typedef's line mentions as another typedef, or 0. */
static uint32_t inner_typedef(const struct compile_run *run, uint32_t number)
{
	uint32_t target = type_at(run, number)->type;

	for (;;) {
		const struct program_type *type = type_at(run, target);

		if (type->kind == TYPE_TYPEDEF)
			return target;
		if (!type_kind_is_qualifier(type->kind) && type->kind != TYPE_ARRAY &&
		    type->kind != TYPE_POINTER && type->kind != TYPE_REFERENCE &&
		    type->kind != TYPE_RVALUE_REFERENCE)
			return 0;
		target = type->type;
	}
}

/* Chains of typedefs can be long: innermost first, without recursion. */
static bool need_typedef(struct compile_run *run, uint32_t number)
{
	VECTOR(uint32_t) chain = { 0 };
	bool is_new = false;

	if (!type_at(run, number)->name)
		return need(run, type_at(run, number)->type);
	for (uint32_t at = number; at && run->states[at] != COMPILE_DONE && go_on(run);
	     at = inner_typedef(run, at)) {
		uint32_t *added = vector_push(&chain);

		if (!added)
			run->out_of_memory = true;
		else
			*added = at;
	}
	run->depth++;
	while (chain.count > 0 && go_on(run)) {
		uint32_t at = chain.items[--chain.count];
		bool is_open = run->states[at] == COMPILE_OPEN;

		is_new |= at == number;
		run->states[at] = COMPILE_OPEN;
		/* Its own target came back to it: what that needs is under way. */
		if (is_open || need_typedef_target(run, at))
			finish_typedef(run, at);
	}
	run->depth--;
	vector_deinit(&chain);
	return is_new;
}

static bool is_c_type(const char *name)
{
	static const char *const words[] = {
		"char",       "short",      "int",         "long",       "signed",    "unsigned",
		"float",      "double",     "_Bool",       "_Complex",   "__int128",  "_Float16",
		"_Float32",   "_Float64",   "_Float128",   "__bf16",     "_Float32x", "_Float64x",
		"_Decimal32", "_Decimal64", "_Decimal128", "__float128",
	};

	while (*name) {
		size_t length = strcspn(name, " ");
		bool is_known = length == 0;

		for (size_t i = 0; i < sizeof(words) / sizeof(words[0]) && !is_known; i++)
			is_known = strlen(words[i]) == length &&
				   memcmp(words[i], name, length) == 0;
		if (!is_known)
			return false;
		name += length;
		name += *name == ' ';
	}
	return true;
}

static bool is_atomic(const char *name)
{
	static const char prefix[] = "atomic_";

	return strncmp(name, prefix, sizeof(prefix) - 1) == 0;
}

static bool need_base(struct compile_run *run, uint32_t number)
{
	const struct program_type *type = type_at(run, number);

	if (run->states[number] == COMPILE_DONE)
		return false;
	run->states[number] = COMPILE_DONE;
	if (!type->name || (run->skips_atomic && is_atomic(type->name)) || is_c_type(type->name) ||
	    strncmp(type->name, "__", 2) == 0)
		return false;
	if (!compile_claim_definition(run, number))
		return false;
	add_item(run, ITEM_BASE, number);
	return true;
}

/*
 * Plans what must stand before something that mentions the type. Returns whether it is set off by an
 * empty line: something was planned, or (for structs by value) could have been.
 */
static bool need(struct compile_run *run, uint32_t number)
{
	bool is_behind_pointer = false;

	for (;;) {
		const struct program_type *type = type_at(run, number);
		bool is_repeat;

		switch ((enum type_kind)type->kind) {
		case TYPE_POINTER:
		case TYPE_REFERENCE:
		case TYPE_RVALUE_REFERENCE:
		case TYPE_MEMBER_POINTER:
			is_behind_pointer = true;
			break;
		case TYPE_CONST:
		case TYPE_VOLATILE:
		case TYPE_RESTRICT:
		case TYPE_ATOMIC:
		case TYPE_TAG:
		case TYPE_ARRAY:
			break;
		case TYPE_INT:
		case TYPE_FLOAT:
			return need_base(run, number);
		case TYPE_TYPEDEF:
			return need_typedef(run, number);
		case TYPE_ENUM:
			return need_enum(run, number);
		case TYPE_FUNCTION:
			return need_function(run, number);
		case TYPE_STRUCT_FORWARD:
		case TYPE_UNION_FORWARD:
			return need_declaration(run, number);
		case TYPE_STRUCT:
		case TYPE_UNION:
			if (!is_behind_pointer) {
				if (define(run, number, &is_repeat) && type->name)
					add_item(run, ITEM_DEFINITION, number);
				return true;
			}
			if (!type->name)
				(void)define(run, number, &is_repeat);
			return need_declaration(run, number);
		default:
			return false;
		}
		number = type->type;
	}
}

bool compile_add(struct compile_run *run, uint32_t number, uint32_t name, bool *is_repeat)
{
	const struct program_type *type = type_at(run, number);

	*is_repeat = false;
	switch ((enum type_kind)type->kind) {
	case TYPE_STRUCT:
	case TYPE_UNION:
		if (!type->name && name)
			return need_typedef(run, name);
		if (!define(run, number, is_repeat))
			return false;
		add_item(run, ITEM_DEFINITION, number);
		return true;
	case TYPE_ENUM:
		return name ? need_typedef(run, name) : need_enum(run, number);
	case TYPE_TYPEDEF:
		return need_typedef(run, number);
	default:
		return false;
	}
}

void compile_add_empty_line(struct compile_run *run)
{
	add_item(run, ITEM_EMPTY_LINE, 0);
}

enum smelt_status compile_status(const struct compile_run *run, uint32_t type,
				 struct smelt_error *error)
{
	const struct program *program = run->printer->program;
	const char *name = program->types[type].name;

	if (run->out_of_memory)
		return error_no_memory(error);
	if (run->is_too_deep)
		return error_set(error, SMELT_UNSUPPORTED,
				 "%s: type %u (%s) needs more than %d types that need each other",
				 program->path, type, name ? name : "no name", COMPILE_DEPTH_MAX);
	return SMELT_OK;
}

static void print_base(struct printer *printer, uint32_t number)
{
	const struct program_type *type = &printer->program->types[number];

	text_string(printer->text, "typedef ");
	if (is_atomic(type->name))
		text_string(printer->text, "_Atomic ");
	text_string(printer->text, printer_sized_type(type));
	text_char(printer->text, ' ');
	text_string(printer->text, printer_name(printer, number));
	text_string(printer->text, ";\n");
}

static void print_forward(struct printer *printer, uint32_t number)
{
	enum type_kind kind = printer->program->types[number].kind;

	text_string(printer->text,
		    kind == TYPE_UNION || kind == TYPE_UNION_FORWARD ? "union " : "struct ");
	text_string(printer->text, printer_name(printer, number));
	text_string(printer->text, ";\n");
}

/* From now on an enumeration without name can go by this typedef. */
static void note_enum_typedef(struct compile_run *run, uint32_t number)
{
	uint32_t target = type_at(run, number)->type;

	if (type_at(run, target)->kind == TYPE_ENUM && run->enum_typedefs[target] == UINT32_MAX)
		run->enum_typedefs[target] = number;
}

void compile_print(struct compile_run *run, size_t index)
{
	const struct compile_item *item = &run->items.items[index];
	struct printer *printer = run->printer;
	struct place place;

	printer->plans = run->source.plans;
	printer->enum_typedefs = run->enum_typedefs;
	switch ((enum compile_item_kind)item->kind) {
	case ITEM_EMPTY_LINE:
		text_char(printer->text, '\n');
		break;
	case ITEM_FORWARD:
		print_forward(printer, item->type);
		break;
	case ITEM_BASE:
		print_base(printer, item->type);
		break;
	case ITEM_DEFINITION:
		print_definition(printer, item->type);
		break;
	case ITEM_TYPEDEF:
		place = printer_place(printer, item->type);
		printer->cacheline = 0;
		print_typedef(printer, item->type, &place);
		text_string(printer->text, ";\n");
		note_enum_typedef(run, item->type);
		break;
	case ITEM_TYPEDEF_BODY:
		print_definition_with_typedef(printer, printer->program->types[item->type].type,
					      item->type);
		break;
	}
	printer->plans = NULL;
	printer->enum_typedefs = NULL;
	if (item->kind == ITEM_DEFINITION || item->kind == ITEM_TYPEDEF)
		compile_note_content(run, item->type, printer->text);
}

static void print_assertion(struct printer *printer, const char *keyword, const char *name,
			    const char *member, uint64_t value)
{
	text_string(printer->text,
		    member ? "_Static_assert(__builtin_offsetof(" : "_Static_assert(sizeof(");
	text_string(printer->text, keyword);
	text_string(printer->text, name);
	if (member) {
		text_string(printer->text, ", ");
		text_string(printer->text, member);
	}
	text_string(printer->text, ") == ");
	text_number(printer->text, value);
	text_string(printer->text, ", \"\");\n");
}

static void print_type_assertions(struct compile_run *run, uint32_t number, const char *keyword,
				  const char *name)
{
	const struct program *program = run->printer->program;
	const struct program_type *type = &program->types[number];
	const struct aggregate_layout *layout = layout_of(run->printer->layouts, number);

	print_assertion(run->printer, keyword, name, NULL, type->size);
	for (uint32_t i = 0; layout && i < type->item_count; i++) {
		const struct program_member *member = &program_members(program, type)[i];

		if (member->kind == MEMBER_DATA && member->name && !layout->members[i].bit_size)
			print_assertion(run->printer, keyword, name, member->name,
					layout->members[i].offset);
	}
}

void compile_print_assertions(struct compile_run *run)
{
	const struct program_type *types = run->printer->program->types;

	for (size_t i = 0; i < run->items.count; i++) {
		uint32_t type = run->items.items[i].type;

		if (run->items.items[i].kind == ITEM_TYPEDEF_BODY)
			print_type_assertions(run, types[type].type, "",
					      printer_name(run->printer, type));
		else if (run->items.items[i].kind == ITEM_DEFINITION &&
			 type_kind_is_aggregate(types[type].kind))
			print_type_assertions(run, type,
					      types[type].kind == TYPE_UNION ? "union " : "struct ",
					      printer_name(run->printer, type));
	}
}
