/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Names as numbers: two names are equal exactly when their numbers are.
 *
 * Nearly all names of a program lie in one string section, and linkers merge equal strings there, so
 * an offset is almost an identity. This table makes it one without hashing each use: a bitmap tells
 * for each offset whether it is known to be the one that stands for its content. Offsets that are not, because nobody
 * asked yet or because an equal text has another, and names from elsewhere, are looked up by content.
 *
 * A number is 0 for "no name" (also the empty string), otherwise offset + 1, or section
 * size + 1 + n for the n-th string from elsewhere. Numbers depend on the order of arrival:
 * they must never decide an order in the output.
 */
#ifndef BASE_NAME_TABLE_H
#define BASE_NAME_TABLE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"

struct name_table {
	const char *section;
	uint32_t section_size;       /* up to and including the last NUL */
	_Atomic uint64_t *canonical; /* a bit per offset */
	_Atomic bool settled_empty;  /* a name that was settled turned out to be none */
	struct name_index *index;
};

/*
 * `section` (may be empty) must outlive the table; what follows its last NUL is ignored. A section
 * over 2 GiB is not used directly (section_size is 0), its strings are then interned like others.
 * prefix: names that start so read as exactly prefix (--kabi_prefix), or NULL.
 */
enum smelt_status name_table_create(const char *section, uint64_t size, const char *prefix,
				    struct name_table **table, struct smelt_error *error);
void name_table_destroy(struct name_table *table);

/* Thread-safe. Number of `size` bytes without NUL; UINT32_MAX when out of memory. */
uint32_t name_table_intern(struct name_table *table, const char *text, size_t size);
/* Thread-safe. As intern, but never adds: 0 when the text is not known. */
uint32_t name_table_find(struct name_table *table, const char *text, size_t size);

uint32_t name_table_from_offset_slow(struct name_table *table, uint32_t offset);

/* Number of the string at offset < section_size. Thread-safe. UINT32_MAX when out of memory. */
static inline uint32_t name_table_from_offset(struct name_table *table, uint32_t offset)
{
	uint64_t word = atomic_load_explicit(&table->canonical[offset / 64], memory_order_relaxed);

	if (word >> (offset % 64) & 1)
		return offset + 1;
	return name_table_from_offset_slow(table, offset);
}

/* Whether `name`, which may be an offset + 1 that nobody looked at, is its text's number. */
static inline bool name_table_is_settled(const struct name_table *table, uint32_t name)
{
	uint32_t offset = name - 1;

	if (offset >= table->section_size) /* also 0, no name */
		return true;
	return atomic_load_explicit(&table->canonical[offset / 64], memory_order_relaxed) >>
		       (offset % 64) &
	       1;
}

uint32_t name_table_settle_slow(struct name_table *table, uint32_t name);

/* The number of the text of such a name. Thread-safe. UINT32_MAX when out of memory. */
static inline uint32_t name_table_settle(struct name_table *table, uint32_t name)
{
	return name_table_is_settled(table, name) ? name : name_table_settle_slow(table, name);
}

/* Settles all in place, faster than one by one. Thread-safe. False when out of memory. */
bool name_table_settle_all(struct name_table *table, uint32_t *names, size_t count);

/* The NUL-terminated text; "" for 0. Valid as long as the table. */
const char *name_table_text(const struct name_table *table, uint32_t name);

/*
 * How many bits an index needs into a table that remembers something of most names, the commonest
 * ones at least: 10 to 16. Such tables are made for every file, so small files get small ones.
 */
unsigned name_table_cache_bits(const struct name_table *table);

/*
 * Dense numbering 0 .. count-1 of all names, for side arrays. Freeze once no thread adds
 * names any more (false: out of memory); names added later (intern) get further indices, so count may grow. Index of name 0 is 0.
 */
bool name_table_freeze(struct name_table *table);
uint32_t name_table_dense_count(const struct name_table *table);
uint32_t name_table_dense_index(const struct name_table *table, uint32_t name);

#endif
