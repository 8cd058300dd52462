/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>

#include "encode/section_map.h"

/* What the map stands for. */
static uint32_t find_slowly(const struct section_range *sections, uint32_t count, uint64_t address)
{
	for (uint32_t i = 0; i < count; i++) {
		if (address >= sections[i].start && address - sections[i].start < sections[i].size)
			return sections[i].section;
	}
	return 0;
}

static void the_lowest_index_has_the_address(void **state)
{
	static const struct section_range sections[] = {
		{ 100, 50, 1 }, { 140, 20, 2 }, /* overlaps 1 */
		{ 160, 0, 3 },                  /* empty */
		{ 160, 10, 4 },                 /* right behind 2 */
		{ 90, 200, 5 },                 /* around all of them */
		{ 100, 50, 6 },                 /* the same as 1 */
		{ 0, 10, 7 },   { UINT64_MAX - 9, 10, 8 },
	};
	enum { COUNT = sizeof(sections) / sizeof(sections[0]) };
	struct section_map map;

	(void)state;
	assert_true(section_map_init(&map, sections, COUNT));
	for (uint64_t address = 0; address < 400; address++)
		assert_int_equal(section_map_find(&map, address),
				 find_slowly(sections, COUNT, address));
	assert_int_equal(section_map_find(&map, UINT64_MAX - 10), 0);
	assert_int_equal(section_map_find(&map, UINT64_MAX - 9), 8);
	section_map_deinit(&map);
}

static void random_sections_behave_alike(void **state)
{
	uint64_t seed = 1;

	(void)state;
	for (int round = 0; round < 200; round++) {
		struct section_range sections[40];
		uint32_t count = (uint32_t)round % 40;
		struct section_map map;

		for (uint32_t i = 0; i < count; i++) {
			seed = seed * 6364136223846793005u + 1442695040888963407u;
			sections[i] = (struct section_range){ seed >> 56, seed >> 48 & 63, i + 1 };
		}
		assert_true(section_map_init(&map, sections, count));
		for (uint64_t address = 0; address < 330; address++)
			assert_int_equal(section_map_find(&map, address),
					 find_slowly(sections, count, address));
		section_map_deinit(&map);
	}
}

/* As many sections as a kernel built with -fdata-sections, each over all before it. */
static void nested_sections_take_no_quadratic_time(void **state)
{
	enum { COUNT = 65000 };
	struct section_range *sections = malloc(COUNT * sizeof(*sections));
	struct section_map map;

	(void)state;
	for (uint32_t i = 0; i < COUNT; i++)
		sections[i] = (struct section_range){ COUNT - i, 2 * i + 1, i + 1 };
	assert_true(section_map_init(&map, sections, COUNT));
	assert_int_equal(section_map_find(&map, COUNT), 1);
	assert_int_equal(section_map_find(&map, 1), COUNT);
	assert_int_equal(section_map_find(&map, COUNT + 5), 6);
	section_map_deinit(&map);
	free(sections);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_lowest_index_has_the_address),
		cmocka_unit_test(random_sections_behave_alike),
		cmocka_unit_test(nested_sections_take_no_quadratic_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
