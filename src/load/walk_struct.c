/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Structs, unions and classes: members, bit fields, base classes, tags. */
#include "load/walk_internal.h"

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

bool walk_member_place(struct unit_load *load, const struct die_values *values, uint64_t *value,
		       struct pending_bitfield *pending)
{
	uint64_t bit_size = (uint64_t)load_number(values, ATTR_BIT_SIZE) & 0xff;
	uint64_t location = member_location(load, values, ATTR_MEMBER_LOCATION);
	bool old_style = bit_size != 0 && values_have(values, ATTR_BIT_OFFSET) &&
			 !values_have(values, ATTR_DATA_BIT_OFFSET);
	uint64_t bit_offset = values_have(values, ATTR_DATA_BIT_OFFSET) ?
				      member_location(load, values, ATTR_DATA_BIT_OFFSET) :
				      location * 8;

	*value = bit_offset << 8 | bit_size;
	if (!old_style && (bit_size == 0 || !load->loader->options.fixup_silly_bitfields))
		return false;
	*pending = (struct pending_bitfield){
		.byte_location = location,
		.bit_offset = old_style ? (uint64_t)load_number(values, ATTR_BIT_OFFSET) :
					  UINT64_MAX,
		.byte_size = (uint64_t)load_number(values, ATTR_BYTE_SIZE),
	};
	return true;
}

/* A bit field, or a member whose place is given in bits. */
static uint64_t bit_member_value(struct unit_load *load, struct open_struct *open,
				 const struct die_values *values)
{
	struct pending_bitfield pending;
	uint64_t value;

	if (walk_member_place(load, values, &value, &pending)) {
		struct pending_bitfield *place = vector_push(&load->worker->bitfields);

		if (place == NULL) {
			walk_no_memory(load);
			return 0;
		}
		*place = pending;
		place->item = (uint32_t)items_count(load, &open->items);
	}
	if ((value & 0xff) != 0 || (value >> 8) % 8 != 0)
		open->flags |= TYPE_BITFIELDS;
	return value;
}

/* A member without a name. */
static void walk_base_class(struct unit_load *load, const struct die_plan *plan)
{
	struct die_values values;

	die_reader_values(&load->reader, plan, &values);
	if (load->reader.fault)
		return;
	push_item(load, 0, value_type(load, &values),
		  member_location(load, &values, ATTR_MEMBER_LOCATION) * 8 << 8);
	if (plan->has_children)
		die_reader_skip_children(&load->reader);
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

static uint32_t walk_plain_members(struct unit_load *load)
{
	const struct fast_view view = fast_view_of(load);

	return load->reader.context.swap ? walk_run(load, &view, FAST_MEMBER, true) :
					   walk_run(load, &view, FAST_MEMBER, false);
}

/* A run of bit fields in the way of DWARF 4 and later. Returns their number. */
static uint32_t walk_bit_members(struct unit_load *load, struct open_struct *open)
{
	const struct load_worker *worker = load->worker;
	const struct fast_view view = fast_view_of(load);
	const size_t first = worker->items.count;

	if (load->loader->options.fixup_silly_bitfields)
		return 0;
	if (load->reader.context.swap)
		walk_run(load, &view, FAST_BIT_MEMBER, true);
	else
		walk_run(load, &view, FAST_BIT_MEMBER, false);
	for (size_t i = first; i < worker->items.count; i++) {
		const struct model_item *item = &worker->items.items[i];

		if (model_item_bit_size(item) != 0 || model_item_bit_offset(item) % 8 != 0)
			open->flags |= TYPE_BITFIELDS;
	}
	return (uint32_t)(worker->items.count - first);
}

void walk_struct_children(struct unit_load *load, struct open_struct *open, unsigned depth)
{
	const struct die_plan *plan;
	uint32_t value;

	for (;;) {
		uint32_t offset, count;

		do {
			count = walk_plain_members(load);
			count += walk_bit_members(load, open);
			open->component += (int32_t)count;
		} while (count > 0);
		offset = (uint32_t)die_reader_offset(&load->reader);
		plan = die_reader_next(&load->reader);
		if (plan == NULL)
			return;
		switch (plan->tag) {
		case DW_TAG_member:
			walk_member(load, plan, offset, open);
			break;
		case DW_TAG_inheritance:
			if (load->loader->options.display)
				walk_base_class(load, plan);
			else
				die_reader_skip_tree(&load->reader, plan);
			open->component++;
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
			if (open->first_nested == 0)
				open->first_nested = (uint32_t)load->worker->types.count;
			walk_nested(load, plan, offset, depth, &open->items);
		}
	}
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

void close_struct(struct unit_load *load, struct open_struct *open, uint32_t entity,
		  struct model_type *type, const struct die_values *values)
{
	struct load_worker *worker = load->worker;
	uint32_t slot;

	items_close(load, &open->items, type);
	if (load->language == DW_LANG_Rust && !(open->flags & TYPE_BITFIELDS))
		sort_by_offset(worker->items.items + type->first_item, type->item_count);
	type->flags |= open->flags;
	if (open->first_nested != 0)
		walk_close_scope(load, open->first_nested, type->name, SCOPE_TYPE);
	slot = finish_type(load, entity, type);
	for (size_t i = open->first_bitfield; i < worker->bitfields.count; i++) {
		if (worker->bitfields.items[i].type_slot == 0)
			worker->bitfields.items[i].type_slot = slot;
	}
	if (worker->open_tags.count != open->first_tag)
		close_type_tags(load, open->first_tag, slot, !(type->flags & TYPE_CLASS));
	if (type->name == 0 && values != NULL && values_have(values, ATTR_SPECIFICATION))
		name_from_specification(load, values, slot);
}

void walk_struct(struct unit_load *load, const struct die_plan *plan, uint32_t offset,
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
		if (open.first_nested != 0)
			walk_close_scope(load, open.first_nested, type.name, SCOPE_TYPE);
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
