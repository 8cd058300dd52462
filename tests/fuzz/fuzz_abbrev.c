/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * An abbreviation table, and DIEs read through it, straight from bytes. Reading all wanted values of a
 * DIE and stepping over it must end at the same place, and a table must not depend on what was
 * compiled into the same memory before.
 *
 * Input: version, address size, flags (1: 64-bit DWARF, 2: other byte order), size of the table
 * (2 bytes, little endian), the table, the DIEs.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "dwarf/die_reader.h"

enum { HEADER_BYTES = 5, READABLE_BYTES_AFTER = 16 };

static volatile uint64_t sink;

/* A copy of exactly that size, so that reading beyond it is seen. */
static uint8_t *copy_of(const uint8_t *data, size_t size, size_t extra)
{
	uint8_t *copy = calloc(1, size + extra + 1);

	if (!copy)
		abort();
	memcpy(copy, data, size);
	return copy;
}

static void check_values(const struct die_reader *reader, const struct die_plan *plan,
			 const struct die_values *values)
{
	uint64_t size = (uint64_t)(reader->end - reader->bytes);

	if (reader->fault)
		return;
	if (values->present != plan->present)
		abort();
	for (unsigned i = 0; i < ATTR_MAX; i++) {
		const struct die_value *value = &values->values[i];

		if (!(values->present & ATTR_BIT(i)))
			continue;
		sink = value->number;
		if (value->value_class != VALUE_BLOCK && value->value_class != VALUE_STRING)
			continue;
		if (value->number > size || value->size > size - value->number)
			abort();
	}
}

/* Each DIE in turn, whatever its place in the tree. */
static void read_dies(const struct abbrev_table *table, const struct plan_context *context,
		      const uint8_t *bytes, size_t size)
{
	struct die_reader reader = {
		.bytes = bytes,
		.end = bytes + size,
		.position = bytes,
		.abbrevs = table,
		.context = *context,
	};

	while (reader.position < reader.end && !reader.fault) {
		const struct die_plan *plan = die_reader_next(&reader);
		struct die_reader skipping = reader;
		struct die_values values;

		if (!plan)
			continue;
		die_reader_values(&reader, plan, &values);
		check_values(&reader, plan, &values);
		die_reader_skip(&skipping, plan);
		if (skipping.position != reader.position || !skipping.fault != !reader.fault)
			abort();
	}
	if (reader.position > reader.end || (reader.fault && reader.fault_offset > size))
		abort();
}

static void skip_trees(const struct abbrev_table *table, const struct plan_context *context,
		       const uint8_t *bytes, size_t size)
{
	struct die_reader reader = {
		.bytes = bytes,
		.end = bytes + size,
		.position = bytes,
		.abbrevs = table,
		.context = *context,
	};

	while (reader.position < reader.end && !reader.fault) {
		const uint8_t *before = reader.position;
		const struct die_plan *plan = die_reader_next(&reader);

		if (plan)
			die_reader_skip_tree(&reader, plan);
		/* Otherwise a walk of a hostile unit would never end. */
		if (reader.position <= before)
			abort();
	}
}

/* Operations up to the one that ends them. */
static void compare_ops(const struct plan_op *one, const struct plan_op *other)
{
	for (;; one++, other++) {
		if (one->skip != other->skip || one->form != other->form ||
		    one->attr != other->attr || one->implicit != other->implicit)
			abort();
		if (one->form == 0)
			return;
	}
}

static void compare_tables(const struct abbrev_table *one, const struct abbrev_table *other)
{
	if (one->by_code.count != other->by_code.count ||
	    one->sparse.count != other->sparse.count || one->crosses_units != other->crosses_units)
		abort();
	for (uint64_t code = 0; code < one->by_code.count; code++) {
		const struct die_plan *a = abbrev_table_find(one, code);
		const struct die_plan *b = abbrev_table_find(other, code);

		if (!a != !b || memcmp(&one->fast.items[code], &other->fast.items[code],
				       sizeof(*one->fast.items)) != 0)
			abort();
		if (!a)
			continue;
		if (a->tag != b->tag || a->layout != b->layout || a->fast != b->fast ||
		    a->has_children != b->has_children || a->present != b->present ||
		    a->size != b->size || a->fixed_size != b->fixed_size)
			abort();
		compare_ops(&one->pool->ops.items[a->first_op],
			    &other->pool->ops.items[b->first_op]);
		compare_ops(&one->pool->skip_ops.items[a->first_skip_op],
			    &other->pool->skip_ops.items[b->first_skip_op]);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	/* Stays from input to input: its memory is what is reused. */
	static struct plan_pool reused_plans;
	static struct abbrev_table reused = { .pool = &reused_plans, .offset = UINT64_MAX };
	struct plan_pool fresh_plans;
	struct abbrev_table fresh;
	struct plan_context context;
	uint64_t fault_offset = UINT64_MAX;
	uint64_t fresh_fault_offset = UINT64_MAX;
	enum abbrev_status status;
	uint8_t *table, *dies;
	size_t table_size;

	if (size < HEADER_BYTES)
		return 0;
	context = (struct plan_context){
		.version = (uint8_t)(2 + data[0] % 4),
		.address_size = data[1] % 2 ? 4 : 8,
		.offset_size = data[2] & 1 ? 8 : 4,
		.swap = (data[2] & 2) != 0,
	};
	table_size = (size_t)data[3] | (size_t)data[4] << 8;
	data += HEADER_BYTES;
	size -= HEADER_BYTES;
	if (table_size > size)
		table_size = size;
	if (table_size == 0)
		return 0;
	table = copy_of(data, table_size, 0);
	dies = copy_of(data + table_size, size - table_size, READABLE_BYTES_AFTER);

	plan_pool_init(&fresh_plans);
	abbrev_table_init(&fresh, &fresh_plans);
	status = abbrev_table_compile(&fresh, table, table_size, 0, &context, &fresh_fault_offset);
	if (status != abbrev_table_compile(&reused, table, table_size, 0, &context, &fault_offset))
		abort();
	if (status == ABBREV_OK) {
		compare_tables(&fresh, &reused);
		read_dies(&fresh, &context, dies, size - table_size);
		skip_trees(&reused, &context, dies, size - table_size);
	} else if (status != ABBREV_NO_MEMORY &&
		   (fault_offset != fresh_fault_offset || fault_offset > table_size)) {
		abort();
	}
	abbrev_table_deinit(&fresh);
	plan_pool_deinit(&fresh_plans);
	free(table);
	free(dies);
	return 0;
}
