/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The abbreviations of one unit, by code. Compiled plans stay when the next table is compiled: an abbreviation that reads the
 * same, byte by byte, is the same plan.
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

void plan_pool_init(struct plan_pool *pool)
{
	*pool = (struct plan_pool){ 0 };
}

void plan_pool_deinit(struct plan_pool *pool)
{
	vector_deinit(&pool->plans);
	vector_deinit(&pool->ops);
	vector_deinit(&pool->skip_ops);
	vector_deinit(&pool->known);
	vector_deinit(&pool->known_bytes);
	vector_deinit(&pool->slots);
}

static void forget_plans(struct plan_pool *pool)
{
	pool->plans.count = 0;
	pool->ops.count = 0;
	pool->skip_ops.count = 0;
	pool->known.count = 0;
	pool->known_bytes.count = 0;
	pool->slots.count = 0;
	pool->generation++;
}

void abbrev_table_init(struct abbrev_table *table, struct plan_pool *pool)
{
	*table = (struct abbrev_table){ .pool = pool, .offset = UINT64_MAX };
}

void abbrev_table_deinit(struct abbrev_table *table)
{
	vector_deinit(&table->by_code);
	vector_deinit(&table->fast);
	vector_deinit(&table->sparse);
	table->offset = UINT64_MAX;
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

static bool same_context(const struct plan_context *a, const struct plan_context *b)
{
	return a->version == b->version && a->address_size == b->address_size &&
	       a->offset_size == b->offset_size && a->swap == b->swap;
}

/* Index + 1 of the plan of an abbreviation that reads so, or 0. */
static uint32_t find_known(const struct plan_pool *pool, const struct known_abbrev *sought,
			   const uint8_t *bytes)
{
	size_t mask = pool->slots.count - 1;

	if (pool->slots.count == 0)
		return 0;
	for (size_t i = (size_t)sought->hash & mask; pool->slots.items[i] != 0;
	     i = (i + 1) & mask) {
		uint32_t index = pool->slots.items[i];
		const struct known_abbrev *known = &pool->known.items[index - 1];

		if (known->hash == sought->hash && known->size == sought->size &&
		    same_context(&known->context, &sought->context) &&
		    memcmp(pool->known_bytes.items + known->offset, bytes, known->size) == 0)
			return index;
	}
	return 0;
}

static bool grow_slots(struct plan_pool *pool)
{
	size_t count = pool->slots.count ? 2 * pool->slots.count : FIRST_SLOTS;

	if (!vector_reserve(&pool->slots, count))
		return false;
	memset(pool->slots.items, 0, count * sizeof(*pool->slots.items));
	pool->slots.count = count;
	for (size_t i = 0; i < pool->known.count; i++) {
		size_t slot = (size_t)pool->known.items[i].hash & (count - 1);

		while (pool->slots.items[slot] != 0)
			slot = (slot + 1) & (count - 1);
		pool->slots.items[slot] = (uint32_t)i + 1;
	}
	return true;
}

/* Adds the plan just compiled from `bytes`. */
static bool remember(struct plan_pool *pool, const struct die_plan *plan, struct known_abbrev known,
		     const uint8_t *bytes)
{
	size_t slot, offset = pool->known_bytes.count;

	if (!vector_reserve(&pool->plans, pool->plans.count + 1) ||
	    !vector_reserve(&pool->known, pool->known.count + 1) ||
	    !vector_reserve(&pool->known_bytes, offset + known.size) ||
	    (2 * pool->known.count >= pool->slots.count && !grow_slots(pool)))
		return false;
	known.offset = (uint32_t)offset;
	plan_make_fast(plan, &known.fast);
	pool->plans.items[pool->plans.count++] = *plan;
	pool->known.items[pool->known.count++] = known;
	memcpy(pool->known_bytes.items + offset, bytes, known.size);
	pool->known_bytes.count += known.size;
	slot = (size_t)known.hash & (pool->slots.count - 1);
	while (pool->slots.items[slot] != 0)
		slot = (slot + 1) & (pool->slots.count - 1);
	pool->slots.items[slot] = (uint32_t)pool->known.count;
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
		table->fast.items[code] = table->pool->known.items[index - 1].fast;
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
static enum abbrev_status read_one(struct plan_compiler *compiler, struct abbrev_table *table,
				   struct byte_reader *reader, uint64_t code, const uint8_t **bad)
{
	struct plan_pool *pool = compiler->pool;
	const uint8_t *start = reader->position, *code_start = *bad;
	size_t size = abbrev_size(start, reader->end);
	struct known_abbrev sought = { .hash = abbrev_hash(start, size),
				       .size = (uint32_t)size,
				       .context = *compiler->context };
	uint32_t index = find_known(pool, &sought, start);

	if (index != 0) {
		reader->position = start + size;
	} else {
		enum abbrev_status status = plan_compile(compiler, reader, bad);

		if (status)
			return status;
		if (!remember(pool, &compiler->plan, sought, start))
			return ABBREV_NO_MEMORY;
		index = (uint32_t)pool->plans.count;
		*bad = code_start;
	}
	table->crosses_units |= pool->plans.items[index - 1].crosses_units;
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

	if (table->pool->plans.count > KNOWN_PLANS_MAX)
		forget_plans(table->pool);
	plan_compiler_init(&compiler, table->pool, context);
	table->offset = UINT64_MAX;
	table->generation = table->pool->generation;
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
			status = read_one(&compiler, table, &reader, code, &bad);
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
	return &table->pool->plans.items[table->sparse.items[2 * low + 1] - 1];
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
