/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* ctest-labels: thread */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>

#include "base/error.h"
#include "support/dedup_run.h"

enum { NAME_INT = 1, NAME_FOO, NAME_BAR, NAME_X, NAME_Y };

static void init_builders(struct type_builder *builders, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		type_builder_init(&builders[i]);
}

static void deinit_builders(struct type_builder *builders, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		type_builder_deinit(&builders[i]);
}

static void repeats_become_one(void **state)
{
	struct type_builder units[2];
	struct dedup_run run;

	(void)state;
	init_builders(units, 2);
	for (int i = 0; i < 2; i++) {
		uint32_t number = type_builder_int(&units[i], NAME_INT, 4);

		type_builder_struct(&units[i], NAME_FOO, 4);
		type_builder_item(&units[i], NAME_X, number, 0);
		type_builder_pointer(&units[i], 2);
	}
	dedup_run_init(&run, units, 2, (struct dedup_run_options){ 0 });
	assert_int_equal(dedup_type_count(run.dedup), 3);
	for (uint32_t slot = 1; slot <= 3; slot++) {
		assert_int_equal(dedup_run_number(&run, 0, slot), slot);
		assert_int_equal(dedup_run_number(&run, 1, slot), slot);
	}
	assert_int_equal(dedup_type(run.dedup, 3)->type.type, 2);
	assert_int_equal(dedup_type(run.dedup, 2)->items[0].type, 1);
	dedup_run_deinit(&run);
	deinit_builders(units, 2);
}

/* `struct foo *` means the same where foo is only declared. */
static void declaration_becomes_its_definition(void **state)
{
	struct type_builder units[2];
	struct dedup_run run;

	(void)state;
	init_builders(units, 2);
	type_builder_pointer(&units[0], type_builder_forward(&units[0], NAME_FOO));
	type_builder_pointer(&units[1], 2);
	type_builder_struct(&units[1], NAME_FOO, 0);
	dedup_run_init(&run, units, 2, (struct dedup_run_options){ 0 });
	assert_int_equal(dedup_type_count(run.dedup), 2);
	assert_int_equal(dedup_type(run.dedup, 1)->type.kind, TYPE_POINTER);
	assert_int_equal(dedup_type(run.dedup, 1)->type.type, 2);
	assert_int_equal(dedup_type(run.dedup, 2)->type.kind, TYPE_STRUCT);
	assert_int_equal(dedup_run_number(&run, 0, 1), 2);
	dedup_run_deinit(&run);
	deinit_builders(units, 2);
}

static void declaration_without_definition_stays(void **state)
{
	struct type_builder unit;
	struct dedup_run run;

	(void)state;
	init_builders(&unit, 1);
	type_builder_forward(&unit, NAME_FOO);
	type_builder_add(&unit, TYPE_UNION, NAME_FOO, 4, 0);
	dedup_run_init(&run, &unit, 1, (struct dedup_run_options){ 0 });
	assert_int_equal(dedup_type_count(run.dedup), 2);
	assert_int_equal(dedup_type(run.dedup, 1)->type.kind, TYPE_STRUCT_FORWARD);
	dedup_run_deinit(&run);
	deinit_builders(&unit, 1);
}

/* A pointer in slot 1 to the `const` in slot 4 finishes slot 4 before the equal one in slot 2. */
static void first_finished_represents_reference_types(void **state)
{
	struct type_builder unit;
	struct dedup_run run;
	uint32_t count;

	(void)state;
	init_builders(&unit, 1);
	type_builder_pointer(&unit, 4);
	type_builder_add(&unit, TYPE_CONST, 0, 0, 3);
	type_builder_int(&unit, NAME_INT, 4);
	type_builder_add(&unit, TYPE_CONST, 0, 0, 3);
	dedup_run_init(&run, &unit, 1, (struct dedup_run_options){ 0 });
	assert_int_equal(dedup_type_count(run.dedup), 3);
	assert_int_equal(dedup_type(run.dedup, 2)->type.kind, TYPE_INT);
	assert_int_equal(dedup_type(run.dedup, 3)->type.kind, TYPE_CONST);
	assert_int_equal(dedup_type(run.dedup, 3)->position, type_position_of(0, 4));
	/* Its strings, had it any, are used where it is first written. */
	assert_int_equal(dedup_first_uses(run.dedup, &count)[1].position, type_position_of(0, 2));
	assert_int_equal(count, 3);
	dedup_run_deinit(&run);
	deinit_builders(&unit, 1);
}

/* A class with the first or the second of two layouts, by name. */
static uint32_t add_variant(struct type_builder *builder, uint32_t name, uint32_t variant)
{
	return type_builder_struct(builder, name, 8 + variant);
}

/* struct bar { struct foo *x; } */
static uint32_t add_holder(struct type_builder *builder, uint32_t name, uint32_t held)
{
	uint32_t pointer = type_builder_pointer(builder, held);
	uint32_t slot = type_builder_struct(builder, name, 8);

	type_builder_item(builder, NAME_X, pointer, 0);
	return slot;
}

/* Nothing but the name says which foo is meant. */
static void declaration_of_two_definitions_stays(void **state)
{
	struct type_builder units[3];
	struct dedup_run run;

	(void)state;
	init_builders(units, 3);
	type_builder_pointer(&units[0], type_builder_forward(&units[0], NAME_FOO));
	add_variant(&units[1], NAME_FOO, 0);
	add_variant(&units[2], NAME_FOO, 1);
	dedup_run_init(&run, units, 3, (struct dedup_run_options){ 0 });
	assert_int_equal(dedup_ambiguous_names(run.dedup), 1);
	assert_int_equal(dedup_type_count(run.dedup), 4);
	assert_int_equal(dedup_type(run.dedup, 1)->type.kind, TYPE_STRUCT_FORWARD);
	assert_int_equal(dedup_type(run.dedup, 2)->type.type, 1);
	dedup_run_deinit(&run);
	deinit_builders(units, 3);
}

/* bar says that the foo of unit 0 is that of unit 2, the first unit to define what bar holds. */
static void holder_binds_a_declaration(void **state)
{
	struct type_builder units[3];
	struct dedup_run run;
	uint32_t foo, bar;

	(void)state;
	init_builders(units, 3);
	foo = type_builder_forward(&units[0], NAME_FOO);
	bar = add_holder(&units[0], NAME_BAR, foo);
	add_variant(&units[1], NAME_FOO, 0);
	add_holder(&units[2], NAME_BAR, add_variant(&units[2], NAME_FOO, 1));
	dedup_run_init(&run, units, 3, (struct dedup_run_options){ 0 });
	assert_int_equal(dedup_type_count(run.dedup), 4);
	assert_int_equal(dedup_run_number(&run, 0, foo), dedup_run_number(&run, 2, 1));
	assert_int_equal(dedup_run_number(&run, 0, bar), dedup_run_number(&run, 2, 3));
	assert_int_not_equal(dedup_run_number(&run, 1, 1), dedup_run_number(&run, 2, 1));
	dedup_run_deinit(&run);
	deinit_builders(units, 3);
}

/* Equal words, different meaning: a struct is as many types as the structs it reaches. */
static void holders_of_different_structs_are_different(void **state)
{
	struct type_builder units[4];
	struct dedup_run run;

	(void)state;
	init_builders(units, 4);
	for (uint32_t i = 0; i < 4; i++)
		add_holder(&units[i], NAME_BAR, add_variant(&units[i], NAME_FOO, i == 2));
	dedup_run_init(&run, units, 4, (struct dedup_run_options){ 0 });
	assert_int_equal(dedup_type_count(run.dedup), 6);
	for (uint32_t slot = 1; slot <= 3; slot++) {
		assert_int_equal(dedup_run_number(&run, 0, slot), slot);
		assert_int_equal(dedup_run_number(&run, 1, slot), slot);
		assert_int_equal(dedup_run_number(&run, 2, slot), slot + 3);
		assert_int_equal(dedup_run_number(&run, 3, slot), slot);
	}
	assert_int_equal(dedup_type(run.dedup, 5)->type.type, 4);
	assert_int_equal(dedup_type(run.dedup, 6)->items[0].type, 5);
	dedup_run_deinit(&run);
	deinit_builders(units, 4);
}

/*
 * Only unit 1 defines bar, and its foo is the odd one. bar still has one meaning, so what points
 * to it where it is declared is the same type.
 */
static void a_name_that_is_only_residue_is_one_type(void **state)
{
	struct type_builder units[4];
	struct dedup_run run;
	uint32_t here, there;

	(void)state;
	init_builders(units, 4);
	here = add_holder(&units[0], NAME_Y, type_builder_forward(&units[0], NAME_BAR));
	there = add_holder(&units[1], NAME_Y,
			   add_holder(&units[1], NAME_BAR, add_variant(&units[1], NAME_FOO, 1)));
	add_variant(&units[2], NAME_FOO, 0);
	add_variant(&units[3], NAME_FOO, 0);
	dedup_run_init(&run, units, 4, (struct dedup_run_options){ 0 });
	assert_int_equal(dedup_run_number(&run, 0, here), dedup_run_number(&run, 1, there));
	assert_int_equal(dedup_run_number(&run, 0, 1), dedup_run_number(&run, 1, there - 2));
	assert_int_equal(dedup_type_count(run.dedup), 6);
	dedup_run_deinit(&run);
	deinit_builders(units, 4);
}

/*
 * In unit 0 everything reaches the odd foo, so elsewhere others represent the classes: of the two
 * pointers of unit 1 the one in slot 3, since the pointer in slot 2 is finished after what it
 * points to.
 */
static void representatives_move_out_of_the_residue(void **state)
{
	struct type_builder units[3];
	struct dedup_run run;
	uint32_t number;

	(void)state;
	init_builders(units, 3);
	type_builder_pointer(&units[0], add_variant(&units[0], NAME_FOO, 1));
	type_builder_pointer(&units[1], 4);
	type_builder_pointer(&units[1], 3);
	add_variant(&units[1], NAME_FOO, 0);
	type_builder_pointer(&units[1], 3);
	add_variant(&units[2], NAME_FOO, 0);
	dedup_run_init(&run, units, 3, (struct dedup_run_options){ 0 });
	number = dedup_run_number(&run, 1, 2);
	assert_int_equal(dedup_run_number(&run, 1, 4), number);
	assert_int_equal(dedup_type(run.dedup, number)->position, type_position_of(1, 4));
	assert_int_equal(dedup_run_number(&run, 0, 2), 2);
	assert_int_equal(dedup_type_count(run.dedup), 5);
	dedup_run_deinit(&run);
	deinit_builders(units, 3);
}

static void typedefs_can_be_ambiguous(void **state)
{
	struct type_builder units[3];
	struct dedup_run run;

	(void)state;
	init_builders(units, 3);
	for (uint32_t i = 0; i < 3; i++)
		type_builder_pointer(
			&units[i],
			type_builder_typedef(&units[i], NAME_FOO,
					     type_builder_int(&units[i], NAME_INT, i ? 4 : 1)));
	dedup_run_init(&run, units, 3, (struct dedup_run_options){ 0 });
	assert_int_equal(dedup_type_count(run.dedup), 6);
	for (uint32_t slot = 1; slot <= 3; slot++) {
		assert_int_equal(dedup_run_number(&run, 0, slot), slot);
		assert_int_equal(dedup_run_number(&run, 2, slot), slot + 3);
	}
	dedup_run_deinit(&run);
	deinit_builders(units, 3);
}

/* C has no such declarations, compilers write them all the same; size does not matter then. */
static void enum_without_values_is_a_declaration(void **state)
{
	struct type_builder units[2];
	struct dedup_run run;

	(void)state;
	init_builders(units, 2);
	add_holder(&units[0], NAME_BAR, type_builder_add(&units[0], TYPE_ENUM, NAME_FOO, 4, 0));
	type_builder_add(&units[1], TYPE_ENUM, NAME_FOO, 8, 0);
	type_builder_item(&units[1], NAME_X, 0, 1);
	add_holder(&units[1], NAME_BAR, 1);
	dedup_run_init(&run, units, 2, (struct dedup_run_options){ 0 });
	assert_int_equal(dedup_type_count(run.dedup), 3);
	assert_int_equal(dedup_type(run.dedup, dedup_run_number(&run, 0, 1))->type.size, 8);
	dedup_run_deinit(&run);
	deinit_builders(units, 2);
}

/* Absent slots are no types and do not come into anything. */
static void absent_slots_are_nothing(void **state)
{
	struct type_builder unit;
	struct dedup_run run;

	(void)state;
	init_builders(&unit, 1);
	type_builder_add(&unit, TYPE_VOID, 0, 0, 0);
	type_builder_add(&unit, TYPE_ALIAS, 0, 0, 3);
	type_builder_int(&unit, NAME_INT, 4);
	type_builder_pointer(&unit, 1);
	type_builder_pointer(&unit, 0);
	dedup_run_init(&run, &unit, 1, (struct dedup_run_options){ 0 });
	assert_int_equal(dedup_type_count(run.dedup), 2);
	assert_int_equal(dedup_run_number(&run, 0, 1), 0);
	assert_int_equal(dedup_run_number(&run, 0, 2), 0);
	assert_int_equal(dedup_run_number(&run, 0, 4), 2);
	assert_int_equal(dedup_run_number(&run, 0, 5), 2);
	dedup_run_deinit(&run);
	deinit_builders(&unit, 1);
}

static void a_type_can_be_added_after_a_unit(void **state)
{
	const struct model_type number = { .kind = TYPE_INT, .name = NAME_INT, .size = 4 };
	struct unit_record record = { .type_count = 1 };
	uint32_t classes[1] = { 0 };
	struct model_type nothing = { 0 };
	struct model_item item;
	struct model_unit unit = { .types = &nothing, .type_count = 1, .items = &item };
	struct worker worker = { 0 };
	struct worker_pool *pool;
	struct dedup *dedup;
	uint32_t index;
	struct dedup_input input = { .unit_count = 1 };

	(void)state;
	record.classes = classes;
	input.units = &record;
	assert_int_equal(worker_pool_create(1, &pool, NULL), SMELT_OK);
	assert_int_equal(dedup_create(pool, 0, NULL, &dedup, NULL), SMELT_OK);
	assert_int_equal(dedup_add_unit(dedup, 0, &unit, classes, &worker, NULL), SMELT_OK);
	index = dedup_add_type(dedup, type_position_of(0, 1), &number);
	assert_int_not_equal(index, 0);
	assert_int_equal(dedup_add_type(dedup, type_position_of(0, 2), &number), index);
	assert_int_equal(dedup_settle(dedup, &input, NULL), SMELT_OK);
	assert_int_equal(dedup_number_of_class(dedup, index), 1);
	assert_int_equal(dedup_type(dedup, 1)->position, type_position_of(0, 1));
	dedup_destroy(dedup);
	worker_pool_destroy(pool);
	arena_deinit(&worker.scratch);
}

static enum smelt_status fail_to_reload(void *context, uint32_t unit, struct worker *worker,
					struct model_unit *types, struct smelt_error *error)
{
	(void)context;
	(void)worker;
	(void)types;
	return error_set(error, SMELT_BAD_DATA, "unit %u", (unsigned)unit);
}

/* The lowest failing unit is reported, whoever comes first. */
static void errors_of_reloading_are_passed_on(void **state)
{
	struct type_builder units[4];
	struct dedup_input input = { .unit_count = 4, .reload = fail_to_reload };
	struct smelt_error error = { 0 };
	struct dedup_run run;

	(void)state;
	init_builders(units, 4);
	for (uint32_t i = 0; i < 4; i++)
		add_variant(&units[i], NAME_FOO, i);
	dedup_run_add(&run, units, 4, (struct dedup_run_options){ .workers = 4 });
	input.units = run.records;
	assert_int_equal(dedup_settle(run.dedup, &input, &error), SMELT_BAD_DATA);
	assert_string_equal(error.text, "unit 1");
	dedup_run_deinit(&run);
	deinit_builders(units, 4);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(repeats_become_one),
		cmocka_unit_test(declaration_becomes_its_definition),
		cmocka_unit_test(declaration_without_definition_stays),
		cmocka_unit_test(first_finished_represents_reference_types),
		cmocka_unit_test(declaration_of_two_definitions_stays),
		cmocka_unit_test(holder_binds_a_declaration),
		cmocka_unit_test(holders_of_different_structs_are_different),
		cmocka_unit_test(a_name_that_is_only_residue_is_one_type),
		cmocka_unit_test(representatives_move_out_of_the_residue),
		cmocka_unit_test(typedefs_can_be_ambiguous),
		cmocka_unit_test(enum_without_values_is_a_declaration),
		cmocka_unit_test(absent_slots_are_nothing),
		cmocka_unit_test(a_type_can_be_added_after_a_unit),
		cmocka_unit_test(errors_of_reloading_are_passed_on),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
