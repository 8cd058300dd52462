/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * What the relocation types of each machine do to data (not to instructions). With S the
 * symbol's address, A the addend, P the address of the field and F what the field holds:
 */
#ifndef ELF_RELOCATION_TABLES_H
#define ELF_RELOCATION_TABLES_H

#include <stddef.h>
#include <stdint.h>

#include "elf/elf_file.h"

enum relocation_kind {
	RELOCATION_UNKNOWN,     /* not for data, or not known */
	RELOCATION_NONE,        /* leaves the field alone */
	RELOCATION_ABSOLUTE,    /* S + A */
	RELOCATION_RELATIVE,    /* S + A - P */
	RELOCATION_SIZE,        /* size of the symbol + A */
	RELOCATION_NEGATE,      /* S - A */
	RELOCATION_ADD,         /* F + S + A, also where A does not come from F */
	RELOCATION_SUBTRACT,    /* F - (S + A) */
	RELOCATION_DIFFERENCE,  /* S is to be subtracted from what the next relocation stores */
	RELOCATION_MINUEND,     /* S + A - that difference, if there is one */
	RELOCATION_SET_6,       /* S + A in the low 6 bits of a byte */
	RELOCATION_SUBTRACT_6,  /* F - (S + A), likewise */
	RELOCATION_ADD_6,       /* F + S + A, likewise */
	RELOCATION_SET_ULEB128, /* S + A - difference as LEB128, as long as the field is now */
	RELOCATION_ADD_ULEB128, /* F + S + A, likewise */
	RELOCATION_SUBTRACT_ULEB128, /* F - (S + A), likewise */
};

/* A kind and the size of the field in bytes, in one byte so that a `switch` sees both. */
#define RELOCATION_OPERATION(kind, width) ((uint8_t)((kind) << 4 | (width)))

static inline enum relocation_kind relocation_operation_kind(uint8_t operation)
{
	return (enum relocation_kind)(operation >> 4);
}

static inline unsigned relocation_operation_width(uint8_t operation)
{
	return operation & 15;
}

struct relocation_type {
	uint16_t type; /* R_* */
	uint8_t operation;
};

struct relocation_machine {
	uint16_t machine; /* EM_* */
	uint8_t variant;  /* of machines that have several numberings */
	const char *name;
	const struct relocation_type *types;
	size_t count;
};

/* Types of all machines are below this. */
enum { RELOCATION_TYPE_LIMIT = 1040 };

/* The table for a file, or NULL. */
const struct relocation_machine *relocation_machine_find(const struct elf_header *header,
							 uint32_t processor_flags);

#endif
