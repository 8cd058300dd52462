/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* ctest-labels: thread */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/name_table.h"
#include "base/worker_pool.h"

static struct name_table *create(const char *section, size_t size, const char *prefix)
{
	struct name_table *table = NULL;

	assert_int_equal(name_table_create(section, size, prefix, &table, NULL), SMELT_OK);
	return table;
}

static uint32_t intern(struct name_table *table, const char *text)
{
	return name_table_intern(table, text, strlen(text));
}

static uint32_t find(struct name_table *table, const char *text)
{
	return name_table_find(table, text, strlen(text));
}

/* Offsets:                      0 1    5    9    13      21 */
static const char section[] = "\0abc\0bcd\0abc\0xyzabc\0\0";

/* Linkers merge equal strings, and one that is another's tail; files they did not see have copies. */
static void equal_texts_have_one_number(void **state)
{
	struct name_table *table = create(section, sizeof(section), NULL);
	uint32_t abc = name_table_from_offset(table, 9);

	(void)state;
	assert_int_not_equal(abc, 0);
	assert_int_equal(name_table_from_offset(table, 1), abc);
	assert_int_equal(name_table_from_offset(table, 9), abc);
	assert_int_equal(name_table_from_offset(table, 16), abc); /* a tail */
	assert_int_equal(intern(table, "abc"), abc);
	assert_int_equal(find(table, "abc"), abc);
	assert_string_equal(name_table_text(table, abc), "abc");
	assert_int_not_equal(name_table_from_offset(table, 5), abc);
	assert_int_not_equal(name_table_from_offset(table, 13), abc);
	assert_int_not_equal(name_table_from_offset(table, 2), abc); /* "bc" */
	assert_string_equal(name_table_text(table, name_table_from_offset(table, 2)), "bc");
	name_table_destroy(table);
}

static void the_empty_text_is_no_name(void **state)
{
	struct name_table *table = create(section, sizeof(section), NULL);

	(void)state;
	assert_int_equal(name_table_from_offset(table, 0), 0);
	assert_int_equal(name_table_from_offset(table, 4), 0);
	assert_int_equal(name_table_from_offset(table, 20), 0);
	assert_int_equal(intern(table, ""), 0);
	assert_int_equal(find(table, ""), 0);
	assert_string_equal(name_table_text(table, 0), "");
	assert_true(name_table_is_settled(table, 0));
	name_table_destroy(table);
}

/* What follows the last NUL is no string. */
static void a_section_ends_at_its_last_nul(void **state)
{
	static const struct {
		const char *bytes;
		size_t size;
		uint32_t usable;
	} cases[] = {
		{ "", 0, 0 },        { "", 1, 1 },        { "abc", 3, 0 },     { "abc", 4, 4 },
		{ "abc\0de", 6, 4 }, { "abc\0de", 7, 7 }, { "\0\0\0x", 4, 3 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char *copy = malloc(cases[i].size + 1);
		struct name_table *table;

		assert_non_null(copy);
		memcpy(copy, cases[i].bytes, cases[i].size);
		table = create(copy, cases[i].size, NULL);
		assert_int_equal(table->section_size, cases[i].usable);
		for (uint32_t offset = 0; offset < table->section_size; offset++)
			assert_string_equal(
				name_table_text(table, name_table_from_offset(table, offset)),
				copy + offset);
		name_table_destroy(table);
		free(copy);
	}
}

/* Whichever comes first, a string of the section or the same from elsewhere. */
static void texts_from_elsewhere_equal_those_inside(void **state)
{
	struct name_table *table = create(section, sizeof(section), NULL);
	uint32_t abc = intern(table, "abc"), other = intern(table, "other");

	(void)state;
	assert_true(abc > table->section_size);
	assert_int_equal(name_table_from_offset(table, 1), abc);
	assert_int_equal(name_table_from_offset(table, 9), abc);
	assert_int_equal(intern(table, "abc"), abc);
	assert_int_equal(intern(table, "other"), other);
	assert_int_not_equal(other, abc);
	assert_string_equal(name_table_text(table, other), "other");
	name_table_destroy(table);
}

/* Only `size` bytes count, and they are copied. */
static void interned_texts_are_copies(void **state)
{
	struct name_table *table = create("", 1, NULL);
	char text[] = "abcdefghijkl";
	uint32_t first = name_table_intern(table, text, 3),
		 second = name_table_intern(table, text, 11);

	(void)state;
	memset(text, 'z', sizeof(text) - 1);
	assert_string_equal(name_table_text(table, first), "abc");
	assert_string_equal(name_table_text(table, second), "abcdefghijk");
	name_table_destroy(table);
}

static void find_never_adds(void **state)
{
	struct name_table *table = create(section, sizeof(section), NULL);

	(void)state;
	assert_int_equal(find(table, "new"), 0);
	assert_int_equal(find(table, "new"), 0);
	/* also when it is in the section, where nobody has asked for it yet */
	assert_int_equal(find(table, "xyzabc"), 0);
	assert_int_not_equal(name_table_from_offset(table, 13), 0);
	assert_int_equal(find(table, "xyzabc"), 14);
	name_table_destroy(table);
}

/* --kabi_prefix: names that start so are the prefix itself. */
static void a_prefix_stands_for_all_that_start_so(void **state)
{
	static const char kabi[] = "\0_kabi_1\0_kabi_2\0_kab\0a_kabi_\0_kabi_";
	struct name_table *table = create(kabi, sizeof(kabi), "_kabi_");
	uint32_t prefix = name_table_from_offset(table, 1);

	(void)state;
	assert_string_equal(name_table_text(table, prefix), "_kabi_");
	assert_int_equal(name_table_from_offset(table, 9), prefix);
	assert_int_equal(name_table_from_offset(table, 30), prefix); /* the prefix alone */
	assert_int_equal(name_table_from_offset(table, 23), prefix); /* a tail of a_kabi_ */
	assert_int_equal(intern(table, "_kabi_anything"), prefix);
	assert_int_not_equal(name_table_from_offset(table, 17), prefix);
	assert_string_equal(name_table_text(table, name_table_from_offset(table, 17)), "_kab");
	assert_string_equal(name_table_text(table, name_table_from_offset(table, 22)), "a_kabi_");
	name_table_destroy(table);
}

static void settling_gives_the_number_of_the_text(void **state)
{
	struct name_table *table = create(section, sizeof(section), NULL);
	uint32_t other = intern(table, "other");

	(void)state;
	assert_false(name_table_is_settled(table, 2));
	assert_false(name_table_is_settled(table, 10));
	assert_true(name_table_is_settled(table, other));
	assert_int_equal(name_table_settle(table, other), other);
	assert_int_equal(name_table_settle(table, 0), 0);
	assert_int_equal(name_table_settle(table, 1), 0); /* offset 0: the empty text */
	assert_int_equal(name_table_settle(table, 10), 10);
	assert_int_equal(name_table_settle(table, 2), 10);
	assert_true(name_table_is_settled(table, 10));
	assert_false(name_table_is_settled(table, 2)); /* never: it is not its text's number */
	name_table_destroy(table);
}

static void check_bijection(const struct name_table *table, const uint32_t *names, size_t count)
{
	uint32_t dense = name_table_dense_count(table);
	uint8_t *seen = calloc(dense, 1);

	assert_non_null(seen);
	assert_int_equal(dense, count + 1);
	assert_int_equal(name_table_dense_index(table, 0), 0);
	seen[0] = 1;
	for (size_t i = 0; i < count; i++) {
		uint32_t index = name_table_dense_index(table, names[i]);

		assert_true(index < dense);
		assert_false(seen[index]);
		seen[index] = 1;
	}
	free(seen);
}

/* 5000 strings of the section, of which every third is looked at, and as many from elsewhere. */
static void dense_indices_are_a_bijection(void **state)
{
	enum { COUNT = 5000 };
	static char bytes[COUNT * 8 + 1];
	static uint32_t names[COUNT + COUNT];
	struct name_table *table;
	size_t size = 1, count = 0;
	char text[16];

	(void)state;
	for (unsigned i = 0; i < COUNT; i++)
		size += (size_t)sprintf(bytes + size, "n%u", i) + 1;
	table = create(bytes, size, NULL);
	size = 1;
	for (unsigned i = 0; i < COUNT; i++) {
		if (i % 3 == 0)
			names[count++] = name_table_from_offset(table, (uint32_t)size);
		size += strlen(bytes + size) + 1;
	}
	for (unsigned i = 0; i < COUNT / 2; i++) {
		sprintf(text, "x%u", i);
		names[count++] = intern(table, text);
	}
	name_table_freeze(table);
	check_bijection(table, names, count);
	/* Later ones come after. */
	for (unsigned i = COUNT / 2; i < COUNT; i++) {
		sprintf(text, "x%u", i);
		names[count++] = intern(table, text);
	}
	check_bijection(table, names, count);
	for (size_t i = 0; i < count; i++)
		assert_int_equal(intern(table, name_table_text(table, names[i])), names[i]);
	name_table_destroy(table);
}

/* Many workers ask for the same texts under different offsets, and from elsewhere, in different orders. */
enum { WORKERS = 8, JOBS = 64, TEXTS = 1500, COPIES = 4, TEXT_BYTES = 8 };

struct race {
	struct name_table *table;
	const char *section;
	uint32_t (*names)[TEXTS]; /* by job */
};

static void ask_job(void *argument, uint32_t job, struct worker *worker)
{
	const struct race *race = argument;

	(void)worker;
	for (uint32_t i = 0; i < TEXTS; i++) {
		uint32_t text = (i * 7 + job * 131) % TEXTS;
		uint32_t offset = ((job + i) % COPIES * TEXTS + text) * TEXT_BYTES;
		uint32_t name;

		if ((job + i) % 5 == 0)
			name = intern(race->table, race->section + offset);
		else if ((job + i) % 5 == 1)
			name = name_table_settle(race->table, offset + 1);
		else
			name = name_table_from_offset(race->table, offset);
		race->names[job][text] = name;
		if (strcmp(name_table_text(race->table, name), race->section + offset) != 0)
			race->names[job][text] = UINT32_MAX;
	}
}

static void workers_agree_on_numbers(void **state)
{
	char *bytes = calloc(COPIES * TEXTS, TEXT_BYTES);
	uint32_t(*names)[TEXTS] = calloc(JOBS, sizeof(*names));
	struct worker_pool *pool;

	(void)state;
	assert_non_null(bytes);
	assert_non_null(names);
	for (unsigned i = 0; i < COPIES * TEXTS; i++)
		sprintf(bytes + (size_t)i * TEXT_BYTES, "t%u", i % TEXTS);
	assert_int_equal(worker_pool_create(WORKERS, &pool, NULL), SMELT_OK);
	for (uint64_t seed = 0; seed < 4; seed++) {
		struct race race = { .section = bytes, .names = names };

		race.table = create(bytes, (size_t)COPIES * TEXTS * TEXT_BYTES, NULL);
		worker_pool_set_shuffle(pool, seed);
		worker_pool_run(pool, ask_job, &race, JOBS);
		for (uint32_t text = 0; text < TEXTS; text++) {
			assert_int_not_equal(names[0][text], UINT32_MAX);
			for (uint32_t job = 1; job < JOBS; job++)
				assert_int_equal(names[job][text], names[0][text]);
		}
		name_table_freeze(race.table);
		check_bijection(race.table, names[0], TEXTS);
		name_table_destroy(race.table);
	}
	worker_pool_destroy(pool);
	free(names);
	free(bytes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(equal_texts_have_one_number),
		cmocka_unit_test(the_empty_text_is_no_name),
		cmocka_unit_test(a_section_ends_at_its_last_nul),
		cmocka_unit_test(texts_from_elsewhere_equal_those_inside),
		cmocka_unit_test(interned_texts_are_copies),
		cmocka_unit_test(find_never_adds),
		cmocka_unit_test(a_prefix_stands_for_all_that_start_so),
		cmocka_unit_test(settling_gives_the_number_of_the_text),
		cmocka_unit_test(dense_indices_are_a_bijection),
		cmocka_unit_test(workers_agree_on_numbers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
