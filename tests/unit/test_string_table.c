/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "btf/string_table.h"

/* Letters as names: each share is a text, each letter in it a use. */
struct fixture {
	struct name_table *names;
	uint32_t letters[256];
};

static int set_up(void **state)
{
	struct fixture *fixture = calloc(1, sizeof(*fixture));

	*state = fixture;
	if (name_table_create("a\0bee", 6, NULL, &fixture->names, NULL))
		return 1;
	for (int letter = 'a'; letter <= 'z'; letter++) {
		char text[] = { (char)letter, '\0', '\0' };

		if (letter == 'l')
			text[1] = 'l'; /* not all of one size */
		fixture->letters[letter] = name_table_intern(fixture->names, text, strlen(text));
	}
	name_table_freeze(fixture->names);
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *fixture = *state;

	name_table_destroy(fixture->names);
	free(fixture);
	return 0;
}

enum { SHARES_MAX = 4 };

/* Uses the shares in the given order (which must not matter), returns the section. */
static uint8_t *build(const struct fixture *fixture, struct string_table *table,
		      const char *const *uses, uint32_t share_count, const uint32_t *order,
		      uint32_t origin)
{
	struct string_share shares[SHARES_MAX];
	uint32_t position = 0;
	uint8_t *section;

	assert_int_equal(string_table_init(table, fixture->names, NULL, origin, NULL), SMELT_OK);
	for (uint32_t i = 0; i < share_count; i++) {
		string_share_init(&shares[i], position);
		position += (uint32_t)strlen(uses[i]) + 5; /* gaps are allowed */
	}
	for (uint32_t i = 0; i < share_count; i++) {
		for (const char *use = uses[order[i]]; *use; use++)
			string_share_use(&shares[order[i]], table,
					 fixture->letters[(unsigned char)*use]);
	}
	for (uint32_t i = share_count; i-- > 0;)
		string_share_settle(&shares[i], table);
	assert_int_equal(string_table_place(table, shares, share_count, NULL), SMELT_OK);
	section = calloc(string_table_bytes(table) + 1, 1);
	for (uint32_t i = share_count; i-- > 0;) {
		string_share_write(&shares[i], table, section);
		string_share_deinit(&shares[i]);
	}
	return section;
}

static void strings_are_in_the_order_of_first_use(void **state)
{
	static const struct {
		const char *uses[3];
		const char *section; /* spaces for NULs */
	} cases[] = {
		{ { "ab", "cd", "e" }, " a b c d e " },
		{ { "ba", "ab", "ba" }, " b a " },
		{ { "aa", "a", "ab" }, " a b " },
		{ { "", "zlz", "lz" }, " z ll " },
		{ { "xyz", "", "axbycz" }, " x y z a b c " },
		{ { "", "", "" }, " " },
		{ { "a#b", "#", "#c" }, " a b c " }, /* '#': no name, no use */
	};
	static const uint32_t orders[][3] = { { 0, 1, 2 }, { 2, 1, 0 }, { 1, 2, 0 } };

	for (size_t c = 0; c < sizeof(cases) / sizeof(cases[0]); c++) {
		for (size_t o = 0; o < sizeof(orders) / sizeof(orders[0]); o++) {
			struct string_table table;
			uint8_t *section = build(*state, &table, cases[c].uses, 3, orders[o], 0);

			assert_int_equal(string_table_bytes(&table), strlen(cases[c].section));
			for (uint32_t i = 0; i < string_table_bytes(&table); i++)
				assert_int_equal(section[i], cases[c].section[i] == ' ' ?
								     '\0' :
								     cases[c].section[i]);
			free(section);
			string_table_deinit(&table);
		}
	}
}

static void offsets_say_where_texts_are(void **state)
{
	static const char *const uses[] = { "lxa", "yl" };
	static const uint32_t order[] = { 1, 0 };
	const struct fixture *fixture = *state;
	struct string_table table;
	uint8_t *section = build(fixture, &table, uses, 2, order, 0);

	assert_int_equal(string_table_offset(&table, 0), 0);
	assert_int_equal(string_table_offset(&table, fixture->letters['l']), 1);
	assert_int_equal(string_table_offset(&table, fixture->letters['x']), 4);
	assert_int_equal(string_table_offset(&table, fixture->letters['a']), 6);
	assert_int_equal(string_table_offset(&table, fixture->letters['y']), 8);
	assert_string_equal((const char *)section + 1, "ll");
	free(section);
	string_table_deinit(&table);
}

/* Offsets of split BTF go on where those of its base end, and there is no empty string at the start. */
static void a_section_can_extend_another(void **state)
{
	static const char *const uses[] = { "ba" };
	static const uint32_t order[] = { 0 };
	const struct fixture *fixture = *state;
	struct string_table table;
	uint8_t *section = build(fixture, &table, uses, 1, order, 100);

	assert_int_equal(string_table_bytes(&table), 4);
	assert_memory_equal(section, "b\0a\0", 4);
	assert_int_equal(string_table_offset(&table, fixture->letters['b']), 100);
	assert_int_equal(string_table_offset(&table, fixture->letters['a']), 102);
	free(section);
	string_table_deinit(&table);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(strings_are_in_the_order_of_first_use, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(offsets_say_where_texts_are, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_section_can_extend_another, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
