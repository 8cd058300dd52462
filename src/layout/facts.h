/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * What follows from a type for an object of it: how large it is, how it wants to be aligned, what it is
 * under its typedefs. Found out when first asked for, and kept. Types of damaged files may contain themselves
 * by value; what is inside such a loop counts as void. Nothing here recurses, so chains may be long.
 */
#ifndef LAYOUT_FACTS_H
#define LAYOUT_FACTS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/vector.h"
#include "model/program.h"

struct type_facts {
	uint64_t size;      /* bytes of an object, at most FACTS_SIZE_MAX; 0: none, or not known */
	uint32_t base;      /* the type without qualifiers and typedefs; 0: void */
	uint32_t alignment; /* natural, in bytes, at least 1; forced ones do not count */
	bool ends_in_flexible_array; /* STRUCT: its last member is an array of no elements */
	bool embeds_flexible_array; /* STRUCT: a member is a struct of which this or that is true */
	bool is_empty_class;        /* STRUCT: of size 1, without data members */
	uint8_t state;              /* enum facts_state */
};

enum facts_state { FACTS_UNKNOWN, FACTS_IN_PROGRESS, FACTS_KNOWN };

/* So that sums of a few sizes in bits fit 64 bits. */
#define FACTS_SIZE_MAX (UINT64_MAX >> 8)

struct facts_frame {
	uint32_t type;
	uint32_t next; /* the first dependency not looked at yet */
};

struct facts_table {
	const struct program *program;
	struct type_facts *facts; /* per type */
	VECTOR(struct facts_frame) stack;
	bool out_of_memory; /* what was asked for since then may be wrong */
};

/* `program` must outlive the table. */
enum smelt_status facts_table_init(struct facts_table *table, const struct program *program,
				   struct smelt_error *error);
void facts_table_deinit(struct facts_table *table);

/* For type < program->type_count. Never NULL. */
const struct type_facts *facts_table_find(struct facts_table *table, uint32_t type);

static inline const struct type_facts *facts_of(struct facts_table *table, uint32_t type)
{
	const struct type_facts *facts = &table->facts[type];

	return facts->state == FACTS_KNOWN ? facts : facts_table_find(table, type);
}

/* The type under qualifiers and typedefs; [0], void, when there is none. */
static inline const struct program_type *facts_base(struct facts_table *table, uint32_t type)
{
	return &table->program->types[facts_of(table, type)->base];
}

#endif
