/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <elf.h>
#include <stdio.h>
#include <string.h>

#include "encode/kfuncs.h"
#include "support/elf_builder.h"

static void names_are_between_prefix_and_number(void **state)
{
	static const struct {
		const char *symbol;
		const char *name; /* NULL: not a pair's symbol */
	} cases[] = {
		{ "__BTF_ID__func__vfs_close__1", "vfs_close" },
		{ "__BTF_ID__func__bpf__two__parts__23", "bpf__two__parts" },
		{ "__BTF_ID__func__x__", "x" },
		{ "__BTF_ID__func____1", "" },
		{ "__BTF_ID__func__close", NULL },
		{ "__BTF_ID__func__close_1", NULL },
		{ "__BTF_ID__func__a__b_1", NULL },
		{ "__BTF_ID__func__", NULL },
		{ "__BTF_ID__func___", NULL },
		{ "__BTF_ID__struct__task_struct__1", NULL },
		{ "__BTF_ID__set8__some", NULL },
		{ "vfs_close", NULL },
		{ "", NULL },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const char *name = NULL;
		size_t size = 0;

		assert_int_equal(kfunc_name(cases[i].symbol, &name, &size), cases[i].name != NULL);
		if (!cases[i].name)
			continue;
		assert_int_equal(size, strlen(cases[i].name));
		assert_memory_equal(name, cases[i].name, size);
	}
}

enum { ADDRESS = 0x1000 };

/* What was found, in order, as one text: "name:flags name:flags ". */
struct findings {
	char text[256];
};

static void note(void *context, const char *name, size_t size, uint32_t flags)
{
	struct findings *findings = context;
	size_t used = strlen(findings->text);

	(void)snprintf(findings->text + used, sizeof(findings->text) - used, "%.*s:%x ", (int)size,
		       name, flags);
}

static void add_symbol(struct elf_builder *builder, uint32_t section, const char *name,
		       uint64_t offset, uint64_t size)
{
	elf_builder_add_symbol(builder, &(struct elf_part_symbol){
						.name = name,
						.value = ADDRESS + offset,
						.size = size,
						.info = ELF64_ST_INFO(STB_LOCAL, STT_OBJECT),
						.section = section,
					});
}

/*
 * Two sets of one pair each, the first of kfuncs; a pair outside; then symbols that
 * point out of the section.
 */
static void visit(struct worker_pool *pool, bool is_big_endian, struct findings *findings)
{
	const uint32_t words[] = { 2, 1, 0, 1 << 12, 0, 1 << 13, 1, 0, 0, 1 << 12, 0, 0xffffffff };
	uint8_t bytes[sizeof(words)];
	struct symbol_scan scan = { 0 };
	struct kfunc_section section = { .address = ADDRESS, .is_big_endian = is_big_endian };
	struct elf_builder builder;
	struct elf_file *file;
	char *path;

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		put_u32(bytes + 4 * i, words[i], is_big_endian);
	elf_builder_init(&builder, true, is_big_endian, ET_EXEC, EM_NONE);
	scan.listed_section = elf_builder_add(&builder, &(struct elf_part){
								.name = ".BTF_ids",
								.type = SHT_PROGBITS,
								.flags = SHF_ALLOC,
								.address = ADDRESS,
								.data = bytes,
								.size = sizeof(bytes),
							});
	add_symbol(&builder, scan.listed_section, "__BTF_ID__func__second__2", 16, 4);
	add_symbol(&builder, scan.listed_section, "__BTF_ID__set8__kfuncs", 0, 24);
	add_symbol(&builder, scan.listed_section, "__BTF_ID__func__first__1", 8, 4);
	add_symbol(&builder, scan.listed_section, "__BTF_ID__set8__others", 24, 16);
	add_symbol(&builder, scan.listed_section, "__BTF_ID__func__other__3", 32, 4);
	add_symbol(&builder, scan.listed_section, "__BTF_ID__func__outside__4", 40, 4);
	add_symbol(&builder, scan.listed_section, "__BTF_ID__set8__beyond", 4096, 16);
	add_symbol(&builder, scan.listed_section, "__BTF_ID__func__beyond__5", 4104, 4);
	add_symbol(&builder, scan.listed_section, "__BTF_ID__set8__last", sizeof(bytes) - 4, 64);
	add_symbol(&builder, scan.listed_section, "__BTF_ID__func__first__6", 16, 4);

	path = elf_builder_write(&builder);
	assert_int_equal(elf_file_open(path, &file, NULL), SMELT_OK);
	test_file_remove(path);
	assert_int_equal(elf_symbol_table_load(file, &scan.table, NULL), SMELT_OK);
	assert_int_equal(elf_section_load(file, scan.listed_section, &section.bytes, NULL),
			 SMELT_OK);
	assert_true(symbol_scan_run(&scan, pool));
	assert_true(kfuncs_visit(&scan, &section, note, findings));
	symbol_scan_deinit(&scan);
	elf_file_close(file);
	elf_builder_deinit(&builder);
}

static void pairs_of_kfunc_sets_are_found_in_table_order(void **state)
{
	struct worker_pool *pool;

	(void)state;
	assert_int_equal(worker_pool_create(1, &pool, NULL), SMELT_OK);
	for (int is_big_endian = 0; is_big_endian < 2; is_big_endian++) {
		struct findings findings = { "" };

		visit(pool, is_big_endian, &findings);
		assert_string_equal(findings.text, "second:2000 first:1000 first:2000 ");
	}
	worker_pool_destroy(pool);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_are_between_prefix_and_number),
		cmocka_unit_test(pairs_of_kfunc_sets_are_found_in_table_order),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
