/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>

#include "base/key_map.h"
#include "encode/tag_list.h"

static void keys_are_found_again(void **state)
{
	struct key_map map = { 0 };
	bool is_new;

	(void)state;
	assert_int_equal(key_map_find(&map, (struct map_key){ 1, 2, 3 }), UINT32_MAX);
	for (uint32_t i = 0; i < 5000; i++) {
		struct map_key key = { i % 10, i / 10 % 10, i / 100 };

		assert_int_equal(key_map_add(&map, key, i, &is_new), i);
		assert_true(is_new);
		assert_int_equal(key_map_add(&map, key, i + 1, &is_new), i);
		assert_false(is_new);
	}
	assert_int_equal(map.count, 5000);
	for (uint32_t i = 0; i < 5000; i++)
		assert_int_equal(
			key_map_find(&map, (struct map_key){ i % 10, i / 10 % 10, i / 100 }), i);
	assert_int_equal(key_map_find(&map, (struct map_key){ 0, 0, 50 }), UINT32_MAX);
	key_map_deinit(&map);
}

enum { EMPTY, X, Y };

static void each_tag_counts_once_and_empty_ones_never(void **state)
{
	static const struct decl_tag first[] = { { X, -1 }, { EMPTY, -1 }, { Y, 0 }, { X, -1 } };
	static const struct decl_tag second[] = { { Y, 0 }, { Y, -1 }, { EMPTY, 1 } };
	static const struct decl_tag expected[] = { { X, -1 }, { Y, 0 }, { Y, -1 } };
	struct issue_log issues = { 0 };
	struct arena arena;
	struct tag_list *list;

	(void)state;
	arena_init(&arena);
	list = tag_list_create(&arena, 7);
	assert_true(tag_list_add(list, first, 4, 77, &issues));
	assert_true(tag_list_add(list, second, 3, 88, &issues));
	assert_int_equal(list->count, 3);
	for (uint32_t i = 0; i < 3; i++) {
		assert_int_equal(list->tags[i].value, expected[i].value);
		assert_int_equal(list->tags[i].component, expected[i].component);
	}
	assert_int_equal(issues.issues[ISSUE_TAG_EMPTY].count, 2);
	assert_int_equal(issues.issues[ISSUE_TAG_EMPTY].first_name, 77);
	arena_deinit(&arena);
}

static void long_lists_behave_like_short_ones(void **state)
{
	enum { COUNT = 20000, DISTINCT = 300 };
	struct decl_tag *tags = malloc(COUNT * sizeof(*tags));
	struct issue_log issues = { 0 };
	struct arena arena;
	struct tag_list *list;

	(void)state;
	arena_init(&arena);
	for (uint32_t i = 0; i < COUNT; i++)
		tags[i] =
			(struct decl_tag){ 1 + i % DISTINCT % 100, (int32_t)(i % DISTINCT / 100) };
	list = tag_list_create(&arena, COUNT);
	assert_true(tag_list_add(list, tags, 10, 0, &issues));
	assert_true(tag_list_add(list, tags + 10, COUNT - 10, 0, &issues));
	assert_int_equal(list->count, DISTINCT);
	for (uint32_t i = 0; i < DISTINCT; i++) {
		assert_int_equal(list->tags[i].value, tags[i].value);
		assert_int_equal(list->tags[i].component, tags[i].component);
	}
	arena_deinit(&arena);
	free(tags);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(keys_are_found_again),
		cmocka_unit_test(each_tag_counts_once_and_empty_ones_never),
		cmocka_unit_test(long_lists_behave_like_short_ones),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
