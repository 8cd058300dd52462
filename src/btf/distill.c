/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * First what is used of the base, then new ids for all of it, then the records: those of the new base, the
 * old split ones, and the rest of what is used. Within each group the order is that of
 * the old ids; strings come in the order in which they are met.
 */
#include "btf/distill.h"

#include <stdlib.h>
#include <string.h>

#include "base/vector.h"
#include "btf/string_pool.h"
#include "btf/writer.h"

/* One of the two results while it is written. */
struct part {
	struct btf_writer types;
	struct string_pool strings;
};

struct distillation {
	const struct btf_view *split;
	VECTOR(uint32_t) used; /* ids of the base; first in the order they were met, then sorted */
	uint32_t *new_ids;     /* of the base's types: 0 for those not used */
	uint32_t split_start;  /* new id of the first old split type */
	struct part base;
	struct part rest; /* the new split BTF */
};

static bool has_name(const struct btf_view *view, const struct btf_record *record)
{
	return btf_view_string(view, record->name)[0] != '\0';
}

static bool is_composite(enum btf_kind kind)
{
	return kind == BTF_KIND_STRUCT || kind == BTF_KIND_UNION;
}

static bool belongs_to_base(const struct btf_view *view, const struct btf_record *record)
{
	switch (btf_record_kind(record)) {
	case BTF_KIND_INT:
	case BTF_KIND_FLOAT:
	case BTF_KIND_FWD:
		return true;
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
	case BTF_KIND_ENUM:
	case BTF_KIND_ENUM64:
		return has_name(view, record);
	default:
		return false;
	}
}

/* Marks what a record refers to in the base. */
static bool use_references(struct distillation *distillation, const struct btf_record *record)
{
	const uint32_t *words = (const uint32_t *)record;
	struct btf_references types = btf_type_references(record);

	for (uint32_t i = 0; i < types.count; i++) {
		uint32_t id = words[btf_reference_word(&types, i)];
		uint32_t *entry;

		if (id == 0 || id >= distillation->split->first_id || distillation->new_ids[id])
			continue;
		entry = vector_push(&distillation->used);
		if (!entry)
			return false;
		*entry = id;
		distillation->new_ids[id] = UINT32_MAX; /* until there is one */
	}
	return true;
}

static bool find_used(struct distillation *distillation)
{
	const struct btf_view *split = distillation->split;

	for (uint32_t id = split->first_id; id < split->end_id; id++) {
		if (!use_references(distillation, btf_view_own_record(split, id)))
			return false;
	}
	for (size_t i = 0; i < distillation->used.count; i++) {
		const struct btf_record *record =
			btf_view_record(split, distillation->used.items[i]);

		/* Without its members a struct uses nothing. */
		if (is_composite(btf_record_kind(record)) && has_name(split, record))
			continue;
		if (!use_references(distillation, record))
			return false;
	}
	return true;
}

static int compare_ids(const void *a, const void *b)
{
	uint32_t first = *(const uint32_t *)a, second = *(const uint32_t *)b;

	return (first > second) - (first < second);
}

static void number_types(struct distillation *distillation)
{
	const struct btf_view *split = distillation->split;
	uint32_t next = 1;

	if (distillation->used.count)
		qsort(distillation->used.items, distillation->used.count, sizeof(uint32_t),
		      compare_ids);
	for (unsigned is_rest = 0; is_rest < 2; is_rest++) {
		for (size_t i = 0; i < distillation->used.count; i++) {
			uint32_t id = distillation->used.items[i];

			if (belongs_to_base(split, btf_view_record(split, id)) != is_rest)
				distillation->new_ids[id] = next++;
		}
		if (is_rest)
			break;
		distillation->split_start = next;
		next += btf_view_own_count(split);
	}
}

static uint32_t new_id(const struct distillation *distillation, uint32_t id)
{
	uint32_t first_id = distillation->split->first_id;

	if (id >= first_id)
		return id - first_id + distillation->split_start;
	return id ? distillation->new_ids[id] : 0;
}

static uint32_t new_string(const struct distillation *distillation, struct part *part,
			   uint32_t offset)
{
	return string_pool_add(&part->strings, btf_view_string(distillation->split, offset));
}

/* A whole record with its references as they are now. */
static void write_record(const struct distillation *distillation, struct part *part,
			 const struct btf_record *record)
{
	struct btf_references types = btf_type_references(record);
	struct btf_references strings = btf_string_references(record);
	uint32_t count = btf_record_word_count(record);
	/* Aligned: only words are ever written. */
	uint32_t *words = (void *)btf_writer_extend(&part->types, count * sizeof(*words));

	if (!words)
		return;
	memcpy(words, record, count * sizeof(*words));
	for (uint32_t i = 0; i < types.count; i++) {
		uint32_t *word = &words[btf_reference_word(&types, i)];

		*word = new_id(distillation, *word);
	}
	for (uint32_t i = 0; i < strings.count; i++) {
		uint32_t *word = &words[btf_reference_word(&strings, i)];

		*word = new_string(distillation, part, *word);
	}
	for (uint32_t i = 0; i < count; i++)
		words[i] = btf_writer_word(&part->types, words[i]);
}

/* Name and size of a struct, union or enum: ENUM64 is an ENUM too, the size tells. */
static void write_outline(const struct distillation *distillation, struct part *part,
			  const struct btf_record *record)
{
	enum btf_kind kind = btf_record_kind(record);

	if (kind == BTF_KIND_ENUM64)
		kind = BTF_KIND_ENUM;
	btf_writer_record(&part->types, new_string(distillation, part, record->name),
			  btf_info(kind, false, 0), record->size_or_type);
}

static void write_base(struct distillation *distillation)
{
	const struct btf_view *split = distillation->split;

	for (size_t i = 0; i < distillation->used.count; i++) {
		const struct btf_record *record =
			btf_view_record(split, distillation->used.items[i]);

		if (!belongs_to_base(split, record))
			continue;
		if (btf_kind_layout(btf_record_kind(record)).part_bytes)
			write_outline(distillation, &distillation->base, record);
		else
			write_record(distillation, &distillation->base, record);
	}
}

static void write_rest(struct distillation *distillation)
{
	const struct btf_view *split = distillation->split;

	for (uint32_t id = split->first_id; id < split->end_id; id++)
		write_record(distillation, &distillation->rest, btf_view_own_record(split, id));
	for (size_t i = 0; i < distillation->used.count; i++) {
		const struct btf_record *record =
			btf_view_record(split, distillation->used.items[i]);

		if (!belongs_to_base(split, record))
			write_record(distillation, &distillation->rest, record);
	}
}

/* The blob of a part, from malloc(), or NULL. */
static uint8_t *part_join(const struct part *part, bool is_big_endian, size_t *size)
{
	struct btf_section_sizes sizes = {
		.types = (uint32_t)part->types.size,
		.strings = (uint32_t)part->strings.bytes.count,
	};
	struct btf_writer writer;
	uint8_t *blob;

	if (part->types.failed || part->types.size > UINT32_MAX || part->strings.failed)
		return NULL;
	*size = (size_t)BTF_HEADER_BYTES + sizes.types + sizes.strings;
	blob = malloc(*size);
	if (!blob)
		return NULL;
	btf_writer_init_over(&writer, blob, BTF_HEADER_BYTES, is_big_endian);
	btf_writer_header(&writer, &sizes);
	if (sizes.types)
		memcpy(blob + BTF_HEADER_BYTES, part->types.data, sizes.types);
	if (sizes.strings)
		memcpy(blob + BTF_HEADER_BYTES + sizes.types, part->strings.bytes.items,
		       sizes.strings);
	return blob;
}

static bool write_parts(struct distillation *distillation, struct btf_distilled *result)
{
	bool is_big_endian = distillation->split->is_big_endian;

	btf_writer_init(&distillation->base.types, is_big_endian);
	btf_writer_init(&distillation->rest.types, is_big_endian);
	string_pool_init(&distillation->base.strings, NULL);
	write_base(distillation);
	string_pool_init(&distillation->rest.strings, &distillation->base.strings);
	write_rest(distillation);
	result->base = part_join(&distillation->base, is_big_endian, &result->base_size);
	result->split = part_join(&distillation->rest, is_big_endian, &result->split_size);
	return result->base && result->split;
}

static void part_deinit(struct part *part)
{
	btf_writer_deinit(&part->types);
	string_pool_deinit(&part->strings);
}

enum smelt_status btf_distill(const struct btf_view *split, struct btf_distilled *distilled,
			      struct smelt_error *error)
{
	struct distillation distillation = { .split = split };
	struct btf_distilled result = { 0 };
	bool is_done;

	assert(split->base);
	distillation.new_ids = calloc(split->first_id, sizeof(*distillation.new_ids));
	is_done = distillation.new_ids && find_used(&distillation);
	if (is_done) {
		number_types(&distillation);
		is_done = write_parts(&distillation, &result);
	}
	part_deinit(&distillation.rest);
	part_deinit(&distillation.base);
	vector_deinit(&distillation.used);
	free(distillation.new_ids);
	if (!is_done) {
		free(result.base);
		free(result.split);
		return error_no_memory(error);
	}
	*distilled = result;
	return SMELT_OK;
}
