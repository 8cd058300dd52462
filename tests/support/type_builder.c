/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#include "support/type_builder.h"

#include <stdlib.h>

/* A test cannot go on without memory. */
static void *or_abort(void *pointer)
{
	if (!pointer)
		abort();
	return pointer;
}

void type_builder_init(struct type_builder *builder)
{
	struct model_type *nothing;

	*builder = (struct type_builder){ 0 };
	nothing = or_abort(vector_push(&builder->types));
	*nothing = (struct model_type){ 0 };
	/* So that unit.items is never NULL. */
	if (!vector_reserve(&builder->items, 1))
		abort();
}

void type_builder_deinit(struct type_builder *builder)
{
	vector_deinit(&builder->types);
	vector_deinit(&builder->items);
}

struct model_unit type_builder_unit(const struct type_builder *builder)
{
	return (struct model_unit){
		.types = builder->types.items,
		.type_count = (uint32_t)builder->types.count,
		.items = builder->items.items,
		.item_count = (uint32_t)builder->items.count,
	};
}

uint32_t type_builder_next(const struct type_builder *builder)
{
	return (uint32_t)builder->types.count;
}

uint32_t type_builder_add(struct type_builder *builder, enum type_kind kind, uint32_t name,
			  uint32_t size, uint32_t target)
{
	struct model_type *type = or_abort(vector_push(&builder->types));

	*type = (struct model_type){
		.kind = (uint8_t)kind,
		.name = name,
		.size = size,
		.type = target,
		.first_item = (uint32_t)builder->items.count,
	};
	return (uint32_t)builder->types.count - 1;
}

void type_builder_item(struct type_builder *builder, uint32_t name, uint32_t type, uint64_t value)
{
	struct model_item *item = or_abort(vector_push(&builder->items));

	*item = (struct model_item){ .name = name, .type = type, .value = value };
	builder->types.items[builder->types.count - 1].item_count++;
}

uint32_t type_builder_int(struct type_builder *builder, uint32_t name, uint32_t size)
{
	uint32_t slot = type_builder_add(builder, TYPE_INT, name, size, 0);

	builder->types.items[slot].flags = TYPE_SIGNED;
	return slot;
}

uint32_t type_builder_pointer(struct type_builder *builder, uint32_t target)
{
	return type_builder_add(builder, TYPE_POINTER, 0, 0, target);
}

uint32_t type_builder_typedef(struct type_builder *builder, uint32_t name, uint32_t target)
{
	return type_builder_add(builder, TYPE_TYPEDEF, name, 0, target);
}

uint32_t type_builder_struct(struct type_builder *builder, uint32_t name, uint32_t size)
{
	return type_builder_add(builder, TYPE_STRUCT, name, size, 0);
}

uint32_t type_builder_forward(struct type_builder *builder, uint32_t name)
{
	return type_builder_add(builder, TYPE_STRUCT_FORWARD, name, 0, 0);
}
