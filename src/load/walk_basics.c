/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* What every kind of DIE needs: its basic attributes, a place for its items and tags. */
#include "load/walk_internal.h"

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

void finish_alias(struct unit_load *load, uint32_t entity, uint32_t reference)
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

uint32_t value_name(struct unit_load *load, const struct die_values *values)
{
	return values_have(values, ATTR_NAME) ?
		       load_provisional_name(load, &values->values[ATTR_NAME]) :
		       0;
}

uint32_t value_type(struct unit_load *load, const struct die_values *values)
{
	return values_have(values, ATTR_TYPE) ? load_reference(load, &values->values[ATTR_TYPE]) :
						0;
}

/* Reads name, type and byte size (or what stands in for it) of a DIE in either way. */
void read_basics(struct unit_load *load, const struct die_plan *plan, struct die_values *values,
		 struct model_type *type, uint32_t *reference)
{
	if (plan->fast != FAST_NONE && plan->fast != FAST_FORWARD) {
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

void push_item(struct unit_load *load, uint32_t name, uint32_t type, uint64_t value)
{
	struct model_item *item = vector_push(&load->worker->items);

	if (item == NULL)
		walk_no_memory(load);
	else
		*item = (struct model_item){ .name = name, .type = type, .value = value };
}

size_t items_count(const struct unit_load *load, const struct open_items *open)
{
	return load->worker->items.count - open->first + load->worker->spilt_items.count -
	       open->first_spilt;
}

void items_spill(struct unit_load *load, struct open_items *open)
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

void items_unspill(struct unit_load *load, struct open_items *open)
{
	struct load_worker *worker = load->worker;

	items_spill(load, open);
	open->first = worker->items.count;
	for (size_t i = open->first_spilt; i < worker->spilt_items.count; i++)
		push_item(load, worker->spilt_items.items[i].name,
			  worker->spilt_items.items[i].type, worker->spilt_items.items[i].value);
	worker->spilt_items.count = open->first_spilt;
}

void items_drop(struct unit_load *load, const struct open_items *open)
{
	load->worker->items.count = open->first;
	load->worker->spilt_items.count = open->first_spilt;
}

/* A DIE among the children of a type with items that may hold types with items of its own. */
void walk_nested(struct unit_load *load, const struct die_plan *plan, uint32_t offset,
		 unsigned depth, struct open_items *open)
{
	items_spill(load, open);
	walk_die(load, plan, offset, IN_NAMESPACE, depth);
	open->first = load->worker->items.count;
}

/* Turns the tags collected since `first` into the type's, or drops them. */
void close_type_tags(struct unit_load *load, size_t first, uint32_t slot, bool keep)
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

void name_from_specification(struct unit_load *load, const struct die_values *values, uint32_t slot)
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
