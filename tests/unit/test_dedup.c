/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* ctest-labels: thread */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>

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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(repeats_become_one),
		cmocka_unit_test(declaration_becomes_its_definition),
		cmocka_unit_test(declaration_without_definition_stays),
		cmocka_unit_test(first_finished_represents_reference_types),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
