/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * One comparison of the incumbent: two graphs of types are walked side by side, x in the unit of the type that
 * is being placed, y where the candidate is. Each y is assumed to be the x that it is first met with. What holds if
 * the walk comes to its end, mapping declarations to definitions above all, is taken over.
 *
 * Where it errs, so does this: see identical().
 *
 * Work is limited by steps in proportion to the number of types. No compiler's output comes near the limit; behind
 * it all types count as different.
 */
#include "dedup/replay_internal.h"

enum { IDENTICAL_DEPTH = 16 };

/* A declaration's kind as seen by its definition. */
static uint8_t defined_kind(const struct model_type *type)
{
	switch (type->kind) {
	case TYPE_STRUCT_FORWARD:
		return TYPE_STRUCT;
	case TYPE_UNION_FORWARD:
		return TYPE_UNION;
	default:
		return type->kind;
	}
}

static bool words_are_equal(struct replay *replay, uint32_t x, uint32_t y)
{
	uint32_t class_index = replay_class_of(replay, x);

	if (y >= replay->base_count)
		return class_index == replay_class_of(replay, y) ||
		       type_words_are_equal(replay_words(replay, x), replay_words(replay, y));
	if (replay->equal_in_base[class_index] == y)
		return true;
	if (!type_words_are_equal(replay_words(replay, x), replay_words(replay, y)))
		return false;
	replay->equal_in_base[class_index] = y;
	return true;
}

/* Equal, or one of them has no enumerators. */
bool replay_enums_are_compatible(const struct replay *replay, uint32_t x, uint32_t y)
{
	const struct model_type *a = replay_type(replay, x), *b = replay_type(replay, y);

	if (a->name != b->name)
		return false;
	return a->item_count == 0 || b->item_count == 0 ||
	       type_words_are_equal(replay_words(replay, x), replay_words(replay, y));
}

static bool enum_kinds_are_equal(const struct model_type *a, const struct model_type *b)
{
	return ((a->flags ^ b->flags) & TYPE_WIDE) == 0;
}

/* ---- the run's types with each other ---- */

static bool identical(struct replay *replay, uint32_t x, uint32_t y, int depth);

static bool items_are_identical(struct replay *replay, uint32_t x, uint32_t y, int depth)
{
	const uint32_t count = replay_reference_count(replay_type(replay, x));

	for (uint32_t i = 0; i < count; i++) {
		uint32_t a = replay_reference(replay, x, i), b = replay_reference(replay, y, i);

		if (a != b && !identical(replay, a, b, depth - 1))
			return false;
	}
	return true;
}

/*
 * For two types of one unit that a candidate is met with: a compiler may describe a type twice. Arrays of equal
 * length count as identical whatever their elements are, and types nested too deeply as different.
 */
static bool identical(struct replay *replay, uint32_t x, uint32_t y, int depth)
{
	const struct model_type *a, *b;

	for (;;) {
		if (depth <= 0 || !replay_step(replay))
			return false;
		a = replay_type(replay, x);
		b = replay_type(replay, y);
		if (a->kind != b->kind)
			return false;
		switch (a->kind) {
		case TYPE_VOID:
			return true;
		case TYPE_ENUM:
			return enum_kinds_are_equal(a, b) &&
			       replay_enums_are_compatible(replay, x, y);
		case TYPE_INT:
		case TYPE_FLOAT:
		case TYPE_STRUCT_FORWARD:
		case TYPE_UNION_FORWARD:
		case TYPE_ARRAY:
			return type_heads_are_equal(a, b);
		case TYPE_STRUCT:
		case TYPE_UNION:
		case TYPE_FUNCTION:
			return words_are_equal(replay, x, y) &&
			       items_are_identical(replay, x, y, depth);
		default:
			if (!type_heads_are_equal(a, b))
				return false;
			x = replay_reference(replay, x, 0);
			y = replay_reference(replay, y, 0);
		}
	}
}

/* ---- the walk ---- */

enum step_result { STEP_EQUAL, STEP_DIFFERENT, STEP_DEEPER };

static bool assume(struct replay *replay, uint32_t y, uint32_t x)
{
	uint32_t *assumed = vector_push(&replay->assumed);

	if (!assumed) {
		replay->is_out_of_memory = true;
		return false;
	}
	*assumed = y;
	replay->hypothesis[y] = x;
	return true;
}

void replay_clear_assumptions(struct replay *replay)
{
	for (size_t i = 0; i < replay->assumed.count; i++)
		replay->hypothesis[replay->assumed.items[i]] = REPLAY_UNSET;
	replay->assumed.count = 0;
	replay->needs_other_base = false;
}

static enum step_result result_if(bool is_equal)
{
	return is_equal ? STEP_EQUAL : STEP_DIFFERENT;
}

/* One of the two is a declaration. */
static enum step_result compare_with_forward(struct replay *replay, uint32_t x, uint32_t y)
{
	bool is_equal = defined_kind(replay_type(replay, x)) ==
			defined_kind(replay_type(replay, y));

	if (is_equal && replay_is_forward(replay, y) && y < replay->base_count)
		replay->needs_other_base = true;
	return result_if(is_equal);
}

static bool index_types_are_equal(const struct replay *replay, uint32_t y)
{
	return y >= replay->base_count ||
	       replay_resolve(replay, replay->index_type) == replay->base->types.index_type;
}

static enum step_result compare_kinds(struct replay *replay, uint32_t x, uint32_t y)
{
	const struct model_type *a = replay_type(replay, x), *b = replay_type(replay, y);

	if (a->kind != b->kind)
		return STEP_DIFFERENT;
	switch (a->kind) {
	case TYPE_INT:
	case TYPE_FLOAT:
	case TYPE_STRUCT_FORWARD:
	case TYPE_UNION_FORWARD:
		return result_if(type_heads_are_equal(a, b));
	case TYPE_ENUM:
		return result_if(enum_kinds_are_equal(a, b) &&
				 replay_enums_are_compatible(replay, x, y));
	case TYPE_STRUCT:
	case TYPE_UNION:
	case TYPE_FUNCTION:
		return words_are_equal(replay, x, y) ? STEP_DEEPER : STEP_DIFFERENT;
	case TYPE_ARRAY:
		return type_heads_are_equal(a, b) && index_types_are_equal(replay, y) ?
			       STEP_DEEPER :
			       STEP_DIFFERENT;
	case TYPE_VOID:
	case TYPE_ALIAS:
		return STEP_DIFFERENT;
	default:
		return type_heads_are_equal(a, b) ? STEP_DEEPER : STEP_DIFFERENT;
	}
}

/* Compares x and y but for what they refer to; *candidate becomes what y stands for. */
static enum step_result compare_step(struct replay *replay, uint32_t x, uint32_t *candidate)
{
	uint32_t y = *candidate, definition = replay_resolve(replay, y);

	if (replay_resolve(replay, x) == definition)
		return STEP_EQUAL;
	if (!replay_step(replay))
		return STEP_DIFFERENT;
	if (replay_is_forward(replay, y) && !replay_is_forward(replay, definition))
		*candidate = y = definition;
	if (replay->hypothesis[y] != REPLAY_UNSET)
		return result_if(replay->hypothesis[y] == x ||
				 identical(replay, replay->hypothesis[y], x, IDENTICAL_DEPTH));
	if (!assume(replay, y, x) || replay_type(replay, x)->name != replay_type(replay, y)->name)
		return STEP_DIFFERENT;
	if (replay_is_forward(replay, x) != replay_is_forward(replay, y))
		return compare_with_forward(replay, x, y);
	return compare_kinds(replay, x, y);
}

static bool push_pair(struct replay *replay, uint32_t x, uint32_t y)
{
	struct replay_pair *pair = vector_push(&replay->stack);

	if (pair)
		*pair = (struct replay_pair){ .x = x, .y = y };
	else
		replay->is_out_of_memory = true;
	return pair != NULL;
}

/* Compares a pair; what it refers to is left to be compared. */
static bool enter_pair(struct replay *replay, uint32_t x, uint32_t y)
{
	switch (compare_step(replay, x, &y)) {
	case STEP_EQUAL:
		return true;
	case STEP_DEEPER:
		return push_pair(replay, x, y);
	case STEP_DIFFERENT:
		break;
	}
	return false;
}

bool replay_compare(struct replay *replay, uint32_t x, uint32_t y)
{
	replay->stack.count = 0;
	if (!enter_pair(replay, x, y))
		return false;
	while (replay->stack.count > 0) {
		struct replay_pair *top = &replay->stack.items[replay->stack.count - 1];
		uint32_t number = top->next++;

		if (number == replay_reference_count(replay_type(replay, top->x)))
			replay->stack.count--;
		else if (!enter_pair(replay, replay_reference(replay, top->x, number),
				     replay_reference(replay, top->y, number)))
			return false;
	}
	return true;
}

/* ---- what follows from success ---- */

void replay_take_over(struct replay *replay)
{
	for (size_t i = 0; i < replay->assumed.count; i++) {
		uint32_t y = replay->assumed.items[i];
		uint32_t x = replay_resolve(replay, replay->hypothesis[y]);
		bool x_is_forward = replay_is_forward(replay, x), y_is_forward;

		y = replay_resolve(replay, y);
		y_is_forward = replay_is_forward(replay, y);
		if (!x_is_forward && y_is_forward)
			replay->map[y] = x;
		if (replay->needs_other_base)
			continue;
		if (x_is_forward && !y_is_forward)
			replay->map[x] = y;
		else if (replay_is_composite(replay, x) && !y_is_forward &&
			 replay_is_mapped(replay, y) && !replay_is_mapped(replay, x))
			replay->map[x] = y;
	}
}
