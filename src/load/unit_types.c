/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * After the walk: references become slots, and what depends on other types is settled: bit fields
 * described from the other end (DWARF up to 3), the sign of wide enumerations, the size of pointers to
 * members, names of types completed elsewhere.
 */
#include "load/load_internal.h"

/* A type that stands for one that stands for ... deeper than this is a loop. */
enum { ALIAS_HOPS_MAX = 256 };

uint32_t unit_type_slot(const struct unit_load *load, uint32_t reference)
{
	const struct load_worker *worker = load->worker;

	for (unsigned hops = 0; reference != 0 && hops < ALIAS_HOPS_MAX; hops++) {
		uint32_t value = die_index_find(&worker->index, reference);

		if (value >> ENTITY_KIND_SHIFT == ENTITY_TYPE)
			return value & ENTITY_NUMBER_MASK;
		if (value >> ENTITY_KIND_SHIFT != ENTITY_ALIAS)
			return 0;
		reference = worker->aliases.items[value & ENTITY_NUMBER_MASK];
	}
	return 0;
}

static bool is_transparent(unsigned kind)
{
	return kind == TYPE_TYPEDEF || kind == TYPE_CONST || kind == TYPE_VOLATILE ||
	       kind == TYPE_RESTRICT || kind == TYPE_ATOMIC;
}

uint32_t unit_strip_type(const struct unit_load *load, uint32_t slot)
{
	const struct model_type *types = load->worker->types.items;
	size_t limit = load->worker->types.count; /* longer chains go in circles */

	while (limit-- > 0 && is_transparent(types[slot].kind))
		slot = types[slot].type;
	return is_transparent(types[slot].kind) ? 0 : slot;
}

static uint64_t saturating_multiply(uint64_t a, uint64_t b)
{
	uint64_t product;

	return __builtin_mul_overflow(a, b, &product) ? UINT64_MAX : product;
}

uint64_t unit_type_size(const struct unit_load *load, uint32_t slot)
{
	const struct model_type *types = load->worker->types.items;
	size_t limit = load->worker->types.count;
	uint64_t factor = 1;

	for (; limit > 0; limit--, slot = types[slot].type) {
		const struct model_type *type = &types[slot];

		switch (type->kind) {
		case TYPE_POINTER:
		case TYPE_REFERENCE:
		case TYPE_RVALUE_REFERENCE:
			return saturating_multiply(factor, load->address_size);
		case TYPE_INT:
			return saturating_multiply(factor,
						   type->reserved ? type->reserved : type->size);
		case TYPE_FLOAT:
		case TYPE_ENUM:
		case TYPE_MEMBER_POINTER:
			return saturating_multiply(factor, type->size);
		case TYPE_STRUCT:
		case TYPE_UNION:
			if (type->size == 1 && type->item_count == 0)
				return 0;
			return saturating_multiply(factor, type->size);
		case TYPE_ARRAY:
			factor = saturating_multiply(factor, type->size);
			break;
		case TYPE_TYPEDEF:
		case TYPE_CONST:
		case TYPE_VOLATILE:
		case TYPE_RESTRICT:
		case TYPE_ATOMIC:
		case TYPE_TAG:
			break;
		default:
			return 0;
		}
	}
	return 0;
}

/* The common case of unit_type_slot, to be inlined. */
static inline uint32_t slot_of(const struct unit_load *load, const struct die_index *index,
			       uint32_t reference)
{
	uint32_t value = die_index_find(index, reference);

	return value >> ENTITY_KIND_SHIFT == ENTITY_TYPE ? value : unit_type_slot(load, reference);
}

/* "None" needs no look of its own: no DIE is at offset 0, nor at that of a unit's header. */
BITS_IN_HARDWARE
static void resolve_references(struct unit_load *load)
{
	struct load_worker *worker = load->worker;
	const struct die_index index = worker->index;

	for (size_t i = 1; i < worker->types.count; i++) {
		struct model_type *type = &worker->types.items[i];

		if (type->flags & TYPE_TARGET_IS_SLOT)
			type->flags &= (uint8_t)~TYPE_TARGET_IS_SLOT;
		else
			type->type = slot_of(load, &index, type->type);
	}
	for (size_t i = 0; i < worker->items.count; i++) {
		struct model_item *item = &worker->items.items[i];

		item->type = slot_of(load, &index, item->type);
	}
}

/* The sign of an enumeration with wide values is that of the type below it. */
static void settle_enum_signs(struct unit_load *load)
{
	struct load_worker *worker = load->worker;

	for (size_t i = 0; i < worker->wide_enum_slots.count; i++) {
		struct model_type *type = &worker->types.items[worker->wide_enum_slots.items[i]];
		const struct model_type *below =
			&worker->types.items[unit_strip_type(load, type->type)];

		if ((type->flags & TYPE_WIDE) && below->kind == TYPE_INT &&
		    (below->flags & TYPE_SIGNED))
			type->flags |= TYPE_SIGNED;
		type->type = 0;
	}
}

/* The common C++ ABI: an offset, or a pointer and an adjustment. */
static void settle_member_pointers(struct unit_load *load)
{
	struct load_worker *worker = load->worker;

	for (size_t i = 0; i < worker->member_pointer_slots.count; i++) {
		struct model_type *type =
			&worker->types.items[worker->member_pointer_slots.items[i]];
		bool to_function = worker->types.items[unit_strip_type(load, type->type)].kind ==
				   TYPE_FUNCTION;

		if (type->size == 0)
			type->size = to_function ? 2u * load->address_size : load->address_size;
		if (load->loader->options.display)
			continue;
		type->kind = TYPE_STRUCT;
		type->type = 0;
	}
}

uint64_t unit_bitfield_value(const struct unit_load *load, const struct pending_bitfield *pending,
			     uint32_t slot, uint64_t value)
{
	uint64_t bit_size = value & 0xff, bit_offset = value >> 8;
	uint64_t storage_bits = 8 * (pending->byte_size ?
					     pending->byte_size :
					     unit_type_size(load, unit_strip_type(load, slot)));

	if (pending->bit_offset != UINT64_MAX) {
		uint64_t within = load->loader->is_big_endian ?
					  pending->bit_offset :
					  storage_bits - pending->bit_offset - bit_size;

		/* An offset within a storage unit fits eight bits; a negative one reaches before it. */
		bit_offset = 8 * pending->byte_location;
		if (storage_bits != 0)
			bit_offset += (uint64_t)(int64_t)(int8_t)within;
	}
	if (load->loader->options.fixup_silly_bitfields && bit_size == storage_bits &&
	    bit_offset % 8 == 0)
		bit_size = 0;
	return bit_offset << 8 | bit_size;
}

static void settle_bitfield(struct unit_load *load, const struct pending_bitfield *pending)
{
	struct load_worker *worker = load->worker;
	const struct model_type *type = &worker->types.items[pending->type_slot];
	struct model_item *item;

	if (pending->item >= type->item_count)
		return;
	item = &worker->items.items[type->first_item + pending->item];
	item->value = unit_bitfield_value(load, pending, item->type, item->value);
}

static void settle_bitfields(struct unit_load *load)
{
	struct load_worker *worker = load->worker;

	for (size_t i = 0; i < worker->bitfields.count; i++)
		settle_bitfield(load, &worker->bitfields.items[i]);
	for (size_t i = 0; i < worker->bitfields.count; i++) {
		struct model_type *type =
			&worker->types.items[worker->bitfields.items[i].type_slot];
		const struct model_item *items = worker->items.items + type->first_item;

		type->flags &= (uint8_t)~TYPE_BITFIELDS;
		for (uint32_t k = 0; k < type->item_count; k++) {
			if (model_item_bit_size(&items[k]) || model_item_bit_offset(&items[k]) % 8)
				type->flags |= TYPE_BITFIELDS;
		}
	}
}

static void settle_names(struct unit_load *load)
{
	struct load_worker *worker = load->worker;

	for (size_t i = 0; i < worker->pending_names.count; i++) {
		const struct pending_name *pending = &worker->pending_names.items[i];
		uint32_t slot = unit_type_slot(load, pending->reference);

		worker->types.items[pending->type_slot].name = worker->types.items[slot].name;
	}
}

bool unit_resolve_types(struct unit_load *load)
{
	resolve_references(load);
	settle_enum_signs(load);
	settle_member_pointers(load);
	settle_bitfields(load);
	if (load->worker->type_scopes.count != 0)
		display_settle_scopes(load);
	settle_names(load);
	return !load->out_of_memory;
}
