/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The deduplicator on a base: cases by hand, and random programs against the incumbent's algorithm written down
 * plainly.
 *
 * ctest-labels: thread
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "dedup/type_family.h"
#include "support/dedup_run.h"
#include "support/random_types.h"
#include "support/reference_dedup.h"

enum { UNITS_MAX = 8 };

#if defined(__SANITIZE_THREAD__)
enum { PROGRAMS = 20 };
#else
enum { PROGRAMS = 400 };
#endif

/* ---- bases ---- */

struct base {
	struct type_builder builder;
	struct arena arena;
	struct base_index *index;
};

/* Takes the builder over. */
static void base_init(struct base *base, struct type_builder builder, unsigned hash_bits)
{
	struct worker_pool *pool;
	struct base_types types;

	base->builder = builder;
	types = (struct base_types){ .unit = type_builder_unit(&base->builder) };
	assert_int_equal(worker_pool_create(2, &pool, NULL), SMELT_OK);
	arena_init(&base->arena);
	assert_int_equal(
		base_index_create(&types, hash_bits, pool, &base->arena, &base->index, NULL),
		SMELT_OK);
	worker_pool_destroy(pool);
}

static void base_deinit(struct base *base)
{
	arena_deinit(&base->arena);
	type_builder_deinit(&base->builder);
}

/* What deduplicating the units gives. */
static struct type_builder builder_of_units(const struct type_builder *units, uint32_t unit_count)
{
	struct type_builder builder;
	struct dedup_run run;

	dedup_run_init(&run, units, unit_count, (struct dedup_run_options){ 0 });
	type_builder_init(&builder);
	for (uint32_t number = 1; number <= dedup_type_count(run.dedup); number++) {
		const struct dedup_type *type = dedup_type(run.dedup, number);
		uint32_t slot = type_builder_add(&builder, type->type.kind, type->type.name,
						 type->type.size, type->type.type);

		builder.types.items[slot].flags = type->type.flags;
		for (uint32_t i = 0; i < type->type.item_count; i++)
			type_builder_item(&builder, type->items[i].name, type->items[i].type,
					  type->items[i].value);
	}
	dedup_run_deinit(&run);
	return builder;
}

static void deinit_builders(struct type_builder *builders, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		type_builder_deinit(&builders[i]);
}

/* ---- random programs ---- */

struct program {
	struct base base;
	struct type_builder units[UNITS_MAX];
	uint32_t unit_count;
	struct reference_dedup reference;
};

static void program_init(struct program *program, const struct random_types_options *of_base,
			 const struct random_types_options *of_run)
{
	struct type_builder units[UNITS_MAX];
	struct model_unit views[UNITS_MAX + 1];

	random_types_build(of_base, units);
	base_init(&program->base, builder_of_units(units, of_base->unit_count), 0);
	deinit_builders(units, of_base->unit_count);

	random_types_build(of_run, program->units);
	program->unit_count = of_run->unit_count;
	views[0] = type_builder_unit(&program->base.builder);
	for (uint32_t u = 0; u < program->unit_count; u++)
		views[u + 1] = type_builder_unit(&program->units[u]);
	reference_dedup_run_on_base(&program->reference, views, program->unit_count + 1);
}

static void program_deinit(struct program *program)
{
	reference_dedup_deinit(&program->reference);
	base_deinit(&program->base);
	deinit_builders(program->units, program->unit_count);
}

/* A type as the output would refer to it: id of the base, or the run's n-th type that is not in the base. */
struct place {
	uint32_t base_id;
	uint32_t kept;
};

static struct place place_of(const struct dedup *dedup, uint32_t number)
{
	struct place place = { 0 };

	if (number == 0)
		return place;
	place.base_id = dedup_type(dedup, number)->base_id;
	for (uint32_t n = 1; place.base_id == 0 && n <= number; n++)
		place.kept += dedup_type(dedup, n)->base_id == 0;
	return place;
}

static struct place expected_place(const struct program *program, uint32_t unit, uint32_t slot)
{
	struct place place = { 0 };

	if (slot == 0)
		return place;
	place.base_id = reference_dedup_base_id(&program->reference, unit + 1, slot);
	if (place.base_id == 0)
		place.kept = reference_dedup_number(&program->reference, unit + 1, slot);
	return place;
}

static bool places_are_equal(struct place x, struct place y)
{
	return x.base_id == y.base_id && x.kept == y.kept;
}

/* Position and references of a type that is not in the base. */
static bool kept_type_agrees(const struct program *program, const struct dedup_run *run,
			     uint32_t number)
{
	const struct dedup_type *type = dedup_type(run->dedup, number);
	uint32_t unit = (uint32_t)(type->position >> 32), slot = (uint32_t)type->position;
	struct model_unit raw = type_builder_unit(&program->units[unit]);
	struct place place = place_of(run->dedup, number);

	if (program->reference.kept[place.kept] != program->reference.first_id[unit + 1] + slot)
		return false;
	if (!places_are_equal(place_of(run->dedup, type->type.type),
			      expected_place(program, unit, raw.types[slot].type)))
		return false;
	for (uint32_t i = 0; i < type->type.item_count; i++) {
		const struct model_item *item = &raw.items[raw.types[slot].first_item + i];

		if (!places_are_equal(place_of(run->dedup, type->items[i].type),
				      expected_place(program, unit, item->type)))
			return false;
	}
	return true;
}

static bool run_agrees(const struct program *program, struct dedup_run_options options)
{
	struct dedup_run run;
	uint32_t kept = 0;
	bool agrees = true;

	options.base = program->base.index;
	dedup_run_init(&run, program->units, program->unit_count, options);
	for (uint32_t number = 1; agrees && number <= dedup_type_count(run.dedup); number++) {
		if (dedup_type(run.dedup, number)->base_id != 0)
			continue;
		kept++;
		agrees = kept_type_agrees(program, &run, number);
	}
	agrees &= kept == program->reference.type_count;
	for (uint32_t u = 0; agrees && u < program->unit_count; u++) {
		for (uint32_t slot = 1; agrees && slot < program->units[u].types.count; slot++)
			agrees = places_are_equal(
				place_of(run.dedup, dedup_run_number(&run, u, slot)),
				expected_place(program, u, slot));
	}
	dedup_run_deinit(&run);
	return agrees;
}

static const struct random_types_options one_meaning = {
	.unit_count = 4,
	.name_count = 6,
	.variant_count = 1,
	.has_unions = true,
	.has_enums = true,
	.duplicate_percent = 5,
};

static const struct random_types_options everything = {
	.unit_count = 4,
	.name_count = 8,
	.variant_count = 3,
	.odd_percent = 20,
	.forward_percent = 25,
	.duplicate_percent = 5,
	.has_unions = true,
	.has_enums = true,
};

static void assert_programs_agree(struct random_types_options of_base,
				  struct random_types_options of_run)
{
	static const struct dedup_run_options variants[] = {
		{ 0 },
		{ .workers = 8, .shuffle_seed = 1 },
		{ .workers = 2, .shuffle_seed = 2, .hash_bits = 3 },
	};

	for (uint64_t seed = 1; seed <= PROGRAMS; seed++) {
		struct program program;

		of_base.seed = seed * 2;
		of_run.seed = seed * 2 + 1;
		program_init(&program, &of_base, &of_run);
		assert_false(program.reference.has_loop);
		for (size_t i = 0; i < sizeof(variants) / sizeof(variants[0]); i++) {
			if (i == 0 || seed <= PROGRAMS / 20)
				assert_true(run_agrees(&program, variants[i]));
		}
		program_deinit(&program);
	}
}

static void names_with_one_meaning(void **state)
{
	(void)state;
	assert_programs_agree(one_meaning, one_meaning);
}

/* The base defines everything, units declare some of it. */
static void declarations_of_what_the_base_defines(void **state)
{
	struct random_types_options of_run = one_meaning;

	(void)state;
	of_run.forward_percent = 40;
	of_run.duplicate_percent = 0;
	assert_programs_agree(one_meaning, of_run);
}

/* Which types stay in the run then depends on which the incumbent compares first. */
static void definitions_of_what_the_base_declares(void **state)
{
	struct random_types_options of_base = one_meaning;

	(void)state;
	of_base.unit_count = 1;
	of_base.forward_percent = 40;
	assert_programs_agree(of_base, one_meaning);
}

static void names_with_several_meanings(void **state)
{
	struct random_types_options of_run = one_meaning;

	(void)state;
	of_run.variant_count = 3;
	of_run.odd_percent = 30;
	assert_programs_agree(of_run, of_run);
}

static void all_of_it_at_once(void **state)
{
	(void)state;
	assert_programs_agree(everything, everything);
}

/* ---- by hand ---- */

enum { FOO = 1, BAR, MEMBER, NUMBER, BYTE, WORD };

static void assert_agrees(struct program *program)
{
	struct model_unit views[UNITS_MAX + 1];

	views[0] = type_builder_unit(&program->base.builder);
	for (uint32_t u = 0; u < program->unit_count; u++)
		views[u + 1] = type_builder_unit(&program->units[u]);
	reference_dedup_run_on_base(&program->reference, views, program->unit_count + 1);
	assert_true(run_agrees(program, (struct dedup_run_options){ 0 }));
}

/* Of two units one defines what the base declares, and no struct shows that the other one means that. */
static void declarations_stay_the_bases_if_nothing_defines_them(void **state)
{
	struct program program = { .unit_count = 2 };
	struct type_builder base;

	(void)state;
	type_builder_init(&base);
	type_builder_pointer(&base, type_builder_forward(&base, FOO));
	base_init(&program.base, base, 0);
	for (uint32_t u = 0; u < 2; u++)
		type_builder_init(&program.units[u]);
	type_builder_pointer(&program.units[0], type_builder_forward(&program.units[0], FOO));
	type_builder_pointer(&program.units[1], type_builder_struct(&program.units[1], FOO, 4));
	assert_agrees(&program);
	assert_int_equal(reference_dedup_base_id(&program.reference, 1, 1), 1);
	assert_int_equal(reference_dedup_base_id(&program.reference, 1, 2), 2);
	assert_int_equal(program.reference.type_count, 2);
	program_deinit(&program);
}

static uint32_t add_bar(struct type_builder *builder, uint32_t member)
{
	uint32_t bar = type_builder_struct(builder, BAR, 4);

	type_builder_item(builder, MEMBER, member, 0);
	return bar;
}

/* The base has two typedefs of a name; the struct that has the same words uses the other one. */
static void equal_words_are_not_enough(void **state)
{
	struct program program = { .unit_count = 1 };
	struct type_builder base, *unit = &program.units[0];
	uint32_t byte, word;

	(void)state;
	type_builder_init(&base);
	byte = type_builder_int(&base, BYTE, 1);
	word = type_builder_int(&base, WORD, 4);
	type_builder_typedef(&base, NUMBER, byte);
	add_bar(&base, type_builder_typedef(&base, NUMBER, word));
	base_init(&program.base, base, 0);
	type_builder_init(unit);
	add_bar(unit, type_builder_typedef(unit, NUMBER, type_builder_int(unit, BYTE, 1)));
	assert_agrees(&program);
	assert_int_equal(reference_dedup_base_id(&program.reference, 1, 2), 3);
	assert_int_equal(reference_dedup_base_id(&program.reference, 1, 3), 0);
	program_deinit(&program);
}

/* The same, but the struct is like the base's. */
static void a_name_with_two_meanings_in_the_base_may_have_one_in_the_run(void **state)
{
	struct program program = { .unit_count = 1 };
	struct type_builder base, *unit = &program.units[0];
	uint32_t byte, word;

	(void)state;
	type_builder_init(&base);
	byte = type_builder_int(&base, BYTE, 1);
	word = type_builder_int(&base, WORD, 4);
	type_builder_typedef(&base, NUMBER, byte);
	add_bar(&base, type_builder_typedef(&base, NUMBER, word));
	base_init(&program.base, base, 0);
	type_builder_init(unit);
	add_bar(unit, type_builder_typedef(unit, NUMBER, type_builder_int(unit, WORD, 4)));
	assert_agrees(&program);
	assert_int_equal(program.reference.type_count, 0);
	program_deinit(&program);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(declarations_stay_the_bases_if_nothing_defines_them),
		cmocka_unit_test(equal_words_are_not_enough),
		cmocka_unit_test(a_name_with_two_meanings_in_the_base_may_have_one_in_the_run),
		cmocka_unit_test(names_with_one_meaning),
		cmocka_unit_test(declarations_of_what_the_base_defines),
		cmocka_unit_test(definitions_of_what_the_base_declares),
		cmocka_unit_test(names_with_several_meanings),
		cmocka_unit_test(all_of_it_at_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
