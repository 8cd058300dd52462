/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The two questions about a type that the deduplicator asks everywhere. */
#ifndef DEDUP_TYPE_FAMILY_H
#define DEDUP_TYPE_FAMILY_H

#include <stdbool.h>
#include <stdint.h>

#include "model/unit.h"

/* What a reference by name can mean: a forward declaration means what its definition means. */
enum type_family {
	FAMILY_NONE = 0, /* referred to by content */
	FAMILY_STRUCT,
	FAMILY_UNION,
	FAMILY_ENUM,
	FAMILY_TYPEDEF,
	FAMILY_COUNT
};

static inline enum type_family type_family_of(const struct model_type *type)
{
	static const uint8_t families[TYPE_KIND_COUNT] = {
		[TYPE_STRUCT] = FAMILY_STRUCT, [TYPE_STRUCT_FORWARD] = FAMILY_STRUCT,
		[TYPE_UNION] = FAMILY_UNION,   [TYPE_UNION_FORWARD] = FAMILY_UNION,
		[TYPE_ENUM] = FAMILY_ENUM,     [TYPE_TYPEDEF] = FAMILY_TYPEDEF,
	};

	return type->name ? (enum type_family)families[type->kind] : FAMILY_NONE;
}

/* Struct and union declarations, and enumerations without enumerators, which C cannot define. */
static inline bool type_is_forward(const struct model_type *type)
{
	return type->kind == TYPE_STRUCT_FORWARD || type->kind == TYPE_UNION_FORWARD ||
	       (type->kind == TYPE_ENUM && type->item_count == 0);
}

/* Kinds whose representative is the one finished first, not the one that stands first. */
static inline bool type_is_reference(const struct model_type *type)
{
	const uint32_t kinds = 1u << TYPE_POINTER | 1u << TYPE_REFERENCE |
			       1u << TYPE_RVALUE_REFERENCE | 1u << TYPE_MEMBER_POINTER |
			       1u << TYPE_CONST | 1u << TYPE_VOLATILE | 1u << TYPE_RESTRICT |
			       1u << TYPE_ATOMIC | 1u << TYPE_TAG | 1u << TYPE_ARRAY |
			       1u << TYPE_FUNCTION;

	return kinds >> type->kind & 1;
}

/* A slot that holds no type of its own. */
static inline bool type_is_absent(const struct model_type *type)
{
	return type->kind == TYPE_VOID || type->kind == TYPE_ALIAS;
}

/* A type's references are numbered: 0 is its target, the others are its items. */
static inline uint32_t type_reference_count(const struct model_type *type)
{
	return 1 + (type->kind == TYPE_ENUM ? 0 : type->item_count);
}

static inline uint32_t type_reference_at(const struct model_unit *unit,
					 const struct model_type *type, uint32_t number)
{
	return number == 0 ? type->type : unit->items[type->first_item + number - 1].type;
}

#endif
