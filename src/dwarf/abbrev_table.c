/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The abbreviations of one unit, by code. Every unit of a program has a table of its own that says mostly what the tables before
 * it said, so compiled plans stay when the next table is compiled: an abbreviation that reads the same, byte by byte, is the
 * same plan.
 */
#include <stdlib.h>

#include "dwarf/constants.h"
#include "dwarf/plan_compiler.h"

enum {
	/* Codes below this are looked up by index, whatever the table's size. */
	DIRECT_CODES = 65536,
	/* Beyond this all plans are forgotten: compilers write some hundreds of different ones. */
	KNOWN_PLANS_MAX = 8192,
	FIRST_SLOTS = 1024,
};

void abbrev_table_init(struct abbrev_table *table)
{
	*table = (struct abbrev_table){ .offset = UINT64_MAX };
}

void abbrev_table_deinit(struct abbrev_table *table)
{
	vector_deinit(&table->plans);
	vector_deinit(&table->ops);
	vector_deinit(&table->skip_ops);
	vector_deinit(&table->by_code);
	vector_deinit(&table->fast);
	vector_deinit(&table->sparse);
	vector_deinit(&table->known);
	vector_deinit(&table->known_bytes);
	vector_deinit(&table->slots);
	table->offset = UINT64_MAX;
}

static void forget_plans(struct abbrev_table *table)
{
	table->plans.count = 0;
	table->ops.count = 0;
	table->skip_ops.count = 0;
	table->known.count = 0;
	table->known_bytes.count = 0;
	table->slots.count = 0;
}

/* The plans of one context mean something else in another. */
static void choose_context(struct abbrev_table *table, const struct plan_context *context)
{
	const struct plan_context *known = &table->known_context;

	if (table->plans.count > KNOWN_PLANS_MAX || known->version != context->version ||
	    known->address_size != context->address_size ||
	    known->offset_size != context->offset_size || known->swap != context->swap)
		forget_plans(table);
	table->known_context = *context;
}

static const uint8_t *skip_leb128(const uint8_t *position, const uint8_t *end)
{
	while (position < end && *position >= 0x80)
		position++;
	return position + 1;
}

/*
 * Bytes of the abbreviation whose tag is at `start`, the zeros that end it included; 0: it does not end. Whether it makes
 * sense is the compiler's business.
 */
static size_t abbrev_size(const uint8_t *start, const uint8_t *end)
{
	const uint8_t *position = skip_leb128(start, end) + 1;

	while (end - position >= 2) {
		const uint8_t *pair = position;
		bool is_implicit;

		if ((pair[0] | pair[1]) < 0x80 && pair[1] != DW_FORM_implicit_const) {
			position += 2;
			if ((pair[0] | pair[1]) == 0)
				return (size_t)(position - start);
			continue;
		}
		position = skip_leb128(position, end);
		is_implicit = position < end && *position == DW_FORM_implicit_const;
		position = skip_leb128(position, end);
		if (is_implicit)
			position = skip_leb128(position, end);
	}
	return 0;
}

static uint64_t abbrev_hash(const uint8_t *bytes, size_t size)
{
	uint64_t hash = size, word;

	for (size_t i = 0; i + 8 <= size; i += 8) {
		memcpy(&word, bytes + i, 8);
		hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
		hash ^= hash >> 32;
	}
	if (size >= 8) {
		memcpy(&word, bytes + size - 8, 8);
		hash = (hash ^ word) * UINT64_C(0xc4ceb9fe1a85ec53);
	} else {
		for (size_t i = 0; i < size; i++)
			hash = (hash ^ bytes[i]) * UINT64_C(0xc4ceb9fe1a85ec53);
	}
	return hash ^ hash >> 29;
}

/* The plan of an abbreviation that reads so, or 0; otherwise index + 1. */
static uint32_t find_known(const struct abbrev_table *table, uint64_t hash, const uint8_t *bytes,
			   size_t size)
{
	size_t mask = table->slots.count - 1;

	if (table->slots.count == 0)
		return 0;
	for (size_t i = (size_t)hash & mask; table->slots.items[i] != 0; i = (i + 1) & mask) {
		uint32_t index = table->slots.items[i];
		const struct known_abbrev *known = &table->known.items[index - 1];

		if (known->hash == hash && known->size == size &&
		    memcmp(table->known_bytes.items + known->offset, bytes, size) == 0)
			return index;
	}
	return 0;
}

static bool grow_slots(struct abbrev_table *table)
{
	size_t count = table->slots.count ? 2 * table->slots.count : FIRST_SLOTS;

	if (!vector_reserve(&table->slots, count))
		return false;
	memset(table->slots.items, 0, count * sizeof(*table->slots.items));
	table->slots.count = count;
	for (size_t i = 0; i < table->known.count; i++) {
		size_t slot = (size_t)table->known.items[i].hash & (count - 1);

		while (table->slots.items[slot] != 0)
			slot = (slot + 1) & (count - 1);
		table->slots.items[slot] = (uint32_t)i + 1;
	}
	return true;
}

/* Adds the plan just compiled from `bytes`. */
static bool remember(struct abbrev_table *table, const struct die_plan *plan, uint64_t hash,
		     const uint8_t *bytes, size_t size)
{
	struct known_abbrev *known;
	size_t slot, offset = table->known_bytes.count;

	if (!vector_reserve(&table->plans, table->plans.count + 1) ||
	    !vector_reserve(&table->known, table->known.count + 1) ||
	    !vector_reserve(&table->known_bytes, offset + size) ||
	    (2 * table->known.count >= table->slots.count && !grow_slots(table)))
		return false;
	table->plans.items[table->plans.count++] = *plan;
	known = &table->known.items[table->known.count++];
	*known = (struct known_abbrev){ .hash = hash,
					.offset = (uint32_t)offset,
					.size = (uint32_t)size };
	plan_make_fast(plan, &known->fast);
	memcpy(table->known_bytes.items + offset, bytes, size);
	table->known_bytes.count += size;
	slot = (size_t)hash & (table->slots.count - 1);
	while (table->slots.items[slot] != 0)
		slot = (slot + 1) & (table->slots.count - 1);
	table->slots.items[slot] = (uint32_t)table->known.count;
	return true;
}

static bool extend_codes(struct abbrev_table *table, size_t count)
{
	size_t old = table->by_code.count;

	if (!vector_reserve(&table->by_code, count) || !vector_reserve(&table->fast, count))
		return false;
	memset(table->by_code.items + old, 0, (count - old) * sizeof(*table->by_code.items));
	memset(table->fast.items + old, 0, (count - old) * sizeof(*table->fast.items));
	table->by_code.count = count;
	table->fast.count = count;
	return true;
}

/* index: of the plan, plus one. */
static enum abbrev_status enter_code(struct abbrev_table *table, uint64_t code, uint32_t index)
{
	if (code < DIRECT_CODES) {
		if (code >= table->by_code.count && !extend_codes(table, code + 1))
			return ABBREV_NO_MEMORY;
		if (table->by_code.items[code] != 0)
			return ABBREV_DUPLICATE_CODE;
		table->by_code.items[code] = index;
		table->fast.items[code] = table->known.items[index - 1].fast;
		return ABBREV_OK;
	}
	if (!vector_reserve(&table->sparse, table->sparse.count + 2))
		return ABBREV_NO_MEMORY;
	table->sparse.items[table->sparse.count++] = code;
	table->sparse.items[table->sparse.count++] = index;
	return ABBREV_OK;
}

static int compare_codes(const void *left, const void *right)
{
	const uint64_t *a = left, *b = right;

	return (*a > *b) - (*a < *b);
}

/* Sorts the large codes; false if there are two that are equal. */
static bool sort_sparse(struct abbrev_table *table)
{
	const uint64_t *pairs = table->sparse.items;

	if (table->sparse.count > 2)
		qsort(table->sparse.items, table->sparse.count / 2, 2 * sizeof(uint64_t),
		      compare_codes);
	for (size_t i = 2; i < table->sparse.count; i += 2) {
		if (pairs[i] == pairs[i - 2])
			return false;
	}
	return true;
}

/* The abbreviation whose tag is at the reader's position. *bad: where its code is; on failure, what is wrong. */
static enum abbrev_status read_one(struct plan_compiler *compiler, struct byte_reader *reader,
				   uint64_t code, const uint8_t **bad)
{
	struct abbrev_table *table = compiler->table;
	const uint8_t *start = reader->position, *code_start = *bad;
	size_t size = abbrev_size(start, reader->end);
	uint64_t hash = abbrev_hash(start, size);
	uint32_t index = find_known(table, hash, start, size);

	if (index != 0) {
		reader->position = start + size;
	} else {
		enum abbrev_status status = plan_compile(compiler, reader, bad);

		if (status)
			return status;
		if (!remember(table, &compiler->plan, hash, start,
			      (size_t)(reader->position - start)))
			return ABBREV_NO_MEMORY;
		index = (uint32_t)table->plans.count;
		*bad = code_start;
	}
	table->crosses_units |= table->plans.items[index - 1].crosses_units;
	return enter_code(table, code, index);
}

enum abbrev_status abbrev_table_compile(struct abbrev_table *table, const uint8_t *section,
					uint64_t size, uint64_t offset,
					const struct plan_context *context, uint64_t *fault_offset)
{
	struct byte_reader reader =
		byte_reader_over(section + offset, size - offset, context->swap);
	struct plan_compiler compiler;
	enum abbrev_status status = ABBREV_OK;

	plan_compiler_init(&compiler, table, context);
	choose_context(table, context);
	table->offset = UINT64_MAX;
	table->crosses_units = false;
	table->by_code.count = 0;
	table->fast.count = 0;
	table->sparse.count = 0;
	while (status == ABBREV_OK) {
		const uint8_t *bad = reader.position;
		uint64_t code = byte_reader_uleb128(&reader);

		if (code == 0 && !reader.fault)
			break;
		if (reader.fault)
			status = ABBREV_TRUNCATED;
		else
			status = read_one(&compiler, &reader, code, &bad);
		*fault_offset = (uint64_t)(bad - section);
	}
	if (status)
		return status;
	if (!sort_sparse(table)) {
		*fault_offset = offset;
		return ABBREV_DUPLICATE_CODE;
	}
	table->offset = offset;
	return ABBREV_OK;
}

const struct die_plan *abbrev_table_find_sparse(const struct abbrev_table *table, uint64_t code)
{
	size_t low = 0, high = table->sparse.count / 2;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (table->sparse.items[2 * middle] < code)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == table->sparse.count / 2 || table->sparse.items[2 * low] != code)
		return NULL;
	return &table->plans.items[table->sparse.items[2 * low + 1] - 1];
}

const char *abbrev_status_text(enum abbrev_status status)
{
	switch (status) {
	case ABBREV_OK:
		return "no error";
	case ABBREV_NO_MEMORY:
		return "out of memory";
	case ABBREV_TRUNCATED:
		return "the table ends in the middle of an abbreviation";
	case ABBREV_BAD_TAG:
		return "impossible tag";
	case ABBREV_BAD_FORM:
		return "unknown attribute form";
	case ABBREV_DUPLICATE_CODE:
		return "two abbreviations with the same code";
	}
	return "unknown error";
}
