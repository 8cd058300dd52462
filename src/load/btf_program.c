/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#include "load/btf_program.h"

#include <stdlib.h>
#include <string.h>

#include "base/vector.h"
#include "btf/reader.h"

enum { DEFAULT_ADDRESS_SIZE = 8 };

struct conversion {
	const struct btf_view *view;
	const struct program_needs *needs;
	struct program *program;
	/* A bit per type: it is converted, with its parts. NULL: all are. */
	uint64_t *mentioned;
	uint64_t *wanted;
};

static bool has_bit(const uint64_t *bits, uint32_t id)
{
	return bits[id / 64] >> (id % 64) & 1;
}

static void set_bit(uint64_t *bits, uint32_t id)
{
	bits[id / 64] |= UINT64_C(1) << (id % 64);
}

static bool is_wanted(const struct conversion *conversion, uint32_t id)
{
	return !conversion->wanted || has_bit(conversion->wanted, id);
}

static bool is_mentioned(const struct conversion *conversion, uint32_t id)
{
	return !conversion->mentioned || has_bit(conversion->mentioned, id);
}

static const char *name_at(const struct conversion *conversion, uint32_t offset)
{
	const char *name = btf_view_string(conversion->view, offset);

	return *name ? name : NULL;
}

/* What a program keeps of its file. */
struct btf_backing {
	struct btf_file *file;
	struct program_type *types;
};

/* How many parts of each kind there will be. */
static void count_parts(struct conversion *conversion)
{
	const struct btf_view *view = conversion->view;
	struct program *program = conversion->program;

	for (uint32_t id = 1; id < view->end_id; id++) {
		const struct btf_record *record;
		uint32_t parts;

		if (!is_mentioned(conversion, id))
			continue;
		program->present_count++;
		record = btf_view_record(view, id);
		parts = is_wanted(conversion, id) ? btf_record_vlen(record) : 0;

		switch (btf_record_kind(record)) {
		case BTF_KIND_STRUCT:
		case BTF_KIND_UNION:
			program->member_count += parts;
			break;
		case BTF_KIND_ENUM:
		case BTF_KIND_ENUM64:
			program->enumerator_count += parts;
			break;
		case BTF_KIND_FUNC_PROTO:
			program->parameter_count += parts;
			break;
		case BTF_KIND_FUNC:
			program->function_count += conversion->needs->functions;
			break;
		case BTF_KIND_ARRAY:
			program->dimension_count++;
			break;
		default:
			break;
		}
	}
}

static bool allocate(struct program *program, uint32_t type_count)
{
	struct arena *arena = &program->arena;

	/* Not from the arena: pages that are not touched are not there. */
	program->types = calloc(type_count, sizeof(*program->types));
	((struct btf_backing *)program->backing)->types = program->types;
	program->type_count = type_count;
	program->present = arena_alloc(arena, program->present_count * sizeof(*program->present));
	program->members = arena_calloc(arena, program->member_count, sizeof(*program->members));
	program->enumerators =
		arena_calloc(arena, program->enumerator_count, sizeof(*program->enumerators));
	program->parameters =
		arena_calloc(arena, program->parameter_count, sizeof(*program->parameters));
	program->dimensions =
		arena_calloc(arena, program->dimension_count, sizeof(*program->dimensions));
	program->functions =
		arena_calloc(arena, program->function_count, sizeof(*program->functions));
	return program->types && program->present && program->members && program->enumerators &&
	       program->parameters && program->dimensions && program->functions;
}

/* Until kind_flag came, the width of a bit field was that of an INT made for it. */
static void convert_old_bit_field(const struct conversion *conversion,
				  struct program_member *member)
{
	const struct btf_record *record = btf_view_record(conversion->view, member->type);
	uint32_t bits, shift;

	while (btf_record_kind(record) == BTF_KIND_TYPEDEF ||
	       btf_record_kind(record) == BTF_KIND_CONST ||
	       btf_record_kind(record) == BTF_KIND_VOLATILE)
		record = btf_view_record(conversion->view, record->size_or_type);
	if (btf_record_kind(record) != BTF_KIND_INT)
		return;
	bits = record->words[0] & 0xff;
	shift = record->words[0] >> 16 & 0xff;
	if (bits == record->size_or_type * 8 && shift == 0)
		return;
	member->bit_size = (uint16_t)bits;
	member->bit_offset += shift;
}

static void convert_members(struct conversion *conversion, const struct btf_record *record,
			    struct program_member *members)
{
	const struct btf_member_part *parts = btf_record_members(record);
	bool has_widths = btf_record_flag(record);

	for (uint32_t i = 0; i < btf_record_vlen(record); i++) {
		members[i].name = name_at(conversion, parts[i].name);
		members[i].type = parts[i].type;
		members[i].bit_offset = parts[i].place;
		if (has_widths) {
			members[i].bit_offset = parts[i].place & BTF_BITFIELD_OFFSET_MAX;
			members[i].bit_size =
				(uint16_t)(parts[i].place >> BTF_BITFIELD_WIDTH_SHIFT);
		} else {
			convert_old_bit_field(conversion, &members[i]);
		}
	}
}

static void convert_enumerators(struct conversion *conversion, const struct btf_record *record,
				struct program_enumerator *enumerators)
{
	bool is_signed = btf_record_flag(record);
	bool is_wide = btf_record_kind(record) == BTF_KIND_ENUM64;

	for (uint32_t i = 0; i < btf_record_vlen(record); i++) {
		if (is_wide) {
			const struct btf_enumerator64_part *part =
				&btf_record_enumerators64(record)[i];

			enumerators[i].name = btf_view_string(conversion->view, part->name);
			enumerators[i].value = (uint64_t)part->high << 32 | part->low;
		} else {
			const struct btf_enumerator_part *part = &btf_record_enumerators(record)[i];

			enumerators[i].name = btf_view_string(conversion->view, part->name);
			enumerators[i].value = is_signed ? (uint64_t)(int32_t)part->value :
							   part->value;
		}
	}
}

static void convert_parameters(struct conversion *conversion, const struct btf_record *record,
			       struct program_parameter *parameters)
{
	const struct btf_parameter_part *parts = btf_record_parameters(record);

	for (uint32_t i = 0; i < btf_record_vlen(record); i++) {
		parameters[i].name = name_at(conversion, parts[i].name);
		parameters[i].type = parts[i].type;
	}
}

static enum type_kind target_kind(enum btf_kind kind)
{
	switch (kind) {
	case BTF_KIND_PTR:
		return TYPE_POINTER;
	case BTF_KIND_TYPEDEF:
		return TYPE_TYPEDEF;
	case BTF_KIND_VOLATILE:
		return TYPE_VOLATILE;
	case BTF_KIND_CONST:
		return TYPE_CONST;
	case BTF_KIND_RESTRICT:
		return TYPE_RESTRICT;
	case BTF_KIND_TYPE_TAG:
		return TYPE_TAG;
	default:
		return TYPE_VOID;
	}
}

/* Where the next part of each kind goes. */
struct part_cursor {
	uint32_t member;
	uint32_t enumerator;
	uint32_t parameter;
	uint32_t dimension;
	uint32_t function;
};

static uint32_t take(uint32_t *cursor, uint32_t count)
{
	uint32_t first = *cursor;

	*cursor += count;
	return first;
}

static void convert_int(const struct btf_record *record, struct program_type *type)
{
	uint32_t encoding = record->words[0] >> 24;

	type->kind = TYPE_INT;
	type->size = record->size_or_type;
	type->flags = (uint16_t)((encoding & BTF_INT_SIGNED ? TYPE_SIGNED : 0) |
				 (encoding & BTF_INT_BOOL ? TYPE_BOOL : 0));
}

/* Kinds with parts; false for others. */
static bool convert_compound(struct conversion *conversion, uint32_t id,
			     const struct btf_record *record, struct program_type *type,
			     struct part_cursor *cursor)
{
	struct program *program = conversion->program;
	enum btf_kind kind = btf_record_kind(record);

	type->item_count = is_wanted(conversion, id) ? btf_record_vlen(record) : 0;
	switch (kind) {
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
		type->kind = kind == BTF_KIND_STRUCT ? TYPE_STRUCT : TYPE_UNION;
		type->size = record->size_or_type;
		type->first_item = take(&cursor->member, type->item_count);
		if (type->item_count)
			convert_members(conversion, record, &program->members[type->first_item]);
		return true;
	case BTF_KIND_ENUM:
	case BTF_KIND_ENUM64:
		type->kind = TYPE_ENUM;
		type->size = record->size_or_type;
		type->flags = (uint16_t)((btf_record_flag(record) ? TYPE_SIGNED : 0) |
					 (kind == BTF_KIND_ENUM64 ? TYPE_WIDE : 0));
		type->first_item = take(&cursor->enumerator, type->item_count);
		if (type->item_count)
			convert_enumerators(conversion, record,
					    &program->enumerators[type->first_item]);
		return true;
	case BTF_KIND_FUNC_PROTO:
		type->kind = TYPE_FUNCTION;
		type->type = record->size_or_type;
		type->first_item = take(&cursor->parameter, type->item_count);
		if (type->item_count)
			convert_parameters(conversion, record,
					   &program->parameters[type->first_item]);
		return true;
	default:
		type->item_count = 0;
		return false;
	}
}

static void convert_record(struct conversion *conversion, uint32_t id, struct part_cursor *cursor)
{
	struct program *program = conversion->program;
	const struct btf_record *record = btf_view_record(conversion->view, id);
	struct program_type *type = &program->types[id];
	enum btf_kind kind = btf_record_kind(record);

	type->name = name_at(conversion, record->name);
	if (convert_compound(conversion, id, record, type, cursor))
		return;
	switch (kind) {
	case BTF_KIND_INT:
		convert_int(record, type);
		break;
	case BTF_KIND_FLOAT:
		type->kind = TYPE_FLOAT;
		type->size = record->size_or_type;
		break;
	case BTF_KIND_FWD:
		type->kind = btf_record_flag(record) ? TYPE_UNION_FORWARD : TYPE_STRUCT_FORWARD;
		break;
	case BTF_KIND_ARRAY:
		type->kind = TYPE_ARRAY;
		type->type = btf_record_array(record)->element;
		type->item_count = 1;
		type->first_item = take(&cursor->dimension, 1);
		program->dimensions[type->first_item] = btf_record_array(record)->count;
		break;
	default:
		type->kind = (uint8_t)target_kind(kind);
		if (type->kind == TYPE_VOID)
			type->name = NULL;
		else
			type->type = record->size_or_type;
		break;
	}
}

/* After the prototypes. */
static void convert_function(struct conversion *conversion, uint32_t id, struct part_cursor *cursor)
{
	struct program *program = conversion->program;
	const struct btf_record *record = btf_view_record(conversion->view, id);
	const struct program_type *prototype = &program->types[record->size_or_type];

	program->functions[cursor->function++] = (struct program_function){
		.name = name_at(conversion, record->name),
		.return_type = prototype->type,
		.first_parameter = prototype->first_item,
		.parameter_count = prototype->item_count,
		.vtable_slot = -1,
		.traits = btf_record_vlen(record) == BTF_LINKAGE_STATIC ? 0 : FUNCTION_IS_EXTERNAL,
		.origin = { .offset = id, .definition_count = 1 },
	};
}

/* BTF does not say; the size of `long` is that of an address wherever kernels run. */
static uint8_t guess_address_size(const struct btf_view *view)
{
	static const char *const names[] = { "long int", "long", "long unsigned int",
					     "unsigned long" };

	for (uint32_t id = 1; id < view->end_id; id++) {
		const struct btf_record *record = btf_view_record(view, id);

		if (btf_record_kind(record) != BTF_KIND_INT ||
		    (record->size_or_type != 4 && record->size_or_type != 8))
			continue;
		for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
			if (strcmp(btf_view_string(view, record->name), names[i]) == 0)
				return (uint8_t)record->size_or_type;
	}
	return DEFAULT_ADDRESS_SIZE;
}

/* A type that something wanted mentions; `holds`: it is part of it, not behind a pointer. */
struct mention {
	uint32_t id;
	bool holds;
};

typedef VECTOR(struct mention) mention_stack;

static bool push_mention(mention_stack *stack, uint32_t id, bool holds)
{
	struct mention *mention = id ? vector_push(stack) : NULL;

	if (mention)
		*mention = (struct mention){ id, holds };
	return mention || id == 0;
}

/* Marks a type's parts as wanted, and looks at what they mention. */
static bool want(struct conversion *conversion, uint32_t id, mention_stack *stack)
{
	const struct btf_record *record = btf_view_record(conversion->view, id);
	enum btf_kind kind = btf_record_kind(record);
	struct btf_references types = btf_type_references(record);

	if (is_wanted(conversion, id))
		return true;
	set_bit(conversion->wanted, id);
	for (uint32_t i = 0; i < types.count; i++)
		if (!push_mention(stack, ((const uint32_t *)record)[btf_reference_word(&types, i)],
				  kind != BTF_KIND_FUNC_PROTO))
			return false;
	return true;
}

/*
 * What has a name is enough behind a pointer; what has none is written in place. Parameters are shown
 * wherever a function type is.
 */
static bool look_at_mention(struct conversion *conversion, struct mention mention,
			    mention_stack *stack)
{
	const struct btf_record *record = btf_view_record(conversion->view, mention.id);

	set_bit(conversion->mentioned, mention.id);
	switch (btf_record_kind(record)) {
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
	case BTF_KIND_ENUM:
	case BTF_KIND_ENUM64:
		return (!mention.holds && record->name) || want(conversion, mention.id, stack);
	case BTF_KIND_FUNC_PROTO:
		return want(conversion, mention.id, stack);
	case BTF_KIND_PTR:
		return push_mention(stack, record->size_or_type, false);
	case BTF_KIND_TYPEDEF:
		return !mention.holds || push_mention(stack, record->size_or_type, true);
	case BTF_KIND_CONST:
	case BTF_KIND_VOLATILE:
	case BTF_KIND_RESTRICT:
	case BTF_KIND_TYPE_TAG:
		return push_mention(stack, record->size_or_type, mention.holds);
	case BTF_KIND_ARRAY:
		return push_mention(stack, btf_record_array(record)->element, mention.holds);
	default:
		return true;
	}
}

/* Names are few, so a look at the first letter spares nearly all comparisons. */
static bool is_needed_name(const struct program_needs *needs, const char *name)
{
	for (size_t i = 0; i < needs->name_count; i++)
		if (needs->names[i][0] == name[0] && strcmp(needs->names[i], name) == 0)
			return true;
	return false;
}

static bool find_wanted(struct conversion *conversion)
{
	const struct btf_view *view = conversion->view;
	mention_stack stack = { 0 };
	bool is_complete;

	conversion->mentioned = calloc(view->end_id / 64 + 1, sizeof(*conversion->mentioned));
	conversion->wanted = calloc(view->end_id / 64 + 1, sizeof(*conversion->wanted));
	is_complete = conversion->mentioned && conversion->wanted;
	for (uint32_t id = 1; id < view->end_id && is_complete; id++)
		if (is_needed_name(conversion->needs, btf_view_name(view, id)))
			is_complete = push_mention(&stack, id, true);
	while (stack.count > 0 && is_complete)
		is_complete = look_at_mention(conversion, stack.items[--stack.count], &stack);
	vector_deinit(&stack);
	return is_complete;
}

static bool convert(struct conversion *conversion)
{
	const struct btf_view *view = conversion->view;
	struct program *program = conversion->program;
	struct part_cursor cursor = { 0 };

	if (conversion->needs->names && !find_wanted(conversion))
		return false;
	count_parts(conversion);
	if (!allocate(program, view->end_id))
		return false;
	program->present_count = 0;
	for (uint32_t id = 1; id < view->end_id; id++) {
		if (!is_mentioned(conversion, id))
			continue;
		program->present[program->present_count++] = id;
		convert_record(conversion, id, &cursor);
	}
	for (uint32_t id = 1; id < view->end_id && cursor.function < program->function_count; id++)
		if (btf_view_kind(view, id) == BTF_KIND_FUNC)
			convert_function(conversion, id, &cursor);
	program->address_size = guess_address_size(view);
	program->is_big_endian = view->is_big_endian;
	if (!conversion->mentioned)
		program->present = NULL;
	return true;
}

static void release_backing(void *backing)
{
	struct btf_backing *held = backing;

	btf_file_close(held->file);
	free(held->types);
	free(held);
}

static struct program *create_program(struct btf_file *file)
{
	struct btf_backing *backing = calloc(1, sizeof(*backing));
	struct program *program = program_create(btf_file_path(file));

	if (!backing || !program) {
		free(backing);
		program_destroy(program);
		btf_file_close(file);
		return NULL;
	}
	backing->file = file;
	program->backing = backing;
	program->release = release_backing;
	return program;
}

enum smelt_status btf_program_load(struct btf_file *file, const struct program_needs *needs,
				   struct program **program, struct smelt_error *error)
{
	struct conversion conversion = {
		.view = btf_file_view(file),
		.needs = needs,
		.program = create_program(file),
	};
	bool is_complete;

	if (!conversion.program)
		return error_no_memory(error);
	is_complete = convert(&conversion);
	free(conversion.wanted);
	free(conversion.mentioned);
	if (!is_complete) {
		program_destroy(conversion.program);
		return error_no_memory(error);
	}
	*program = conversion.program;
	return SMELT_OK;
}
