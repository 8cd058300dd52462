/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <elf.h>
#include <stdlib.h>

#include "elf/elf_file.h"
#include "support/elf_builder.h"

/* Opens what the builder holds; the file stays readable after its path is gone. */
static struct elf_file *open_built(struct elf_builder *builder)
{
	char *path = elf_builder_write(builder);
	struct elf_file *file = NULL;
	struct smelt_error error;

	if (elf_file_open(path, &file, &error))
		fail_msg("%s", error.text);
	test_file_remove(path);
	elf_builder_deinit(builder);
	return file;
}

/* The layout that libdwfl invents, which addresses in the output are measured against. */
static void relocatable_sections_are_laid_out(void **state)
{
	static const struct {
		struct elf_part part;
		uint64_t address;
	} cases[] = {
		{ { ".text", SHT_PROGBITS, SHF_ALLOC, 0, NULL, 5, 0, 0, 0, 16 }, 0x10000 },
		{ { ".debug_info", SHT_PROGBITS, 0, 0, NULL, 500, 0, 0, 0, 1 }, 0 },
		{ { ".data", SHT_PROGBITS, SHF_ALLOC, 0, NULL, 3, 0, 0, 0, 8 }, 0x10008 },
		{ { ".empty", SHT_PROGBITS, SHF_ALLOC, 0, NULL, 0, 0, 0, 0, 1 }, 0x1000b },
		{ { ".bss", SHT_NOBITS, SHF_ALLOC, 0, NULL, 0x1000, 0, 0, 0, 32 }, 0x10020 },
		{ { ".page", SHT_PROGBITS, SHF_ALLOC, 0, NULL, 4, 0, 0, 0, 4096 }, 0x12000 },
		/* An address left by ld -r: kept, as no padding would be needed here ... */
		{ { ".kept", SHT_PROGBITS, SHF_ALLOC, 0x40, NULL, 9, 0, 0, 0, 4 }, 0x40 },
		{ { ".next", SHT_PROGBITS, SHF_ALLOC, 0, NULL, 1, 0, 0, 0, 4 }, 0x12004 },
		/* ... and replaced, as padding is needed here. */
		{ { ".moved", SHT_PROGBITS, SHF_ALLOC, 0x40, NULL, 9, 0, 0, 0, 8 }, 0x12008 },
		{ { ".odd", SHT_PROGBITS, SHF_ALLOC, 0, NULL, 9, 0, 0, 0, 3 }, 0x12011 },
	};
	enum { COUNT = sizeof(cases) / sizeof(cases[0]) };
	struct elf_builder builder;
	struct elf_file *file;

	(void)state;
	elf_builder_init(&builder, true, false, ET_REL, EM_X86_64);
	for (size_t i = 0; i < COUNT; i++)
		elf_builder_add(&builder, &cases[i].part);
	file = open_built(&builder);
	for (uint32_t i = 0; i < COUNT; i++)
		assert_int_equal(elf_section_address(file, i + 1), cases[i].address);
	elf_file_close(file);
}

/* A section that is aligned wider than the base moves all of them. */
static void wide_alignment_moves_the_layout(void **state)
{
	struct elf_builder builder;
	struct elf_file *file;

	(void)state;
	elf_builder_init(&builder, true, false, ET_REL, EM_X86_64);
	elf_builder_add(&builder, &(struct elf_part){ .name = ".text",
						      .type = SHT_PROGBITS,
						      .flags = SHF_ALLOC,
						      .size = 5,
						      .alignment = 16 });
	elf_builder_add(&builder, &(struct elf_part){ .name = ".huge",
						      .type = SHT_PROGBITS,
						      .flags = SHF_ALLOC,
						      .size = 5,
						      .alignment = 0x40000 });
	file = open_built(&builder);
	assert_int_equal(elf_section_address(file, 1), 0x40000);
	assert_int_equal(elf_section_address(file, 2), 0x80000);
	elf_file_close(file);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(relocatable_sections_are_laid_out),
		cmocka_unit_test(wide_alignment_moves_the_layout),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
