/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Relocation types that assemblers put on data. The numbers are those of the processor
 * supplements of the ABI; they are spelled out because <elf.h> lacks some machines and the
 * newer types of others. Offsets into thread-local storage (DTPREL and the like) count from
 * the start of the section that holds the variable: S of such symbols is no address.
 */
#include "elf/relocation_tables.h"

#include <elf.h>

/* In the registry of machine numbers, but not in every <elf.h>. */
enum {
	MACHINE_OPENRISC = 92,
	MACHINE_ARC_COMPACT = 93,
	MACHINE_HEXAGON = 164,
	MACHINE_ARC_COMPACT2 = 195,
	MACHINE_BPF = 247,
	MACHINE_CSKY = 252,
	MACHINE_ARC_COMPACT3_64 = 253,
	MACHINE_ARC_COMPACT3 = 255,
	MACHINE_LOONGARCH = 258,
};

/* Variants: the byte order, or the MSP430X instruction set. */
enum { ANY_VARIANT, LITTLE_ENDIAN_VARIANT, BIG_ENDIAN_VARIANT, MSP430X_VARIANT };

#define NONE RELOCATION_OPERATION(RELOCATION_NONE, 0)
#define ABS(width) RELOCATION_OPERATION(RELOCATION_ABSOLUTE, width)
#define REL(width) RELOCATION_OPERATION(RELOCATION_RELATIVE, width)
#define SIZE(width) RELOCATION_OPERATION(RELOCATION_SIZE, width)
#define ADD(width) RELOCATION_OPERATION(RELOCATION_ADD, width)
#define SUB(width) RELOCATION_OPERATION(RELOCATION_SUBTRACT, width)
#define MINUEND(width) RELOCATION_OPERATION(RELOCATION_MINUEND, width)

static const struct relocation_type x86_64[] = {
	{ 0, NONE },     /* R_X86_64_NONE */
	{ 1, ABS(8) },   /* 64 */
	{ 2, REL(4) },   /* PC32 */
	{ 4, REL(4) },   /* PLT32 */
	{ 10, ABS(4) },  /* 32 */
	{ 11, ABS(4) },  /* 32S */
	{ 12, ABS(2) },  /* 16 */
	{ 13, REL(2) },  /* PC16 */
	{ 14, ABS(1) },  /* 8 */
	{ 15, REL(1) },  /* PC8 */
	{ 17, ABS(8) },  /* DTPOFF64 */
	{ 21, ABS(4) },  /* DTPOFF32 */
	{ 24, REL(8) },  /* PC64 */
	{ 32, SIZE(4) }, /* SIZE32 */
	{ 33, SIZE(8) }, /* SIZE64 */
};

static const struct relocation_type i386[] = {
	{ 0, NONE },     /* R_386_NONE */
	{ 1, ABS(4) },   /* 32 */
	{ 2, REL(4) },   /* PC32 */
	{ 4, REL(4) },   /* PLT32 */
	{ 20, ABS(2) },  /* 16 */
	{ 21, REL(2) },  /* PC16 */
	{ 22, ABS(1) },  /* 8 */
	{ 23, REL(1) },  /* PC8 */
	{ 32, ABS(4) },  /* TLS_LDO_32 */
	{ 36, ABS(4) },  /* TLS_DTPOFF32 */
	{ 38, SIZE(4) }, /* SIZE32 */
};

static const struct relocation_type arm[] = {
	{ 0, NONE },     /* R_ARM_NONE */
	{ 2, ABS(4) },   /* ABS32 */
	{ 3, REL(4) },   /* REL32 */
	{ 5, ABS(2) },   /* ABS16 */
	{ 8, ABS(1) },   /* ABS8 */
	{ 18, ABS(4) },  /* TLS_DTPOFF32 */
	{ 38, ABS(4) },  /* TARGET1; absolute on Linux */
	{ 55, ABS(4) },  /* ABS32_NOI */
	{ 56, REL(4) },  /* REL32_NOI */
	{ 106, ABS(4) }, /* TLS_LDO32 */
};

static const struct relocation_type aarch64[] = {
	{ 0, NONE },      /* R_AARCH64_NONE */
	{ 1, ABS(4) },    /* P32_ABS32 */
	{ 2, ABS(2) },    /* P32_ABS16 */
	{ 3, REL(4) },    /* P32_PREL32 */
	{ 4, REL(2) },    /* P32_PREL16 */
	{ 185, ABS(4) },  /* P32_TLS_DTPREL */
	{ 256, NONE },    /* NONE, LP64 */
	{ 257, ABS(8) },  /* ABS64 */
	{ 258, ABS(4) },  /* ABS32 */
	{ 259, ABS(2) },  /* ABS16 */
	{ 260, REL(8) },  /* PREL64 */
	{ 261, REL(4) },  /* PREL32 */
	{ 262, REL(2) },  /* PREL16 */
	{ 314, REL(4) },  /* PLT32 */
	{ 1029, ABS(8) }, /* TLS_DTPREL */
};

static const struct relocation_type ppc[] = {
	{ 0, NONE },    /* R_PPC_NONE */
	{ 1, ABS(4) },  /* ADDR32 */
	{ 3, ABS(2) },  /* ADDR16 */
	{ 24, ABS(4) }, /* UADDR32 */
	{ 25, ABS(2) }, /* UADDR16 */
	{ 26, REL(4) }, /* REL32 */
	{ 78, ABS(4) }, /* DTPREL32 */
};

static const struct relocation_type ppc64[] = {
	{ 0, NONE },     /* R_PPC64_NONE */
	{ 1, ABS(4) },   /* ADDR32 */
	{ 3, ABS(2) },   /* ADDR16 */
	{ 24, ABS(4) },  /* UADDR32 */
	{ 25, ABS(2) },  /* UADDR16 */
	{ 26, REL(4) },  /* REL32 */
	{ 38, ABS(8) },  /* ADDR64 */
	{ 43, ABS(8) },  /* UADDR64 */
	{ 44, REL(8) },  /* REL64 */
	{ 78, ABS(8) },  /* DTPREL64 */
	{ 110, ABS(4) }, /* DTPREL32 */
};

/* 31 and 64 bits. */
static const struct relocation_type s390[] = {
	{ 0, NONE },    /* R_390_NONE */
	{ 1, ABS(1) },  /* 8 */
	{ 3, ABS(2) },  /* 16 */
	{ 4, ABS(4) },  /* 32 */
	{ 5, REL(4) },  /* PC32 */
	{ 16, REL(2) }, /* PC16 */
	{ 22, ABS(8) }, /* 64 */
	{ 23, REL(8) }, /* PC64 */
	{ 52, ABS(4) }, /* TLS_LDO32 */
	{ 53, ABS(8) }, /* TLS_LDO64 */
};

/* Linker relaxation makes every difference of labels a pair of ADD or SET and SUB. */
static const struct relocation_type riscv[] = {
	{ 0, NONE },                                                  /* R_RISCV_NONE */
	{ 1, ABS(4) },                                                /* 32 */
	{ 2, ABS(8) },                                                /* 64 */
	{ 8, ABS(4) },                                                /* TLS_DTPREL32 */
	{ 9, ABS(8) },                                                /* TLS_DTPREL64 */
	{ 33, ADD(1) },                                               /* ADD8 */
	{ 34, ADD(2) },                                               /* ADD16 */
	{ 35, ADD(4) },                                               /* ADD32 */
	{ 36, ADD(8) },                                               /* ADD64 */
	{ 37, SUB(1) },                                               /* SUB8 */
	{ 38, SUB(2) },                                               /* SUB16 */
	{ 39, SUB(4) },                                               /* SUB32 */
	{ 40, SUB(8) },                                               /* SUB64 */
	{ 43, NONE },                                                 /* ALIGN */
	{ 51, NONE },                                                 /* RELAX */
	{ 52, RELOCATION_OPERATION(RELOCATION_SUBTRACT_6, 1) },       /* SUB6 */
	{ 53, RELOCATION_OPERATION(RELOCATION_SET_6, 1) },            /* SET6 */
	{ 54, ABS(1) },                                               /* SET8 */
	{ 55, ABS(2) },                                               /* SET16 */
	{ 56, ABS(4) },                                               /* SET32 */
	{ 57, REL(4) },                                               /* 32_PCREL */
	{ 59, REL(4) },                                               /* PLT32 */
	{ 60, RELOCATION_OPERATION(RELOCATION_SET_ULEB128, 1) },      /* SET_ULEB128 */
	{ 61, RELOCATION_OPERATION(RELOCATION_SUBTRACT_ULEB128, 1) }, /* SUB_ULEB128 */
};

static const struct relocation_type loongarch[] = {
	{ 0, NONE },                                                   /* R_LARCH_NONE */
	{ 1, ABS(4) },                                                 /* 32 */
	{ 2, ABS(8) },                                                 /* 64 */
	{ 8, ABS(4) },                                                 /* TLS_DTPREL32 */
	{ 9, ABS(8) },                                                 /* TLS_DTPREL64 */
	{ 20, NONE },                                                  /* MARK_LA */
	{ 21, NONE },                                                  /* MARK_PCREL */
	{ 47, ADD(1) },                                                /* ADD8 */
	{ 48, ADD(2) },                                                /* ADD16 */
	{ 49, ADD(3) },                                                /* ADD24 */
	{ 50, ADD(4) },                                                /* ADD32 */
	{ 51, ADD(8) },                                                /* ADD64 */
	{ 52, SUB(1) },                                                /* SUB8 */
	{ 53, SUB(2) },                                                /* SUB16 */
	{ 54, SUB(3) },                                                /* SUB24 */
	{ 55, SUB(4) },                                                /* SUB32 */
	{ 56, SUB(8) },                                                /* SUB64 */
	{ 99, REL(4) },                                                /* 32_PCREL */
	{ 100, NONE },                                                 /* RELAX */
	{ 102, NONE },                                                 /* ALIGN */
	{ 105, RELOCATION_OPERATION(RELOCATION_ADD_6, 1) },            /* ADD6 */
	{ 106, RELOCATION_OPERATION(RELOCATION_SUBTRACT_6, 1) },       /* SUB6 */
	{ 107, RELOCATION_OPERATION(RELOCATION_ADD_ULEB128, 1) },      /* ADD_ULEB128 */
	{ 108, RELOCATION_OPERATION(RELOCATION_SUBTRACT_ULEB128, 1) }, /* SUB_ULEB128 */
	{ 109, REL(8) },                                               /* 64_PCREL */
};

/* All ABIs. N64 packs up to three types into one record, see relocate.c. */
static const struct relocation_type mips[] = {
	{ 0, NONE },                                        /* R_MIPS_NONE */
	{ 1, ABS(2) },                                      /* 16 */
	{ 2, ABS(4) },                                      /* 32 */
	{ 18, ABS(8) },                                     /* 64 */
	{ 24, RELOCATION_OPERATION(RELOCATION_NEGATE, 8) }, /* SUB */
	{ 39, ABS(4) },                                     /* TLS_DTPREL32 */
	{ 41, ABS(8) },                                     /* TLS_DTPREL64 */
	{ 248, REL(4) },                                    /* PC32 */
};

static const struct relocation_type sparc[] = {
	{ 0, NONE },    /* R_SPARC_NONE */
	{ 1, ABS(1) },  /* 8 */
	{ 2, ABS(2) },  /* 16 */
	{ 3, ABS(4) },  /* 32 */
	{ 4, REL(1) },  /* DISP8 */
	{ 5, REL(2) },  /* DISP16 */
	{ 6, REL(4) },  /* DISP32 */
	{ 23, ABS(4) }, /* UA32 */
	{ 32, ABS(8) }, /* 64 */
	{ 46, REL(8) }, /* DISP64 */
	{ 54, ABS(8) }, /* UA64 */
	{ 55, ABS(2) }, /* UA16 */
	{ 76, ABS(4) }, /* TLS_DTPOFF32 */
	{ 77, ABS(8) }, /* TLS_DTPOFF64 */
};

/*
 * Three numberings, for data not in conflict: today's, that of clang before version 13
 * (1 and 10 on data) and that of GNU binutils before 2.41 (5 to 9, 11 to 13). NODYLD32 is for
 * .BTF and .BTF.ext, whose offsets are wanted as the file has them.
 */
static const struct relocation_type bpf[] = {
	{ 0, NONE },    /* R_BPF_NONE */
	{ 1, ABS(8) },  /* 64_64 */
	{ 2, ABS(8) },  /* 64_ABS64 */
	{ 3, ABS(4) },  /* 64_ABS32 */
	{ 4, NONE },    /* 64_NODYLD32 */
	{ 5, REL(1) },  /* DATA_8_PCREL */
	{ 6, REL(2) },  /* DATA_16_PCREL */
	{ 7, REL(4) },  /* DATA_32_PCREL */
	{ 8, ABS(1) },  /* DATA_8 */
	{ 9, ABS(2) },  /* DATA_16 */
	{ 10, ABS(4) }, /* 64_32 */
	{ 11, ABS(4) }, /* DATA_32 */
	{ 12, ABS(8) }, /* DATA_64 */
	{ 13, REL(8) }, /* DATA_64_PCREL */
};

static const struct relocation_type hexagon[] = {
	{ 0, NONE },    /* R_HEX_NONE */
	{ 6, ABS(4) },  /* 32 */
	{ 7, ABS(2) },  /* 16 */
	{ 8, ABS(1) },  /* 8 */
	{ 31, REL(4) }, /* 32_PCREL */
	{ 47, ABS(4) }, /* DTPREL_32 */
	{ 48, ABS(2) }, /* DTPREL_16 */
};

static const struct relocation_type msp430[] = {
	{ 0, NONE },                                             /* R_MSP430_NONE */
	{ 1, MINUEND(4) },                                       /* 32 */
	{ 3, MINUEND(2) },                                       /* 16 */
	{ 5, MINUEND(2) },                                       /* 16_BYTE */
	{ 9, MINUEND(1) },                                       /* 8 */
	{ 10, RELOCATION_OPERATION(RELOCATION_DIFFERENCE, 0) },  /* SYM_DIFF */
	{ 11, RELOCATION_OPERATION(RELOCATION_SET_ULEB128, 1) }, /* GNU_SET_ULEB128 */
	{ 12, RELOCATION_OPERATION(RELOCATION_DIFFERENCE, 0) },  /* GNU_SUB_ULEB128 */
};

static const struct relocation_type msp430x[] = {
	{ 0, NONE },                                             /* R_MSP430_NONE */
	{ 1, MINUEND(4) },                                       /* ABS32 */
	{ 2, MINUEND(2) },                                       /* ABS16 */
	{ 3, MINUEND(1) },                                       /* ABS8 */
	{ 15, MINUEND(2) },                                      /* X_ABS16 */
	{ 21, RELOCATION_OPERATION(RELOCATION_DIFFERENCE, 0) },  /* X_SYM_DIFF */
	{ 22, RELOCATION_OPERATION(RELOCATION_SET_ULEB128, 1) }, /* X_GNU_SET_ULEB128 */
	{ 23, RELOCATION_OPERATION(RELOCATION_DIFFERENCE, 0) },  /* X_GNU_SUB_ULEB128 */
};

/* Differences that a relaxing linker would adjust (DIFF) are in place already. */
static const struct relocation_type avr[] = {
	{ 0, NONE },    /* R_AVR_NONE */
	{ 1, ABS(4) },  /* 32 */
	{ 4, ABS(2) },  /* 16 */
	{ 26, ABS(1) }, /* 8 */
	{ 30, NONE },   /* DIFF8 */
	{ 31, NONE },   /* DIFF16 */
	{ 32, NONE },   /* DIFF32 */
	{ 36, REL(4) }, /* 32_PCREL */
};

static const struct relocation_type m68k[] = {
	{ 0, NONE },    /* R_68K_NONE */
	{ 1, ABS(4) },  /* 32 */
	{ 2, ABS(2) },  /* 16 */
	{ 3, ABS(1) },  /* 8 */
	{ 4, REL(4) },  /* PC32 */
	{ 5, REL(2) },  /* PC16 */
	{ 6, REL(1) },  /* PC8 */
	{ 31, ABS(4) }, /* TLS_LDO32 */
	{ 41, ABS(4) }, /* TLS_DTPREL32 */
};

/* The addend is in the field, although the records have one too (it is 0). */
static const struct relocation_type sh[] = {
	{ 0, NONE },     /* R_SH_NONE */
	{ 1, ADD(4) },   /* DIR32 */
	{ 146, ADD(4) }, /* TLS_LDO_32 */
	{ 150, ADD(4) }, /* TLS_DTPOFF32 */
};

/* SECREL is on debug sections only, which have address 0. */
static const struct relocation_type parisc[] = {
	{ 0, NONE },     /* R_PARISC_NONE */
	{ 1, ABS(4) },   /* DIR32 */
	{ 9, REL(4) },   /* PCREL32 */
	{ 41, ABS(4) },  /* SECREL32 */
	{ 72, REL(8) },  /* PCREL64 */
	{ 80, ABS(8) },  /* DIR64 */
	{ 104, ABS(8) }, /* SECREL64 */
	{ 244, ABS(4) }, /* TLS_DTPOFF32 */
	{ 245, ABS(8) }, /* TLS_DTPOFF64 */
};

static const struct relocation_type alpha[] = {
	{ 0, NONE },    /* R_ALPHA_NONE */
	{ 1, ABS(4) },  /* REFLONG */
	{ 2, ABS(8) },  /* REFQUAD */
	{ 9, REL(2) },  /* SREL16 */
	{ 10, REL(4) }, /* SREL32 */
	{ 11, REL(8) }, /* SREL64 */
	{ 33, ABS(8) }, /* DTPREL64 */
};

/* Each type exists for both byte orders; one that is not the file's is not supported. */
static const struct relocation_type ia64_msb[] = {
	{ 0, NONE },      /* R_IA64_NONE */
	{ 0x24, ABS(4) }, /* DIR32MSB */
	{ 0x26, ABS(8) }, /* DIR64MSB */
	{ 0x4c, REL(4) }, /* PCREL32MSB */
	{ 0x4e, REL(8) }, /* PCREL64MSB */
	{ 0x64, ABS(4) }, /* SECREL32MSB */
	{ 0x66, ABS(8) }, /* SECREL64MSB */
	{ 0xb4, ABS(4) }, /* DTPREL32MSB */
	{ 0xb6, ABS(8) }, /* DTPREL64MSB */
};

static const struct relocation_type ia64_lsb[] = {
	{ 0, NONE },      /* R_IA64_NONE */
	{ 0x25, ABS(4) }, /* DIR32LSB */
	{ 0x27, ABS(8) }, /* DIR64LSB */
	{ 0x4d, REL(4) }, /* PCREL32LSB */
	{ 0x4f, REL(8) }, /* PCREL64LSB */
	{ 0x65, ABS(4) }, /* SECREL32LSB */
	{ 0x67, ABS(8) }, /* SECREL64LSB */
	{ 0xb5, ABS(4) }, /* DTPREL32LSB */
	{ 0xb7, ABS(8) }, /* DTPREL64LSB */
};

static const struct relocation_type arc[] = {
	{ 0, NONE },    /* R_ARC_NONE */
	{ 1, ABS(1) },  /* 8 */
	{ 2, ABS(2) },  /* 16 */
	{ 3, ABS(3) },  /* 24 */
	{ 4, ABS(4) },  /* 32 */
	{ 49, REL(4) }, /* 32_PCREL */
	{ 67, ABS(4) }, /* TLS_DTPOFF */
};

static const struct relocation_type arc64[] = {
	{ 0, NONE },    /* R_ARC_NONE */
	{ 1, ABS(1) },  /* 8 */
	{ 2, ABS(2) },  /* 16 */
	{ 3, ABS(3) },  /* 24 */
	{ 4, ABS(4) },  /* 32 */
	{ 5, ABS(8) },  /* 64 */
	{ 49, REL(4) }, /* 32_PCREL */
};

static const struct relocation_type csky[] = {
	{ 0, NONE },    /* R_CKCORE_NONE */
	{ 1, ABS(4) },  /* ADDR32 */
	{ 5, REL(4) },  /* PCREL32 */
	{ 55, ABS(4) }, /* TLS_LDO32 */
	{ 57, ABS(4) }, /* TLS_DTPOFF32 */
};

/* 32 adds to the field although the records have addends. Differences are in place. */
static const struct relocation_type xtensa[] = {
	{ 0, NONE },    /* R_XTENSA_NONE */
	{ 1, ADD(4) },  /* 32 */
	{ 14, REL(4) }, /* 32_PCREL */
	{ 17, NONE },   /* DIFF8 */
	{ 18, NONE },   /* DIFF16 */
	{ 19, NONE },   /* DIFF32 */
	{ 52, ABS(4) }, /* TLS_DTPOFF */
	{ 57, NONE },   /* PDIFF8 */
	{ 58, NONE },   /* PDIFF16 */
	{ 59, NONE },   /* PDIFF32 */
	{ 60, NONE },   /* NDIFF8 */
	{ 61, NONE },   /* NDIFF16 */
	{ 62, NONE },   /* NDIFF32 */
};

static const struct relocation_type microblaze[] = {
	{ 0, NONE },    /* R_MICROBLAZE_NONE */
	{ 1, ABS(4) },  /* 32 */
	{ 2, REL(4) },  /* 32_PCREL */
	{ 9, NONE },    /* 64_NONE */
	{ 26, ABS(4) }, /* TLSDTPREL32 */
	{ 33, NONE },   /* 32_NONE */
};

static const struct relocation_type nios2[] = {
	{ 0, NONE },    /* R_NIOS2_NONE */
	{ 12, ABS(4) }, /* BFD_RELOC_32 */
	{ 13, ABS(2) }, /* BFD_RELOC_16 */
	{ 14, ABS(1) }, /* BFD_RELOC_8 */
	{ 34, ABS(4) }, /* TLS_DTPREL */
};

static const struct relocation_type openrisc[] = {
	{ 0, NONE },    /* R_OR1K_NONE */
	{ 1, ABS(4) },  /* 32 */
	{ 2, ABS(2) },  /* 16 */
	{ 3, ABS(1) },  /* 8 */
	{ 9, REL(4) },  /* 32_PCREL */
	{ 10, REL(2) }, /* 16_PCREL */
	{ 11, REL(1) }, /* 8_PCREL */
	{ 33, ABS(4) }, /* TLS_DTPOFF */
};

#define MACHINE(machine, variant, name, table)                                    \
	{                                                                         \
		machine, variant, name, table, sizeof(table) / sizeof((table)[0]) \
	}

static const struct relocation_machine machines[] = {
	MACHINE(EM_X86_64, ANY_VARIANT, "x86-64", x86_64),
	MACHINE(EM_386, ANY_VARIANT, "i386", i386),
	MACHINE(EM_ARM, ANY_VARIANT, "ARM", arm),
	MACHINE(EM_AARCH64, ANY_VARIANT, "AArch64", aarch64),
	MACHINE(EM_PPC, ANY_VARIANT, "PowerPC", ppc),
	MACHINE(EM_PPC64, ANY_VARIANT, "PowerPC64", ppc64),
	MACHINE(EM_S390, ANY_VARIANT, "S/390", s390),
	MACHINE(EM_RISCV, ANY_VARIANT, "RISC-V", riscv),
	MACHINE(MACHINE_LOONGARCH, ANY_VARIANT, "LoongArch", loongarch),
	MACHINE(EM_MIPS, ANY_VARIANT, "MIPS", mips),
	MACHINE(EM_SPARC, ANY_VARIANT, "SPARC", sparc),
	MACHINE(EM_SPARC32PLUS, ANY_VARIANT, "SPARC", sparc),
	MACHINE(EM_SPARCV9, ANY_VARIANT, "SPARC", sparc),
	MACHINE(MACHINE_BPF, ANY_VARIANT, "BPF", bpf),
	MACHINE(MACHINE_HEXAGON, ANY_VARIANT, "Hexagon", hexagon),
	MACHINE(EM_MSP430, MSP430X_VARIANT, "MSP430X", msp430x),
	MACHINE(EM_MSP430, ANY_VARIANT, "MSP430", msp430),
	MACHINE(EM_AVR, ANY_VARIANT, "AVR", avr),
	MACHINE(EM_68K, ANY_VARIANT, "m68k", m68k),
	MACHINE(EM_SH, ANY_VARIANT, "SuperH", sh),
	MACHINE(EM_PARISC, ANY_VARIANT, "PA-RISC", parisc),
	MACHINE(EM_ALPHA, ANY_VARIANT, "Alpha", alpha),
	/* The registered number, which Linux never used. */
	MACHINE(EM_FAKE_ALPHA, ANY_VARIANT, "Alpha", alpha),
	MACHINE(EM_IA_64, BIG_ENDIAN_VARIANT, "IA-64", ia64_msb),
	MACHINE(EM_IA_64, LITTLE_ENDIAN_VARIANT, "IA-64", ia64_lsb),
	MACHINE(MACHINE_ARC_COMPACT, ANY_VARIANT, "ARC", arc),
	MACHINE(MACHINE_ARC_COMPACT2, ANY_VARIANT, "ARC", arc),
	MACHINE(MACHINE_ARC_COMPACT3, ANY_VARIANT, "ARC", arc),
	MACHINE(MACHINE_ARC_COMPACT3_64, ANY_VARIANT, "ARC", arc64),
	MACHINE(MACHINE_CSKY, ANY_VARIANT, "C-SKY", csky),
	MACHINE(EM_XTENSA, ANY_VARIANT, "Xtensa", xtensa),
	MACHINE(EM_MICROBLAZE, ANY_VARIANT, "MicroBlaze", microblaze),
	MACHINE(EM_ALTERA_NIOS2, ANY_VARIANT, "Nios II", nios2),
	MACHINE(MACHINE_OPENRISC, ANY_VARIANT, "OpenRISC", openrisc),
};

static bool is_variant(uint8_t variant, const struct elf_header *header, uint32_t processor_flags)
{
	enum { MSP430_MACHINE_MASK = 0xff, MSP430_MACHINE_X = 45 };

	switch (variant) {
	case LITTLE_ENDIAN_VARIANT:
		return !header->is_big_endian;
	case BIG_ENDIAN_VARIANT:
		return header->is_big_endian;
	case MSP430X_VARIANT:
		return (processor_flags & MSP430_MACHINE_MASK) == MSP430_MACHINE_X;
	default:
		return true;
	}
}

const struct relocation_machine *relocation_machine_find(const struct elf_header *header,
							 uint32_t processor_flags)
{
	for (size_t i = 0; i < sizeof(machines) / sizeof(machines[0]); i++)
		if (machines[i].machine == header->machine &&
		    is_variant(machines[i].variant, header, processor_flags))
			return &machines[i];
	return NULL;
}
