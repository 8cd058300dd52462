/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "elf/elf_file.h"
#include "support/elf_builder.h"

static struct elf_file *open_path(char *path)
{
	struct elf_file *file = NULL;
	struct smelt_error error;

	if (elf_file_open(path, &file, &error))
		fail_msg("%s", error.text);
	test_file_remove(path);
	return file;
}

static void symbols_are_widened_in_any_shape(void **state)
{
	(void)state;
	for (int shape = 0; shape < 4; shape++) {
		struct elf_builder builder;
		struct elf_symbol_table table;
		struct elf_symbol symbol;
		struct smelt_error error;
		struct elf_file *file;
		uint32_t text;

		elf_builder_init(&builder, shape & 1, shape & 2, ET_EXEC, EM_NONE);
		text = elf_builder_add_data(&builder, ".text", "x", 1);
		elf_builder_add_symbol(&builder, &(struct elf_part_symbol){
							 .name = "function",
							 .value = 0x12345678,
							 .size = 0x4321,
							 .info = ELF64_ST_INFO(STB_WEAK, STT_FUNC),
							 .section = text,
						 });
		elf_builder_add_symbol(&builder,
				       &(struct elf_part_symbol){
					       .name = "common",
					       .info = ELF64_ST_INFO(STB_GLOBAL, STT_OBJECT),
					       .reserved = SHN_COMMON,
				       });
		file = open_path(elf_builder_write(&builder));
		assert_int_equal(elf_symbol_table_load(file, &table, &error), SMELT_OK);
		assert_int_equal(table.count, 3);

		elf_symbol_table_get(&table, 0, &symbol);
		assert_string_equal(symbol.name, "");
		assert_int_equal(symbol.section, 0);

		elf_symbol_table_get(&table, 1, &symbol);
		assert_string_equal(symbol.name, "function");
		assert_int_equal(symbol.value, 0x12345678);
		assert_int_equal(symbol.size, 0x4321);
		assert_int_equal(symbol.type, STT_FUNC);
		assert_int_equal(symbol.binding, STB_WEAK);
		assert_int_equal(symbol.section, text);
		assert_int_equal(symbol.raw_section, text);

		elf_symbol_table_get(&table, 2, &symbol);
		assert_string_equal(symbol.name, "common");
		assert_int_equal(symbol.section, 0);
		assert_int_equal(symbol.raw_section, SHN_COMMON);
		elf_file_close(file);
		elf_builder_deinit(&builder);
	}
}

/* A table whose parts are placed by hand. */
struct parts {
	uint32_t table_type;
	uint64_t table_size; /* of one 24-byte symbol or part of it */
	uint32_t link;       /* 2 is right */
	const char *strings;
	uint64_t strings_size;
	uint32_t name;
	uint16_t section;
};

static struct elf_file *open_parts(const struct parts *parts)
{
	uint8_t symbol[2 * sizeof(Elf64_Sym)] = { 0 };
	struct elf_builder builder;
	struct elf_file *file;

	put_u32(symbol, parts->name, false);
	put_u16(symbol + offsetof(Elf64_Sym, st_shndx), parts->section, false);
	elf_builder_init(&builder, true, false, ET_EXEC, EM_NONE);
	elf_builder_add(&builder, &(struct elf_part){ .name = ".symtab",
						      .type = parts->table_type,
						      .data = symbol,
						      .size = parts->table_size,
						      .link = parts->link,
						      .entry_size = sizeof(Elf64_Sym) });
	elf_builder_add(&builder, &(struct elf_part){ .name = ".strtab",
						      .type = SHT_STRTAB,
						      .data = parts->strings,
						      .size = parts->strings_size });
	file = open_path(elf_builder_write(&builder));
	elf_builder_deinit(&builder);
	return file;
}

static void names_never_leave_the_string_table(void **state)
{
	static const struct {
		const char *strings;
		uint64_t size;
		uint32_t name;
		const char *expected;
	} cases[] = {
		{ "\0one\0two", 9, 5, "two" }, { "\0one\0two", 9, 8, "" },
		{ "\0one\0two", 9, 9, "" },    { "\0one\0two", 9, UINT32_MAX, "" },
		{ "\0one\0two", 8, 1, "one" }, { "\0one\0two", 8, 5, "" }, /* no NUL */
		{ "one", 3, 0, "" },           { "", 0, 0, "" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct parts parts = { .table_type = SHT_SYMTAB,
					     .table_size = sizeof(Elf64_Sym),
					     .link = 2,
					     .strings = cases[i].strings,
					     .strings_size = cases[i].size,
					     .name = cases[i].name };
		struct elf_file *file = open_parts(&parts);
		struct elf_symbol_table table;
		struct elf_symbol symbol;

		assert_int_equal(elf_symbol_table_load(file, &table, NULL), SMELT_OK);
		assert_int_equal(table.count, 1);
		elf_symbol_table_get(&table, 0, &symbol);
		assert_string_equal(symbol.name, cases[i].expected);
		elf_file_close(file);
	}
}

static void sections_that_do_not_exist_are_none(void **state)
{
	static const uint16_t sections[] = { 4, 0x1234, SHN_LORESERVE, SHN_XINDEX };

	(void)state;
	for (size_t i = 0; i < sizeof(sections) / sizeof(sections[0]); i++) {
		const struct parts parts = { .table_type = SHT_SYMTAB,
					     .table_size = sizeof(Elf64_Sym),
					     .link = 2,
					     .section = sections[i] };
		struct elf_file *file = open_parts(&parts);
		struct elf_symbol_table table;
		struct elf_symbol symbol;

		assert_int_equal(elf_symbol_table_load(file, &table, NULL), SMELT_OK);
		elf_symbol_table_get(&table, 0, &symbol);
		assert_int_equal(symbol.section, 0);
		assert_int_equal(symbol.raw_section, sections[i]);
		elf_file_close(file);
	}
}

static void tables_that_are_none(void **state)
{
	static const struct {
		struct parts parts;
		enum smelt_status status;
		uint32_t count;
	} cases[] = {
		/* left in the program when its debug information was moved to this file */
		{ { .table_type = SHT_NOBITS, .table_size = 24, .link = 2 }, SMELT_OK, 0 },
		{ { .table_type = SHT_PROGBITS, .table_size = 24, .link = 2 },
		  SMELT_NO_DEBUG_INFO,
		  0 },
		{ { .table_type = SHT_SYMTAB, .table_size = 24, .link = 4 }, SMELT_BAD_DATA, 0 },
		{ { .table_type = SHT_SYMTAB, .table_size = 24, .link = UINT32_MAX },
		  SMELT_BAD_DATA,
		  0 },
		{ { .table_type = SHT_SYMTAB, .table_size = 0, .link = 2 }, SMELT_OK, 0 },
		/* What is left of a symbol is none. */
		{ { .table_type = SHT_SYMTAB, .table_size = 23, .link = 2 }, SMELT_OK, 0 },
		{ { .table_type = SHT_SYMTAB, .table_size = 47, .link = 2 }, SMELT_OK, 1 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct elf_file *file = open_parts(&cases[i].parts);
		struct elf_symbol_table table = { 0 };
		struct smelt_error error;

		assert_int_equal(elf_symbol_table_load(file, &table, &error), cases[i].status);
		assert_int_equal(table.count, cases[i].count);
		elf_file_close(file);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(symbols_are_widened_in_any_shape),
		cmocka_unit_test(names_never_leave_the_string_table),
		cmocka_unit_test(sections_that_do_not_exist_are_none),
		cmocka_unit_test(tables_that_are_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
