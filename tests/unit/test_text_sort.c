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

#include "base/text_sort.h"

static int compare_texts(const void *a, const void *b)
{
	const struct text_key *x = a;
	const struct text_key *y = b;
	int order = strcmp(x->text, y->text);

	/* value is the place before: what stable means. */
	return order ? order : (x->value > y->value) - (x->value < y->value);
}

static void assert_sorts(struct text_key *keys, uint32_t count, struct worker_pool *pool)
{
	struct text_key *expected = malloc((count + 1) * sizeof(*expected));

	for (uint32_t i = 0; i < count; i++) {
		keys[i].size = (uint32_t)strlen(keys[i].text);
		keys[i].value = i;
	}
	memcpy(expected, keys, count * sizeof(*keys));
	qsort(expected, count, sizeof(*expected), compare_texts);
	assert_true(pool ? text_sort_parallel(keys, count, pool) : text_sort(keys, count));
	for (uint32_t i = 0; i < count; i++)
		assert_int_equal(keys[i].value, expected[i].value);
	free(expected);
}

static void texts_sort_by_byte_order(void **state)
{
	static const char *const texts[] = {
		"b",
		"a",
		"",
		"ab",
		"aa",
		"a.b",
		"a_b",
		"\xc3\xa4",
		"z",
		"abcdefgh",
		"abcdefg",
		"abcdefghi",
		"",
		"abcdefgh",
		"abcdefghijklmnop",
		"abcdefghijklmnopq",
		"abcdefghijklmnoo",
		"\x7f",
		"\x80",
	};
	enum { COUNT = sizeof(texts) / sizeof(texts[0]) };
	struct text_key keys[COUNT];

	(void)state;
	for (uint32_t i = 0; i < COUNT; i++)
		keys[i].text = texts[i];
	assert_sorts(keys, COUNT, NULL);
	assert_true(text_sort(keys, 0));
}

/* Pseudo-random names: few letters and common starts, so that ties of every length occur. */
static void make_texts(char (*texts)[40], uint32_t count, uint64_t seed)
{
	static const char *const starts[] = { "", "__x64_sys_", "__pfx___x64_sys_", "a", "_" };

	for (uint32_t i = 0; i < count; i++) {
		size_t size;

		seed = seed * 6364136223846793005u + 1442695040888963407u;
		size = (size_t)snprintf(texts[i], sizeof(texts[i]), "%s", starts[seed >> 40 & 3]);
		for (unsigned k = 0; k < (seed >> 60 & 15); k++)
			texts[i][size++] = "abz"[(seed >> (3 * k)) % 3];
		texts[i][size] = '\0';
	}
}

static void many_texts_sort_like_comparing_each(void **state)
{
	static const uint32_t counts[] = { 2, 47, 48, 49, 300, 20000 };

	(void)state;
	for (size_t c = 0; c < sizeof(counts) / sizeof(counts[0]); c++) {
		char(*texts)[40] = malloc(counts[c] * sizeof(*texts));
		struct text_key *keys = malloc(counts[c] * sizeof(*keys));

		make_texts(texts, counts[c], c);
		for (uint32_t i = 0; i < counts[c]; i++)
			keys[i].text = texts[i];
		assert_sorts(keys, counts[c], NULL);
		free(keys);
		free(texts);
	}
}

static void workers_change_nothing(void **state)
{
	enum { COUNT = 50000 };
	char(*texts)[40] = malloc(COUNT * sizeof(*texts));
	struct text_key *keys = malloc(COUNT * sizeof(*keys));
	struct worker_pool *pool;

	(void)state;
	assert_int_equal(worker_pool_create(4, &pool, NULL), SMELT_OK);
	make_texts(texts, COUNT, 7);
	for (uint32_t seed = 0; seed < 3; seed++) {
		worker_pool_set_shuffle(pool, seed);
		for (uint32_t i = 0; i < COUNT; i++)
			keys[i].text = texts[i];
		assert_sorts(keys, COUNT, pool);
	}
	/* All equal: one bucket gets everything. */
	for (uint32_t i = 0; i < COUNT; i++)
		keys[i].text = "the same long text for all of them";
	assert_sorts(keys, COUNT, pool);
	worker_pool_destroy(pool);
	free(keys);
	free(texts);
}

/* Long common starts must not end up on the stack. */
static void long_equal_texts_are_no_problem(void **state)
{
	enum { COUNT = 200, SIZE = 200000 };
	char *text = malloc(SIZE + 1);
	struct text_key keys[COUNT];

	(void)state;
	memset(text, 'x', SIZE);
	text[SIZE] = '\0';
	for (uint32_t i = 0; i < COUNT; i++)
		keys[i].text = text + i % 3;
	assert_sorts(keys, COUNT, NULL);
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(texts_sort_by_byte_order),
		cmocka_unit_test(many_texts_sort_like_comparing_each),
		cmocka_unit_test(workers_change_nothing),
		cmocka_unit_test(long_equal_texts_are_no_problem),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
