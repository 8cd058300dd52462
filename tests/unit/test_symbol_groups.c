/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "load/symbol_groups.h"
#include "support/elf_builder.h"

/* Symbols in table order. */
struct test_symbol {
	const char *name;
	uint64_t address;
	bool is_no_function;
};

static bool get_test_symbol(const void *symbols, uint32_t index, struct function_symbol *symbol)
{
	const struct test_symbol *test = &((const struct test_symbol *)symbols)[index];

	symbol->name = test->name;
	symbol->address = test->address;
	return !test->is_no_function;
}

struct fixture {
	struct worker_pool *pool;
	struct name_table *names;
};

static int set_up(void **state)
{
	struct fixture *fixture = calloc(1, sizeof(*fixture));

	*state = fixture;
	return worker_pool_create(2, &fixture->pool, NULL) ||
	       name_table_create("", 1, NULL, &fixture->names, NULL);
}

static int tear_down(void **state)
{
	struct fixture *fixture = *state;

	name_table_destroy(fixture->names);
	worker_pool_destroy(fixture->pool);
	free(fixture);
	return 0;
}

static struct symbol_groups *make_groups(const struct fixture *fixture,
					 const struct test_symbol *symbols, uint32_t count)
{
	const struct symbol_source source = {
		.symbols = symbols,
		.count = count,
		.get = get_test_symbol,
		.text_limit = UINT64_MAX,
	};
	struct symbol_groups *groups = NULL;

	assert_int_equal(
		symbol_groups_create_from(&source, fixture->names, fixture->pool, &groups, NULL),
		SMELT_OK);
	return groups;
}

static uint32_t find(const struct fixture *fixture, const struct symbol_groups *groups,
		     const char *text)
{
	uint32_t name = name_table_intern(fixture->names, text, strlen(text));
	uint32_t found = 0;

	symbol_groups_find(groups, &name, 1, &found);
	assert_int_equal(found, symbol_groups_find_text(groups, text, strlen(text)));
	if (found != UINT32_MAX)
		assert_int_equal(groups->groups[found].name, name);
	return found;
}

static void suffixes_do_not_make_a_group(void **state)
{
	static const struct test_symbol symbols[] = {
		{ .name = "foo" },
		{ .name = "bar.isra.0" },
		{ .name = "foo.cold" },
		{ .name = "foo.constprop.0.isra.1" },
		{ .name = "bar.part.0" },
		{ .name = "data", .is_no_function = true },
		{ .name = "foo.llvm.4711" },
		{ .name = "baz.isra.0.cold" },
		{ .name = "fo" },
	};
	struct symbol_groups *groups =
		make_groups(*state, symbols, sizeof(symbols) / sizeof(symbols[0]));
	const struct symbol_group *foo;
	const struct symbol_group *bar;

	assert_int_equal(groups->group_count, 3);
	assert_int_equal(groups->symbol_count, 5);
	foo = &groups->groups[find(*state, groups, "foo")];
	bar = &groups->groups[find(*state, groups, "bar")];
	assert_int_equal(foo->key_size, 3);
	assert_int_equal(foo->symbol_count, 3);
	assert_string_equal(groups->symbols[foo->first_symbol].name, "foo");
	assert_false(groups->symbols[foo->first_symbol].has_suffix);
	assert_string_equal(groups->symbols[foo->first_symbol + 1].name, "foo.constprop.0.isra.1");
	assert_true(groups->symbols[foo->first_symbol + 1].is_optimized);
	assert_true(groups->symbols[foo->first_symbol + 2].has_suffix);
	assert_false(groups->symbols[foo->first_symbol + 2].is_optimized);
	assert_int_equal(bar->symbol_count, 1);
	assert_true(groups->symbols[bar->first_symbol].is_optimized);
	symbol_groups_destroy(groups);
}

static void only_whole_keys_are_found(void **state)
{
	static const struct test_symbol symbols[] = {
		{ .name = "foo" },
		{ .name = "foo_bar" },
		{ .name = "bar.isra.0" },
	};
	static const char *const unknown[] = {
		"fo", "foo_", "bar.isra.0", "bar.", "", "data", "x"
	};
	struct symbol_groups *groups =
		make_groups(*state, symbols, sizeof(symbols) / sizeof(symbols[0]));

	for (int round = 0; round < 2; round++) {
		assert_string_equal(symbol_group_key(groups, find(*state, groups, "foo")), "foo");
		assert_string_equal(symbol_group_key(groups, find(*state, groups, "foo_bar")),
				    "foo_bar");
		for (size_t i = 0; i < sizeof(unknown) / sizeof(unknown[0]); i++)
			assert_int_equal(find(*state, groups, unknown[i]), UINT32_MAX);
	}
	symbol_groups_destroy(groups);
}

static void no_function_means_no_group(void **state)
{
	static const struct test_symbol symbols[] = { { .name = "x", .is_no_function = true } };
	struct symbol_groups *groups = make_groups(*state, symbols, 1);

	assert_int_equal(groups->group_count, 0);
	assert_int_equal(find(*state, groups, "x"), UINT32_MAX);
	symbol_groups_destroy(groups);
}

/* The rules of encoding are the incumbent's, its oversights included. */
static void ambiguity_follows_the_table(void **state)
{
	static const struct {
		uint64_t addresses[4];
		uint32_t count;
		bool is_ambiguous;
	} cases[] = {
		{ { 1 }, 1, false },          { { 1, 1 }, 2, false },
		{ { 1, 2 }, 2, true },        { { 0, 2 }, 2, false }, /* a zero before... */
		{ { 0, 0, 2, 2 }, 4, false }, { { 0, 2, 3 }, 3, true },
		{ { 2, 0 }, 2, true },        { { 0, 0 }, 2, false }, /* ...not one after */
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct test_symbol symbols[5];
		struct symbol_groups *groups;

		for (uint32_t k = 0; k < cases[i].count; k++)
			symbols[k] = (struct test_symbol){ .name = "f",
							   .address = cases[i].addresses[k] };
		symbols[cases[i].count] = (struct test_symbol){ .name = "z", .address = 9 };
		groups = make_groups(*state, symbols, cases[i].count + 1);
		assert_int_equal(groups->groups[find(*state, groups, "f")].is_ambiguous,
				 cases[i].is_ambiguous);
		symbol_groups_destroy(groups);
	}
}

static void the_last_name_is_never_ambiguous(void **state)
{
	static const struct test_symbol symbols[] = {
		{ .name = "zz.b", .address = 1 }, { .name = "a", .address = 1 },
		{ .name = "zz", .address = 2 },   { .name = "a", .address = 2 },
		{ .name = "z", .address = 1 },    { .name = "z", .address = 2 },
	};
	struct symbol_groups *groups =
		make_groups(*state, symbols, sizeof(symbols) / sizeof(symbols[0]));

	assert_true(groups->groups[find(*state, groups, "a")].is_ambiguous);
	assert_true(groups->groups[find(*state, groups, "z")].is_ambiguous);
	assert_false(groups->groups[find(*state, groups, "zz")].is_ambiguous);
	symbol_groups_destroy(groups);
}

/* More symbols than one job reads, names that come back in each of them. */
static void groups_keep_the_order_of_the_table(void **state)
{
	enum { COUNT = 50000, NAMES = 999 };
	struct test_symbol *symbols = malloc(COUNT * sizeof(*symbols));
	char(*texts)[16] = malloc(NAMES * sizeof(*texts));
	struct symbol_groups *groups;

	for (uint32_t i = 0; i < NAMES; i++)
		(void)snprintf(texts[i], sizeof(texts[i]), "name_%u", i);
	for (uint32_t i = 0; i < COUNT; i++)
		symbols[i] = (struct test_symbol){ .name = texts[i % NAMES], .address = i };
	groups = make_groups(*state, symbols, COUNT);
	assert_int_equal(groups->group_count, NAMES);
	assert_int_equal(groups->symbol_count, COUNT);
	for (uint32_t i = 0; i < NAMES; i++) {
		const struct symbol_group *group = &groups->groups[find(*state, groups, texts[i])];

		assert_int_equal(group->symbol_count, (COUNT - i + NAMES - 1) / NAMES);
		for (uint32_t k = 0; k < group->symbol_count; k++)
			assert_int_equal(groups->symbols[group->first_symbol + k].address,
					 i + k * NAMES);
	}
	symbol_groups_destroy(groups);
	free(texts);
	free(symbols);
}

/* Every symbol of a damaged table may name the same long text. */
static void overlapping_names_are_refused(void **state)
{
	static const struct test_symbol symbols[] = { { .name = "0123456789" },
						      { .name = "123456789" } };
	struct fixture *fixture = *state;
	struct symbol_source source = {
		.symbols = symbols,
		.count = 2,
		.get = get_test_symbol,
		.text_limit = 19,
	};
	struct symbol_groups *groups = NULL;
	struct smelt_error error;

	assert_int_equal(
		symbol_groups_create_from(&source, fixture->names, fixture->pool, &groups, &error),
		SMELT_OK);
	symbol_groups_destroy(groups);
	source.text_limit = 18;
	assert_int_equal(
		symbol_groups_create_from(&source, fixture->names, fixture->pool, &groups, &error),
		SMELT_BAD_DATA);
}

static enum smelt_status group_file(const struct fixture *fixture, struct elf_builder *builder,
				    struct elf_file **file, struct symbol_groups **groups)
{
	char *path = elf_builder_write(builder);
	struct smelt_error error;

	assert_int_equal(elf_file_open(path, file, &error), SMELT_OK);
	test_file_remove(path);
	return symbol_groups_create(*file, fixture->names, fixture->pool, groups, &error);
}

static void only_function_symbols_of_a_file_count(void **state)
{
	static const struct elf_part_symbol symbols[] = {
		{ .name = "f", .value = 16, .info = ELF64_ST_INFO(STB_LOCAL, STT_FUNC) },
		{ .name = "o", .value = 16, .info = ELF64_ST_INFO(STB_GLOBAL, STT_OBJECT) },
		{ .name = "i", .value = 16, .info = ELF64_ST_INFO(STB_GLOBAL, STT_GNU_IFUNC) },
		{ .name = "f.isra.0", .value = 32, .info = ELF64_ST_INFO(STB_WEAK, STT_FUNC) },
	};
	struct symbol_groups *groups = NULL;
	struct elf_builder builder;
	struct elf_file *file;

	elf_builder_init(&builder, true, false, ET_EXEC, EM_X86_64);
	for (size_t i = 0; i < sizeof(symbols) / sizeof(symbols[0]); i++)
		elf_builder_add_symbol(&builder, &symbols[i]);
	assert_int_equal(group_file(*state, &builder, &file, &groups), SMELT_OK);
	assert_int_equal(groups->group_count, 1);
	assert_int_equal(groups->symbol_count, 2);
	assert_int_equal(groups->symbols[1].address, 32);
	symbol_groups_destroy(groups);
	elf_file_close(file);
	elf_builder_deinit(&builder);
}

static void a_file_without_symbols_says_so(void **state)
{
	struct symbol_groups *groups = NULL;
	struct elf_builder builder;
	struct elf_file *file;

	elf_builder_init(&builder, true, false, ET_EXEC, EM_X86_64);
	elf_builder_add_data(&builder, ".text", "x", 1);
	assert_int_equal(group_file(*state, &builder, &file, &groups), SMELT_NO_DEBUG_INFO);
	assert_null(groups);
	elf_file_close(file);
	elf_builder_deinit(&builder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(suffixes_do_not_make_a_group, set_up, tear_down),
		cmocka_unit_test_setup_teardown(only_whole_keys_are_found, set_up, tear_down),
		cmocka_unit_test_setup_teardown(no_function_means_no_group, set_up, tear_down),
		cmocka_unit_test_setup_teardown(ambiguity_follows_the_table, set_up, tear_down),
		cmocka_unit_test_setup_teardown(the_last_name_is_never_ambiguous, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(groups_keep_the_order_of_the_table, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(overlapping_names_are_refused, set_up, tear_down),
		cmocka_unit_test_setup_teardown(only_function_symbols_of_a_file_count, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(a_file_without_symbols_says_so, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
