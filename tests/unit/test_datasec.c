/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>

#include "encode/datasec.h"

static void entries_are_sorted_by_offset(void **state)
{
	static const uint32_t counts[] = { 0, 1, 2, 31, 32, 33, 500, 70000 };

	(void)state;
	for (size_t c = 0; c < sizeof(counts) / sizeof(counts[0]); c++) {
		uint32_t count = counts[c];
		struct datasec_entry *entries = malloc((count + 1) * sizeof(*entries));
		struct datasec_entry *spare = malloc((count + 1) * sizeof(*entries));

		for (uint32_t i = 0; i < count; i++)
			entries[i] = (struct datasec_entry){
				.variable_id = i + 1,
				.offset = i * 2654435761u % 1009 << (i % 3 * 8),
				.size = i,
			};
		datasec_sort(entries, spare, count);
		for (uint32_t i = 0; i < count; i++) {
			uint32_t id = entries[i].variable_id;

			assert_int_equal(entries[i].size, id - 1);
			assert_int_equal(entries[i].offset,
					 (id - 1) * 2654435761u % 1009 << ((id - 1) % 3 * 8));
			if (i == 0)
				continue;
			assert_true(entries[i - 1].offset <= entries[i].offset);
			/* Equal offsets: in the order of variables. */
			if (entries[i - 1].offset == entries[i].offset)
				assert_true(entries[i - 1].variable_id < id);
		}
		free(spare);
		free(entries);
	}
}

/* A large variable that overlaps a later, small one (seen with several inputs) does not count. */
static void size_is_the_end_of_the_last_entry(void **state)
{
	static const struct datasec_entry entries[] = {
		{ .offset = 0, .size = 256 },
		{ .offset = 16, .size = 8 },
		{ .offset = 60, .size = 4 },
	};

	(void)state;
	assert_int_equal(datasec_byte_size(entries, 0), 0);
	assert_int_equal(datasec_byte_size(entries, 1), 256);
	assert_int_equal(datasec_byte_size(entries, 2), 24);
	assert_int_equal(datasec_byte_size(entries, 3), 64);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(entries_are_sorted_by_offset),
		cmocka_unit_test(size_is_the_end_of_the_last_entry),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
