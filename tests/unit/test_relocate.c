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

#include "elf/elf_file.h"
#include "support/elf_builder.h"

/* Not in every <elf.h>. */
enum { LOONGARCH = 258, HEXAGON = 164, BPF = 247, CSKY = 252, OPENRISC = 92, ARC2 = 195 };

enum { FIELD_BYTES = 16, FIELD_OFFSET = 3, SYMBOL = 1, OTHER_SYMBOL = 2 };

/* .text is laid out at 0x10000; SYMBOL is at 0x10020, OTHER_SYMBOL at 0x10008, of size 12. */
static uint32_t add_text_and_symbols(struct elf_builder *builder)
{
	uint32_t text = elf_builder_add(builder, &(struct elf_part){ .name = ".text",
								     .type = SHT_PROGBITS,
								     .flags = SHF_ALLOC,
								     .size = 64,
								     .alignment = 16 });

	elf_builder_add_symbol(builder, &(struct elf_part_symbol){
						.name = "symbol", .value = 0x20, .section = text });
	elf_builder_add_symbol(builder,
			       &(struct elf_part_symbol){
				       .name = "other", .value = 8, .size = 12, .section = text });
	return text;
}

/* What is expected of one section after relocation. */
struct outcome {
	enum smelt_status status;
	uint8_t bytes[FIELD_BYTES];
	char text[SMELT_ERROR_TEXT_BYTES];
};

/* Loads section `index` of what the builder holds, and ends the builder. */
static struct outcome load_section(struct elf_builder *builder, uint32_t index)
{
	char *path = elf_builder_write(builder);
	struct outcome outcome = { 0 };
	struct smelt_error error = { 0 };
	struct elf_bytes bytes;
	struct elf_file *file;

	assert_int_equal(elf_file_open(path, &file, &error), SMELT_OK);
	outcome.status = elf_section_load(file, index, &bytes, &error);
	strcpy(outcome.text, error.text);
	if (!outcome.status)
		memcpy(outcome.bytes, bytes.data,
		       bytes.size < FIELD_BYTES ? (size_t)bytes.size : FIELD_BYTES);
	elf_file_close(file);
	test_file_remove(path);
	elf_builder_deinit(builder);
	return outcome;
}

/* One relocation type. Values are those of the field before and after, `width` bytes wide. */
struct type_case {
	uint16_t machine;
	uint32_t flags;
	char shape; /* 'l'ittle endian 64 bits, 'b'ig; 'L', 'B': 32 bits */
	bool uses_rel;
	uint32_t type;
	unsigned width;
	uint64_t before;
	int64_t addend;
	uint64_t after;
};

static void put_field(uint8_t *field, unsigned width, uint64_t value, bool big)
{
	for (unsigned i = 0; i < width; i++)
		field[big ? width - 1 - i : i] = (uint8_t)(value >> (8 * i));
}

static void check_type(const struct type_case *test)
{
	bool big = test->shape == 'b' || test->shape == 'B';
	uint8_t before[FIELD_BYTES], after[FIELD_BYTES];
	struct elf_builder builder;
	struct outcome outcome;
	uint32_t info;

	memset(before, 0xee, sizeof(before));
	memset(after, 0xee, sizeof(after));
	put_field(before + FIELD_OFFSET, test->width, test->before, big);
	put_field(after + FIELD_OFFSET, test->width, test->after, big);
	elf_builder_init(&builder, test->shape == 'l' || test->shape == 'b', big, ET_REL,
			 test->machine);
	builder.flags = test->flags;
	builder.uses_rel = test->uses_rel;
	add_text_and_symbols(&builder);
	info = elf_builder_add_data(&builder, ".debug_info", before, sizeof(before));
	elf_builder_add_relocation(&builder, &(struct elf_part_relocation){
						     .target = info,
						     .offset = FIELD_OFFSET,
						     .symbol = SYMBOL,
						     .type = test->type,
						     .addend = test->addend,
					     });
	outcome = load_section(&builder, info);
	if (outcome.status)
		fail_msg("machine %u: %s", test->machine, outcome.text);
	if (memcmp(outcome.bytes, after, sizeof(after)) != 0)
		fail_msg("machine %u type %u: wrong value", test->machine, test->type);
}

static void each_machine_stores_what_its_abi_says(void **state)
{
	/* In RELA form the field's old content must not matter: it is rubbish here. */
	static const struct type_case cases[] = {
		{ EM_X86_64, 0, 'l', false, R_X86_64_64, 8, 77, 5, 0x10025 },
		{ EM_X86_64, 0, 'l', false, R_X86_64_32, 4, 77, -0x10020, 0 },
		{ EM_X86_64, 0, 'l', false, R_X86_64_32S, 4, 77, 5, 0x10025 },
		{ EM_X86_64, 0, 'l', false, R_X86_64_16, 2, 77, 5, 0x25 },
		{ EM_X86_64, 0, 'l', false, R_X86_64_8, 1, 77, 5, 0x25 },
		{ EM_X86_64, 0, 'l', false, R_X86_64_PC32, 4, 77, 5, 0x10022 },
		{ EM_X86_64, 0, 'l', false, R_X86_64_PC64, 8, 77, 5, 0x10022 },
		{ EM_X86_64, 0, 'l', false, R_X86_64_DTPOFF32, 4, 77, 5, 0x10025 },
		{ EM_X86_64, 0, 'l', false, R_X86_64_DTPOFF64, 8, 77, 5, 0x10025 },
		{ EM_X86_64, 0, 'l', false, R_X86_64_NONE, 4, 77, 5, 77 },
		{ EM_X86_64, 0, 'L', false, R_X86_64_32, 4, 77, 5, 0x10025 }, /* x32 */
		{ EM_386, 0, 'L', true, R_386_32, 4, 5, 0, 0x10025 },
		{ EM_386, 0, 'L', true, R_386_PC32, 4, 5, 0, 0x10022 },
		{ EM_386, 0, 'L', true, R_386_16, 2, 5, 0, 0x25 },
		{ EM_386, 0, 'L', true, R_386_8, 1, 5, 0, 0x25 },
		{ EM_386, 0, 'L', true, R_386_TLS_LDO_32, 4, 5, 0, 0x10025 },
		{ EM_386, 0, 'L', true, R_386_NONE, 4, 5, 0, 5 },
		{ EM_ARM, 0, 'L', true, R_ARM_ABS32, 4, 5, 0, 0x10025 },
		{ EM_ARM, 0, 'B', true, R_ARM_ABS32, 4, 5, 0, 0x10025 },
		{ EM_ARM, 0, 'L', true, R_ARM_REL32, 4, 5, 0, 0x10022 },
		{ EM_ARM, 0, 'L', false, R_ARM_ABS16, 2, 77, 5, 0x25 },
		{ EM_ARM, 0, 'L', true, R_ARM_TLS_LDO32, 4, 5, 0, 0x10025 },
		{ EM_AARCH64, 0, 'l', false, R_AARCH64_ABS64, 8, 77, 5, 0x10025 },
		{ EM_AARCH64, 0, 'b', false, R_AARCH64_ABS32, 4, 77, 5, 0x10025 },
		{ EM_AARCH64, 0, 'l', false, R_AARCH64_ABS16, 2, 77, 5, 0x25 },
		{ EM_AARCH64, 0, 'l', false, R_AARCH64_PREL32, 4, 77, 5, 0x10022 },
		{ EM_AARCH64, 0, 'l', false, R_AARCH64_PREL64, 8, 77, 5, 0x10022 },
		{ EM_AARCH64, 0, 'l', false, R_AARCH64_TLS_DTPREL, 8, 77, 5, 0x10025 },
		{ EM_AARCH64, 0, 'L', false, 1 /* P32_ABS32 */, 4, 77, 5, 0x10025 },
		{ EM_PPC, 0, 'B', false, R_PPC_ADDR32, 4, 77, 5, 0x10025 },
		{ EM_PPC, 0, 'B', false, R_PPC_UADDR32, 4, 77, 5, 0x10025 },
		{ EM_PPC, 0, 'B', false, R_PPC_REL32, 4, 77, 5, 0x10022 },
		{ EM_PPC, 0, 'B', false, R_PPC_DTPREL32, 4, 77, 5, 0x10025 },
		{ EM_PPC64, 0, 'b', false, R_PPC64_ADDR32, 4, 77, 5, 0x10025 },
		{ EM_PPC64, 0, 'l', false, R_PPC64_ADDR64, 8, 77, 5, 0x10025 },
		{ EM_PPC64, 0, 'b', false, R_PPC64_UADDR64, 8, 77, 5, 0x10025 },
		{ EM_PPC64, 0, 'b', false, R_PPC64_REL64, 8, 77, 5, 0x10022 },
		{ EM_PPC64, 0, 'b', false, R_PPC64_DTPREL64, 8, 77, 5, 0x10025 },
		{ EM_S390, 0, 'b', false, R_390_64, 8, 77, 5, 0x10025 },
		{ EM_S390, 0, 'B', false, R_390_32, 4, 77, 5, 0x10025 },
		{ EM_S390, 0, 'b', false, R_390_16, 2, 77, 5, 0x25 },
		{ EM_S390, 0, 'b', false, R_390_PC32, 4, 77, 5, 0x10022 },
		{ EM_S390, 0, 'b', false, R_390_TLS_LDO64, 8, 77, 5, 0x10025 },
		{ EM_RISCV, 0, 'l', false, R_RISCV_32, 4, 77, 5, 0x10025 },
		{ EM_RISCV, 0, 'l', false, R_RISCV_64, 8, 77, 5, 0x10025 },
		{ EM_RISCV, 0, 'L', false, R_RISCV_ADD32, 4, 7, 5, 0x1002c },
		{ EM_RISCV, 0, 'l', false, R_RISCV_ADD8, 1, 7, 5, 0x2c },
		{ EM_RISCV, 0, 'l', false, R_RISCV_ADD64, 8, 7, 5, 0x1002c },
		{ EM_RISCV, 0, 'l', false, R_RISCV_SUB16, 2, 0x30, 5, 0x0b },
		{ EM_RISCV, 0, 'l', false, R_RISCV_SUB32, 4, 0x10030, 5, 0x0b },
		{ EM_RISCV, 0, 'l', false, R_RISCV_SET6, 1, 0xc1, 5, 0xe5 },
		{ EM_RISCV, 0, 'l', false, R_RISCV_SUB6, 1, 0xc1, 5, 0xdc },
		{ EM_RISCV, 0, 'l', false, R_RISCV_SET8, 1, 77, 5, 0x25 },
		{ EM_RISCV, 0, 'l', false, R_RISCV_SET16, 2, 77, 5, 0x25 },
		{ EM_RISCV, 0, 'l', false, R_RISCV_SET32, 4, 77, 5, 0x10025 },
		{ EM_RISCV, 0, 'l', false, R_RISCV_32_PCREL, 4, 77, 5, 0x10022 },
		{ EM_RISCV, 0, 'l', false, R_RISCV_RELAX, 4, 77, 5, 77 },
		{ LOONGARCH, 0, 'l', false, 1, 4, 77, 5, 0x10025 },
		{ LOONGARCH, 0, 'l', false, 2, 8, 77, 5, 0x10025 },
		{ LOONGARCH, 0, 'l', false, 49 /* ADD24 */, 3, 7, 5, 0x1002c },
		{ LOONGARCH, 0, 'l', false, 50 /* ADD32 */, 4, 7, 5, 0x1002c },
		{ LOONGARCH, 0, 'l', false, 55 /* SUB32 */, 4, 0x10030, 5, 0x0b },
		{ LOONGARCH, 0, 'l', false, 99 /* 32_PCREL */, 4, 77, 5, 0x10022 },
		{ LOONGARCH, 0, 'l', false, 105 /* ADD6 */, 1, 0xc1, 5, 0xe6 },
		{ EM_MIPS, 0, 'L', true, R_MIPS_32, 4, 5, 0, 0x10025 },
		{ EM_MIPS, 0, 'B', true, R_MIPS_32, 4, 5, 0, 0x10025 },
		{ EM_MIPS, 0, 'B', false, R_MIPS_32, 4, 77, 5, 0x10025 }, /* n32 */
		{ EM_MIPS, 0, 'l', false, R_MIPS_32, 4, 77, 5, 0x10025 },
		{ EM_MIPS, 0, 'b', false, R_MIPS_64, 8, 77, 5, 0x10025 },
		{ EM_MIPS, 0, 'b', true, R_MIPS_64, 8, 5, 0, 0x10025 },
		{ EM_MIPS, 0, 'l', false, R_MIPS_TLS_DTPREL64, 8, 77, 5, 0x10025 },
		{ EM_SPARC, 0, 'B', false, R_SPARC_32, 4, 77, 5, 0x10025 },
		{ EM_SPARC, 0, 'B', false, R_SPARC_UA32, 4, 77, 5, 0x10025 },
		{ EM_SPARCV9, 0, 'b', false, R_SPARC_UA64, 8, 77, 5, 0x10025 },
		{ EM_SPARCV9, 0, 'b', false, R_SPARC_UA32 | 0x1200, 4, 77, 5, 0x10025 },
		{ EM_SPARCV9, 0, 'b', false, R_SPARC_DISP32, 4, 77, 5, 0x10022 },
		{ BPF, 0, 'l', true, 1 /* 64_64 */, 8, 5, 0, 0x10025 },
		{ BPF, 0, 'l', true, 2 /* ABS64 */, 8, 5, 0, 0x10025 },
		{ BPF, 0, 'b', true, 3 /* ABS32 */, 4, 5, 0, 0x10025 },
		{ BPF, 0, 'l', true, 4 /* NODYLD32 */, 4, 5, 0, 5 },
		{ BPF, 0, 'l', true, 10 /* 64_32 */, 4, 5, 0, 0x10025 },
		{ BPF, 0, 'l', false, 11 /* DATA_32 */, 4, 77, 5, 0x10025 },
		{ BPF, 0, 'l', false, 12 /* DATA_64 */, 8, 77, 5, 0x10025 },
		{ HEXAGON, 0, 'L', false, 6, 4, 77, 5, 0x10025 },
		{ HEXAGON, 0, 'L', false, 31, 4, 77, 5, 0x10022 },
		{ EM_MSP430, 11, 'L', false, 1, 4, 77, 5, 0x10025 },
		{ EM_MSP430, 11, 'L', false, 3, 2, 77, 5, 0x25 },
		{ EM_MSP430, 11, 'L', false, 5, 2, 77, 5, 0x25 },
		{ EM_MSP430, 45, 'L', false, 2, 2, 77, 5, 0x25 },
		{ EM_MSP430, 45, 'L', false, 3, 1, 77, 5, 0x25 },
		{ EM_AVR, 0, 'L', false, 1, 4, 77, 5, 0x10025 },
		{ EM_AVR, 0, 'L', false, 4, 2, 77, 5, 0x25 },
		{ EM_AVR, 0, 'L', false, 32 /* DIFF32 */, 4, 77, 5, 77 },
		{ EM_68K, 0, 'B', false, R_68K_32, 4, 77, 5, 0x10025 },
		{ EM_68K, 0, 'B', false, R_68K_PC32, 4, 77, 5, 0x10022 },
		{ EM_SH, 0, 'L', false, R_SH_DIR32, 4, 5, 0, 0x10025 },
		{ EM_PARISC, 0, 'B', false, R_PARISC_DIR32, 4, 77, 5, 0x10025 },
		{ EM_PARISC, 0, 'b', false, R_PARISC_DIR64, 8, 77, 5, 0x10025 },
		{ EM_ALPHA, 0, 'l', false, R_ALPHA_REFLONG, 4, 77, 5, 0x10025 },
		{ EM_ALPHA, 0, 'l', false, R_ALPHA_REFQUAD, 8, 77, 5, 0x10025 },
		{ EM_IA_64, 0, 'l', false, R_IA64_DIR64LSB, 8, 77, 5, 0x10025 },
		{ EM_IA_64, 0, 'l', false, R_IA64_SECREL32LSB, 4, 77, 5, 0x10025 },
		{ EM_IA_64, 0, 'b', false, R_IA64_DIR64MSB, 8, 77, 5, 0x10025 },
		{ ARC2, 0, 'L', false, 4, 4, 77, 5, 0x10025 },
		{ CSKY, 0, 'L', false, R_CKCORE_ADDR32, 4, 77, 5, 0x10025 },
		{ EM_XTENSA, 0, 'L', false, 1, 4, 5, 2, 0x10027 },
		{ EM_MICROBLAZE, 0, 'L', false, R_MICROBLAZE_32, 4, 77, 5, 0x10025 },
		{ EM_ALTERA_NIOS2, 0, 'L', false, R_NIOS2_BFD_RELOC_32, 4, 77, 5, 0x10025 },
		{ OPENRISC, 0, 'B', false, 1, 4, 77, 5, 0x10025 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		check_type(&cases[i]);
}

/* One relocation of a series on the same field. */
struct step {
	uint32_t type;
	uint32_t symbol;
	int64_t addend;
};

static struct outcome relocate_series(uint16_t machine, uint32_t flags, bool is_64bit,
				      const void *before, size_t size, const struct step *steps,
				      size_t count)
{
	struct elf_builder builder;
	uint32_t info;

	elf_builder_init(&builder, is_64bit, false, ET_REL, machine);
	builder.flags = flags;
	add_text_and_symbols(&builder);
	info = elf_builder_add_data(&builder, ".debug_info", before, size);
	for (size_t i = 0; i < count; i++)
		elf_builder_add_relocation(&builder, &(struct elf_part_relocation){
							     .target = info,
							     .offset = 1,
							     .symbol = steps[i].symbol,
							     .type = steps[i].type,
							     .addend = steps[i].addend,
						     });
	return load_section(&builder, info);
}

/* Differences of two labels where the linker may still change the distance. */
static void pairs_of_relocations_make_a_difference(void **state)
{
	static const struct {
		uint16_t machine;
		uint32_t flags;
		struct step steps[2];
		uint8_t before[6];
		uint8_t after[6];
	} cases[] = {
		{ EM_RISCV,
		  0,
		  { { R_RISCV_ADD32, SYMBOL, 2 }, { R_RISCV_SUB32, OTHER_SYMBOL, 0 } },
		  { 9 },
		  { 9, 0x1a } },
		{ EM_RISCV,
		  0,
		  { { R_RISCV_SET6, SYMBOL, 2 }, { R_RISCV_SUB6, OTHER_SYMBOL, 0 } },
		  { 9, 0x40, 9 },
		  { 9, 0x5a, 9 } },
		/* A one-byte LEB128 cannot hold the address, but the difference. */
		{ EM_RISCV,
		  0,
		  { { 60, SYMBOL, 2 }, { 61, OTHER_SYMBOL, 0 } },
		  { 9, 0x00, 9 },
		  { 9, 0x1a, 9 } },
		{ EM_RISCV,
		  0,
		  { { 60, SYMBOL, 0x80 }, { 61, OTHER_SYMBOL, 0 } },
		  { 9, 0x80, 0x80, 0x00, 9 },
		  { 9, 0x98, 0x81, 0x00, 9 } },
		{ LOONGARCH,
		  0,
		  { { 107, SYMBOL, 2 }, { 108, OTHER_SYMBOL, 0 } },
		  { 9, 0x81, 0x00, 9 },
		  { 9, 0x9b, 0x00, 9 } },
		{ EM_MSP430,
		  11,
		  { { 10, OTHER_SYMBOL, 0 }, { 5, SYMBOL, 2 } },
		  { 9, 7, 7, 9 },
		  { 9, 0x1a, 0, 9 } },
		{ EM_MSP430,
		  45,
		  { { 23, OTHER_SYMBOL, 0 }, { 22, SYMBOL, 2 } },
		  { 9, 0x81, 0x00, 9 },
		  { 9, 0x9a, 0x00, 9 } },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct outcome outcome = relocate_series(cases[i].machine, cases[i].flags, true,
							 cases[i].before, sizeof(cases[i].before),
							 cases[i].steps, 2);

		if (outcome.status)
			fail_msg("%s", outcome.text);
		assert_memory_equal(outcome.bytes, cases[i].after, sizeof(cases[i].after));
	}
}

/* R_X86_64_SIZE32 wants st_size. */
static void symbol_sizes_are_relocations_too(void **state)
{
	static const struct step step = { R_X86_64_SIZE32, OTHER_SYMBOL, 3 };
	static const uint8_t before[8], after[8] = { 0, 15 };
	struct outcome outcome =
		relocate_series(EM_X86_64, 0, true, before, sizeof(before), &step, 1);

	(void)state;
	assert_int_equal(outcome.status, SMELT_OK);
	assert_memory_equal(outcome.bytes, after, sizeof(after));
}

/* MIPS64 packs three types into a record; each works on the result of the one before. */
static void mips64_types_are_composed(void **state)
{
	static const struct {
		uint32_t types; /* first | second << 8 | third << 16 | special symbol << 24 */
		enum smelt_status status;
		uint64_t after;
	} cases[] = {
		{ R_MIPS_64, SMELT_OK, 0x10025 },
		{ R_MIPS_32 | R_MIPS_64 << 8, SMELT_OK, 0x10025 },
		{ R_MIPS_64 | R_MIPS_SUB << 8, SMELT_OK, -(uint64_t)0x10025 },
		{ R_MIPS_SUB, SMELT_OK, 0x1001b },
		{ 248 /* PC32 */ | R_MIPS_64 << 8, SMELT_OK, 0x10024 },
		{ R_MIPS_NONE, SMELT_OK, 0 },
		{ R_MIPS_GPREL32 | R_MIPS_64 << 8, SMELT_UNSUPPORTED, 0 },
		{ R_MIPS_64 | R_MIPS_HI16 << 8, SMELT_UNSUPPORTED, 0 },
		{ R_MIPS_NONE | R_MIPS_64 << 8, SMELT_UNSUPPORTED, 0 },
		{ R_MIPS_64 | R_MIPS_64 << 8 | 1u << 24, SMELT_UNSUPPORTED, 0 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct step step = { cases[i].types, SYMBOL, 5 };
		uint8_t before[9] = { 0 }, after[9] = { 0 };
		struct outcome outcome =
			relocate_series(EM_MIPS, 0, true, before, sizeof(before), &step, 1);

		assert_int_equal(outcome.status, cases[i].status);
		put_u64(after + 1, cases[i].after, false);
		assert_memory_equal(outcome.bytes, after, sizeof(after));
	}
}

/* Where a symbol is decides its address; .tdata counts from its own start. */
static void symbols_have_the_address_of_their_section(void **state)
{
	static const struct elf_part thread_data = { .name = ".tdata",
						     .type = SHT_PROGBITS,
						     .flags = SHF_ALLOC | SHF_TLS,
						     .size = 64,
						     .alignment = 16 };
	static const struct elf_part strings = { .name = ".debug_str",
						 .type = SHT_PROGBITS,
						 .size = 64 };
	struct {
		struct elf_part_symbol symbol;
		uint32_t expected;
	} cases[] = {
		{ { .name = "undefined", .value = 9 }, 1 },
		{ { .name = "absolute", .value = 9, .reserved = SHN_ABS }, 10 },
		{ { .name = "common", .value = 9, .reserved = SHN_COMMON }, 1 },
		{ { .name = "small common", .value = 9, .reserved = 0xff03 }, 1 },
		{ { .name = "code", .value = 9 }, 0x1000a },
		{ { .name = "thread", .value = 9 }, 10 },
		{ { .name = "string", .value = 9 }, 10 },
	};
	enum { COUNT = sizeof(cases) / sizeof(cases[0]) };

	(void)state;
	for (size_t i = 0; i <= COUNT; i++) {
		struct elf_builder builder;
		struct outcome outcome;
		uint32_t symbol = 0, expected = 1, info;
		uint8_t after[4];

		elf_builder_init(&builder, true, false, ET_REL, EM_X86_64);
		cases[4].symbol.section = add_text_and_symbols(&builder);
		cases[5].symbol.section = elf_builder_add(&builder, &thread_data);
		cases[6].symbol.section = elf_builder_add(&builder, &strings);
		if (i < COUNT) {
			symbol = elf_builder_add_symbol(&builder, &cases[i].symbol);
			expected = cases[i].expected;
		}
		info = elf_builder_add_data(&builder, ".debug_info", NULL, 4);
		elf_builder_add_relocation(&builder,
					   &(struct elf_part_relocation){ .target = info,
									  .symbol = symbol,
									  .type = R_X86_64_32,
									  .addend = 1 });
		outcome = load_section(&builder, info);
		assert_int_equal(outcome.status, SMELT_OK);
		put_u32(after, expected, false);
		assert_memory_equal(outcome.bytes, after, sizeof(after));
	}
}

/* More records than are read at once. */
static void many_relocations_are_all_applied(void **state)
{
	enum { COUNT = 10000 };

	(void)state;
	for (int uses_rel = 0; uses_rel < 2; uses_rel++) {
		struct elf_builder builder;
		struct smelt_error error;
		struct elf_bytes bytes;
		struct elf_file *file;
		uint32_t info;
		char *path;

		elf_builder_init(&builder, !uses_rel, false, ET_REL, uses_rel ? EM_386 : EM_X86_64);
		builder.uses_rel = uses_rel;
		add_text_and_symbols(&builder);
		info = elf_builder_add_data(&builder, ".debug_info", NULL, 4 * COUNT);
		for (uint32_t i = 0; i < COUNT; i++)
			elf_builder_add_relocation(
				&builder, &(struct elf_part_relocation){
						  .target = info,
						  .offset = 4 * i,
						  .symbol = 1 + i % 2,
						  .type = uses_rel ? R_386_32 : R_X86_64_32 });
		path = elf_builder_write(&builder);
		assert_int_equal(elf_file_open(path, &file, &error), SMELT_OK);
		assert_int_equal(elf_section_load(file, info, &bytes, &error), SMELT_OK);
		for (uint32_t i = 0; i < COUNT; i++) {
			uint32_t value;

			memcpy(&value, bytes.data + 4 * i, 4);
			assert_int_equal(value, i % 2 ? 0x10008 : 0x10020);
		}
		elf_file_close(file);
		test_file_remove(path);
		elf_builder_deinit(&builder);
	}
}

static void what_cannot_be_applied_is_an_error(void **state)
{
	static const struct {
		uint16_t machine;
		uint64_t offset;
		uint32_t symbol;
		uint32_t type;
		enum smelt_status status;
		const char *text;
	} cases[] = {
		{ EM_X86_64, 4, SYMBOL, R_X86_64_GOTPCREL, SMELT_UNSUPPORTED,
		  ".debug_info: offset 0x4: x86-64 relocation type 9 is not supported" },
		{ EM_X86_64, 4, SYMBOL, 5000, SMELT_UNSUPPORTED, "type 5000 is not supported" },
		{ EM_X86_64, 4, SYMBOL, UINT32_MAX, SMELT_UNSUPPORTED, "is not supported" },
		{ 9999, 4, SYMBOL, 1, SMELT_UNSUPPORTED, "relocations of ELF machine 9999" },
		{ EM_X86_64, 4, 3, R_X86_64_32, SMELT_BAD_DATA,
		  "offset 0x4: relocation in .rela.debug_info names symbol 3 of 3" },
		{ EM_X86_64, 4, UINT32_MAX, R_X86_64_32, SMELT_BAD_DATA, "names symbol" },
		{ EM_X86_64, 13, SYMBOL, R_X86_64_32, SMELT_BAD_DATA,
		  "offset 0xd: relocation in .rela.debug_info outside of the section" },
		{ EM_X86_64, 9, SYMBOL, R_X86_64_64, SMELT_BAD_DATA, "outside of the section" },
		{ EM_X86_64, UINT64_MAX, SYMBOL, R_X86_64_32, SMELT_BAD_DATA, "outside" },
		{ EM_X86_64, UINT64_MAX - 3, SYMBOL, R_X86_64_8, SMELT_BAD_DATA, "outside" },
		{ EM_RISCV, 16, SYMBOL, 60, SMELT_BAD_DATA, "outside of the section" },
		{ EM_RISCV, 4, SYMBOL, 60, SMELT_BAD_DATA, "offset 0x4: no LEB128" },
		{ EM_MIPS, 13, SYMBOL, R_MIPS_32 | R_MIPS_64 << 8, SMELT_BAD_DATA, "outside" },
		{ EM_MIPS, 16, SYMBOL, R_MIPS_64 << 8, SMELT_UNSUPPORTED, "types 0, 18, 0" },
		{ EM_MIPS, 8, SYMBOL, R_MIPS_32 | R_MIPS_64 << 8, SMELT_OK, "" },
		{ EM_MIPS, 9, SYMBOL, R_MIPS_32 | R_MIPS_64 << 8, SMELT_BAD_DATA, "outside" },
		{ EM_IA_64, 4, SYMBOL, R_IA64_DIR32MSB, SMELT_UNSUPPORTED, "IA-64 relocation" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct elf_builder builder;
		struct outcome outcome;
		uint8_t before[16];
		uint32_t info;

		memset(before, 0x80, sizeof(before));
		elf_builder_init(&builder, true, false, ET_REL, cases[i].machine);
		add_text_and_symbols(&builder);
		info = elf_builder_add_data(&builder, ".debug_info", before, sizeof(before));
		elf_builder_add_relocation(&builder, &(struct elf_part_relocation){
							     .target = info,
							     .offset = cases[i].offset,
							     .symbol = cases[i].symbol,
							     .type = cases[i].type,
						     });
		outcome = load_section(&builder, info);
		assert_int_equal(outcome.status, cases[i].status);
		if (!strstr(outcome.text, cases[i].text))
			fail_msg("\"%s\" not in \"%s\"", cases[i].text, outcome.text);
	}
}

/* Relocation sections made by hand: wrong size of records, no symbol table, a newer form. */
static void broken_relocation_sections_are_errors(void **state)
{
	static const struct {
		uint32_t type;
		uint64_t entry_size;
		uint32_t link;
		enum smelt_status status;
	} cases[] = {
		{ SHT_RELA, 24, 0, SMELT_OK },
		{ SHT_RELA, 16, 0, SMELT_BAD_DATA },
		{ SHT_RELA, 0, 0, SMELT_BAD_DATA },
		{ SHT_REL, 24, 0, SMELT_BAD_DATA },
		{ SHT_RELA, 24, 1, SMELT_BAD_DATA },
		{ SHT_RELA, 24, 99, SMELT_BAD_DATA },
		{ 0x40000014 /* CREL */, 1, 0, SMELT_UNSUPPORTED },
	};
	uint8_t records[30] = { 0 }; /* and the rest of one, which is ignored */

	(void)state;
	put_u64(records + 8, R_X86_64_32, false);
	put_u64(records + 16, 0x44332211, false);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct elf_builder builder;
		struct outcome outcome;

		elf_builder_init(&builder, true, false, ET_REL, EM_X86_64);
		elf_builder_add_data(&builder, ".debug_info", NULL, 4);
		elf_builder_add(&builder, &(struct elf_part){ .name = ".relocations",
							      .type = cases[i].type,
							      .data = records,
							      .size = sizeof(records),
							      .link = cases[i].link,
							      .info = 1,
							      .entry_size = cases[i].entry_size });
		outcome = load_section(&builder, 1);
		assert_int_equal(outcome.status, cases[i].status);
		if (!outcome.status)
			assert_memory_equal(outcome.bytes, "\x11\x22\x33\x44", 4);
	}
}

/* Without a symbol table there is only the null symbol, and not even its size. */
static void size_without_symbol_table_is_zero(void **state)
{
	uint8_t record[24] = { 0 };
	struct elf_builder builder;
	struct outcome outcome;

	(void)state;
	put_u64(record + 8, R_X86_64_SIZE32, false);
	put_u64(record + 16, 0x44332211, false);
	elf_builder_init(&builder, true, false, ET_REL, EM_X86_64);
	elf_builder_add_data(&builder, ".debug_info", NULL, 4);
	elf_builder_add(&builder, &(struct elf_part){ .name = ".relocations",
						      .type = SHT_RELA,
						      .data = record,
						      .size = sizeof(record),
						      .info = 1,
						      .entry_size = sizeof(record) });
	outcome = load_section(&builder, 1);
	assert_int_equal(outcome.status, SMELT_OK);
	assert_memory_equal(outcome.bytes, "\x11\x22\x33\x44", 4);
}

/* Found by fuzzing: relocating the symbol table needs the symbol table. */
static void the_tables_that_relocation_reads_are_not_relocated(void **state)
{
	static const uint32_t types[] = { SHT_SYMTAB, SHT_STRTAB, SHT_SYMTAB_SHNDX, SHT_RELA };
	uint8_t table[24] = "zero", records[24] = { 0 };

	(void)state;
	put_u64(records + 8, R_X86_64_32, false);
	put_u64(records + 16, 0x44332211, false);
	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
		struct elf_builder builder;
		struct outcome outcome;

		elf_builder_init(&builder, true, false, ET_REL, EM_X86_64);
		elf_builder_add(&builder, &(struct elf_part){ .name = ".table",
							      .type = types[i],
							      .data = table,
							      .size = sizeof(table),
							      .link = 1 });
		elf_builder_add(&builder, &(struct elf_part){ .name = ".relocations",
							      .type = SHT_RELA,
							      .data = records,
							      .size = sizeof(records),
							      .link = 1,
							      .info = 1,
							      .entry_size = sizeof(records) });
		outcome = load_section(&builder, 1);
		assert_int_equal(outcome.status, SMELT_OK);
		assert_memory_equal(outcome.bytes, "zero", 4);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_machine_stores_what_its_abi_says),
		cmocka_unit_test(pairs_of_relocations_make_a_difference),
		cmocka_unit_test(symbol_sizes_are_relocations_too),
		cmocka_unit_test(mips64_types_are_composed),
		cmocka_unit_test(symbols_have_the_address_of_their_section),
		cmocka_unit_test(many_relocations_are_all_applied),
		cmocka_unit_test(what_cannot_be_applied_is_an_error),
		cmocka_unit_test(broken_relocation_sections_are_errors),
		cmocka_unit_test(size_without_symbol_table_is_zero),
		cmocka_unit_test(the_tables_that_relocation_reads_are_not_relocated),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
