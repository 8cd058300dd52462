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

#include "base/text_index.h"

static struct arena arena;

/* Valid until the next call. */
static struct text_index *create(const struct text_section *sections, uint32_t count,
				 unsigned hash_bits, unsigned workers)
{
	struct text_index *index;
	struct worker_pool *pool;

	assert_int_equal(worker_pool_create(workers, &pool, NULL), SMELT_OK);
	arena_reset(&arena);
	assert_int_equal(text_index_create(sections, count, hash_bits, pool, &arena, &index, NULL),
			 SMELT_OK);
	worker_pool_destroy(pool);
	return index;
}

static uint32_t find(const struct text_index *index, const char *text)
{
	return text_index_find(index, text, strlen(text));
}

static void texts_are_found_by_content(void **state)
{
	static const char bytes[] = "\0int\0unsigned int\0a\0ab\0abcdefg\0abcdefgh\0unsigned int";
	const struct text_section section = { bytes, sizeof(bytes), 0 };
	struct text_index *index = create(&section, 1, 0, 1);

	(void)state;
	assert_int_equal(find(index, ""), 0);
	assert_int_equal(find(index, "int"), 1);
	assert_int_equal(find(index, "unsigned int"), 5);
	assert_int_equal(find(index, "a"), 18);
	assert_int_equal(find(index, "ab"), 20);
	assert_int_equal(find(index, "abcdefg"), 23);
	assert_int_equal(find(index, "abcdefgh"), 31);
	assert_string_equal(text_index_text(index, 31), "abcdefgh");
	/* A part that is no text of its own. */
	assert_int_equal(find(index, "abc"), TEXT_INDEX_NONE);
	assert_int_equal(find(index, "signed int"), TEXT_INDEX_NONE);
	assert_int_equal(find(index, "abcdefghi"), TEXT_INDEX_NONE);
	/* Only so many bytes count. */
	assert_int_equal(text_index_find(index, "intent", 3), 1);
}

static void bytes_behind_the_last_text_do_not_count(void **state)
{
	const struct text_section section = { "a\0bc", 4, 0 };
	struct text_index *index = create(&section, 1, 0, 1);

	(void)state;
	assert_int_equal(find(index, "a"), 0);
	assert_int_equal(find(index, "bc"), TEXT_INDEX_NONE);
}

static void nothing_is_in_an_empty_section(void **state)
{
	const struct text_section section = { "", 0, 0 };
	struct text_index *index = create(&section, 1, 0, 4);

	(void)state;
	assert_int_equal(find(index, ""), TEXT_INDEX_NONE);
	assert_int_equal(find(index, "a"), TEXT_INDEX_NONE);
}

static void sections_continue_each_other(void **state)
{
	const struct text_section sections[] = { { "\0one\0two", 9, 0 }, { "three\0two", 10, 9 } };
	struct text_index *index = create(sections, 2, 0, 1);

	(void)state;
	assert_int_equal(find(index, "two"), 5);
	assert_int_equal(find(index, "three"), 9);
	assert_string_equal(text_index_text(index, 1), "one");
	assert_string_equal(text_index_text(index, 15), "two");
}

/* Many texts, most of them twice, over several jobs' stretches: the lower offset counts. */
static void workers_leave_the_lowest_offset(void **state)
{
	enum { TEXTS = 40000, DISTINCT = 25000 };
	char *bytes = malloc((size_t)TEXTS * 12);
	uint32_t *offsets = malloc(TEXTS * sizeof(*offsets));
	uint32_t size = 0;
	struct text_section section;

	(void)state;
	assert_non_null(bytes);
	assert_non_null(offsets);
	for (uint32_t i = 0; i < TEXTS; i++) {
		offsets[i] = size;
		size += (uint32_t)sprintf(bytes + size, "text%u", (unsigned)(i % DISTINCT)) + 1;
	}
	section = (struct text_section){ bytes, size, 0 };
	for (unsigned workers = 1; workers <= 8; workers += 7) {
		struct text_index *index = create(&section, 1, workers == 1 ? 0 : 16, workers);

		for (uint32_t i = 0; i < TEXTS; i++)
			assert_int_equal(find(index, bytes + offsets[i]), offsets[i % DISTINCT]);
	}
	free(bytes);
	free(offsets);
}

static void texts_may_have_one_hash(void **state)
{
	static const char bytes[] = "a\0b\0c\0aa\0bb\0cc\0a\0cc";
	const struct text_section section = { bytes, sizeof(bytes), 100 };
	struct text_index *index = create(&section, 1, 1, 1);

	(void)state;
	assert_int_equal(find(index, "c"), 104);
	assert_int_equal(find(index, "a"), 100);
	assert_int_equal(find(index, "cc"), 112);
	assert_int_equal(find(index, "dd"), TEXT_INDEX_NONE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(texts_are_found_by_content),
		cmocka_unit_test(bytes_behind_the_last_text_do_not_count),
		cmocka_unit_test(nothing_is_in_an_empty_section),
		cmocka_unit_test(sections_continue_each_other),
		cmocka_unit_test(workers_leave_the_lowest_offset),
		cmocka_unit_test(texts_may_have_one_hash),
	};

	int result;

	arena_init(&arena);
	result = cmocka_run_group_tests(tests, NULL, NULL);
	arena_deinit(&arena);
	return result;
}
