/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* ctest-labels: thread */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>

#include "base/worker_pool.h"
#include "dedup/class_table.h"

/* Spread like a real fingerprint; the low bits of lane a are never 0 or 1. */
static struct fingerprint key_of(uint64_t number)
{
	uint64_t x = (number + 1) * 0x9e3779b97f4a7c15;

	return (struct fingerprint){ (x ^ x >> 29) | 2, number };
}

static struct class_table *create(unsigned hash_bits)
{
	struct class_table *table;

	assert_int_equal(class_table_create(hash_bits, &table, NULL), SMELT_OK);
	return table;
}

/* Few bits for placement mean that nearly all keys collide. */
static void what_was_added_is_found(void **state)
{
	enum { COUNT = 3000 };

	(void)state;
	for (unsigned hash_bits = 0; hash_bits <= 8; hash_bits += 2) {
		struct class_table *table = create(hash_bits);
		uint32_t indices[COUNT];

		for (uint32_t i = 0; i < COUNT; i++) {
			bool is_new;

			assert_int_equal(class_table_find(table, key_of(i)), 0);
			indices[i] = class_table_add(table, key_of(i), i, &is_new);
			assert_true(is_new);
			assert_int_equal(indices[i], i + 1);
		}
		for (uint32_t i = 0; i < COUNT; i++) {
			bool is_new;

			assert_int_equal(class_table_find(table, key_of(i)), indices[i]);
			assert_int_equal(class_table_add(table, key_of(i), 0, &is_new), indices[i]);
			assert_false(is_new);
			assert_int_equal(*class_position(table, indices[i]), i);
		}
		assert_int_equal(class_table_find(table, key_of(COUNT)), 0);
		assert_int_equal(class_table_count(table), COUNT);
		class_table_destroy(table);
	}
}

static void half_equal_keys_are_different(void **state)
{
	const struct fingerprint keys[] = { { 6, 7 }, { 6, 8 }, { 10, 7 } };
	struct class_table *table = create(0);

	(void)state;
	for (uint32_t i = 0; i < 3; i++) {
		bool is_new;

		assert_int_equal(class_table_add(table, keys[i], 0, &is_new), i + 1);
		assert_true(is_new);
	}
	class_table_destroy(table);
}

static void chunks_are_found_from_the_index(void **state)
{
	uint32_t last_offset = 0;
	unsigned last_number = 0;

	(void)state;
	for (uint32_t index = 1; index < 100000; index++) {
		uint32_t offset;
		unsigned number = class_chunk_number(index, &offset);

		if (number == last_number) {
			assert_int_equal(offset, last_offset + 1);
		} else {
			assert_int_equal(number, last_number + 1);
			assert_int_equal(offset, 0);
		}
		last_number = number;
		last_offset = offset;
	}
}

enum { KEYS = 20000, ROUNDS = 8 };

struct race {
	struct class_table *table;
	uint32_t indices[ROUNDS][KEYS];
	_Atomic uint32_t added;
};

/* Every job looks up and adds all keys, each from another place on. */
static void race_job(void *argument, uint32_t job_index, struct worker *worker)
{
	struct race *race = argument;

	(void)worker;
	for (uint32_t i = 0; i < KEYS; i++) {
		uint32_t number = (i + job_index * (KEYS / ROUNDS)) % KEYS;
		uint32_t index = class_table_find(race->table, key_of(number));
		bool is_new = false;

		if (index == 0)
			index = class_table_add(race->table, key_of(number), number, &is_new);
		race->indices[job_index][number] = index;
		race->added += is_new;
	}
}

static void all_workers_agree(void **state)
{
	struct race *race = calloc(1, sizeof(*race));
	struct worker_pool *pool;

	(void)state;
	assert_non_null(race);
	race->table = create(0);
	assert_int_equal(worker_pool_create(ROUNDS, &pool, NULL), SMELT_OK);
	worker_pool_run(pool, race_job, race, ROUNDS);
	worker_pool_destroy(pool);
	assert_int_equal(race->added, KEYS);
	assert_int_equal(class_table_count(race->table), KEYS);
	for (uint32_t number = 0; number < KEYS; number++) {
		for (uint32_t round = 0; round < ROUNDS; round++)
			assert_int_equal(race->indices[round][number], race->indices[0][number]);
		assert_int_not_equal(race->indices[0][number], 0);
	}
	class_table_destroy(race->table);
	free(race);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_was_added_is_found),
		cmocka_unit_test(half_equal_keys_are_different),
		cmocka_unit_test(chunks_are_found_from_the_index),
		cmocka_unit_test(all_workers_agree),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
