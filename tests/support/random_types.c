/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * A definition is a list of members, each with a type expression: a base, under a few
 * pointers, qualifiers or arrays. The base is `int`, a name, a struct without a name or
 * a function. Expressions depend on the definition only, what a name in them means on the unit.
 */
#include "support/random_types.h"

#include <stdlib.h>

enum {
	MEMBERS_MAX = 4,
	WRAPPERS_MAX = 3,
	EXPRESSION_DEPTH = 2,
	NAME_BASE = 100,
	MEMBER_NAME_BASE = 200,
	NAME_INT = 1,
	MEMO_MAX = 64,
};

enum meaning_kind { MEANING_NONE, MEANING_FORWARD, MEANING_DEFINITION };

struct name_meaning {
	enum meaning_kind kind;
	uint32_t variant;
	uint32_t slot; /* 0: not built yet */
};

struct build {
	const struct random_types_options *options;
	struct type_builder *builder;
	uint64_t random; /* of the unit */
	struct name_meaning names[RANDOM_TYPES_NAMES];
	uint32_t int_slot;
	/* Reference types made so far: used again, but for duplicates. */
	struct {
		uint8_t kind;
		uint32_t target, size, slot;
	} memo[MEMO_MAX];
	uint32_t memo_count;
};

uint64_t random_types_next(uint64_t *state)
{
	uint64_t x = *state += 0x9e3779b97f4a7c15;

	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
	x = (x ^ x >> 27) * 0x94d049bb133111eb;
	return x ^ x >> 31;
}

static uint32_t below(uint64_t *state, uint32_t limit)
{
	return (uint32_t)(random_types_next(state) >> 32) % limit;
}

static bool percent(uint64_t *state, uint32_t chance)
{
	return below(state, 100) < chance;
}

/* 0: struct, 1: union, 2: enum. */
static uint32_t name_sort(const struct random_types_options *options, uint32_t name)
{
	uint64_t state = options->seed ^ (uint64_t)name << 20 ^ 0x5a5a;
	uint32_t sort = below(&state, 6);

	/* The last two names share one name, as a struct and a union. */
	if (options->has_unions && name >= options->name_count - 2)
		return name == options->name_count - 1;
	if (sort == 4 && options->has_unions)
		return 1;
	if (sort == 5 && options->has_enums)
		return 2;
	return 0;
}

static uint32_t name_number(const struct random_types_options *options, uint32_t name)
{
	if (options->has_unions && name == options->name_count - 1)
		name--;
	return NAME_BASE + name;
}

static uint32_t build_name(struct build *build, uint32_t name);
static uint32_t build_expression(struct build *build, uint64_t *program, int depth);

static uint32_t build_reference(struct build *build, enum type_kind kind, uint32_t target,
				uint32_t size)
{
	uint32_t slot;

	for (uint32_t i = 0; i < build->memo_count; i++) {
		if (build->memo[i].kind == kind && build->memo[i].target == target &&
		    build->memo[i].size == size &&
		    !percent(&build->random, build->options->duplicate_percent))
			return build->memo[i].slot;
	}
	slot = type_builder_add(build->builder, kind, 0, size, target);
	if (build->memo_count < MEMO_MAX) {
		build->memo[build->memo_count].kind = (uint8_t)kind;
		build->memo[build->memo_count].target = target;
		build->memo[build->memo_count].size = size;
		build->memo[build->memo_count++].slot = slot;
	}
	return slot;
}

/* Members need their types' slots first, and the builder adds items to its newest type. */
static uint32_t build_items(struct build *build, enum type_kind kind, uint32_t name, uint32_t size,
			    uint32_t target, uint64_t *program, int depth)
{
	uint32_t count = below(program, MEMBERS_MAX) + 1;
	uint32_t types[MEMBERS_MAX];
	uint32_t slot;

	for (uint32_t i = 0; i < count; i++)
		types[i] = build_expression(build, program, depth - 1);
	slot = type_builder_add(build->builder, kind, name, size, target);
	for (uint32_t i = 0; i < count; i++)
		type_builder_item(build->builder, kind == TYPE_FUNCTION ? 0 : MEMBER_NAME_BASE + i,
				  types[i], kind == TYPE_STRUCT ? (uint64_t)i * 64 << 8 : 0);
	return slot;
}

static uint32_t build_base(struct build *build, uint64_t *program, int depth)
{
	uint32_t choice = below(program, 8);
	uint32_t target;

	if (depth <= 0 || choice == 0)
		return build->int_slot;
	if (choice == 1)
		return build_items(build, TYPE_STRUCT, 0, 16, 0, program, depth);
	if (choice == 2) {
		target = build_expression(build, program, depth - 1);
		return build_items(build, TYPE_FUNCTION, 0, 0, target, program, depth);
	}
	return build_name(build, below(program, build->options->name_count));
}

static uint32_t build_expression(struct build *build, uint64_t *program, int depth)
{
	static const enum type_kind kinds[] = { TYPE_POINTER, TYPE_POINTER, TYPE_POINTER,
						TYPE_CONST, TYPE_ARRAY };
	uint32_t wrappers = 1 + below(program, WRAPPERS_MAX);
	uint32_t slot = build_base(build, program, depth);

	for (uint32_t i = 0; i < wrappers; i++) {
		enum type_kind kind = kinds[below(program, 5)];

		slot = build_reference(build, kind, slot,
				       kind == TYPE_ARRAY ? below(program, 2) : 0);
	}
	return slot;
}

static uint32_t build_enum(struct build *build, uint32_t number, const struct name_meaning *meaning)
{
	uint32_t slot = type_builder_add(build->builder, TYPE_ENUM, number, 4, 0);

	if (meaning->kind == MEANING_DEFINITION)
		type_builder_item(build->builder, MEMBER_NAME_BASE, 0, meaning->variant);
	return slot;
}

/* The definition refers to itself by a declaration's slot that is filled in later. */
static uint32_t build_definition(struct build *build, uint32_t name, enum type_kind kind)
{
	struct name_meaning *meaning = &build->names[name];
	uint64_t program = build->options->seed * 31 + name * 7 + meaning->variant * 1013;
	uint32_t number = name_number(build->options, name);
	uint32_t members = below(&program, MEMBERS_MAX) + 1;
	uint32_t slot = type_builder_add(build->builder, kind, number,
					 8 * MEMBERS_MAX + 8 * (meaning->variant % 2), 0);
	struct model_type *type;
	uint32_t types[MEMBERS_MAX];

	meaning->slot = slot;
	for (uint32_t i = 0; i < members; i++)
		types[i] = build_expression(build, &program, EXPRESSION_DEPTH);
	/* Items are appended here, so they are not where the type stands, but in one piece. */
	type = &build->builder->types.items[slot];
	type->first_item = (uint32_t)build->builder->items.count;
	for (uint32_t i = 0; i < members; i++) {
		struct model_item *item = vector_push(&build->builder->items);

		if (!item)
			abort();
		*item = (struct model_item){
			.name = MEMBER_NAME_BASE + i,
			.type = types[i],
			.value = kind == TYPE_STRUCT ? (uint64_t)i * 64 << 8 : 0,
		};
	}
	type->item_count = members;
	return slot;
}

static uint32_t build_name(struct build *build, uint32_t name)
{
	struct name_meaning *meaning = &build->names[name];
	uint32_t number = name_number(build->options, name);
	uint32_t sort = name_sort(build->options, name);
	bool is_union = sort == 1 ||
			(build->options->has_unions && name == build->options->name_count - 1);

	if (meaning->slot != 0 && !percent(&build->random, build->options->duplicate_percent))
		return meaning->slot;
	if (sort == 2)
		meaning->slot = build_enum(build, number, meaning);
	else if (meaning->kind == MEANING_DEFINITION && meaning->slot == 0)
		build_definition(build, name, is_union ? TYPE_UNION : TYPE_STRUCT);
	else if (meaning->kind == MEANING_FORWARD)
		meaning->slot = type_builder_add(
			build->builder, is_union ? TYPE_UNION_FORWARD : TYPE_STRUCT_FORWARD, number,
			0, 0);
	return meaning->slot;
}

static void choose_meanings(struct build *build)
{
	const struct random_types_options *options = build->options;

	for (uint32_t i = 0; i < options->name_count; i++) {
		struct name_meaning *meaning = &build->names[i];

		meaning->kind = percent(&build->random, options->forward_percent) ?
					MEANING_FORWARD :
					MEANING_DEFINITION;
		if (percent(&build->random, options->odd_percent))
			meaning->variant = below(&build->random, options->variant_count);
	}
}

void random_types_build(const struct random_types_options *options, struct type_builder *builders)
{
	for (uint32_t unit = 0; unit < options->unit_count; unit++) {
		struct build build = {
			.options = options,
			.builder = &builders[unit],
			.random = options->seed ^ (uint64_t)(unit + 1) * 0xd1342543de82ef95,
		};
		uint32_t uses;

		type_builder_init(&builders[unit]);
		choose_meanings(&build);
		build.int_slot = type_builder_int(&builders[unit], NAME_INT, 4);
		uses = 1 + below(&build.random, 4);
		for (uint32_t i = 0; i < uses; i++) {
			uint32_t name = below(&build.random, options->name_count);
			uint64_t program = build.random;

			if (percent(&build.random, 70))
				build_name(&build, name);
			else
				build_expression(&build, &program, EXPRESSION_DEPTH);
		}
	}
}
