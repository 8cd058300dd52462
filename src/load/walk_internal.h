/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * What the files of the walk share.
 *
 * Nearly all time of a run is spent in the walk, most of it on members, parameters and pointers, so these
 * have a short path each for the layouts compilers emit: a load or two at fixed places. Everything else
 * goes through struct die_values. A type gets its slot when it is finished, after its children: a type nested in
 * another comes first.
 */
#ifndef LOAD_WALK_INTERNAL_H
#define LOAD_WALK_INTERNAL_H

#include <string.h>

#include "dwarf/constants.h"
#include "load/load_internal.h"
#include "model/program.h"

/* Enters a DIE that others may refer to; its number in the index. */
static inline uint32_t enter(struct unit_load *load, uint32_t offset)
{
	uint32_t entity =
		die_index_enter(&load->worker->index, (uint32_t)(offset + load->index_delta));

	if (entity == UINT32_MAX)
		walk_no_memory(load);
	return entity;
}

static inline uint32_t finish_type(struct unit_load *load, uint32_t entity,
				   const struct model_type *type)
{
	struct load_worker *worker = load->worker;
	struct model_type *place = vector_push(&worker->types);
	uint32_t slot = (uint32_t)worker->types.count - 1;

	if (place == NULL || entity == UINT32_MAX) {
		walk_no_memory(load);
		return 0;
	}
	*place = *type;
	die_index_set(&worker->index, entity, ENTITY_TYPE, slot);
	return slot;
}

/* What the short paths look at again and again, kept where a store to memory cannot have changed it. */
struct fast_view {
	const struct fast_plan *plans;
	size_t plan_count;
	const uint8_t *end;
	uint32_t name_limit;
	uint32_t unit_size;
	uint32_t delta;
};

static inline struct fast_view fast_view_of(const struct unit_load *load)
{
	return (struct fast_view){
		.plans = load->reader.abbrevs->fast.items,
		.plan_count = load->reader.abbrevs->fast.count,
		.end = load->reader.end,
		.name_limit = load->name_limit,
		.unit_size = load->unit_size,
		.delta = (uint32_t)load->index_delta,
	};
}

/*
 * The plan of the DIE at *position if it can go the short way and is inside the unit; *position is
 * then the base of its fields, *name_start where a name in place starts. NULL leaves *position: the
 * long way deals with it. kind: only of that kind, or FAST_NONE for any.
 */
static inline __attribute__((always_inline)) const struct fast_plan *
peek_fast(const struct fast_view *view, const uint8_t **position, const uint8_t **name_start,
	  enum plan_fast kind)
{
	const uint8_t *base = *position;
	const struct fast_plan *plan;
	uint32_t code;

	if (base >= view->end)
		return NULL;
	code = *base++;
	/* Longer codes are beyond every table by code: the long way reads them. */
	if (code >= 0x80)
		code = *base < 0x80 ? (code & 0x7f) | (uint32_t)*base++ << 7 : UINT32_MAX;
	if (code >= view->plan_count)
		return NULL;
	plan = &view->plans[code];
	if (kind == FAST_NONE ? plan->kind == FAST_NONE : plan->kind != kind)
		return NULL;
	*name_start = base;
	if (plan->name_in_place) { /* gcc does so up to three characters */
		while (base < view->end && *base != 0)
			base++;
		base++;
	}
	if (view->end - base < plan->size)
		return NULL;
	*position = base;
	return plan;
}

static inline uint32_t load32(const uint8_t *bytes, bool swap)
{
	uint32_t value;

	memcpy(&value, bytes, sizeof(value));
	return swap ? bswap_32(value) : value;
}

static inline uint32_t fast_name(struct unit_load *load, const struct fast_view *view,
				 const struct fast_plan *plan, const uint8_t *name_start,
				 const uint8_t *base, bool swap)
{
	/* An offset plus one, as names of .debug_str are numbered, or 0. */
	uint32_t name = (load32(base + plan->name_offset, swap) + 1) & plan->name_mask;

	if (plan->name_in_place)
		return load_short_name(load, (const char *)name_start,
				       (size_t)(base - name_start) - 1);
	if (name > view->name_limit)
		return load_name(
			load, &(struct die_value){ .number = name - 1, .value_class = VALUE_STRP });
	return name;
}

static inline uint32_t fast_reference(const struct fast_view *view, const struct fast_plan *plan,
				      const uint8_t *base, bool swap)
{
	uint32_t offset = load32(base + plan->type_offset, swap) & plan->type_mask;

	return offset < view->unit_size ? offset + view->delta : 0;
}

static inline uint32_t fast_value(const struct fast_plan *plan, const uint8_t *base, bool swap)
{
	uint32_t value = load32(base + plan->value_offset, swap);

	if (swap)
		value >>= plan->value_shift;
	return (value & plan->value_mask) + plan->value_constant;
}

/*
 * The items of a type whose children are being read are at the end of the unit's items, where they stay.
 * Only when another type begins among the children (in C++, mostly) what there is so far is set aside.
 */
struct open_items {
	size_t first;       /* of those at the end of items */
	size_t first_spilt; /* of those set aside */
};

static inline struct open_items items_begin(const struct unit_load *load)
{
	return (struct open_items){ .first = load->worker->items.count,
				    .first_spilt = load->worker->spilt_items.count };
}

static inline enum type_kind modifier_kind(unsigned tag)
{
	switch (tag) {
	case DW_TAG_const_type:
		return TYPE_CONST;
	case DW_TAG_volatile_type:
		return TYPE_VOLATILE;
	case DW_TAG_restrict_type:
		return TYPE_RESTRICT;
	default: /* pointers, and references, which are pointers to BTF */
		return TYPE_POINTER;
	}
}

/* walk_basics.c */
void finish_alias(struct unit_load *load, uint32_t entity, uint32_t reference);
uint32_t value_name(struct unit_load *load, const struct die_values *values);
uint32_t value_type(struct unit_load *load, const struct die_values *values);
void read_basics(struct unit_load *load, const struct die_plan *plan, struct die_values *values,
		 struct model_type *type, uint32_t *reference);
void push_item(struct unit_load *load, uint32_t name, uint32_t type, uint64_t value);
void items_spill(struct unit_load *load, struct open_items *open);
void items_unspill(struct unit_load *load, struct open_items *open);
void items_drop(struct unit_load *load, const struct open_items *open);
size_t items_count(const struct unit_load *load, const struct open_items *open);
void walk_nested(struct unit_load *load, const struct die_plan *plan, uint32_t offset,
		 unsigned depth, struct open_items *open);
void close_type_tags(struct unit_load *load, size_t first, uint32_t slot, bool keep);
void name_from_specification(struct unit_load *load, const struct die_values *values,
			     uint32_t slot);

static inline void items_close(struct unit_load *load, struct open_items *open,
			       struct model_type *type)
{
	if (load->worker->spilt_items.count != open->first_spilt)
		items_unspill(load, open);
	type->first_item = (uint32_t)open->first;
	type->item_count = (uint32_t)(load->worker->items.count - open->first);
}

/* What is being collected of one struct or union. */
struct open_struct {
	struct open_items items;
	size_t first_tag;
	size_t first_bitfield;
	int32_t component;     /* members and base classes so far */
	uint32_t first_nested; /* the first slot that a type in the body can have; 0: none so far */
	uint8_t flags;
};

/* Whether the position is at a null entry, which is then passed. */
static inline bool pass_null(struct unit_load *load)
{
	const uint8_t *position = load->reader.position;

	if (position >= load->reader.end || *position != 0)
		return false;
	load->reader.position = position + 1;
	return true;
}

/*
 * The run of DIEs of one fast kind at the position, as items: members of structs, enumerators, parameters of function
 * types. Two thirds of all DIEs pass here. The cursor stays in registers; anything unusual ends the run and is met by
 * the caller. Returns the number of DIEs.
 */
static inline __attribute__((always_inline)) uint32_t
walk_run(struct unit_load *load, const struct fast_view *view, enum plan_fast kind, bool swap)
{
	enum { ROOM = 256 }; /* items there is room for before the vector is looked at again */
	const unsigned value_shift = kind == FAST_MEMBER ?
					     3 + 8 : /* bytes as bits, above the bit size */
					     kind == FAST_BIT_MEMBER ? 8 :
								       0;
	struct load_worker *worker = load->worker;
	const uint8_t *position = load->reader.position;
	const size_t first = worker->items.count;
	struct model_item *item = worker->items.items + first;
	struct model_item *limit = worker->items.items + worker->items.capacity;
	uint32_t count = 0;

	for (;; count++) {
		const uint8_t *base = position, *name_start;
		const struct fast_plan *plan = peek_fast(view, &base, &name_start, kind);

		if (plan == NULL)
			break;
		if (item == limit) {
			if (!vector_reserve(&worker->items, first + count + ROOM)) {
				walk_no_memory(load);
				break;
			}
			item = worker->items.items + first + count;
			limit = worker->items.items + worker->items.capacity;
		}
		item->name = fast_name(load, view, plan, name_start, base, swap);
		item->type = kind == FAST_ENUMERATOR ? 0 : fast_reference(view, plan, base, swap);
		item->value = kind == FAST_PARAMETER ?
				      0 :
				      (uint64_t)fast_value(plan, base, swap) << value_shift;
		if (kind == FAST_BIT_MEMBER)
			item->value |=
				(uint8_t)((base[plan->bit_size_offset] & plan->bit_size_mask) +
					  plan->bit_size_constant);
		item++;
		position = base + plan->size;
	}
	worker->items.count = first + count;
	load->reader.die_count += count;
	if (load->reader.fault == DIE_OK)
		load->reader.position = position;
	return count;
}

/* walk_struct.c */
void walk_struct_children(struct unit_load *load, struct open_struct *open, unsigned depth);
/* values: of the struct, or NULL when they are in `type`. */
void close_struct(struct unit_load *load, struct open_struct *open, uint32_t entity,
		  struct model_type *type, const struct die_values *values);
void walk_struct(struct unit_load *load, const struct die_plan *plan, uint32_t offset,
		 unsigned depth);

/* walk_lists.c */
void walk_enum(struct unit_load *load, const struct die_plan *plan, uint32_t offset,
	       unsigned depth);
/* The dimensions of an array that were met so far. */
struct open_array {
	uint32_t elements; /* product, mod 2^32 */
	uint32_t dimension_count;
	bool is_vector;
};

void walk_array_children(struct unit_load *load, struct model_type *type, uint32_t entity,
			 struct open_array *array, unsigned depth);
void walk_array(struct unit_load *load, const struct die_plan *plan, uint32_t offset,
		unsigned depth);
void walk_function_type_children(struct unit_load *load, struct model_type *type, uint32_t entity,
				 struct open_items *open, unsigned depth);
void walk_function_type(struct unit_load *load, const struct die_plan *plan, uint32_t offset,
			unsigned depth);

/* walk_simple.c */
void walk_base_type(struct unit_load *load, const struct die_plan *plan, uint32_t offset);
void walk_modifier(struct unit_load *load, const struct die_plan *plan, uint32_t offset);
void walk_typedef(struct unit_load *load, const struct die_plan *plan, uint32_t offset);
void walk_transparent(struct unit_load *load, const struct die_plan *plan, uint32_t offset);
void walk_opaque(struct unit_load *load, const struct die_plan *plan, uint32_t offset);
void walk_unspecified(struct unit_load *load, const struct die_plan *plan, uint32_t offset);

#endif
