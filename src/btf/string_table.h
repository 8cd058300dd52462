/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The string section of a BTF blob: each string once, in the order of first use,
 * found out by many threads.
 *
 * The sequence of all uses is cut into shares, one job each. Every use has a position
 * in the sequence; the lowest position of each name is its first use.
 *
 *   string_table_create        once, when no more names will be added
 *   string_share_init          positions of a share are below those of the next one
 *   string_share_use     ∥     each use, in order
 *   string_share_settle  ∥     after all uses of all shares
 *   string_table_place         once, after all shares are settled
 *   string_share_write   ∥     into the section; afterwards
 *   string_table_offset        may be called
 *
 * ∥ marks what different threads may do to different shares at the same time; the steps
 * are separated by joins.
 */
#ifndef BTF_STRING_TABLE_H
#define BTF_STRING_TABLE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/name_table.h"
#include "base/text_index.h"

/* A use that was, when it was noted, the first of its name. */
struct string_candidate {
	uint32_t name;
	uint32_t dense_index;
	union {
		uint32_t position; /* until the share is settled */
		uint32_t bytes;    /* then; with the NUL */
	};
};

struct string_share {
	uint32_t next_position;
	struct string_candidate *candidates;
	size_t count;
	size_t capacity;
	uint64_t bytes;
	uint32_t offset; /* of its first string */
	bool out_of_memory;
};

struct string_table {
	const struct name_table *names;
	const struct text_index *base; /* whose strings are not repeated, or NULL */
	uint32_t origin;               /* offset of the section's first byte */
	uint32_t end;                  /* offset after the last string, once placed */
	uint32_t count;                /* of names */
	/* Per dense index of a name: the position of its first use, later the offset of its text. */
	_Atomic uint32_t *first;
};

/*
 * base: strings that are there already, or NULL. origin: where they end, or 0: then offset 0 is the empty
 * string.
 */
enum smelt_status string_table_init(struct string_table *table, const struct name_table *names,
				    const struct text_index *base, uint32_t origin,
				    struct smelt_error *error);
void string_table_deinit(struct string_table *table);

void string_share_init(struct string_share *share, uint32_t first_position);
void string_share_deinit(struct string_share *share);

void string_share_push(struct string_share *share, struct string_table *table, uint32_t name,
		       uint32_t dense_index, uint32_t position);

/* name 0 is no use. */
static inline void string_share_use(struct string_share *share, struct string_table *table,
				    uint32_t name)
{
	uint32_t position = share->next_position;
	uint32_t dense_index;

	if (name == 0)
		return;
	share->next_position++;
	dense_index = name_table_dense_index(table->names, name);
	/* Nearly all uses are repeats and end here. */
	if (atomic_load_explicit(&table->first[dense_index], memory_order_relaxed) > position)
		string_share_push(share, table, name, dense_index, position);
}

/* Keeps the candidates that are first uses and not in the base. */
void string_share_settle(struct string_share *share, struct string_table *table);

/* SMELT_NO_MEMORY if a share was; SMELT_UNSUPPORTED if the strings take over 4 GiB. */
enum smelt_status string_table_place(struct string_table *table, struct string_share *shares,
				     uint32_t share_count, struct smelt_error *error);

/* section: of string_table_bytes(). */
void string_share_write(const struct string_share *share, struct string_table *table,
			uint8_t *section);

static inline uint32_t string_table_bytes(const struct string_table *table)
{
	return table->end - table->origin;
}

/* Of a name that was used, or 0. */
static inline uint32_t string_table_offset(const struct string_table *table, uint32_t name)
{
	if (name == 0)
		return 0;
	return atomic_load_explicit(&table->first[name_table_dense_index(table->names, name)],
				    memory_order_relaxed);
}

#endif
