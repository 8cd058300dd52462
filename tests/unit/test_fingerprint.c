/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "dedup/fingerprint.h"
#include "dedup/type_family.h"
#include "support/type_builder.h"

enum { NAME_INT = 1, NAME_FOO, NAME_BAR, NAME_X, NAME_Y };

/* Fingerprints of a builder's types; *arena owns them. */
static const struct fingerprint *fingerprints_of(const struct type_builder *builder,
						 struct arena *arena)
{
	struct model_unit unit = type_builder_unit(builder);
	struct fingerprint *found = arena_alloc(arena, unit.type_count * sizeof(*found));

	assert_non_null(found);
	assert_true(fingerprint_unit(&unit, 0, arena, found));
	return found;
}

static struct fingerprint fingerprint_of(const struct type_builder *builder, uint32_t slot)
{
	struct fingerprint found;
	struct arena arena;

	arena_init(&arena);
	found = fingerprints_of(builder, &arena)[slot];
	arena_deinit(&arena);
	return found;
}

static void assert_same(struct fingerprint x, struct fingerprint y)
{
	assert_true(fingerprint_equal(x, y));
}

/* In the lane that tables look at first, too. */
static void assert_differ(struct fingerprint x, struct fingerprint y)
{
	assert_false(fingerprint_equal(x, y));
	assert_true(x.a != y.a);
}

/* 1: int, 2: foo (by `kind`), 3: array, 4: struct bar { int x; struct foo *y; } in `slot`. */
static uint32_t build_bar(struct type_builder *builder, enum type_kind foo_kind)
{
	uint32_t number, foo, pointer, bar;

	type_builder_init(builder);
	number = type_builder_int(builder, NAME_INT, 4);
	foo = type_builder_add(builder, foo_kind, NAME_FOO, 0, 0);
	pointer = type_builder_pointer(builder, foo);
	bar = type_builder_struct(builder, NAME_BAR, 16);
	type_builder_item(builder, NAME_X, number, 0);
	type_builder_item(builder, NAME_Y, pointer, 64 << 8);
	return bar;
}

static void a_declaration_looks_like_its_definition(void **state)
{
	struct type_builder declares, defines;
	uint32_t slot = build_bar(&declares, TYPE_STRUCT_FORWARD);

	(void)state;
	build_bar(&defines, TYPE_STRUCT);
	assert_same(fingerprint_of(&declares, slot), fingerprint_of(&defines, slot));
	assert_same(fingerprint_of(&declares, slot - 1), fingerprint_of(&defines, slot - 1));
	assert_differ(fingerprint_of(&declares, 2), fingerprint_of(&defines, 2));
	type_builder_deinit(&declares);
	type_builder_deinit(&defines);
}

/* Each field of a type, and of its items, makes a difference to it and to who refers to it. */
static void every_field_counts(void **state)
{
	struct type_builder builder;
	uint32_t bar = build_bar(&builder, TYPE_STRUCT);
	struct fingerprint before = fingerprint_of(&builder, bar);
	struct model_type *type = &builder.types.items[bar];
	struct model_item *item = &builder.items.items[type->first_item + 1];
	uint32_t size = type->size;

	(void)state;
#define CHANGES(field, value)                                         \
	do {                                                          \
		__typeof__(field) old = (field);                      \
		(field) = (value);                                    \
		assert_differ(before, fingerprint_of(&builder, bar)); \
		(field) = old;                                        \
	} while (0)
	CHANGES(type->name, NAME_FOO);
	CHANGES(type->size, size + 1);
	CHANGES(type->kind, TYPE_UNION);
	CHANGES(type->flags, TYPE_BITFIELDS);
	CHANGES(type->type, 1);
	CHANGES(type->item_count, 1);
	CHANGES(item->name, NAME_X);
	CHANGES(item->type, 1);
	CHANGES(item->value, 65 << 8);
	CHANGES(item->value, 64 << 8 | 1);
	/* Through the pointer: another name, another kind, another pointee. */
	CHANGES(builder.types.items[2].name, NAME_X);
	CHANGES(builder.types.items[2].kind, TYPE_UNION);
	CHANGES(builder.types.items[3].type, 1);
	CHANGES(builder.types.items[3].kind, TYPE_CONST);
	/* The member's type is not named, so its content counts. */
	CHANGES(builder.types.items[1].size, 8);
	CHANGES(builder.types.items[1].flags, TYPE_BOOL);
#undef CHANGES
	type->flags = TYPE_CLASS;
	assert_same(before, fingerprint_of(&builder, bar));
	type_builder_deinit(&builder);
}

/* What stands next to each other must not slide from one field into the next. */
static void order_of_items_counts(void **state)
{
	struct type_builder builder;
	struct fingerprint before, swapped;
	struct model_item *items;
	struct model_item first;
	uint32_t slot;

	(void)state;
	type_builder_init(&builder);
	type_builder_int(&builder, NAME_INT, 4);
	slot = type_builder_add(&builder, TYPE_FUNCTION, 0, 0, 0);
	type_builder_item(&builder, 0, 1, 0);
	type_builder_item(&builder, 0, 0, 0);
	before = fingerprint_of(&builder, slot);
	items = builder.items.items;
	first = items[0];
	items[0] = items[1];
	items[1] = first;
	swapped = fingerprint_of(&builder, slot);
	assert_differ(before, swapped);
	type_builder_deinit(&builder);
}

/* A chain is walked without recursion, wherever it starts. */
static void long_chains_are_fine(void **state)
{
	enum { LENGTH = 20000 };
	struct type_builder up, down;
	struct arena arena;
	const struct fingerprint *of_up, *of_down;

	(void)state;
	type_builder_init(&up);
	type_builder_init(&down);
	for (uint32_t i = 0; i < LENGTH; i++)
		type_builder_pointer(&up, i);
	for (uint32_t i = 0; i < LENGTH; i++)
		type_builder_pointer(&down, i + 1 == LENGTH ? 0 : i + 2);
	arena_init(&arena);
	of_up = fingerprints_of(&up, &arena);
	of_down = fingerprints_of(&down, &arena);
	for (uint32_t i = 1; i <= LENGTH; i++)
		assert_same(of_up[i], of_down[LENGTH + 1 - i]);
	assert_differ(of_up[LENGTH], of_up[LENGTH - 1]);
	arena_deinit(&arena);
	type_builder_deinit(&up);
	type_builder_deinit(&down);
}

/* const -> volatile -> const ..., closed after `repeats` times, entered `shift` types later. */
static void build_cycle(struct type_builder *builder, uint32_t repeats, uint32_t shift)
{
	const uint32_t count = repeats * 2;

	type_builder_init(builder);
	for (uint32_t i = 0; i < count; i++)
		type_builder_add(builder, (i + shift) % 2 ? TYPE_VOLATILE : TYPE_CONST, 0, 0,
				 (i + 1) % count + 1);
}

/* However often a unit repeats a cycle and wherever it starts, the types are the same. */
static void cycles_do_not_depend_on_spelling(void **state)
{
	struct type_builder once, shifted, thrice;

	(void)state;
	build_cycle(&once, 1, 0);
	build_cycle(&shifted, 1, 1);
	build_cycle(&thrice, 3, 0);
	assert_same(fingerprint_of(&once, 1), fingerprint_of(&shifted, 2));
	assert_same(fingerprint_of(&once, 2), fingerprint_of(&shifted, 1));
	for (uint32_t slot = 1; slot <= 6; slot++)
		assert_same(fingerprint_of(&thrice, slot), fingerprint_of(&once, 2 - slot % 2));
	assert_differ(fingerprint_of(&once, 1), fingerprint_of(&once, 2));
	type_builder_deinit(&once);
	type_builder_deinit(&shifted);
	type_builder_deinit(&thrice);
}

/* A struct without a name that holds a pointer to itself, and one that differs deep inside. */
static void self_references_without_a_name(void **state)
{
	struct type_builder x, y;

	(void)state;
	for (int i = 0; i < 2; i++) {
		struct type_builder *builder = i ? &y : &x;
		uint32_t number;

		type_builder_init(builder);
		number = type_builder_int(builder, NAME_INT, i ? 8 : 4);
		type_builder_struct(builder, 0, 16);
		type_builder_item(builder, NAME_X, number + 2, 0);
		type_builder_item(builder, NAME_Y, number, 64 << 8);
		type_builder_pointer(builder, number + 1);
	}
	assert_differ(fingerprint_of(&x, 2), fingerprint_of(&y, 2));
	assert_differ(fingerprint_of(&x, 3), fingerprint_of(&y, 3));
	y.types.items[1].size = 4;
	assert_same(fingerprint_of(&x, 2), fingerprint_of(&y, 2));
	assert_same(fingerprint_of(&x, 3), fingerprint_of(&y, 3));
	type_builder_deinit(&x);
	type_builder_deinit(&y);
}

/* Long cycles in which all types differ must end, though their types are then left apart. */
static void long_cycles_end(void **state)
{
	enum { LENGTH = 20000 };
	struct type_builder builder;
	struct arena arena;
	const struct fingerprint *found;

	(void)state;
	type_builder_init(&builder);
	for (uint32_t i = 0; i < LENGTH; i++)
		type_builder_add(&builder, i == 0 ? TYPE_CONST : TYPE_POINTER, 0, 0,
				 (i + 1) % LENGTH + 1);
	arena_init(&arena);
	found = fingerprints_of(&builder, &arena);
	assert_differ(found[1], found[2]);
	assert_differ(found[2], found[LENGTH]);
	arena_deinit(&arena);
	type_builder_deinit(&builder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_declaration_looks_like_its_definition),
		cmocka_unit_test(every_field_counts),
		cmocka_unit_test(order_of_items_counts),
		cmocka_unit_test(long_chains_are_fine),
		cmocka_unit_test(cycles_do_not_depend_on_spelling),
		cmocka_unit_test(self_references_without_a_name),
		cmocka_unit_test(long_cycles_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
