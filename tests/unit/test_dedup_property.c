/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The deduplicator on random programs, against the incumbent's algorithm written down
 * plainly, and against itself with other threads, orders and tables.
 *
 * ctest-labels: thread
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>

#include "dedup/type_family.h"
#include "support/dedup_run.h"
#include "support/random_types.h"
#include "support/reference_dedup.h"

enum { UNITS_MAX = 8 };

/* Under a thread sanitizer, and for the slower checks, fewer will do. */
#if defined(__SANITIZE_THREAD__)
enum { PROGRAMS = 20 };
#else
enum { PROGRAMS = 300 };
#endif

static const struct random_types_options one_meaning = {
	.unit_count = 5,
	.name_count = 6,
	.variant_count = 1,
	.has_unions = true,
	.has_enums = true,
	.duplicate_percent = 5,
};

static struct random_types_options with_seed(struct random_types_options options, uint64_t seed)
{
	options.seed = seed;
	return options;
}

static void deinit_builders(struct type_builder *builders, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		type_builder_deinit(&builders[i]);
}

static bool representative_agrees(const struct dedup_run *run,
				  const struct reference_dedup *reference,
				  const struct model_unit *units, uint32_t number)
{
	const struct dedup_type *type = dedup_type(run->dedup, number);
	uint32_t unit = (uint32_t)(type->position >> 32), slot = (uint32_t)type->position;
	const struct model_type *raw = &units[unit].types[slot];

	if (reference->kept[number] != reference->first_id[unit] + slot ||
	    type->type.type != reference_dedup_number(reference, unit, raw->type))
		return false;
	for (uint32_t i = 0; i < raw->item_count; i++) {
		uint32_t target = units[unit].items[raw->first_item + i].type;

		if (type->items[i].type != reference_dedup_number(reference, unit, target))
			return false;
	}
	return true;
}

/* Count, order, structure, and what became of each type of each unit. */
static bool agrees_with_reference(const struct random_types_options *options)
{
	struct type_builder builders[UNITS_MAX];
	struct model_unit units[UNITS_MAX];
	struct reference_dedup reference;
	struct dedup_run run;
	bool agrees;

	random_types_build(options, builders);
	for (uint32_t u = 0; u < options->unit_count; u++)
		units[u] = type_builder_unit(&builders[u]);
	reference_dedup_run(&reference, units, options->unit_count);
	dedup_run_init(&run, builders, options->unit_count, (struct dedup_run_options){ 0 });
	assert_false(reference.has_loop);
	agrees = dedup_type_count(run.dedup) == reference.type_count;
	for (uint32_t number = 1; agrees && number <= reference.type_count; number++)
		agrees = representative_agrees(&run, &reference, units, number);
	for (uint32_t u = 0; u < options->unit_count; u++) {
		for (uint32_t slot = 1; slot < units[u].type_count; slot++)
			agrees &= dedup_run_number(&run, u, slot) ==
				  reference_dedup_number(&reference, u, slot);
	}
	dedup_run_deinit(&run);
	reference_dedup_deinit(&reference);
	deinit_builders(builders, options->unit_count);
	return agrees;
}

static void names_with_one_meaning(void **state)
{
	struct random_types_options options = one_meaning;

	(void)state;
	for (uint64_t seed = 1; seed <= PROGRAMS; seed++) {
		struct random_types_options seeded = with_seed(options, seed);

		assert_true(agrees_with_reference(&seeded));
	}
}

/* Duplicates would make some units have both a definition and a declaration. */
static void declarations_of_names_with_one_meaning(void **state)
{
	struct random_types_options options = one_meaning;

	(void)state;
	options.forward_percent = 30;
	options.duplicate_percent = 0;
	for (uint64_t seed = 1; seed <= PROGRAMS; seed++) {
		struct random_types_options seeded = with_seed(options, seed);

		assert_true(agrees_with_reference(&seeded));
	}
}

static void names_with_several_meanings(void **state)
{
	struct random_types_options options = one_meaning;

	(void)state;
	options.variant_count = 3;
	options.odd_percent = 30;
	for (uint64_t seed = 1; seed <= PROGRAMS; seed++) {
		struct random_types_options seeded = with_seed(options, seed);

		assert_true(agrees_with_reference(&seeded));
	}
}

/*
 * When names have both several definitions and declarations, the incumbent takes a declaration for
 * any definition even after it was bound, so one unit's types may be merged with types that
 * contradict them. We do not follow it there; see dedup.c. That has to stay rare where few
 * such names meet.
 */
static void declarations_of_names_with_several_meanings(void **state)
{
	struct random_types_options options = one_meaning;
	uint32_t differing = 0;

	(void)state;
	options.unit_count = 3;
	options.name_count = 3;
	options.variant_count = 2;
	options.odd_percent = 30;
	options.forward_percent = 30;
	options.has_unions = options.has_enums = false;
	options.duplicate_percent = 0;
	for (uint64_t seed = 1; seed <= PROGRAMS; seed++) {
		struct random_types_options seeded = with_seed(options, seed);

		differing += !agrees_with_reference(&seeded);
	}
	assert_true(differing * 100 <= PROGRAMS);
}

/*
 * Two units define foo differently, a third only declares it, and `padding` other structs stand in
 * between. What the third's foo is then flips each time the incumbent's table grows.
 */
static void build_padded(struct type_builder *builders, uint32_t padding, enum type_kind kind)
{
	enum { FOO = 1, HOLDER, MEMBER, PADDING };

	for (uint32_t u = 0; u < 4; u++)
		type_builder_init(&builders[u]);
	for (uint32_t u = 0; u < 3; u++) {
		struct type_builder *builder = &builders[u == 2 ? 3 : u];
		enum type_kind foo = kind == TYPE_STRUCT && u == 2 ? TYPE_STRUCT_FORWARD : kind;
		uint32_t pointer;

		type_builder_add(builder, foo, FOO, kind == TYPE_STRUCT ? u : 4, 0);
		if (kind == TYPE_ENUM && u < 2)
			type_builder_item(builder, MEMBER, 0, u);
		pointer = type_builder_pointer(builder, 1);
		if (kind != TYPE_STRUCT)
			continue;
		type_builder_struct(builder, HOLDER, 8);
		type_builder_item(builder, MEMBER, pointer, 0);
	}
	if (kind == TYPE_STRUCT)
		builders[3].types.items[1].size = 0;
	for (uint32_t i = 0; i < padding; i++)
		type_builder_add(&builders[2], kind == TYPE_STRUCT ? TYPE_STRUCT : TYPE_INT,
				 PADDING + i, 4, 0);
}

static void assert_follows_growth(enum type_kind kind)
{
	bool was_first = false, was_second = false;

	for (uint32_t padding = 0; padding < 100; padding++) {
		struct type_builder builders[4];
		struct model_unit units[4];
		struct reference_dedup reference;
		struct dedup_run run;

		build_padded(builders, padding, kind);
		for (uint32_t u = 0; u < 4; u++)
			units[u] = type_builder_unit(&builders[u]);
		reference_dedup_run(&reference, units, 4);
		dedup_run_init(&run, builders, 4, (struct dedup_run_options){ 0 });
		for (uint32_t slot = 1; slot < units[3].type_count; slot++)
			assert_int_equal(dedup_run_number(&run, 3, slot),
					 reference_dedup_number(&reference, 3, slot));
		was_first |= dedup_run_number(&run, 3, 1) == dedup_run_number(&run, 0, 1);
		was_second |= dedup_run_number(&run, 3, 1) == dedup_run_number(&run, 1, 1);
		dedup_run_deinit(&run);
		reference_dedup_deinit(&reference);
		deinit_builders(builders, 4);
	}
	assert_true(was_first && was_second);
}

static void candidates_follow_the_growth_of_the_table(void **state)
{
	(void)state;
	assert_follows_growth(TYPE_STRUCT);
	assert_follows_growth(TYPE_ENUM);
}

/* ---- properties of any result ---- */

static struct random_types_options everything(uint64_t seed)
{
	return (struct random_types_options){
		.seed = seed,
		.unit_count = UNITS_MAX,
		.name_count = 8,
		.variant_count = 3,
		.odd_percent = 20,
		.forward_percent = 25,
		.duplicate_percent = 5,
		.has_unions = true,
		.has_enums = true,
	};
}

static void assert_refers_like(const struct dedup_run *run, const struct model_unit *unit,
			       uint32_t unit_index, uint32_t slot)
{
	const struct model_type *raw = &unit->types[slot];
	const struct dedup_type *type =
		dedup_type(run->dedup, dedup_run_number(run, unit_index, slot));

	assert_int_equal(type->type.name, raw->name);
	if (type_is_forward(raw)) {
		assert_int_equal(type_family_of(&type->type), type_family_of(raw));
		return;
	}
	assert_int_equal(type->type.kind, raw->kind);
	assert_int_equal(type->type.size, raw->size);
	assert_int_equal(type->type.item_count, raw->item_count);
	assert_int_equal(type->type.type, dedup_run_number(run, unit_index, raw->type));
	for (uint32_t i = 0; i < raw->item_count; i++) {
		const struct model_item *item = &unit->items[raw->first_item + i];

		assert_int_equal(type->items[i].name, item->name);
		assert_int_equal(type->items[i].value, item->value);
		assert_int_equal(type->items[i].type,
				 dedup_run_number(run, unit_index, item->type));
	}
}

/* Whatever a unit says of a type is true of what the type became. */
static void results_say_what_units_say(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= PROGRAMS; seed++) {
		struct random_types_options options = everything(seed);
		struct type_builder builders[UNITS_MAX];
		struct dedup_run run;

		random_types_build(&options, builders);
		dedup_run_init(&run, builders, UNITS_MAX, (struct dedup_run_options){ 0 });
		for (uint32_t u = 0; u < UNITS_MAX; u++) {
			struct model_unit unit = type_builder_unit(&builders[u]);

			for (uint32_t slot = 1; slot < unit.type_count; slot++)
				assert_refers_like(&run, &unit, u, slot);
		}
		dedup_run_deinit(&run);
		deinit_builders(builders, UNITS_MAX);
	}
}

static void assert_same_types(const struct dedup *x, const struct dedup *y)
{
	uint32_t x_count, y_count;
	const struct dedup_first_use *x_uses = dedup_first_uses(x, &x_count);
	const struct dedup_first_use *y_uses = dedup_first_uses(y, &y_count);

	assert_int_equal(dedup_type_count(x), dedup_type_count(y));
	for (uint32_t number = 1; number <= dedup_type_count(x); number++) {
		const struct dedup_type *a = dedup_type(x, number), *b = dedup_type(y, number);

		assert_int_equal(a->position, b->position);
		assert_memory_equal(&a->type, &b->type, sizeof(a->type));
		for (uint32_t i = 0; i < a->type.item_count; i++)
			assert_memory_equal(&a->items[i], &b->items[i], sizeof(a->items[i]));
	}
	assert_int_equal(x_count, y_count);
	for (uint32_t i = 0; i < x_count; i++) {
		assert_int_equal(x_uses[i].position, y_uses[i].position);
		assert_int_equal(x_uses[i].name, y_uses[i].name);
		assert_int_equal(x_uses[i].item_count, y_uses[i].item_count);
	}
}

static void results_do_not_depend_on_timing_or_tables(void **state)
{
	static const struct dedup_run_options variants[] = {
		{ .workers = 8 },
		{ .workers = 8, .shuffle_seed = 1 },
		{ .workers = 3, .shuffle_seed = 2, .hash_bits = 1 },
		{ .shuffle_seed = 3 },
		{ .hash_bits = 2 },
		{ .hash_bits = 5, .shuffle_seed = 4 },
		{ .hash_bits = 8 },
	};

	(void)state;
	for (uint64_t seed = 1; seed <= PROGRAMS / 10; seed++) {
		struct random_types_options options = everything(seed);
		struct type_builder builders[UNITS_MAX];
		struct dedup_run plain;

		random_types_build(&options, builders);
		dedup_run_init(&plain, builders, UNITS_MAX, (struct dedup_run_options){ 0 });
		for (size_t i = 0; i < sizeof(variants) / sizeof(variants[0]); i++) {
			struct dedup_run other;

			dedup_run_init(&other, builders, UNITS_MAX, variants[i]);
			assert_same_types(plain.dedup, other.dedup);
			for (uint32_t u = 0; u < UNITS_MAX; u++) {
				for (uint32_t slot = 0; slot < builders[u].types.count; slot++)
					assert_int_equal(dedup_run_number(&plain, u, slot),
							 dedup_run_number(&other, u, slot));
			}
			dedup_run_deinit(&other);
		}
		dedup_run_deinit(&plain);
		deinit_builders(builders, UNITS_MAX);
	}
}

/* Without declarations to be bound, the order of units decides the order of types only. */
static void permuted_units_give_the_same_types(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= PROGRAMS; seed++) {
		struct random_types_options options = everything(seed);
		struct type_builder forth[UNITS_MAX], back[UNITS_MAX];
		struct dedup_run x, y;
		uint32_t *partner;

		options.forward_percent = 0;
		random_types_build(&options, forth);
		for (uint32_t u = 0; u < UNITS_MAX; u++)
			back[u] = forth[UNITS_MAX - 1 - u];
		dedup_run_init(&x, forth, UNITS_MAX, (struct dedup_run_options){ 0 });
		dedup_run_init(&y, back, UNITS_MAX, (struct dedup_run_options){ 0 });
		assert_int_equal(dedup_type_count(x.dedup), dedup_type_count(y.dedup));
		partner = calloc(dedup_type_count(x.dedup) + 1, sizeof(*partner));
		assert_non_null(partner);
		for (uint32_t u = 0; u < UNITS_MAX; u++) {
			for (uint32_t slot = 1; slot < forth[u].types.count; slot++) {
				uint32_t number = dedup_run_number(&x, u, slot);
				uint32_t other = dedup_run_number(&y, UNITS_MAX - 1 - u, slot);

				assert_true(partner[number] == 0 || partner[number] == other);
				partner[number] = other;
			}
		}
		free(partner);
		dedup_run_deinit(&x);
		dedup_run_deinit(&y);
		deinit_builders(forth, UNITS_MAX);
	}
}

static bool is_listed(const struct dedup_run *run, uint32_t unit, uint32_t slot)
{
	for (uint32_t i = 0; i < run->lowest_counts[unit]; i++) {
		if (run->lowest[unit][i] == slot)
			return true;
	}
	return false;
}

/* Whether no position before this one has the class; by a look at all of them. */
static bool is_lowest(const struct dedup_run *run, uint32_t unit, uint32_t slot)
{
	uint32_t class_index = run->records[unit].classes[slot];

	for (uint32_t u = 0; u <= unit; u++) {
		uint32_t end = u == unit ? slot : run->records[u].type_count;

		for (uint32_t s = 1; s < end; s++) {
			if (run->records[u].classes[s] == class_index)
				return false;
		}
	}
	return class_index != 0;
}

static void check_lowest_slots(const struct type_builder *builders, uint32_t unit_count,
			       struct dedup_run_options options)
{
	struct dedup_run run;

	dedup_run_add(&run, builders, unit_count, options);
	for (uint32_t unit = 0; unit < unit_count; unit++) {
		for (uint32_t slot = 1; slot < run.records[unit].type_count; slot++) {
			bool lowest = is_lowest(&run, unit, slot);

			/* Alone and in order nothing is taken for the lowest that is not. */
			if (lowest || (options.workers == 1 && options.shuffle_seed == 0))
				assert_int_equal(is_listed(&run, unit, slot), lowest);
		}
	}
	dedup_run_deinit(&run);
}

static void lowest_slots_are_known_when_a_unit_is_added(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= PROGRAMS / 10; seed++) {
		const struct random_types_options options = with_seed(one_meaning, seed);
		struct type_builder builders[UNITS_MAX];

		random_types_build(&options, builders);
		check_lowest_slots(builders, options.unit_count,
				   (struct dedup_run_options){ .workers = 1 });
		check_lowest_slots(
			builders, options.unit_count,
			(struct dedup_run_options){ .workers = 1, .shuffle_seed = seed });
		check_lowest_slots(builders, options.unit_count,
				   (struct dedup_run_options){ .workers = 4 });
		deinit_builders(builders, options.unit_count);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_with_one_meaning),
		cmocka_unit_test(declarations_of_names_with_one_meaning),
		cmocka_unit_test(names_with_several_meanings),
		cmocka_unit_test(declarations_of_names_with_several_meanings),
		cmocka_unit_test(candidates_follow_the_growth_of_the_table),
		cmocka_unit_test(results_say_what_units_say),
		cmocka_unit_test(results_do_not_depend_on_timing_or_tables),
		cmocka_unit_test(permuted_units_give_the_same_types),
		cmocka_unit_test(lowest_slots_are_known_when_a_unit_is_added),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
