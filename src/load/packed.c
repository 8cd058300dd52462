/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Whether a struct must have been declared packed, judged from its layout alone.
 *
 * A packed struct passed in memory may lie where a tracing program does not expect it; compilers do not
 * write the attribute down. The incumbent's judgement depends on the order of questions
 * (a struct that holds others may mark them), and which functions are encoded depends on it, so this is its
 * procedure: docs/encoding.md, 4.4.
 */
#include "load/load_internal.h"

enum packed_state { PACKED_UNKNOWN = 0, PACKED_NO, PACKED_YES };

/* Nesting of arrays and structs in structs; the languages' own limits are lower. */
enum { NATURAL_DEPTH_MAX = 64 };

static uint32_t natural_alignment(const struct unit_load *load, uint32_t slot, unsigned depth)
{
	const struct load_worker *worker = load->worker;
	const struct model_type *type = &worker->types.items[unit_strip_type(load, slot)];
	uint32_t most = 0;

	switch (type->kind) {
	case TYPE_POINTER:
		return load->address_size;
	case TYPE_INT:
		return type->reserved ? type->reserved : type->size;
	case TYPE_FLOAT:
	case TYPE_ENUM:
		return type->size;
	case TYPE_ARRAY:
		return depth < NATURAL_DEPTH_MAX ? natural_alignment(load, type->type, depth + 1) :
						   1;
	case TYPE_STRUCT:
	case TYPE_UNION:
		for (uint32_t i = 0; i < type->item_count && depth < NATURAL_DEPTH_MAX; i++) {
			uint32_t item = natural_alignment(
				load, worker->items.items[type->first_item + i].type, depth + 1);

			if (item > most)
				most = item;
		}
		return most ? most : 1;
	default:
		return 1;
	}
}

/* One member as the procedure sees it. */
struct member_view {
	int64_t start; /* bits */
	int64_t end;
	int64_t storage_bits;  /* bit fields: of the storage unit */
	int64_t storage_bytes; /* offset of the storage unit, or of the member */
	bool is_bitfield;
};

static struct member_view view_member(const struct unit_load *load, const struct model_item *item)
{
	int64_t offset = (int64_t)model_item_bit_offset(item);
	int64_t size = (int64_t)unit_type_size(load, item->type) * 8;
	struct member_view view = { .start = offset,
				    .end = offset + size,
				    .storage_bytes = offset / 8 };
	int64_t location = offset / 8, within;

	if (model_item_bit_size(item) == 0)
		return view;
	view.is_bitfield = true;
	view.end = offset + model_item_bit_size(item);
	view.storage_bits = size;
	if (size < 8)
		return view;
	within = (int8_t)(offset - 8 * location + 8 * (location % (size / 8)));
	view.storage_bytes = offset / size * (size / 8) + (within >= size ? size / 8 : 0);
	return view;
}

/* Bits that no member covers, where padding members of the right alignment would not explain them. */
struct gap_count {
	int64_t last;
	int64_t current_end;
	int64_t current_size;
	bool in_bitfield;
	uint8_t holes;
};

static void count_gap(struct gap_count *gaps, const struct member_view *member)
{
	int64_t hole;

	if (gaps->in_bitfield)
		gaps->last = member->start < gaps->current_end ? member->start : gaps->current_end;
	if (member->is_bitfield) {
		int64_t aligned = 8 * member->storage_bytes;

		hole = 0;
		if (gaps->last < aligned && aligned <= member->start) {
			hole = member->storage_bytes - gaps->last / 8;
			gaps->last = aligned;
		}
	} else {
		hole = member->start / 8 - gaps->last / 8;
	}
	if (hole > 0)
		gaps->holes++;
	gaps->last = member->end;
	gaps->in_bitfield = member->is_bitfield;
	if (!member->is_bitfield) {
		gaps->current_size = 0;
		gaps->current_end = member->end;
		return;
	}
	if (member->end > gaps->current_end || member->storage_bits > gaps->current_size) {
		gaps->current_size = member->storage_bits;
		gaps->current_end = 8 * member->storage_bytes + gaps->current_size;
		if (member->end > gaps->current_end)
			gaps->current_end += gaps->current_size;
	}
}

static bool has_gaps(const struct unit_load *load, const struct model_type *type)
{
	struct gap_count gaps = { .current_end = 8 * (int64_t)type->size };
	int64_t size = type->size;

	for (uint32_t i = 0; i < type->item_count; i++) {
		struct member_view member =
			view_member(load, &load->worker->items.items[type->first_item + i]);

		count_gap(&gaps, &member);
	}
	if (gaps.in_bitfield)
		gaps.last = 8 * size < gaps.current_end ? 8 * size : gaps.current_end;
	return gaps.holes != 0 || (uint16_t)(size - gaps.last / 8) != 0;
}

/* A struct inside one with gaps, at an offset its alignment forbids, is packed itself. */
static void mark_members(struct unit_load *load, const struct model_type *type)
{
	struct load_worker *worker = load->worker;

	for (uint32_t i = 0; i < type->item_count; i++) {
		const struct model_item *item = &worker->items.items[type->first_item + i];
		uint32_t slot = unit_strip_type(load, item->type);
		uint32_t natural = natural_alignment(load, slot, 0);

		if (worker->types.items[slot].kind == TYPE_STRUCT && natural > 1 &&
		    view_member(load, item).storage_bytes % natural != 0)
			worker->packed_state.items[slot] = PACKED_YES;
	}
}

static bool has_misaligned_member(const struct unit_load *load, const struct model_type *type)
{
	uint32_t most = 1;

	for (uint32_t i = 0; i < type->item_count; i++) {
		const struct model_item *item = &load->worker->items.items[type->first_item + i];
		uint32_t natural = natural_alignment(load, item->type, 0);

		if (natural > 1 && view_member(load, item).storage_bytes % natural != 0)
			return true;
		if (natural > most)
			most = natural;
	}
	return type->size % most != 0;
}

bool unit_struct_is_packed(struct unit_load *load, uint32_t slot)
{
	struct load_worker *worker = load->worker;
	const struct model_type *type = &worker->types.items[slot];

	if (worker->packed_state.items[slot] == PACKED_UNKNOWN) {
		bool packed = false;

		if (has_gaps(load, type))
			mark_members(load, type);
		else
			packed = has_misaligned_member(load, type);
		worker->packed_state.items[slot] = packed ? PACKED_YES : PACKED_NO;
	}
	return worker->packed_state.items[slot] == PACKED_YES;
}
