/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#include "btf/string_table.h"

#include <stdlib.h>
#include <string.h>

#include "base/vector.h"

enum { STRING_UNUSED = UINT32_MAX };

enum smelt_status string_table_init(struct string_table *table, const struct name_table *names,
				    const struct text_index *base, uint32_t origin,
				    struct smelt_error *error)
{
	uint32_t count = name_table_dense_count(names);
	_Atomic uint32_t *first = malloc((count ? count : 1) * sizeof(*first));

	if (!first)
		return error_no_memory(error);
	for (uint32_t i = 0; i < count; i++)
		atomic_init(&first[i], STRING_UNUSED);
	*table = (struct string_table){
		.names = names,
		.base = base,
		.origin = origin,
		.count = count,
		.first = first,
	};
	return SMELT_OK;
}

void string_table_deinit(struct string_table *table)
{
	free(table->first);
	*table = (struct string_table){ 0 };
}

void string_share_init(struct string_share *share, uint32_t first_position)
{
	*share = (struct string_share){ .next_position = first_position };
}

void string_share_deinit(struct string_share *share)
{
	free(share->candidates);
	*share = (struct string_share){ 0 };
}

void string_share_push(struct string_share *share, struct string_table *table, uint32_t name,
		       uint32_t dense_index, uint32_t position)
{
	_Atomic uint32_t *first = &table->first[dense_index];
	uint32_t lowest = atomic_load_explicit(first, memory_order_relaxed);

	do {
		if (lowest <= position)
			return;
	} while (!atomic_compare_exchange_weak_explicit(
		first, &lowest, position, memory_order_relaxed, memory_order_relaxed));

	if (share->count == share->capacity &&
	    !vector_grow((void **)&share->candidates, &share->capacity, share->count + 1,
			 sizeof(*share->candidates))) {
		share->out_of_memory = true;
		return;
	}
	share->candidates[share->count++] = (struct string_candidate){
		.name = name,
		.dense_index = dense_index,
		.position = position,
	};
}

/*
 * Whether the base has the text; then its offset is the name's. That other shares may still compare their
 * positions with it does no harm: one that is equal by chance comes here, too.
 */
static bool find_in_base(struct string_table *table, const struct string_candidate *candidate,
			 const char *text, size_t size)
{
	uint32_t offset = table->base ? text_index_find(table->base, text, size) : TEXT_INDEX_NONE;

	if (offset == TEXT_INDEX_NONE)
		return false;
	atomic_store_explicit(&table->first[candidate->dense_index], offset, memory_order_relaxed);
	return true;
}

void string_share_settle(struct string_share *share, struct string_table *table)
{
	size_t kept = 0;

	for (size_t i = 0; i < share->count; i++) {
		struct string_candidate candidate = share->candidates[i];
		const char *text;
		size_t bytes;

		if (atomic_load_explicit(&table->first[candidate.dense_index],
					 memory_order_relaxed) != candidate.position)
			continue;
		text = name_table_text(table->names, candidate.name);
		bytes = strlen(text) + 1;
		if (find_in_base(table, &candidate, text, bytes - 1))
			continue;
		share->bytes += bytes;
		candidate.bytes =
			(uint32_t)bytes; /* one over 4 GiB makes string_table_place fail */
		share->candidates[kept++] = candidate;
	}
	share->count = kept;
}

enum smelt_status string_table_place(struct string_table *table, struct string_share *shares,
				     uint32_t share_count, struct smelt_error *error)
{
	/* The empty string at offset 0 belongs to a section that extends no other. */
	uint64_t offset = table->origin ? table->origin : 1;

	for (uint32_t i = 0; i < share_count; i++) {
		if (shares[i].out_of_memory)
			return error_no_memory(error);
		shares[i].offset = (uint32_t)offset;
		offset += shares[i].bytes;
		if (offset >= STRING_UNUSED)
			return error_set(error, SMELT_UNSUPPORTED,
					 "the names take more than the 4 GiB that BTF can address");
	}
	table->end = (uint32_t)offset;
	return SMELT_OK;
}

void string_share_write(const struct string_share *share, struct string_table *table,
			uint8_t *section)
{
	uint32_t offset = share->offset;

	for (size_t i = 0; i < share->count; i++) {
		const struct string_candidate *candidate = &share->candidates[i];

		memcpy(section + (offset - table->origin),
		       name_table_text(table->names, candidate->name), candidate->bytes);
		/* Positions are no longer looked at, and each name has one candidate left. */
		atomic_store_explicit(&table->first[candidate->dense_index], offset,
				      memory_order_relaxed);
		offset += candidate->bytes;
	}
}
