/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#include "encode/base.h"

#include <stdlib.h>

#include "load/btf_types.h"

/* The strings of the view and of what it is split on, in the order of their offsets. */
static bool list_strings(const struct btf_view *view, struct text_section **sections,
			 uint32_t *count)
{
	uint32_t views = 0;

	for (const struct btf_view *v = view; v; v = v->base)
		views++;
	*sections = malloc(views * sizeof(**sections));
	*count = views;
	for (const struct btf_view *v = view; *sections && v; v = v->base)
		(*sections)[--views] = (struct text_section){
			.bytes = v->strings,
			.size = v->string_end - v->string_origin,
			.first_offset = v->string_origin,
		};
	return *sections != NULL;
}

static enum smelt_status index_strings(struct smelt_btf_base *base, unsigned hash_bits,
				       struct worker_pool *pool, struct smelt_error *error)
{
	struct text_section *sections;
	uint32_t count;
	enum smelt_status status;

	if (!list_strings(base->view, &sections, &count))
		return error_no_memory(error);
	status = text_index_create(sections, count, hash_bits, pool, &base->arena, &base->texts,
				   error);
	free(sections);
	return status;
}

static enum smelt_status index_types(struct smelt_btf_base *base, unsigned hash_bits,
				     struct worker_pool *pool, struct smelt_error *error)
{
	struct base_types types;
	struct btf_types loaded;
	enum smelt_status status = btf_types_load(&loaded, base->view, pool, &base->arena, error);

	if (status)
		return status;
	types = (struct base_types){
		.unit = loaded.unit,
		.index_type = loaded.index_type,
		.unlisted = loaded.data_ids,
		.unlisted_count = loaded.data_count,
		.texts = base->texts,
		.text_end = base->view->string_end,
	};
	status = base_index_create(&types, hash_bits, pool, &base->arena, &base->types, error);
	if (!status && !base_records_init(&base->records, base->view, hash_bits, &base->arena))
		status = error_no_memory(error);
	return status;
}

/* At most, more or less: what is not used costs no more than its addresses. */
static size_t bytes_needed(const struct btf_view *view)
{
	enum { BYTES_PER_TYPE = 64, BYTES_PER_STRING_BYTE = 2, BYTES_PER_RECORD_BYTE = 2 };
	size_t bytes = (size_t)view->end_id * BYTES_PER_TYPE;

	for (; view; view = view->base)
		bytes += (size_t)(view->string_end - view->string_origin) * BYTES_PER_STRING_BYTE +
			 (size_t)view->type_bytes * BYTES_PER_RECORD_BYTE;
	return bytes;
}

static enum smelt_status open_base(struct smelt_btf_base *base, const char *path,
				   const struct smelt_btf_base *parent, struct worker_pool *pool,
				   unsigned hash_bits, struct smelt_error *error)
{
	enum smelt_status status =
		btf_file_open(path, parent ? parent->view : NULL, &base->file, error);

	if (status)
		return status;
	base->view = btf_file_view(base->file);
	if (!arena_reserve(&base->arena, bytes_needed(base->view)))
		return error_no_memory(error);
	status = index_strings(base, hash_bits, pool, error);
	return status ? status : index_types(base, hash_bits, pool, error);
}

enum smelt_status encode_base_open(const char *path, const struct smelt_btf_base *parent,
				   struct worker_pool *pool, unsigned hash_bits,
				   struct smelt_btf_base **base, struct smelt_error *error)
{
	struct smelt_btf_base *opened = calloc(1, sizeof(*opened));
	enum smelt_status status;

	if (!opened)
		return error_no_memory(error);
	arena_init(&opened->arena);
	status = open_base(opened, path, parent, pool, hash_bits, error);
	if (status)
		encode_base_close(opened);
	else
		*base = opened;
	return status;
}

void encode_base_close(struct smelt_btf_base *base)
{
	if (!base)
		return;
	arena_deinit(&base->arena);
	btf_file_close(base->file);
	free(base);
}
