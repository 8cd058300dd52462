/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Types that are lists of something else: enumerations, arrays, function types. */
#include "load/walk_internal.h"

static void walk_plain_enumerators(struct unit_load *load)
{
	const struct fast_view view = fast_view_of(load);

	if (load->reader.context.swap)
		walk_run(load, &view, FAST_ENUMERATOR, true);
	else
		walk_run(load, &view, FAST_ENUMERATOR, false);
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

void walk_enum(struct unit_load *load, const struct die_plan *plan, uint32_t offset, unsigned depth)
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
	if (!load->loader->options.display)
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

static void add_dimension(struct unit_load *load, struct open_array *open, uint32_t count)
{
	open->elements *= count;
	if (load->loader->options.display && (open->is_vector || open->dimension_count != 0))
		push_item(load, 0, 0, (uint64_t)open->is_vector << 32 | count);
	open->dimension_count++;
}

/* Dimensions of an array from the position on, its end included; `array` has those before. */
void walk_array_children(struct unit_load *load, struct model_type *type, uint32_t entity,
			 struct open_array *array, unsigned depth)
{
	struct open_items open = items_begin(load);
	const struct die_plan *child;
	struct die_values values;

	for (;;) {
		uint32_t at = (uint32_t)die_reader_offset(&load->reader);

		child = die_reader_next(&load->reader);
		if (child == NULL)
			break;
		if (child->tag != DW_TAG_subrange_type) {
			walk_nested(load, child, at, depth, &open);
			continue;
		}
		die_reader_values(&load->reader, child, &values);
		if (load->reader.fault)
			return;
		add_dimension(load, array, subrange_count(&values));
		if (child->has_children)
			die_reader_skip_children(&load->reader);
	}
	if (load->reader.fault)
		return;
	items_close(load, &open, type);
	type->name = 0;
	type->size = array->elements;
	load->has_arrays = true;
	finish_type(load, entity, type);
}

void walk_array(struct unit_load *load, const struct die_plan *plan, uint32_t offset,
		unsigned depth)
{
	struct model_type type = { .kind = TYPE_ARRAY };
	struct open_array array = { .elements = 1 };
	uint32_t entity = enter(load, offset);
	struct die_values values;

	read_basics(load, plan, &values, &type, &type.type);
	if (load->reader.fault)
		return;
	if (plan->has_children) {
		array.is_vector = values_have(&values, ATTR_GNU_VECTOR);
		walk_array_children(load, &type, entity, &array, depth);
		return;
	}
	type.name = 0;
	type.size = 1;
	load->has_arrays = true;
	finish_type(load, entity, &type);
}

static void walk_plain_parameters(struct unit_load *load)
{
	const struct fast_view view = fast_view_of(load);

	if (load->reader.context.swap)
		walk_run(load, &view, FAST_PARAMETER, true);
	else
		walk_run(load, &view, FAST_PARAMETER, false);
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
void walk_function_type_children(struct unit_load *load, struct model_type *type, uint32_t entity,
				 struct open_items *open, unsigned depth)
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

void walk_function_type(struct unit_load *load, const struct die_plan *plan, uint32_t offset,
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
