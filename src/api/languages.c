/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Names of source languages on the command line.
 *
 * A name stands for a DWARF code, not for a language standard: gcc marks
 * -std=gnu17 as DW_LANG_C11, clang as DW_LANG_C99. The codes are those of
 * DWARF 5, section 7.12, table 7.17, and one vendor code for assembler. Later
 * codes have no name here, as they have none in the program this one replaces.
 */
#include <stddef.h>
#include <strings.h>

#include <smelt/encode.h>

struct language {
	const char *name;
	uint16_t code;
};

static const struct language languages[] = {
	{ "c89", 0x01 },       { "c", 0x02 },         { "ada83", 0x03 },
	{ "c++", 0x04 },       { "cobol74", 0x05 },   { "cobol85", 0x06 },
	{ "fortran77", 0x07 }, { "fortran90", 0x08 }, { "pascal83", 0x09 },
	{ "modula2", 0x0a },   { "java", 0x0b },      { "c99", 0x0c },
	{ "ada95", 0x0d },     { "fortran95", 0x0e }, { "pli", 0x0f },
	{ "objc", 0x10 },      { "objc++", 0x11 },    { "upc", 0x12 },
	{ "d", 0x13 },         { "python", 0x14 },    { "opencl", 0x15 },
	{ "go", 0x16 },        { "modula3", 0x17 },   { "haskell", 0x18 },
	{ "c++03", 0x19 },     { "c++11", 0x1a },     { "ocaml", 0x1b },
	{ "rust", 0x1c },      { "c11", 0x1d },       { "swift", 0x1e },
	{ "julia", 0x1f },     { "dylan", 0x20 },     { "c++14", 0x21 },
	{ "fortran03", 0x22 }, { "fortran08", 0x23 }, { "renderscript", 0x24 },
	{ "bliss", 0x25 },     { "asm", 0x8001 }, /* DW_LANG_Mips_Assembler, which gas uses everywhere */
};

uint16_t smelt_language_code(const char *name)
{
	for (size_t i = 0; i < sizeof(languages) / sizeof(languages[0]); i++)
		if (strcasecmp(name, languages[i].name) == 0)
			return languages[i].code;
	return 0;
}
