/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#include "encode/signature.h"

/*
 * Pointers to functions branch, and damaged input may have types that consist of
 * themselves, so the number of comparisons is bounded. Real signatures need a few dozen.
 */
enum { SIGNATURE_STEPS_MAX = 10000 };

struct comparison {
	const struct dedup_type *types;
	unsigned steps_left;
};

static const struct model_type *type_at(const struct comparison *comparison, uint32_t number)
{
	return &comparison->types[number - 1].type;
}

/* A forward declaration counts as what it declares, all kinds of pointers as one. */
static enum type_kind matched_kind(const struct model_type *type)
{
	switch ((enum type_kind)type->kind) {
	case TYPE_STRUCT_FORWARD:
		return TYPE_STRUCT;
	case TYPE_UNION_FORWARD:
		return TYPE_UNION;
	case TYPE_REFERENCE:
	case TYPE_RVALUE_REFERENCE:
	case TYPE_MEMBER_POINTER:
		return TYPE_POINTER;
	case TYPE_VOID:
	case TYPE_INT:
	case TYPE_FLOAT:
	case TYPE_POINTER:
	case TYPE_CONST:
	case TYPE_VOLATILE:
	case TYPE_RESTRICT:
	case TYPE_ATOMIC:
	case TYPE_TYPEDEF:
	case TYPE_TAG:
	case TYPE_ARRAY:
	case TYPE_STRUCT:
	case TYPE_UNION:
	case TYPE_ENUM:
	case TYPE_FUNCTION:
	case TYPE_ALIAS:
	case TYPE_UNSPECIFIED:
	case TYPE_STRING:
	case TYPE_KIND_COUNT:
		break;
	}
	return (enum type_kind)type->kind;
}

static bool ints_match(const struct model_type *a, const struct model_type *b)
{
	return a->size == b->size && a->flags == b->flags && a->name == b->name;
}

static bool types_match(struct comparison *comparison, uint32_t a, uint32_t b);

static bool functions_match(struct comparison *comparison, const struct dedup_type *a,
			    const struct dedup_type *b)
{
	if (a->type.item_count != b->type.item_count ||
	    !types_match(comparison, a->type.type, b->type.type))
		return false;
	for (uint32_t i = 0; i < a->type.item_count; i++) {
		if (!types_match(comparison, a->items[i].type, b->items[i].type))
			return false;
	}
	return true;
}

enum verdict { DIFFERENT, EQUAL, SAME_AS_TARGETS };

/* Two types of one kind. */
static enum verdict compare_alike(struct comparison *comparison, uint32_t a_number,
				  uint32_t b_number)
{
	const struct model_type *a = type_at(comparison, a_number);
	const struct model_type *b = type_at(comparison, b_number);

	switch (matched_kind(a)) {
	case TYPE_INT:
		return ints_match(a, b) ? EQUAL : DIFFERENT;
	case TYPE_FLOAT:
		return a->size == b->size && a->name == b->name ? EQUAL : DIFFERENT;
	case TYPE_ENUM:
		/* BTF has two kinds of enumerations, for narrow and for wide values. */
		if ((a->flags ^ b->flags) & TYPE_WIDE)
			return DIFFERENT;
		return a->name == b->name ? EQUAL : DIFFERENT;
	case TYPE_TYPEDEF:
	case TYPE_STRUCT:
	case TYPE_UNION:
		return a->name == b->name ? EQUAL : DIFFERENT;
	case TYPE_POINTER:
	case TYPE_CONST:
	case TYPE_VOLATILE:
	case TYPE_RESTRICT:
	case TYPE_ATOMIC:
	case TYPE_TAG:
		return SAME_AS_TARGETS;
	case TYPE_ARRAY:
		return a->size == b->size ? SAME_AS_TARGETS : DIFFERENT;
	case TYPE_FUNCTION:
		return functions_match(comparison, &comparison->types[a_number - 1],
				       &comparison->types[b_number - 1]) ?
			       EQUAL :
			       DIFFERENT;
	case TYPE_VOID:
	case TYPE_REFERENCE:
	case TYPE_RVALUE_REFERENCE:
	case TYPE_MEMBER_POINTER:
	case TYPE_STRUCT_FORWARD:
	case TYPE_UNION_FORWARD:
	case TYPE_ALIAS:
	case TYPE_UNSPECIFIED:
	case TYPE_STRING:
	case TYPE_KIND_COUNT:
		break;
	}
	return DIFFERENT;
}

static bool types_match(struct comparison *comparison, uint32_t a, uint32_t b)
{
	while (a != b) {
		enum type_kind a_kind;
		enum type_kind b_kind;
		enum verdict verdict;

		if (a == 0 || b == 0 || comparison->steps_left == 0)
			return false;
		comparison->steps_left--;
		a_kind = matched_kind(type_at(comparison, a));
		b_kind = matched_kind(type_at(comparison, b));
		if (a_kind != b_kind) {
			if (a_kind == TYPE_CONST)
				a = type_at(comparison, a)->type;
			else if (b_kind == TYPE_CONST)
				b = type_at(comparison, b)->type;
			else
				return false;
			continue;
		}
		verdict = compare_alike(comparison, a, b);
		if (verdict != SAME_AS_TARGETS)
			return verdict == EQUAL;
		a = type_at(comparison, a)->type;
		b = type_at(comparison, b)->type;
	}
	return true;
}

bool signature_types_match(const struct dedup_type *types, uint32_t a, uint32_t b)
{
	struct comparison comparison = { .types = types, .steps_left = SIGNATURE_STEPS_MAX };

	return types_match(&comparison, a, b);
}
