/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdalign.h>
#include <string.h>

#if defined(__SANITIZE_ADDRESS__)
#define HAS_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HAS_ASAN 1
#endif
#endif
#ifdef HAS_ASAN
#include <sanitizer/asan_interface.h>
#endif

#include "base/arena.h"

/* Sizes around the block size and its multiples; 0 must give a usable address too. */
static const size_t sizes[] = {
	0, 1, 7, 8, 15, 16, 17, 100, 4096, 16 * 1024 - 1, 16 * 1024, 16 * 1024 + 1, 5 * 1024 * 1024,
};
enum { SIZE_COUNT = sizeof(sizes) / sizeof(sizes[0]) };

static void allocations_are_aligned_and_do_not_overlap(void **state)
{
	unsigned char *allocations[SIZE_COUNT];
	struct arena arena;

	(void)state;
	arena_init(&arena);
	for (size_t i = 0; i < SIZE_COUNT; i++) {
		allocations[i] = arena_alloc(&arena, sizes[i]);
		assert_non_null(allocations[i]);
		assert_int_equal((uintptr_t)allocations[i] % alignof(max_align_t), 0);
		memset(allocations[i], (int)i, sizes[i]);
	}
	for (size_t i = 0; i < SIZE_COUNT; i++) {
		for (size_t j = 0; j < sizes[i]; j++)
			assert_int_equal(allocations[i][j], i);
	}
	arena_deinit(&arena);
}

/* 100 MB in small pieces must not cost 100 MB more than that, nor a block per piece. */
static void blocks_grow_but_not_without_limit(void **state)
{
	enum { PIECE = 1000, COUNT = 100 * 1000 };
	struct arena_block *block = NULL;
	struct arena arena;
	size_t blocks = 0;

	(void)state;
	arena_init(&arena);
	for (size_t i = 0; i < COUNT; i++) {
		assert_non_null(arena_alloc(&arena, PIECE));
		blocks += arena.block != block;
		block = arena.block;
	}
	assert_in_range(blocks, 1, 100);
	assert_in_range(arena.total, (size_t)PIECE * COUNT, (size_t)PIECE * COUNT * 11 / 10);
	arena_deinit(&arena);
}

/* The second large job of a worker must find the memory of the first one, in one block. */
static void reset_settles_at_the_largest_job(void **state)
{
	struct arena_block *block;
	struct arena arena;

	(void)state;
	arena_init(&arena);
	for (size_t i = 0; i < 300; i++)
		assert_non_null(arena_alloc(&arena, 10000));
	arena_reset(&arena);
	assert_int_equal(arena.used, 0);
	block = arena.block;
	for (int job = 0; job < 3; job++) {
		for (size_t i = 0; i < 300; i++)
			assert_non_null(arena_alloc(&arena, 10000));
		assert_ptr_equal(arena.block, block);
		arena_reset(&arena);
	}
	arena_deinit(&arena);
}

static void an_empty_arena_can_be_reset_and_deinited(void **state)
{
	struct arena arena;

	(void)state;
	arena_init(&arena);
	arena_reset(&arena);
	arena_deinit(&arena);
	arena_deinit(&arena);
	arena_deinit(NULL);
}

static void impossible_sizes_are_refused(void **state)
{
	struct arena arena;

	(void)state;
	arena_init(&arena);
	assert_null(arena_alloc(&arena, SIZE_MAX));
	assert_null(arena_alloc(&arena, SIZE_MAX - 15));
	assert_null(arena_calloc(&arena, SIZE_MAX / 2, 3));
	assert_null(arena_strndup(&arena, "", SIZE_MAX));
	assert_non_null(arena_alloc(&arena, 1));
	arena_deinit(&arena);
}

static void calloc_clears_what_a_reset_left_behind(void **state)
{
	struct arena arena;
	char *bytes;

	(void)state;
	arena_init(&arena);
	memset(arena_alloc(&arena, 1000), 'x', 1000);
	arena_reset(&arena);
	bytes = arena_calloc(&arena, 100, 10);
	for (size_t i = 0; i < 1000; i++)
		assert_int_equal(bytes[i], 0);
	arena_deinit(&arena);
}

static void strndup_copies_and_terminates(void **state)
{
	struct arena arena;

	(void)state;
	arena_init(&arena);
	assert_string_equal(arena_strndup(&arena, "task_struct", 4), "task");
	assert_string_equal(arena_strndup(&arena, "task_struct", 0), "");
	arena_deinit(&arena);
}

/* What makes AddressSanitizer see bugs in arena users. */
static void unused_bytes_are_poisoned(void **state)
{
#ifdef HAS_ASAN
	struct arena arena;
	char *first;
	char *second;

	(void)state;
	arena_init(&arena);
	first = arena_alloc(&arena, 16);
	second = arena_alloc(&arena, 16);
	assert_false(__asan_address_is_poisoned(first + 15));
	assert_true(__asan_address_is_poisoned(first + 16));
	assert_true(__asan_address_is_poisoned(second + 16));
	arena_reset(&arena);
	assert_true(__asan_address_is_poisoned(first));
	assert_true(__asan_address_is_poisoned(second));
	arena_deinit(&arena);
#else
	(void)state;
	skip();
#endif
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(allocations_are_aligned_and_do_not_overlap),
		cmocka_unit_test(blocks_grow_but_not_without_limit),
		cmocka_unit_test(reset_settles_at_the_largest_job),
		cmocka_unit_test(an_empty_arena_can_be_reset_and_deinited),
		cmocka_unit_test(impossible_sizes_are_refused),
		cmocka_unit_test(calloc_clears_what_a_reset_left_behind),
		cmocka_unit_test(strndup_copies_and_terminates),
		cmocka_unit_test(unused_bytes_are_poisoned),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
