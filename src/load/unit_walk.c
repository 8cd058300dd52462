/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * One pass over a unit's DIEs. Nearly all time of a run is spent here, most of it on members,
 * parameters and pointers, so these have a short path each for the layouts compilers emit: a load or two at fixed
 * places. Everything else goes through struct die_values.
 *
 * A type gets its slot when it is finished, after its children: a type nested in another comes first.
 */
#include <string.h>

#include "dwarf/constants.h"
#include "load/load_internal.h"

void walk_no_memory(struct unit_load *load)
{
	load->out_of_memory = true;
	die_reader_fail(&load->reader, DIE_NO_MEMORY, load->reader.position);
}

bool walk_too_deep(struct unit_load *load, unsigned depth)
{
	if (depth < DIE_DEPTH_MAX)
		return false;
	die_reader_fail(&load->reader, DIE_TOO_DEEP, load->reader.position);
	return true;
}

/* Enters a DIE that others may refer to; its number in the index. */
static inline uint32_t enter(struct unit_load *load, uint32_t offset)
{
	uint32_t entity =
		die_index_enter(&load->worker->index, (uint32_t)(offset + load->index_delta));

	if (entity == UINT32_MAX)
		walk_no_memory(load);
	return entity;
}

uint32_t walk_add_type(struct unit_load *load, const struct model_type *type)
{
	struct model_type *place = vector_push(&load->worker->types);

	if (place == NULL) {
		walk_no_memory(load);
		return 0;
	}
	*place = *type;
	return (uint32_t)load->worker->types.count - 1;
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

static void finish_alias(struct unit_load *load, uint32_t entity, uint32_t reference)
{
	uint32_t *place = vector_push(&load->worker->aliases);

	if (place == NULL) {
		walk_no_memory(load);
		return;
	}
	*place = reference;
	die_index_set(&load->worker->index, entity, ENTITY_ALIAS,
		      (uint32_t)load->worker->aliases.count - 1);
}

/* The short paths' name: a masked load, or text in place between start and base. */
static inline uint32_t fixed_name(struct unit_load *load, const struct die_plan *plan,
				  const uint8_t *start, const uint8_t *base, bool swap)
{
	if (plan->layout == PLAN_FIXED_AFTER_NAME)
		return load_short_name(load, (const char *)start, (size_t)(base - start) - 1);
	if (!(plan->present & ATTR_BIT(ATTR_NAME)))
		return 0;
	return load_provisional_name(
		load, &(struct die_value){ .number = plan_field_load(&plan->name, base, swap),
					   .value_class = VALUE_STRP });
}

/*
 * The short paths' reference: only forms that stay inside the unit have a fixed field. Offset 0 is the
 * unit's header, so it can stand for "none".
 */
static inline uint32_t fixed_reference(const struct unit_load *load, const struct die_plan *plan,
				       const uint8_t *base, bool swap)
{
	uint32_t offset = plan_field_load(&plan->type, base, swap);

	return offset == 0 || offset >= load->unit_size ? 0 :
							  (uint32_t)(offset + load->index_delta);
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
	if (code >= 0x80 && *base < 0x80)
		code = (code & 0x7f) | (uint32_t)*base++ << 7;
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

	return offset == 0 || offset >= view->unit_size ? 0 : offset + view->delta;
}

static inline uint32_t fast_value(const struct fast_plan *plan, const uint8_t *base, bool swap)
{
	uint32_t value = load32(base + plan->value_offset, swap);

	if (swap)
		value >>= plan->value_shift;
	return (value & plan->value_mask) + plan->value_constant;
}

static uint32_t value_name(struct unit_load *load, const struct die_values *values)
{
	return values_have(values, ATTR_NAME) ?
		       load_provisional_name(load, &values->values[ATTR_NAME]) :
		       0;
}

static uint32_t value_type(struct unit_load *load, const struct die_values *values)
{
	return values_have(values, ATTR_TYPE) ? load_reference(load, &values->values[ATTR_TYPE]) :
						0;
}

/* Reads name, type and byte size (or what stands in for it) of a DIE in either way. */
static void read_basics(struct unit_load *load, const struct die_plan *plan,
			struct die_values *values, struct model_type *type, uint32_t *reference)
{
	if (plan->fast != FAST_NONE) {
		const uint8_t *start = load->reader.position;
		const uint8_t *base = die_reader_fixed(&load->reader, plan);

		values->present = 0;
		if (base == NULL)
			return;
		type->name = fixed_name(load, plan, start, base, load->reader.context.swap);
		type->size = plan_field_load(&plan->value, base, load->reader.context.swap);
		*reference = fixed_reference(load, plan, base, load->reader.context.swap);
		return;
	}
	die_reader_values(&load->reader, plan, values);
	type->name = value_name(load, values);
	type->size = (uint32_t)load_number(values, ATTR_BYTE_SIZE);
	*reference = value_type(load, values);
}

/* DW_AT_data_member_location: a number, or an expression that adds one. docs/encoding.md, 2.1. */
static uint64_t member_location(struct unit_load *load, const struct die_values *values,
				enum die_attr attr)
{
	const struct die_value *value = &values->values[attr];
	struct byte_reader bytes;
	uint8_t code;

	if (!values_have(values, attr))
		return 0;
	if (value->value_class != VALUE_BLOCK)
		return (uint64_t)load_number(values, attr);
	bytes = byte_reader_over(load->reader.bytes + value->number, value->size,
				 load->loader->swap);
	code = byte_reader_u8(&bytes);
	if (code != DW_OP_plus_uconst && code != DW_OP_constu)
		return UINT32_MAX;
	return byte_reader_uleb128(&bytes);
}

static void push_item(struct unit_load *load, uint32_t name, uint32_t type, uint64_t value)
{
	struct model_item *item = vector_push(&load->worker->items);

	if (item == NULL)
		walk_no_memory(load);
	else
		*item = (struct model_item){ .name = name, .type = type, .value = value };
}

/*
 * The items of a type whose children are being read are at the end of the unit's items, where they stay.
 * Only when another type begins among the children (in C++, mostly) what there is so far is set aside.
 */
struct open_items {
	size_t first;       /* of those at the end of items */
	size_t first_spilt; /* of those set aside */
};

static struct open_items items_begin(const struct unit_load *load)
{
	return (struct open_items){ .first = load->worker->items.count,
				    .first_spilt = load->worker->spilt_items.count };
}

static size_t items_count(const struct unit_load *load, const struct open_items *open)
{
	return load->worker->items.count - open->first + load->worker->spilt_items.count -
	       open->first_spilt;
}

static void items_spill(struct unit_load *load, struct open_items *open)
{
	struct load_worker *worker = load->worker;
	size_t count = worker->items.count - open->first;

	if (count == 0)
		return;
	if (!vector_reserve(&worker->spilt_items, worker->spilt_items.count + count)) {
		walk_no_memory(load);
		return;
	}
	memcpy(worker->spilt_items.items + worker->spilt_items.count,
	       worker->items.items + open->first, count * sizeof(*worker->items.items));
	worker->spilt_items.count += count;
	worker->items.count = open->first;
}

static void items_unspill(struct unit_load *load, struct open_items *open)
{
	struct load_worker *worker = load->worker;

	items_spill(load, open);
	open->first = worker->items.count;
	for (size_t i = open->first_spilt; i < worker->spilt_items.count; i++)
		push_item(load, worker->spilt_items.items[i].name,
			  worker->spilt_items.items[i].type, worker->spilt_items.items[i].value);
	worker->spilt_items.count = open->first_spilt;
}

static inline void items_close(struct unit_load *load, struct open_items *open,
			       struct model_type *type)
{
	if (load->worker->spilt_items.count != open->first_spilt)
		items_unspill(load, open);
	type->first_item = (uint32_t)open->first;
	type->item_count = (uint32_t)(load->worker->items.count - open->first);
}

static void items_drop(struct unit_load *load, const struct open_items *open)
{
	load->worker->items.count = open->first;
	load->worker->spilt_items.count = open->first_spilt;
}

/* A DIE among the children of a type with items that may hold types with items of its own. */
static void walk_nested(struct unit_load *load, const struct die_plan *plan, uint32_t offset,
			unsigned depth, struct open_items *open)
{
	items_spill(load, open);
	walk_die(load, plan, offset, SCOPE_NAMESPACE, depth);
	open->first = load->worker->items.count;
}

/* What is being collected of one struct or union. */
struct open_struct {
	struct open_items items;
	size_t first_tag;
	size_t first_bitfield;
	int32_t component; /* members and base classes so far */
	uint8_t flags;
};

static void member_children(struct unit_load *load, struct open_struct *open)
{
	const struct die_plan *plan;
	uint32_t value;

	while ((plan = die_reader_next(&load->reader)) != NULL) {
		if (plan->tag != DW_TAG_LLVM_annotation && plan->tag != DW_TAG_GNU_annotation)
			die_reader_skip_tree(&load->reader, plan);
		else if (walk_annotation(load, plan, &value) == ANNOTATION_DECL_TAG)
			walk_add_tag(load, value, open->component);
	}
}

/* A bit field, or a member whose place is given in bits. */
static uint64_t bit_member_value(struct unit_load *load, struct open_struct *open,
				 const struct die_values *values)
{
	uint64_t bit_size = (uint64_t)load_number(values, ATTR_BIT_SIZE) & 0xff;
	uint64_t location = member_location(load, values, ATTR_MEMBER_LOCATION);
	bool old_style = bit_size != 0 && values_have(values, ATTR_BIT_OFFSET) &&
			 !values_have(values, ATTR_DATA_BIT_OFFSET);
	uint64_t bit_offset = values_have(values, ATTR_DATA_BIT_OFFSET) ?
				      member_location(load, values, ATTR_DATA_BIT_OFFSET) :
				      location * 8;

	if (bit_size != 0 || bit_offset % 8 != 0)
		open->flags |= TYPE_BITFIELDS;
	if (old_style || (bit_size != 0 && load->loader->options.fixup_silly_bitfields)) {
		struct pending_bitfield *pending = vector_push(&load->worker->bitfields);

		if (pending == NULL) {
			walk_no_memory(load);
			return 0;
		}
		*pending = (struct pending_bitfield){
			.item = (uint32_t)items_count(load, &open->items),
			.byte_location = location,
			.bit_offset = old_style ? (uint64_t)load_number(values, ATTR_BIT_OFFSET) :
						  UINT64_MAX,
			.byte_size = (uint64_t)load_number(values, ATTR_BYTE_SIZE),
		};
	}
	return bit_offset << 8 | bit_size;
}

static void walk_member(struct unit_load *load, const struct die_plan *plan, uint32_t offset,
			struct open_struct *open)
{
	struct die_values values;
	uint64_t value;

	die_reader_values(&load->reader, plan, &values);
	if (load->reader.fault)
		return;
	if (values_have(&values, ATTR_EXTERNAL) || values_have(&values, ATTR_DECLARATION)) {
		/* DWARF up to 4: a static data member, which is not part of the layout */
		walk_add_variable(load, &values, offset, false);
		if (plan->has_children)
			die_reader_skip_children(&load->reader);
		open->component++;
		return;
	}
	value = bit_member_value(load, open, &values);
	push_item(load, value_name(load, &values), value_type(load, &values), value);
	if (plan->has_children)
		member_children(load, open);
	if (values_have(&values, ATTR_GNU_ANNOTATION))
		walk_decl_tag_chain(load, &values.values[ATTR_GNU_ANNOTATION], open->component);
	open->component++;
}

/*
 * The run of DIEs of one fast kind at the position, as items: members of structs, enumerators, parameters of function
 * types. Two thirds of all DIEs pass here. The cursor stays in registers; anything unusual ends the run and is met by
 * the caller. Returns the number of DIEs.
 */
static inline __attribute__((always_inline)) uint32_t
walk_run(struct unit_load *load, enum plan_fast kind, unsigned value_shift, bool swap)
{
	enum { ROOM = 256 }; /* items there is room for before the vector is looked at again */
	struct load_worker *worker = load->worker;
	const struct fast_view view = fast_view_of(load);
	const uint8_t *position = load->reader.position;
	const size_t first = worker->items.count;
	struct model_item *item = worker->items.items + first;
	struct model_item *limit = worker->items.items + worker->items.capacity;
	uint32_t count = 0;

	for (;; count++) {
		const uint8_t *base = position, *name_start;
		const struct fast_plan *plan = peek_fast(&view, &base, &name_start, kind);

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
		item->name = fast_name(load, &view, plan, name_start, base, swap);
		item->type = kind == FAST_ENUMERATOR ? 0 : fast_reference(&view, plan, base, swap);
		item->value = kind == FAST_PARAMETER ?
				      0 :
				      (uint64_t)fast_value(plan, base, swap) << value_shift;
		item++;
		position = base + plan->size;
	}
	worker->items.count = first + count;
	load->reader.die_count += count;
	if (load->reader.fault == DIE_OK)
		load->reader.position = position;
	return count;
}

static uint32_t walk_plain_members(struct unit_load *load)
{
	/* A byte offset as bits, above the bit size. */
	return load->reader.context.swap ? walk_run(load, FAST_MEMBER, 3 + 8, true) :
					   walk_run(load, FAST_MEMBER, 3 + 8, false);
}

static void walk_plain_enumerators(struct unit_load *load)
{
	if (load->reader.context.swap)
		walk_run(load, FAST_ENUMERATOR, 0, true);
	else
		walk_run(load, FAST_ENUMERATOR, 0, false);
}

static void walk_plain_parameters(struct unit_load *load)
{
	if (load->reader.context.swap)
		walk_run(load, FAST_PARAMETER, 0, true);
	else
		walk_run(load, FAST_PARAMETER, 0, false);
}

static void walk_struct_children(struct unit_load *load, struct open_struct *open, unsigned depth)
{
	const struct die_plan *plan;
	uint32_t value;

	for (;;) {
		uint32_t offset;

		open->component += (int32_t)walk_plain_members(load);
		offset = (uint32_t)die_reader_offset(&load->reader);
		plan = die_reader_next(&load->reader);
		if (plan == NULL)
			return;
		switch (plan->tag) {
		case DW_TAG_member:
			walk_member(load, plan, offset, open);
			break;
		case DW_TAG_inheritance:
			open->component++;
			die_reader_skip_tree(&load->reader, plan);
			break;
		case DW_TAG_LLVM_annotation:
		case DW_TAG_GNU_annotation:
			if (walk_annotation(load, plan, &value) == ANNOTATION_DECL_TAG)
				walk_add_tag(load, value, -1);
			break;
		case DW_TAG_variable:
			walk_variable(load, plan, offset, false);
			break;
		default:
			walk_nested(load, plan, offset, depth, &open->items);
		}
	}
}

/* Turns the tags collected since `first` into the type's, or drops them. */
static void close_type_tags(struct unit_load *load, size_t first, uint32_t slot, bool keep)
{
	struct load_worker *worker = load->worker;

	for (size_t i = first; keep && i < worker->open_tags.count; i++) {
		struct type_tag_record *record = vector_push(&worker->type_tags);

		if (record == NULL) {
			walk_no_memory(load);
			break;
		}
		*record =
			(struct type_tag_record){ .type = slot, .tag = worker->open_tags.items[i] };
	}
	worker->open_tags.count = first;
}

/* Rust puts members in an order of its own; layouts are read by offset. */
static void sort_by_offset(struct model_item *items, size_t count)
{
	for (size_t i = 1; i < count; i++) {
		struct model_item item = items[i];
		size_t place = i;

		for (; place > 0 && items[place - 1].value >> 11 > item.value >> 11; place--)
			items[place] = items[place - 1];
		items[place] = item;
	}
}

static void name_from_specification(struct unit_load *load, const struct die_values *values,
				    uint32_t slot)
{
	struct pending_name *pending = vector_push(&load->worker->pending_names);

	if (pending == NULL)
		walk_no_memory(load);
	else
		*pending = (struct pending_name){
			.type_slot = slot,
			.reference = load_reference(load, &values->values[ATTR_SPECIFICATION]),
		};
}

static void close_struct(struct unit_load *load, struct open_struct *open, uint32_t entity,
			 struct model_type *type, const struct die_values *values)
{
	struct load_worker *worker = load->worker;
	uint32_t slot;

	items_close(load, &open->items, type);
	if (load->language == DW_LANG_Rust && !(open->flags & TYPE_BITFIELDS))
		sort_by_offset(worker->items.items + type->first_item, type->item_count);
	type->flags |= open->flags;
	slot = finish_type(load, entity, type);
	for (size_t i = open->first_bitfield; i < worker->bitfields.count; i++) {
		if (worker->bitfields.items[i].type_slot == 0)
			worker->bitfields.items[i].type_slot = slot;
	}
	if (worker->open_tags.count != open->first_tag)
		close_type_tags(load, open->first_tag, slot, !(type->flags & TYPE_CLASS));
	if (type->name == 0 && values_have(values, ATTR_SPECIFICATION))
		name_from_specification(load, values, slot);
}

static void walk_struct(struct unit_load *load, const struct die_plan *plan, uint32_t offset,
			unsigned depth)
{
	struct model_type type = { .kind = plan->tag == DW_TAG_union_type ? TYPE_UNION :
									    TYPE_STRUCT,
				   .flags = plan->tag == DW_TAG_class_type ? TYPE_CLASS : 0 };
	struct load_worker *worker = load->worker;
	struct open_struct open = { .items = items_begin(load),
				    .first_tag = worker->open_tags.count,
				    .first_bitfield = worker->bitfields.count };
	uint32_t entity = enter(load, offset);
	struct die_values values;
	uint32_t reference = 0;

	read_basics(load, plan, &values, &type, &reference);
	if (load->reader.fault)
		return;
	if (plan->has_children)
		walk_struct_children(load, &open, depth);
	if (load->reader.fault)
		return;
	if (values_have(&values, ATTR_SIGNATURE)) { /* the type is in a type unit */
		items_drop(load, &open.items);
		worker->open_tags.count = open.first_tag;
		finish_alias(load, entity, load_reference(load, &values.values[ATTR_SIGNATURE]));
		return;
	}
	if (plan->tag != DW_TAG_class_type && values_have(&values, ATTR_GNU_ANNOTATION) &&
	    type.kind == TYPE_STRUCT)
		walk_decl_tag_chain(load, &values.values[ATTR_GNU_ANNOTATION], -1);
	if (load_number(&values, ATTR_DECLARATION) != 0 && type.name != 0) {
		items_drop(load, &open.items);
		type.kind = type.kind == TYPE_UNION ? TYPE_UNION_FORWARD : TYPE_STRUCT_FORWARD;
		type.size = 0;
		open.flags = 0;
	}
	close_struct(load, &open, entity, &type, &values);
}

static void walk_enumerator(struct unit_load *load, const struct die_plan *plan)
{
	struct die_values values;

	die_reader_values(&load->reader, plan, &values);
	if (load->reader.fault)
		return;
	push_item(load, value_name(load, &values), 0,
		  (uint64_t)load_number(&values, ATTR_CONST_VALUE));
	if (plan->has_children)
		die_reader_skip_children(&load->reader);
}

/*
 * Settles how wide the enumerators are and whether they have a sign. Values are kept sign-extended; consumers
 * without wide enumerations see 32 bits and no sign.
 */
static void settle_enum(struct unit_load *load, struct model_type *type)
{
	struct model_item *items = load->worker->items.items + type->first_item;
	bool negative = false, wide = type->size > 4;

	if (type->size != 1 && type->size != 2 && type->size != 4 && type->size != 8) {
		load->sanitized_count += type->size != 0;
		type->size = type->size > 4 ? 8 : 4;
	}
	if (!load->loader->options.wide_enums) {
		for (uint32_t i = 0; i < type->item_count; i++)
			items[i].value &= UINT32_MAX;
		return;
	}
	for (uint32_t i = 0; i < type->item_count; i++) {
		int64_t value = (int64_t)items[i].value;

		negative |= value < 0;
		wide |= value < INT32_MIN || value > UINT32_MAX;
	}
	if (wide)
		type->flags |= TYPE_WIDE;
	else if (negative)
		type->flags |= TYPE_SIGNED;
}

static void walk_enum(struct unit_load *load, const struct die_plan *plan, uint32_t offset,
		      unsigned depth)
{
	struct model_type type = { .kind = TYPE_ENUM };
	struct open_items open = items_begin(load);
	uint32_t entity = enter(load, offset);
	const struct die_plan *child;
	struct die_values values;
	uint32_t slot;

	read_basics(load, plan, &values, &type, &type.type);
	while (plan->has_children) {
		uint32_t at;

		walk_plain_enumerators(load);
		at = (uint32_t)die_reader_offset(&load->reader);
		child = die_reader_next(&load->reader);
		if (child == NULL)
			break;
		if (child->tag == DW_TAG_enumerator)
			walk_enumerator(load, child);
		else
			walk_nested(load, child, at, depth, &open);
	}
	if (load->reader.fault)
		return;
	if (values_have(&values, ATTR_SIGNATURE)) {
		items_drop(load, &open);
		finish_alias(load, entity, load_reference(load, &values.values[ATTR_SIGNATURE]));
		return;
	}
	items_close(load, &open, &type);
	settle_enum(load, &type);
	slot = finish_type(load, entity, &type);
	if (type.name == 0 && values_have(&values, ATTR_SPECIFICATION))
		name_from_specification(load, &values, slot);
	if (type.type != 0) {
		uint32_t *place = vector_push(&load->worker->wide_enum_slots);

		if (place == NULL)
			walk_no_memory(load);
		else
			*place = slot;
	}
}

/* Elements of one dimension, mod 2^32. docs/encoding.md, 2.6. */
static uint32_t subrange_count(const struct die_values *values)
{
	const struct die_value *bound = &values->values[ATTR_UPPER_BOUND];
	const struct die_value *count = &values->values[ATTR_COUNT];

	if (values_have(values, ATTR_UPPER_BOUND))
		return bound->value_class == VALUE_UNSIGNED || bound->value_class == VALUE_SIGNED ?
			       (uint32_t)bound->number + 1 :
			       0;
	if (values_have(values, ATTR_COUNT) &&
	    (count->value_class == VALUE_UNSIGNED || count->value_class == VALUE_SIGNED))
		return (uint32_t)count->number;
	return 0;
}

/* Dimensions of an array from the position on, its end included; `elements` of those before. */
static void walk_array_children(struct unit_load *load, struct model_type *type, uint32_t entity,
				uint32_t elements, unsigned depth)
{
	const struct die_plan *child;
	struct die_values values;

	for (;;) {
		uint32_t at = (uint32_t)die_reader_offset(&load->reader);

		child = die_reader_next(&load->reader);
		if (child == NULL)
			break;
		if (child->tag != DW_TAG_subrange_type) {
			walk_die(load, child, at, SCOPE_NAMESPACE, depth);
			continue;
		}
		die_reader_values(&load->reader, child, &values);
		if (load->reader.fault)
			return;
		elements *= subrange_count(&values);
		if (child->has_children)
			die_reader_skip_children(&load->reader);
	}
	if (load->reader.fault)
		return;
	type->name = 0;
	type->size = elements;
	load->has_arrays = true;
	finish_type(load, entity, type);
}

static void walk_array(struct unit_load *load, const struct die_plan *plan, uint32_t offset,
		       unsigned depth)
{
	struct model_type type = { .kind = TYPE_ARRAY };
	uint32_t entity = enter(load, offset);
	struct die_values values;

	read_basics(load, plan, &values, &type, &type.type);
	if (load->reader.fault)
		return;
	if (plan->has_children) {
		walk_array_children(load, &type, entity, 1, depth);
		return;
	}
	type.name = 0;
	type.size = 1;
	load->has_arrays = true;
	finish_type(load, entity, &type);
}

/* Parameters of a function type; those of functions carry more, see walk_subprogram. */
static void walk_type_parameter(struct unit_load *load, const struct die_plan *plan)
{
	struct model_type basics = { 0 };
	struct die_values values;
	uint32_t reference = 0;

	read_basics(load, plan, &values, &basics, &reference);
	if (load->reader.fault)
		return;
	push_item(load, basics.name, reference, 0);
	if (plan->has_children)
		die_reader_skip_children(&load->reader);
}

/* Children of a function type from the position on, its end included. */
static void walk_function_type_children(struct unit_load *load, struct model_type *type,
					uint32_t entity, struct open_items *open, unsigned depth)
{
	const struct die_plan *child;
	bool is_variadic = false;

	for (;;) {
		uint32_t at;

		walk_plain_parameters(load);
		at = (uint32_t)die_reader_offset(&load->reader);
		child = die_reader_next(&load->reader);
		if (child == NULL)
			break;
		if (child->tag == DW_TAG_formal_parameter) {
			walk_type_parameter(load, child);
		} else if (child->tag == DW_TAG_unspecified_parameters) {
			is_variadic = true;
			die_reader_skip_tree(&load->reader, child);
		} else {
			walk_nested(load, child, at, depth, open);
		}
	}
	if (load->reader.fault)
		return;
	if (is_variadic)
		push_item(load, 0, 0, 0);
	type->kind = TYPE_FUNCTION;
	type->name = 0;
	type->size = 0;
	items_close(load, open, type);
	finish_type(load, entity, type);
}

static void walk_function_type(struct unit_load *load, const struct die_plan *plan, uint32_t offset,
			       unsigned depth)
{
	struct model_type type = { .kind = TYPE_FUNCTION };
	struct open_items open = items_begin(load);
	uint32_t entity = enter(load, offset);
	struct die_values values;

	read_basics(load, plan, &values, &type, &type.type);
	if (load->reader.fault)
		return;
	if (plan->has_children) {
		walk_function_type_children(load, &type, entity, &open, depth);
		return;
	}
	type.name = 0;
	type.size = 0;
	finish_type(load, entity, &type);
}

/* docs/encoding.md, 2.4. Sizes of integers BTF cannot express are kept in `reserved` for the analysis of parameters. */
static void settle_base_type(struct unit_load *load, struct model_type *type, uint64_t encoding)
{
	uint32_t bits = (type->size * 8) & 0xffff;
	uint32_t bytes = (bits + 7) / 8;
	bool floats = load->loader->options.floats;

	type->kind = TYPE_INT;
	if (encoding == DW_ATE_signed || encoding == DW_ATE_signed_char)
		type->flags = TYPE_SIGNED;
	else if (encoding == DW_ATE_boolean)
		type->flags = TYPE_BOOL;
	if (floats && encoding == DW_ATE_float &&
	    (bytes == 2 || bytes == 4 || bytes == 8 || bytes == 12 || bytes == 16)) {
		type->kind = TYPE_FLOAT;
		type->size = bytes;
		return;
	}
	if (floats && (encoding == DW_ATE_float || encoding == DW_ATE_complex_float ||
		       encoding == DW_ATE_imaginary_float)) {
		type->kind = TYPE_STRUCT; /* without members: an opaque type of the right size */
		type->flags = 0;
		load->sanitized_count++;
		return;
	}
	type->reserved = (uint16_t)bytes;
	if (bytes == 0 || bytes > 16 || (bytes & (bytes - 1)) != 0 || type->name == 0) {
		type->name = load->loader->fake_int_name;
		type->size = 4;
		return;
	}
	type->size = bytes;
}

static void walk_base_type(struct unit_load *load, const struct die_plan *plan, uint32_t offset)
{
	struct model_type type = { 0 };
	uint32_t entity = enter(load, offset);
	struct die_values values;
	uint32_t slot;
	bool is_int;

	die_reader_values(&load->reader, plan, &values);
	if (load->reader.fault)
		return;
	type.name = load_settled_name(load, value_name(load, &values));
	type.size = (uint32_t)load_number(&values, ATTR_BYTE_SIZE);
	is_int = type.name != 0 && type.name == load->loader->int_name;
	settle_base_type(load, &type, (uint64_t)load_number(&values, ATTR_ENCODING));
	if (plan->has_children)
		die_reader_skip_children(&load->reader);
	slot = finish_type(load, entity, &type);
	if (is_int && load->int_slot == 0)
		load->int_slot = slot;
}

static enum type_kind modifier_kind(unsigned tag)
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

/* A pointer with annotations: its type tags stand between it and what it points to. docs/encoding.md, 6. */
static void walk_pointer_children(struct unit_load *load, const struct die_plan *plan,
				  const struct die_values *values, struct model_type *type,
				  uint32_t *tag_slot)
{
	struct model_type tag = { .kind = TYPE_TAG };
	const struct die_plan *child;
	uint32_t value;

	while (plan->has_children && (child = die_reader_next(&load->reader)) != NULL) {
		if (child->tag != DW_TAG_LLVM_annotation && child->tag != DW_TAG_GNU_annotation) {
			die_reader_skip_tree(&load->reader, child);
			continue;
		}
		if (walk_annotation(load, child, &value) != ANNOTATION_TYPE_TAG || value == 0 ||
		    !load->loader->options.type_tags)
			continue;
		/* The first refers to the pointee, later ones to the tag before. */
		tag.name = value;
		tag.type = *tag_slot ? *tag_slot : type->type;
		tag.flags = *tag_slot ? TYPE_TARGET_IS_SLOT : 0;
		*tag_slot = walk_add_type(load, &tag);
	}
	if (*tag_slot == 0 && load->loader->options.type_tags &&
	    values_have(values, ATTR_GNU_ANNOTATION))
		type->type = walk_type_tag_chain(load, &values->values[ATTR_GNU_ANNOTATION],
						 type->type, tag_slot);
}

static void walk_modifier(struct unit_load *load, const struct die_plan *plan, uint32_t offset)
{
	struct model_type type = { .kind = (uint8_t)modifier_kind(plan->tag) };
	uint32_t entity = enter(load, offset);
	struct die_values values;
	uint32_t tag_slot = 0;

	read_basics(load, plan, &values, &type, &type.type);
	if (load->reader.fault)
		return;
	type.name = 0;
	type.size = 0;
	if (plan->tag == DW_TAG_pointer_type &&
	    (plan->has_children || values_have(&values, ATTR_GNU_ANNOTATION)))
		walk_pointer_children(load, plan, &values, &type, &tag_slot);
	else if (plan->has_children)
		die_reader_skip_children(&load->reader);
	if (load->reader.fault)
		return;
	if (plan->tag == DW_TAG_reference_type || plan->tag == DW_TAG_rvalue_reference_type)
		load->sanitized_count++;
	if (tag_slot != 0) {
		type.type = tag_slot;
		type.flags = TYPE_TARGET_IS_SLOT;
	}
	finish_type(load, entity, &type);
}

static void walk_typedef(struct unit_load *load, const struct die_plan *plan, uint32_t offset)
{
	struct model_type type = { .kind = TYPE_TYPEDEF };
	size_t first_tag = load->worker->open_tags.count;
	uint32_t entity = enter(load, offset);
	const struct die_plan *child;
	struct die_values values;
	uint32_t value;

	read_basics(load, plan, &values, &type, &type.type);
	while (plan->has_children && (child = die_reader_next(&load->reader)) != NULL) {
		if (child->tag != DW_TAG_LLVM_annotation && child->tag != DW_TAG_GNU_annotation)
			die_reader_skip_tree(&load->reader, child);
		else if (walk_annotation(load, child, &value) == ANNOTATION_DECL_TAG)
			walk_add_tag(load, value, -1);
	}
	if (load->reader.fault)
		return;
	type.size = 0;
	if (type.name == 0) {
		load->worker->open_tags.count = first_tag;
		finish_alias(load, entity, type.type);
		return;
	}
	close_type_tags(load, first_tag, finish_type(load, entity, &type), true);
}

/* A type BTF has no word for that stands for the one it refers to: _Atomic and the like. */
static void walk_transparent(struct unit_load *load, const struct die_plan *plan, uint32_t offset)
{
	struct model_type type = { 0 };
	uint32_t entity = enter(load, offset);
	struct die_values values;
	uint32_t reference = 0;

	read_basics(load, plan, &values, &type, &reference);
	if (load->reader.fault)
		return;
	if (plan->has_children)
		die_reader_skip_children(&load->reader);
	load->sanitized_count++;
	finish_alias(load, entity, reference);
}

/* Pointers to members and strings: nothing in BTF, so a struct without members, of their size. */
static void walk_opaque(struct unit_load *load, const struct die_plan *plan, uint32_t offset)
{
	struct model_type type = { 0 };
	uint32_t entity = enter(load, offset);
	struct die_values values;
	uint32_t reference = 0;

	read_basics(load, plan, &values, &type, &reference);
	if (load->reader.fault)
		return;
	if (plan->has_children)
		die_reader_skip_children(&load->reader);
	load->sanitized_count++;
	type.kind = TYPE_STRUCT;
	if (plan->tag == DW_TAG_ptr_to_member_type) {
		uint32_t *place = vector_push(&load->worker->member_pointer_slots);

		type.kind = TYPE_MEMBER_POINTER;
		type.type = reference;
		if (place == NULL) {
			walk_no_memory(load);
			return;
		}
		*place = (uint32_t)load->worker->types.count;
	}
	type.name = 0;
	finish_type(load, entity, &type);
}

/* decltype(nullptr) has a size and a value; other unspecified types are void. */
static void walk_unspecified(struct unit_load *load, const struct die_plan *plan, uint32_t offset)
{
	struct model_type type = { .kind = TYPE_POINTER };
	uint32_t entity = enter(load, offset);
	struct die_values values;
	const char *name = NULL;

	die_reader_values(&load->reader, plan, &values);
	if (load->reader.fault)
		return;
	if (values_have(&values, ATTR_NAME))
		name = load_text(load, &values.values[ATTR_NAME]);
	if (plan->has_children)
		die_reader_skip_children(&load->reader);
	if (name != NULL && strstr(name, "nullptr") != NULL) {
		load->sanitized_count++;
		finish_type(load, entity, &type);
	} else {
		finish_alias(load, entity, 0);
	}
}

/*
 * The run of leaves at the position: pointers, qualifiers and typedefs as compilers write them. As in walk_run, the
 * caller meets anything unusual.
 */
static inline __attribute__((always_inline)) void walk_leaf_run(struct unit_load *load, bool swap)
{
	struct load_worker *worker = load->worker;
	const struct fast_view view = fast_view_of(load);
	const uint8_t *position = load->reader.position, *bytes = load->reader.bytes;
	uint32_t count = 0;

	for (;; count++) {
		uint32_t offset = (uint32_t)(position - bytes) + view.delta;
		const uint8_t *base = position, *name_start;
		const struct fast_plan *plan = peek_fast(&view, &base, &name_start, FAST_LEAF);
		struct model_type type = { 0 };
		uint32_t entity;

		if (plan == NULL)
			break;
		if (plan->tag == DW_TAG_typedef) {
			type.kind = TYPE_TYPEDEF;
			type.name = fast_name(load, &view, plan, name_start, base, swap);
			if (type.name == 0)
				break;
		} else {
			type.kind = (uint8_t)modifier_kind(plan->tag);
		}
		type.type = fast_reference(&view, plan, base, swap);
		entity = die_index_enter(&worker->index, offset);
		if (entity == UINT32_MAX ||
		    !vector_reserve(&worker->types, worker->types.count + 1)) {
			walk_no_memory(load);
			break;
		}
		die_index_set(&worker->index, entity, ENTITY_TYPE, (uint32_t)worker->types.count);
		worker->types.items[worker->types.count++] = type;
		position = base + plan->size;
	}
	load->reader.die_count += count;
	if (load->reader.fault == DIE_OK)
		load->reader.position = position;
}

static void walk_leaves(struct unit_load *load)
{
	if (load->reader.context.swap)
		walk_leaf_run(load, true);
	else
		walk_leaf_run(load, false);
}

void walk_die(struct unit_load *load, const struct die_plan *plan, uint32_t offset,
	      enum scope scope, unsigned depth)
{
	if (walk_too_deep(load, depth))
		return;
	switch (plan->tag) {
	case DW_TAG_pointer_type:
	case DW_TAG_const_type:
	case DW_TAG_volatile_type:
	case DW_TAG_restrict_type:
	case DW_TAG_reference_type:
	case DW_TAG_rvalue_reference_type:
		walk_modifier(load, plan, offset);
		break;
	case DW_TAG_structure_type:
	case DW_TAG_class_type:
	case DW_TAG_union_type:
	case DW_TAG_interface_type:
		walk_struct(load, plan, offset, depth + 1);
		break;
	case DW_TAG_subroutine_type:
		walk_function_type(load, plan, offset, depth + 1);
		break;
	case DW_TAG_typedef:
		walk_typedef(load, plan, offset);
		break;
	case DW_TAG_array_type:
		walk_array(load, plan, offset, depth + 1);
		break;
	case DW_TAG_enumeration_type:
		walk_enum(load, plan, offset, depth + 1);
		break;
	case DW_TAG_base_type:
		walk_base_type(load, plan, offset);
		break;
	case DW_TAG_subprogram:
		walk_subprogram(load, plan, offset, depth + 1);
		break;
	case DW_TAG_variable:
		if (scope == SCOPE_BODY)
			die_reader_skip_tree(&load->reader, plan);
		else
			walk_variable(load, plan, offset, scope == SCOPE_UNIT);
		break;
	case DW_TAG_lexical_block:
	case DW_TAG_inlined_subroutine:
		die_reader_skip(&load->reader, plan);
		if (plan->has_children)
			walk_scope(load, SCOPE_BODY, depth + 1);
		break;
	case DW_TAG_namespace:
	case DW_TAG_module:
		die_reader_skip(&load->reader, plan);
		if (plan->has_children)
			walk_scope(load, SCOPE_NAMESPACE, depth + 1);
		break;
	case DW_TAG_unspecified_type:
		walk_unspecified(load, plan, offset);
		break;
	case DW_TAG_atomic_type:
	case DW_TAG_packed_type:
	case DW_TAG_shared_type:
	case DW_TAG_immutable_type:
	case DW_TAG_subrange_type:
		walk_transparent(load, plan, offset);
		break;
	case DW_TAG_ptr_to_member_type:
	case DW_TAG_string_type:
	case DW_TAG_set_type:
		walk_opaque(load, plan, offset);
		break;
	default:
		die_reader_skip_tree(&load->reader, plan);
	}
}

/* Whether the position is at a null entry, which is then passed. */
static inline bool pass_null(struct unit_load *load)
{
	const uint8_t *position = load->reader.position;

	if (position >= load->reader.end || *position != 0)
		return false;
	load->reader.position = position + 1;
	return true;
}

/* A struct or union whose own attributes, and mostly its members too, go the short way. */
static void walk_fast_struct(struct unit_load *load, const struct fast_plan *plan,
			     struct model_type *type, uint32_t entity, unsigned depth)
{
	struct load_worker *worker = load->worker;
	struct open_struct open = { .items = items_begin(load),
				    .first_tag = worker->open_tags.count,
				    .first_bitfield = worker->bitfields.count };
	const struct die_values no_values = { .present = 0 };

	type->kind = plan->tag == DW_TAG_union_type ? TYPE_UNION : TYPE_STRUCT;
	type->type = 0;
	if (plan->has_children) {
		open.component = (int32_t)walk_plain_members(load);
		if (pass_null(load)) {
			if (load->language != DW_LANG_Rust) {
				items_close(load, &open.items, type);
				finish_type(load, entity, type);
				return;
			}
		} else {
			walk_struct_children(load, &open, depth);
		}
	}
	if (load->reader.fault == DIE_OK)
		close_struct(load, &open, entity, type, &no_values);
}

static void walk_fast_function(struct unit_load *load, const struct fast_plan *plan,
			       struct model_type *type, uint32_t entity, unsigned depth)
{
	struct open_items open = items_begin(load);

	if (plan->has_children) {
		walk_plain_parameters(load);
		if (!pass_null(load)) {
			walk_function_type_children(load, type, entity, &open, depth);
			return;
		}
	}
	type->kind = TYPE_FUNCTION;
	type->name = 0;
	type->size = 0;
	items_close(load, &open, type);
	if (load->reader.fault == DIE_OK)
		finish_type(load, entity, type);
}

static void walk_fast_array(struct unit_load *load, const struct fast_plan *plan,
			    struct model_type *type, uint32_t entity, unsigned depth)
{
	const struct fast_view view = fast_view_of(load);
	const bool swap = load->reader.context.swap;
	const uint8_t *base = load->reader.position, *name_start;
	const struct fast_plan *child;
	uint32_t elements = 1;

	type->kind = TYPE_ARRAY;
	type->name = 0;
	while (plan->has_children &&
	       (child = peek_fast(&view, &base, &name_start, FAST_SUBRANGE)) != NULL) {
		elements *= fast_value(child, base, swap) + 1;
		base += child->size;
		load->reader.position = base;
		load->reader.die_count++;
	}
	if (plan->has_children && !pass_null(load)) {
		walk_array_children(load, type, entity, elements, depth);
		return;
	}
	load->has_arrays = true;
	type->size = elements;
	finish_type(load, entity, type);
}

/*
 * The type at the position if it is a struct, union, function type or array of the usual layout, with all
 * below it. False leaves the position: the long way deals with it.
 */
static bool walk_fast_type(struct unit_load *load, unsigned depth)
{
	const struct fast_view view = fast_view_of(load);
	const uint8_t *position = load->reader.position, *base = position, *name_start;
	const bool swap = load->reader.context.swap;
	const struct fast_plan *plan = peek_fast(&view, &base, &name_start, FAST_NONE);
	struct model_type type = { 0 };
	uint32_t entity;

	if (plan == NULL || plan->kind < FAST_STRUCT || plan->kind > FAST_ARRAY)
		return false;
	entity = enter(load, (uint32_t)(position - load->reader.bytes));
	if (entity == UINT32_MAX)
		return true;
	type.name = fast_name(load, &view, plan, name_start, base, swap);
	type.type = fast_reference(&view, plan, base, swap);
	type.size = fast_value(plan, base, swap);
	if (load->reader.fault)
		return true;
	load->reader.position = base + plan->size;
	load->reader.die_count++;
	if (plan->kind == FAST_STRUCT)
		walk_fast_struct(load, plan, &type, entity, depth);
	else if (plan->kind == FAST_FUNCTION)
		walk_fast_function(load, plan, &type, entity, depth);
	else
		walk_fast_array(load, plan, &type, entity, depth);
	return true;
}

/*
 * The DIEs at the position that a function's body is mostly made of: variables, calls, blocks, inlined functions. Nothing in
 * them is wanted but what their children may hold. *level is how many lists of children are open; the walk stops when the
 * last is closed (false) or at something else (true).
 */
static bool pass_body(struct unit_load *load, uint32_t *level)
{
	const struct fast_view view = fast_view_of(load);
	const uint8_t *position = load->reader.position;
	uint32_t count = 0;

	while (position < view.end) {
		const uint8_t *base = position;
		const struct fast_plan *plan;
		uint32_t code = *base++;

		if (code == 0) {
			position = base;
			if (--*level == 0)
				break;
			continue;
		}
		if (code >= 0x80 && *base < 0x80)
			code = (code & 0x7f) | (uint32_t)*base++ << 7;
		if (code >= view.plan_count)
			break;
		plan = &view.plans[code];
		if (plan->body == BODY_OTHER || view.end - base < plan->body_size)
			break;
		position = base + plan->body_size;
		*level += plan->body == BODY_ENTER;
		count++;
	}
	load->reader.position = position;
	load->reader.die_count += count;
	return *level != 0 && position < view.end;
}

/* The rest of a body, up to the null entry that ends it. */
static void walk_body(struct unit_load *load, unsigned depth)
{
	uint32_t level = 1;

	while (pass_body(load, &level)) {
		uint32_t offset = (uint32_t)die_reader_offset(&load->reader);
		const struct die_plan *plan;

		if (walk_fast_type(load, depth + 1))
			continue;
		plan = die_reader_next(&load->reader);
		if (plan == NULL)
			return; /* a fault: null entries are passed */
		if (plan->has_children &&
		    (plan->tag == DW_TAG_lexical_block || plan->tag == DW_TAG_inlined_subroutine)) {
			die_reader_skip(&load->reader, plan);
			level++;
		} else {
			walk_die(load, plan, offset, SCOPE_BODY, depth);
		}
	}
}

void walk_scope(struct unit_load *load, enum scope scope, unsigned depth)
{
	const struct die_plan *plan;

	if (walk_too_deep(load, depth))
		return;
	if (scope == SCOPE_BODY) {
		walk_body(load, depth);
		return;
	}
	for (;;) {
		uint32_t offset;

		walk_leaves(load);
		if (walk_fast_type(load, depth + 1))
			continue;
		offset = (uint32_t)die_reader_offset(&load->reader);
		plan = die_reader_next(&load->reader);
		if (plan != NULL)
			walk_die(load, plan, offset, scope, depth);
		else if (scope != SCOPE_UNIT || load->reader.position == load->reader.end)
			return; /* null entries after the unit's children are padding */
	}
}

void unit_walk(struct unit_load *load)
{
	walk_scope(load, SCOPE_UNIT, 1);
}
