/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * A depth-first walk with its own stack. A type depends on its target or element, a struct on the
 * types of its members; a pointer on nothing, its size is that of an address.
 */
#include "layout/facts.h"

#include <stdlib.h>

enum smelt_status facts_table_init(struct facts_table *table, const struct program *program,
				   struct smelt_error *error)
{
	*table = (struct facts_table){ .program = program };
	table->facts = calloc(program->type_count, sizeof(*table->facts));
	if (!table->facts)
		return error_no_memory(error);
	table->facts[0] = (struct type_facts){ .alignment = 1, .state = FACTS_KNOWN };
	return SMELT_OK;
}

void facts_table_deinit(struct facts_table *table)
{
	free(table->facts);
	vector_deinit(&table->stack);
	*table = (struct facts_table){ 0 };
}

static uint64_t times(uint64_t a, uint64_t b)
{
	uint64_t product;

	if (__builtin_mul_overflow(a, b, &product) || product > FACTS_SIZE_MAX)
		return FACTS_SIZE_MAX;
	return product;
}

static bool follows_target(enum type_kind kind)
{
	return type_kind_is_qualifier(kind) || kind == TYPE_TYPEDEF || kind == TYPE_ARRAY ||
	       kind == TYPE_MEMBER_POINTER;
}

/* The n-th type that this one depends on; false: there are not so many. */
static bool dependency(const struct program *program, const struct program_type *type, uint32_t n,
		       uint32_t *on)
{
	if (follows_target(type->kind)) {
		*on = type->type;
		return n == 0;
	}
	if (!type_kind_is_aggregate(type->kind) || n >= type->item_count)
		return false;
	*on = 0;
	if (program_members(program, type)[n].kind <= MEMBER_BASE)
		*on = program_members(program, type)[n].type;
	return true;
}

static bool is_flexible_array(const struct program *program, uint32_t type)
{
	const struct program_type *array = &program->types[type];

	return array->kind == TYPE_ARRAY && array->item_count <= 1 &&
	       program->dimensions[array->first_item] == 0;
}

static void settle_aggregate(struct facts_table *table, const struct program_type *type,
			     struct type_facts *facts)
{
	const struct program_member *members = program_members(table->program, type);
	bool is_empty = true;

	for (uint32_t i = 0; i < type->item_count; i++) {
		const struct type_facts *member;
		const struct type_facts *base;

		if (members[i].kind > MEMBER_BASE)
			continue;
		is_empty = false;
		facts->ends_in_flexible_array = is_flexible_array(table->program, members[i].type);
		member = &table->facts[members[i].type];
		if (member->state != FACTS_KNOWN)
			continue;
		if (member->alignment > facts->alignment)
			facts->alignment = member->alignment;
		base = &table->facts[member->base];
		if (table->program->types[member->base].kind == TYPE_STRUCT)
			facts->embeds_flexible_array |= base->ends_in_flexible_array ||
							base->embeds_flexible_array;
	}
	if (type->kind == TYPE_UNION)
		facts->ends_in_flexible_array = facts->embeds_flexible_array = false;
	facts->is_empty_class = is_empty && type->kind == TYPE_STRUCT && type->size == 1;
}

static void settle_array(const struct program *program, const struct program_type *type,
			 struct type_facts *facts)
{
	if (type->size) {
		facts->size = type->size;
		return;
	}
	for (uint32_t i = 0; i < type->item_count; i++)
		facts->size = times(facts->size, program->dimensions[type->first_item + i]);
}

/* Itanium C++ ABI, 2.3: a pointer to a method is two words. */
static uint64_t member_pointer_size(const struct facts_table *table,
				    const struct program_type *type,
				    const struct type_facts *target)
{
	const struct program *program = table->program;

	if (type->size)
		return type->size;
	return program->types[target->base].kind == TYPE_FUNCTION ? 2u * program->address_size :
								    program->address_size;
}

/* All dependencies are known, or part of a loop. */
static void settle(struct facts_table *table, uint32_t number)
{
	static const struct type_facts nothing = { .alignment = 1 };
	const struct program_type *type = &table->program->types[number];
	const struct type_facts *target = &nothing;
	struct type_facts facts = { .base = number, .size = type->size, .alignment = 1 };

	if (follows_target(type->kind) && table->facts[type->type].state == FACTS_KNOWN)
		target = &table->facts[type->type];
	switch ((enum type_kind)type->kind) {
	case TYPE_CONST:
	case TYPE_VOLATILE:
	case TYPE_RESTRICT:
	case TYPE_ATOMIC:
	case TYPE_TAG:
	case TYPE_TYPEDEF:
		facts = *target;
		break;
	case TYPE_ARRAY:
		facts.size = target->size;
		facts.alignment = target->alignment;
		settle_array(table->program, type, &facts);
		break;
	case TYPE_POINTER:
	case TYPE_REFERENCE:
	case TYPE_RVALUE_REFERENCE:
		facts.size = table->program->address_size;
		facts.alignment = table->program->address_size;
		break;
	case TYPE_MEMBER_POINTER:
		facts.size = member_pointer_size(table, type, target);
		facts.alignment = table->program->address_size;
		break;
	case TYPE_INT:
	case TYPE_FLOAT:
	case TYPE_ENUM:
	case TYPE_UNSPECIFIED:
		/* 12 bytes of long double are three words */
		facts.alignment = (uint32_t)(facts.size & -facts.size);
		break;
	case TYPE_STRUCT:
	case TYPE_UNION:
		settle_aggregate(table, type, &facts);
		break;
	case TYPE_VOID:
	case TYPE_FUNCTION:
	case TYPE_STRUCT_FORWARD:
	case TYPE_UNION_FORWARD:
	case TYPE_STRING:
	case TYPE_ALIAS:
	case TYPE_KIND_COUNT:
		break;
	}
	if (facts.alignment == 0)
		facts.alignment = 1;
	if (facts.size > FACTS_SIZE_MAX)
		facts.size = FACTS_SIZE_MAX;
	facts.state = FACTS_KNOWN;
	table->facts[number] = facts;
}

static bool push(struct facts_table *table, uint32_t type)
{
	struct facts_frame *frame = vector_push(&table->stack);

	if (!frame) {
		table->out_of_memory = true;
		return false;
	}
	*frame = (struct facts_frame){ .type = type };
	table->facts[type].state = FACTS_IN_PROGRESS;
	return true;
}

const struct type_facts *facts_table_find(struct facts_table *table, uint32_t type)
{
	static const struct type_facts nothing = { .alignment = 1 };

	if (table->facts[type].state == FACTS_KNOWN)
		return &table->facts[type];
	if (!push(table, type))
		return &nothing;
	while (table->stack.count > 0) {
		struct facts_frame *frame = &table->stack.items[table->stack.count - 1];
		uint32_t on;

		if (!dependency(table->program, &table->program->types[frame->type], frame->next++,
				&on)) {
			settle(table, frame->type);
			table->stack.count--;
		} else if (table->facts[on].state == FACTS_UNKNOWN && !push(table, on)) {
			settle(table, frame->type);
			table->stack.count--;
		}
	}
	return &table->facts[type];
}
