/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* ctest-labels: thread */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>

#include "encode/prototypes.h"

enum { TYPES = 4, FUNCTIONS = 20000, DISTINCT = 100 };

static const struct model_item items[] = { { 7, 3, 0 }, { 0, 0, 0 } };
static const struct dedup_type types[TYPES] = {
	{ .type = { .kind = TYPE_INT, .name = 1, .size = 4 } },
	{ .type = { .kind = TYPE_FUNCTION } }, /* void (void) */
	{ .type = { .kind = TYPE_FUNCTION, .type = 1, .item_count = 2 }, .items = items },
	{ .type = { .kind = TYPE_POINTER } },
};

/* Shape `shape`: void (void) for 0, int (3 seven, ...) for 1, otherwise one of its own. */
static struct prototype *make_prototype(struct arena *arena, uint32_t shape)
{
	uint32_t count = shape == 0 ? 0 : shape == 1 ? 2 : shape % 5;
	struct prototype *prototype =
		arena_alloc(arena, sizeof(*prototype) + count * sizeof(prototype->parameters[0]));

	prototype->return_type = shape == 0 ? 0 : shape == 1 ? 1 : shape;
	prototype->parameter_count = count;
	for (uint32_t i = 0; i < count; i++)
		prototype->parameters[i] =
			(struct function_parameter){ shape, shape > 50 ? i : i + 1 };
	if (shape == 1) {
		prototype->parameters[0] = (struct function_parameter){ 7, 3 };
		prototype->parameters[1] = (struct function_parameter){ 0, 0 };
	}
	return prototype;
}

struct fill {
	struct prototype_table *table;
	struct arena arenas[8];
	uint32_t places[FUNCTIONS];
};

static uint32_t shape_of(uint32_t function)
{
	return function % 3 == 2 ? UINT32_MAX : function * 7919u % DISTINCT;
}

static void add_job(void *argument, uint32_t function, struct worker *worker)
{
	struct fill *fill = argument;

	if (shape_of(function) != UINT32_MAX)
		fill->places[function] = prototype_table_add(
			fill->table, function,
			make_prototype(&fill->arenas[worker->index], shape_of(function)));
}

/* Whatever the order of adding, the lowest of equal ones stands for them, types before functions. */
static void check_fill(unsigned hash_bits, uint64_t seed)
{
	struct fill *fill = calloc(1, sizeof(*fill));
	uint32_t first[DISTINCT];
	struct worker_pool *pool;

	assert_int_equal(worker_pool_create(8, &pool, NULL), SMELT_OK);
	worker_pool_set_shuffle(pool, seed);
	fill->table = prototype_table_create(types, TYPES, FUNCTIONS, hash_bits);
	assert_non_null(fill->table);
	prototype_table_add_type(fill->table, 2);
	prototype_table_add_type(fill->table, 3);
	worker_pool_run(pool, add_job, fill, FUNCTIONS);

	for (uint32_t i = 0; i < DISTINCT; i++)
		first[i] = i == 0 ? 2 : i == 1 ? 3 : 0;
	for (uint32_t i = 0; i < FUNCTIONS; i++) {
		uint32_t shape = shape_of(i);
		uint32_t order;

		if (shape == UINT32_MAX) {
			assert_null(fill->table->functions[i]);
			continue;
		}
		if (first[shape] == 0)
			first[shape] = prototype_order_of_function(fill->table, i);
		order = prototype_table_first(fill->table, fill->places[i]);
		assert_int_equal(order, first[shape]);
		assert_int_equal(prototype_is_type(fill->table, order), shape < 2);
		if (shape >= 2)
			assert_int_equal(prototype_function_of(fill->table, order) % DISTINCT,
					 prototype_function_of(fill->table, first[shape]) %
						 DISTINCT);
	}
	prototype_table_destroy(fill->table);
	for (int i = 0; i < 8; i++)
		arena_deinit(&fill->arenas[i]);
	worker_pool_destroy(pool);
	free(fill);
}

static void the_first_of_equal_prototypes_stands_for_all(void **state)
{
	(void)state;
	for (uint64_t seed = 0; seed < 4; seed++)
		check_fill(0, seed);
}

static void colliding_hashes_change_nothing(void **state)
{
	(void)state;
	check_fill(1, 0);
	check_fill(3, 5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_first_of_equal_prototypes_stands_for_all),
		cmocka_unit_test(colliding_hashes_change_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
