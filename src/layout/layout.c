/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#include "layout/layout.h"

#include <stdlib.h>
#include <string.h>

enum smelt_status layouts_init(struct layouts *layouts, const struct program *program,
			       uint32_t cacheline_size, struct smelt_error *error)
{
	enum smelt_status status;

	*layouts = (struct layouts){ .program = program, .cacheline_size = cacheline_size };
	arena_init(&layouts->arena);
	status = facts_table_init(&layouts->facts, program, error);
	if (status)
		return status;
	layouts->by_type = calloc(program->type_count, sizeof(*layouts->by_type));
	return layouts->by_type ? SMELT_OK : error_no_memory(error);
}

void layouts_deinit(struct layouts *layouts)
{
	facts_table_deinit(&layouts->facts);
	free(layouts->by_type);
	arena_deinit(&layouts->arena);
	*layouts = (struct layouts){ 0 };
}

/* The walk over the members in their order, see spec of `struct aggregate_layout`. */
struct layout_walk {
	struct layouts *layouts;
	const struct program_type *type;
	struct aggregate_layout *layout;
};

static bool is_bit_field_type(const struct program_type *type)
{
	return type->kind == TYPE_INT || type->kind == TYPE_ENUM;
}

/* DWARF 5, 5.7.6 "Data Member Entries": DW_AT_data_bit_offset. */
static void place_bit_field(const struct program_member *member, struct member_layout *place)
{
	uint64_t unit_bits = place->size * 8;

	place->bit_size = member->bit_size;
	place->offset = member->bit_offset / unit_bits * place->size;
	place->bit_position = (uint32_t)(member->bit_offset % unit_bits);
}

static void place_member(struct layout_walk *walk, const struct program_member *member,
			 struct member_layout *place)
{
	struct facts_table *table = &walk->layouts->facts;
	const struct type_facts *facts = facts_of(table, member->type);

	place->bit_offset = member->bit_offset;
	place->offset = member->bit_offset / 8;
	place->size = facts->size;
	place->alignment = member->alignment;
	if (member->kind == MEMBER_BASE && facts_of(table, facts->base)->is_empty_class)
		place->size = 0;
	place->is_placed = !(member->kind == MEMBER_BASE &&
			     (place->size == 0 || member->flags & MEMBER_IS_VIRTUAL));
	if (member->bit_size && place->size &&
	    is_bit_field_type(&walk->layouts->program->types[facts->base]))
		place_bit_field(member, place);
}

/* From the first to the last byte of the discriminant and of any variant. */
static void place_variant_part(struct layout_walk *walk, const struct program_member *member,
			       struct member_layout *place)
{
	const struct program *program = walk->layouts->program;
	struct facts_table *table = &walk->layouts->facts;
	const struct program_variant_part *part = &program->variant_parts[member->type];
	uint64_t start = part->bit_offset / 8;
	uint64_t end = start + facts_of(table, part->discriminant)->size;

	if (part->discriminant == 0)
		start = UINT64_MAX;
	for (uint32_t i = 0; i < part->variant_count; i++) {
		const struct program_variant *variant = &program->variants[part->first_variant + i];

		for (uint32_t k = 0; k < variant->member_count; k++) {
			const struct program_member *inner =
				&program->members[variant->first_member + k];
			uint64_t offset = inner->bit_offset / 8;
			uint64_t inner_end = offset + facts_of(table, inner->type)->size;

			start = offset < start ? offset : start;
			end = inner_end > end ? inner_end : end;
		}
	}
	place->is_placed = end > start;
	if (!place->is_placed)
		return;
	place->offset = start;
	place->bit_offset = start * 8;
	place->size = end - start;
}

static void place_members(struct layout_walk *walk)
{
	const struct program_member *members = program_members(walk->layouts->program, walk->type);

	for (uint32_t i = 0; i < walk->type->item_count; i++) {
		if (members[i].kind == MEMBER_STATIC)
			walk->layout->static_count++;
		if (members[i].kind == MEMBER_VARIANT_PART)
			place_variant_part(walk, &members[i], &walk->layout->members[i]);
		if (members[i].kind > MEMBER_BASE)
			continue;
		walk->layout->member_count++;
		place_member(walk, &members[i], &walk->layout->members[i]);
	}
}

/* Rust's compiler moves fields, and describes them in the order of the source. */
static bool is_reordered(const struct program *program, uint32_t type)
{
	return program->units[program_unit_of(program, type)].language == LANGUAGE_RUST &&
	       program->types[type].kind == TYPE_STRUCT;
}

static int compare_entries(const void *left, const void *right, void *context)
{
	const struct member_layout *members = context;
	uint32_t a = *(const uint32_t *)left;
	uint32_t b = *(const uint32_t *)right;

	if (members[a].bit_offset != members[b].bit_offset)
		return members[a].bit_offset < members[b].bit_offset ? -1 : 1;
	return a < b ? -1 : a > b;
}

/* By offset; entries without a place come first. */
static bool sort_entries(struct layout_walk *walk)
{
	uint32_t count = walk->type->item_count;
	uint32_t *order = arena_alloc(&walk->layouts->arena, count * sizeof(*order));

	if (!order)
		return false;
	for (uint32_t i = 0; i < count; i++)
		order[i] = i;
	qsort_r(order, count, sizeof(*order), compare_entries, walk->layout->members);
	walk->layout->order = order;
	return true;
}

/*
 * Formats that do not record alignment leave a trace of it: a gap before a member that is larger than
 * its type explains. The alignment is at least the power of two above the gap; a whole cache line
 * if the offset allows that, as that is what nearly all such members ask for.
 */
static uint32_t guess_alignment(uint64_t offset, uint64_t natural, uint64_t previous_end,
				uint32_t cacheline_size)
{
	uint64_t gap = offset - previous_end;
	uint64_t alignment;

	if (offset <= previous_end || offset % 2 || gap >> 30)
		return 0;
	alignment = UINT64_C(1) << (64 - __builtin_clzll(gap));
	if (alignment <= natural)
		return 0;
	if (alignment < cacheline_size && cacheline_size % alignment == 0 &&
	    offset % cacheline_size == 0)
		alignment = cacheline_size;
	return (uint32_t)alignment;
}

static void guess_alignments(struct layout_walk *walk, uint32_t number)
{
	struct facts_table *table = &walk->layouts->facts;
	const struct program_member *members = program_members(walk->layouts->program, walk->type);
	uint32_t cacheline = walk->layouts->cacheline_size;
	uint64_t previous_end = 0;

	for (uint32_t i = 0; i < walk->type->item_count; i++) {
		struct member_layout *place = &walk->layout->members[i];
		const struct type_facts *facts = facts_of(table, members[i].type);

		if (!place->is_placed || facts->base == 0)
			continue;
		place->alignment =
			guess_alignment(place->offset, facts->alignment, previous_end, cacheline);
		if (place->size)
			previous_end = place->offset +
				       (place->bit_size ?
						(place->bit_position + place->bit_size + 7u) / 8 :
						place->size);
	}
	walk->layout->alignment = guess_alignment(
		walk->type->size, facts_of(table, number)->alignment, previous_end, cacheline);
}

/* Bits, while going from member to member. */
struct hole_walk {
	uint64_t last;     /* end of what came so far */
	uint64_t unit_end; /* of the storage of the current run of bit fields */
	uint64_t unit_size;
	bool in_bit_fields;
	struct member_layout *previous; /* NULL: none yet */
};

static void note_hole(struct aggregate_layout *layout, struct hole_walk *walk, int64_t hole,
		      int64_t bit_hole, const struct member_layout *before)
{
	if (walk->previous) {
		walk->previous->hole = hole;
		walk->previous->bit_hole = bit_hole;
	} else {
		layout->first_hole = hole;
		layout->first_bit_hole = bit_hole;
	}
	if (bit_hole != 0) {
		layout->bit_hole_count++;
		layout->bit_hole_sum += bit_hole > 0 ? (uint64_t)bit_hole : 0;
	}
	if (hole > 0) {
		layout->hole_count++;
		layout->hole_sum += (uint64_t)hole;
		if ((uint64_t)hole > layout->largest_hole)
			layout->largest_hole = (uint64_t)hole;
	}
	if (before->alignment) {
		layout->aligned_member_count++;
		if (hole > 0) {
			layout->forced_hole_count++;
			layout->forced_hole_sum += (uint64_t)hole;
		}
	}
}

static void hole_walk_bit_field(struct hole_walk *walk, const struct member_layout *place)
{
	walk->in_bit_fields = true;
	if (walk->last <= walk->unit_end && place->size * 8 <= walk->unit_size)
		return;
	walk->unit_size = place->size * 8;
	walk->unit_end = place->offset * 8 + walk->unit_size;
	if (walk->last > walk->unit_end)
		walk->unit_end += walk->unit_size;
}

static uint64_t min(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static void hole_walk_step(struct aggregate_layout *layout, struct hole_walk *walk,
			   struct member_layout *place)
{
	uint64_t start = place->bit_offset;
	uint64_t storage = place->offset * 8;
	int64_t hole = 0;
	int64_t bit_hole = 0;

	if (walk->in_bit_fields) {
		uint64_t end = min(start, walk->unit_end);

		bit_hole = (int64_t)(end - walk->last);
		walk->last = end;
	}
	if (!place->bit_size) {
		hole = (int64_t)(start / 8) - (int64_t)(walk->last / 8);
	} else {
		if (walk->last < storage && storage <= start) {
			hole = (int64_t)(place->offset - walk->last / 8);
			walk->last = storage;
		}
		bit_hole += (int64_t)(start - walk->last);
	}
	note_hole(layout, walk, hole, bit_hole, place);

	walk->last = start + (place->bit_size ? place->bit_size : place->size * 8);
	if (place->bit_size) {
		hole_walk_bit_field(walk, place);
		layout->bit_member_sum += place->bit_size;
	} else {
		walk->in_bit_fields = false;
		walk->unit_size = 0;
		walk->unit_end = walk->last;
		layout->member_sum += place->size;
	}
	walk->previous = place;
}

static void find_holes(const struct program_type *type, struct aggregate_layout *layout)
{
	struct hole_walk walk = { .unit_end = layout->size * 8 };

	for (uint32_t i = 0; i < type->item_count; i++) {
		struct member_layout *place = &layout->members[layout_entry(layout, i)];

		if (place->is_placed)
			hole_walk_step(layout, &walk, place);
	}
	if (walk.in_bit_fields) {
		uint64_t end = min(layout->size * 8, walk.unit_end);

		layout->bit_padding = end > walk.last ? end - walk.last : 0;
		walk.last = end;
	}
	layout->padding = layout->size > walk.last / 8 ? layout->size - walk.last / 8 : 0;
}

/*
 * Nothing records that a type is packed. It must be if a member lies where its type forbids, or if
 * the size is not a multiple of what its members want; not if there is room to spare.
 */
static bool infer_packed(struct layouts *layouts, const struct program_type *type,
			 const struct aggregate_layout *layout)
{
	const struct program_member *members = program_members(layouts->program, type);
	uint32_t largest = 1;

	if (layout->padding || layout->hole_count)
		return false;
	for (uint32_t i = 0; i < type->item_count; i++) {
		uint32_t alignment;

		if (!layout->members[i].is_placed)
			continue;
		alignment = facts_of(&layouts->facts, members[i].type)->alignment;
		if (alignment > 1 && layout->members[i].offset % alignment)
			return true;
		if (alignment > largest)
			largest = alignment;
	}
	return (largest > 1 && layout->alignment == 1) || layout->size % largest;
}

const struct aggregate_layout *layouts_compute(struct layouts *layouts, uint32_t number)
{
	const struct program_type *type = &layouts->program->types[number];
	struct aggregate_layout *layout = arena_calloc(&layouts->arena, 1, sizeof(*layout));
	struct layout_walk walk = { .layouts = layouts, .type = type, .layout = layout };

	if (layout)
		layout->members =
			arena_calloc(&layouts->arena, type->item_count, sizeof(*layout->members));
	if (!layout || !layout->members) {
		layouts->out_of_memory = true;
		return NULL;
	}
	layout->size = type->size;
	layout->alignment = type->alignment;
	place_members(&walk);
	if (is_reordered(layouts->program, number) && !sort_entries(&walk)) {
		layouts->out_of_memory = true;
		return NULL;
	}
	if (!layouts->program->has_alignment)
		guess_alignments(&walk, number);
	if (type->kind == TYPE_STRUCT) {
		find_holes(type, layout);
		layout->is_packed = infer_packed(layouts, type, layout);
	}
	layouts->by_type[number] = layout;
	return layout;
}

static void move_member(struct member_layout *place, uint64_t bit_offset)
{
	place->bit_offset = bit_offset;
	place->hole = place->bit_hole = 0;
	if (place->bit_size) {
		place->offset = bit_offset / (place->size * 8) * place->size;
		place->bit_position = (uint32_t)(bit_offset % (place->size * 8));
	} else {
		place->offset = bit_offset / 8;
	}
}

const struct aggregate_layout *layout_arrange(struct layouts *layouts, uint32_t number,
					      const uint32_t *order, const uint64_t *bit_offsets,
					      uint64_t size)
{
	const struct program_type *type = &layouts->program->types[number];
	const struct aggregate_layout *old = layout_of(layouts, number);
	struct aggregate_layout *layout = arena_alloc(&layouts->arena, sizeof(*layout));
	uint32_t *places = arena_alloc(&layouts->arena, type->item_count * sizeof(*places) + 1);
	struct member_layout *members =
		arena_alloc(&layouts->arena, type->item_count * sizeof(*members) + 1);

	if (!old || !layout || !places || !members) {
		layouts->out_of_memory = true;
		return NULL;
	}
	memcpy(places, order, type->item_count * sizeof(*places));
	memcpy(members, old->members, type->item_count * sizeof(*members));
	for (uint32_t i = 0; i < type->item_count; i++)
		if (members[i].is_placed)
			move_member(&members[i], bit_offsets[i]);
	*layout = (struct aggregate_layout){
		.size = size,
		.members = members,
		.order = places,
		.member_count = old->member_count,
		.static_count = old->static_count,
		.alignment = old->alignment,
	};
	find_holes(type, layout);
	layout->is_packed = infer_packed(layouts, type, layout);
	return layout;
}

struct nested_layout_counts layout_nested_counts(struct layouts *layouts, uint32_t number)
{
	const struct program *program = layouts->program;
	const struct program_type *type = &program->types[number];
	const struct program_member *members = program_members(program, type);
	struct nested_layout_counts counts = { 0 };

	for (uint32_t i = 0; i < type->item_count; i++) {
		const struct aggregate_layout *nested;

		if (members[i].kind > MEMBER_BASE ||
		    program->types[members[i].type].kind != TYPE_STRUCT)
			continue;
		nested = layout_of(layouts, members[i].type);
		if (!nested)
			break;
		counts.with_padding += nested->padding > 0;
		counts.padding += nested->padding;
		counts.with_bit_padding += nested->bit_padding > 0;
		counts.bit_padding += nested->bit_padding;
		counts.with_holes += nested->hole_count > 0;
		counts.holes += nested->hole_count;
		counts.with_bit_holes += nested->bit_hole_count > 0;
		counts.bit_holes += nested->bit_hole_count;
		counts.flexible_at_end +=
			facts_of(&layouts->facts, members[i].type)->ends_in_flexible_array;
		counts.flexible_inside +=
			facts_of(&layouts->facts, members[i].type)->embeds_flexible_array;
	}
	return counts;
}

bool layout_member_is_packed(struct layouts *layouts, uint32_t outer, uint32_t member_index)
{
	const struct program *program = layouts->program;
	const struct program_type *type = &program->types[outer];
	const struct program_member *member = &program_members(program, type)[member_index];
	const struct type_facts *facts = facts_of(&layouts->facts, member->type);
	const struct aggregate_layout *layout = layout_of(layouts, outer);
	const struct aggregate_layout *inner;

	if (!layout || program->types[facts->base].kind != TYPE_STRUCT ||
	    !layout->members[member_index].is_placed)
		return false;
	inner = layout_of(layouts, facts->base);
	if (!inner || inner->padding || inner->hole_count) /* then it has what packed takes away */
		return false;
	if (type->kind == TYPE_UNION)
		return type->size % facts->alignment != 0;
	if (layout->is_packed)
		return false;
	return layout->members[member_index].offset % facts->alignment != 0;
}
