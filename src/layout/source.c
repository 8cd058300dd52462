/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Lays types out as a C compiler does: System V ABI, AMD64 supplement, 3.1.2 "Data Representation", which most
 * others follow; GCC manual, 6.33.1 "Common Type Attributes", for packed and aligned.
 */
#include "layout/source.h"

#include <stdlib.h>

enum smelt_status source_layouts_init(struct source_layouts *source, struct layouts *layouts,
				      struct smelt_error *error)
{
	*source = (struct source_layouts){ .layouts = layouts };
	source->alignments = calloc(layouts->program->type_count, sizeof(*source->alignments));
	source->plans = calloc(layouts->program->type_count, sizeof(*source->plans));
	if (source->alignments && source->plans)
		return SMELT_OK;
	source_layouts_deinit(source);
	return error_no_memory(error);
}

void source_layouts_deinit(struct source_layouts *source)
{
	free(source->alignments);
	free(source->plans);
	vector_deinit(&source->stack);
	*source = (struct source_layouts){ 0 };
}

/* Of an object, as the compiler of the source sees it. */
static uint32_t source_alignment(const struct source_layouts *source, uint32_t type)
{
	const struct program *program = source->layouts->program;
	const struct type_facts *facts = facts_of(&source->layouts->facts, type);

	while (program->types[facts->base].kind == TYPE_ARRAY)
		facts = facts_of(&source->layouts->facts, program->types[facts->base].type);
	if (source->alignments[facts->base])
		return source->alignments[facts->base];
	return facts->alignment;
}

static uint64_t round_up(uint64_t position, uint64_t unit)
{
	return (position + unit - 1) / unit * unit;
}

/* The compiler at work on a body. */
struct compilation {
	const struct source_layouts *source;
	const struct program_type *type;
	const struct program_member *members;
	const struct aggregate_layout *layout;
	const struct member_layout *previous;
	uint64_t position; /* bits */
	uint64_t alignment;
	bool is_packed;
};

/* The unnamed bit fields that the shown source has between bit fields. */
static void skip_filler(struct compilation *at, const struct member_layout *member)
{
	if (!at->previous || at->previous->size == 0 || at->previous->bit_hole == 0)
		return;
	if (at->previous->offset != member->offset)
		at->position = round_up(at->position, member->size * 8);
	else if (at->previous->bit_hole > 0)
		at->position += (uint64_t)at->previous->bit_hole;
}

static void put_bit_field(struct compilation *at, const struct member_layout *member)
{
	uint64_t unit = member->size * 8;

	skip_filler(at, member);
	if (!at->is_packed && at->position / unit != (at->position + member->bit_size - 1) / unit)
		at->position = round_up(at->position, unit);
}

/* Whether the member comes to lie where it lies. */
static bool put_member(struct compilation *at, uint32_t entry)
{
	const struct member_layout *member = &at->layout->members[entry];
	uint64_t alignment = at->is_packed ? 1 :
					     source_alignment(at->source, at->members[entry].type);

	if (member->alignment > alignment)
		alignment = member->alignment;
	if (alignment > at->alignment)
		at->alignment = alignment;
	if (member->bit_size)
		put_bit_field(at, member);
	else
		at->position = round_up(at->position, alignment * 8);
	if (at->position != member->bit_offset)
		return false;
	at->position += member->bit_size ? member->bit_size : member->size * 8;
	/* Behind the brace of a member without name the attribute is the type's, and rounds its size up. */
	if (member->alignment && !at->members[entry].name)
		at->position = round_up(at->position, (uint64_t)member->alignment * 8);
	at->previous = member;
	return true;
}

/* The alignment of the type if its shown source gives this layout; 0: it does not. */
static uint32_t compile_struct(const struct source_layouts *source, uint32_t number)
{
	const struct program *program = source->layouts->program;
	const struct program_type *type = &program->types[number];
	struct compilation at = {
		.source = source,
		.type = type,
		.members = program_members(program, type),
		.layout = layout_of(source->layouts, number),
		.alignment = 1,
	};

	at.is_packed = at.layout->is_packed;
	for (uint32_t i = 0; i < type->item_count; i++) {
		uint32_t entry = layout_entry(at.layout, i);

		if (at.members[entry].kind <= MEMBER_BASE && !put_member(&at, entry))
			return 0;
	}
	if (!at.is_packed && at.layout->alignment > at.alignment)
		at.alignment = at.layout->alignment;
	if (round_up(at.position, at.alignment * 8) != type->size * 8)
		return 0;
	return (uint32_t)at.alignment;
}

static uint32_t compile_union(const struct source_layouts *source, uint32_t number)
{
	const struct program *program = source->layouts->program;
	const struct program_type *type = &program->types[number];
	const struct program_member *members = program_members(program, type);
	const struct aggregate_layout *layout = layout_of(source->layouts, number);
	uint64_t size = 0;
	uint32_t alignment = 1;

	for (uint32_t i = 0; i < type->item_count; i++) {
		const struct member_layout *member = &layout->members[i];
		uint32_t wanted;
		uint64_t bits = member->bit_size ? member->bit_size : member->size * 8;

		if (members[i].kind > MEMBER_BASE)
			continue;
		if (member->bit_offset != 0)
			return 0;
		wanted = source_alignment(source, members[i].type);
		if (member->alignment > wanted)
			wanted = member->alignment;
		alignment = wanted > alignment ? wanted : alignment;
		size = bits > size ? bits : size;
	}
	return round_up(size, (uint64_t)alignment * 8) == type->size * 8 ? alignment : 0;
}

/* The largest power of two that divides the size, as far as some member has a use for it. */
static uint32_t packed_alignment(const struct source_layouts *source, uint32_t number)
{
	const struct program_type *type = &source->layouts->program->types[number];
	const struct aggregate_layout *layout = layout_of(source->layouts, number);
	uint64_t wanted = facts_of(&source->layouts->facts, number)->alignment;
	uint64_t most = type->size & -type->size;

	if (layout->alignment > wanted)
		wanted = layout->alignment;
	while (most > wanted && most > 1)
		most /= 2;
	return most ? (uint32_t)most : 1;
}

/* Bits between the members in their order. False: some overlap, so no source has this layout. */
static bool measure_gaps(const struct source_layouts *source, uint32_t number,
			 struct source_plan *plan)
{
	const struct program *program = source->layouts->program;
	const struct program_type *type = &program->types[number];
	const struct program_member *members = program_members(program, type);
	const struct aggregate_layout *layout = layout_of(source->layouts, number);
	uint64_t position = 0;

	for (uint32_t i = 0; i < type->item_count; i++) {
		uint32_t entry = layout_entry(layout, i);
		const struct member_layout *member = &layout->members[entry];

		if (members[entry].kind > MEMBER_BASE || !member->is_placed)
			continue;
		if (member->bit_offset < position || (!member->bit_size && member->bit_offset % 8))
			return false;
		plan->gaps[entry] = member->bit_offset - position;
		position = member->bit_offset +
			   (member->bit_size ? member->bit_size : member->size * 8);
	}
	if (position > type->size * 8)
		return false;
	plan->end_gap = type->size * 8 - position;
	return true;
}

static bool measure_union(const struct source_layouts *source, uint32_t number,
			  struct source_plan *plan)
{
	const struct program *program = source->layouts->program;
	const struct program_type *type = &program->types[number];
	const struct aggregate_layout *layout = layout_of(source->layouts, number);

	plan->end_gap = type->size * 8;
	for (uint32_t i = 0; i < type->item_count; i++) {
		const struct member_layout *member = &layout->members[i];
		uint64_t size = member->bit_size ? (member->bit_size + 7u) / 8 : member->size;

		if (size == type->size)
			plan->end_gap = 0;
		if (member->bit_offset != 0 || size > type->size)
			return false;
	}
	return true;
}

bool source_layouts_plan(struct source_layouts *source, uint32_t number)
{
	const struct program_type *type = &source->layouts->program->types[number];
	struct arena *arena = &source->layouts->arena;
	bool is_struct = type->kind == TYPE_STRUCT;
	struct source_plan *plan;
	uint32_t alignment;

	if (!layout_of(source->layouts, number))
		return false;
	alignment = is_struct ? compile_struct(source, number) : compile_union(source, number);
	if (alignment) {
		source->alignments[number] = alignment;
		return true;
	}
	source->alignments[number] = 1;
	plan = arena_calloc(arena, 1, sizeof(*plan));
	if (plan)
		plan->gaps = arena_calloc(arena, type->item_count, sizeof(*plan->gaps));
	if (!plan || !plan->gaps)
		return false;
	if (!(is_struct ? measure_gaps(source, number, plan) : measure_union(source, number, plan)))
		return true;
	plan->alignment = packed_alignment(source, number);
	source->alignments[number] = plan->alignment;
	source->plans[number] = plan;
	return true;
}

/* The aggregate of which an object of this type is made; 0: none. */
static uint32_t aggregate_of(const struct source_layouts *source, uint32_t type)
{
	const struct program *program = source->layouts->program;
	uint32_t base = facts_of(&source->layouts->facts, type)->base;

	while (program->types[base].kind == TYPE_ARRAY)
		base = facts_of(&source->layouts->facts, program->types[base].type)->base;
	return type_kind_is_aggregate(program->types[base].kind) ? base : 0;
}

static void push_unplanned(struct source_layouts *source, uint32_t type)
{
	struct facts_frame *frame;

	if (type == 0 || source->alignments[type])
		return;
	frame = vector_push(&source->stack);
	if (!frame) {
		source->out_of_memory = true;
		return;
	}
	*frame = (struct facts_frame){ .type = type };
	source->alignments[type] = 1; /* until it is known: for types that contain themselves */
}

uint32_t source_layouts_alignment(struct source_layouts *source, uint32_t type)
{
	const struct program *program = source->layouts->program;

	push_unplanned(source, aggregate_of(source, type));
	while (source->stack.count > 0) {
		struct facts_frame *frame = &source->stack.items[source->stack.count - 1];
		const struct program_type *at = &program->types[frame->type];

		if (frame->next == at->item_count) {
			uint32_t done = frame->type;

			source->stack.count--;
			source->out_of_memory |= !source_layouts_plan(source, done);
		} else {
			const struct program_member *member =
				&program_members(program, at)[frame->next++];

			if (member->kind <= MEMBER_BASE)
				push_unplanned(source, aggregate_of(source, member->type));
		}
	}
	return source_alignment(source, type);
}
