/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Builds units of types by hand: each add returns the new type's slot. */
#ifndef TESTS_SUPPORT_TYPE_BUILDER_H
#define TESTS_SUPPORT_TYPE_BUILDER_H

#include <stdint.h>

#include "base/vector.h"
#include "model/unit.h"

struct type_builder {
	VECTOR(struct model_type) types;
	VECTOR(struct model_item) items;
};

void type_builder_init(struct type_builder *builder);
void type_builder_deinit(struct type_builder *builder);
/* A view; valid until the next add. */
struct model_unit type_builder_unit(const struct type_builder *builder);

/* Any kind; items are added to the newest type with type_builder_item. */
uint32_t type_builder_add(struct type_builder *builder, enum type_kind kind, uint32_t name,
			  uint32_t size, uint32_t target);
void type_builder_item(struct type_builder *builder, uint32_t name, uint32_t type, uint64_t value);

uint32_t type_builder_int(struct type_builder *builder, uint32_t name, uint32_t size);
uint32_t type_builder_pointer(struct type_builder *builder, uint32_t target);
uint32_t type_builder_typedef(struct type_builder *builder, uint32_t name, uint32_t target);
uint32_t type_builder_struct(struct type_builder *builder, uint32_t name, uint32_t size);
uint32_t type_builder_forward(struct type_builder *builder, uint32_t name);
/* Slots can refer forward: what a later add will return. */
uint32_t type_builder_next(const struct type_builder *builder);

#endif
