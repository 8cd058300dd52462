/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#include "support/btf_sample.h"

#include <stdlib.h>
#include <string.h>

static void append(struct btf_writer *writer, const void *bytes, size_t size)
{
	uint8_t *room = size ? btf_writer_extend(writer, size) : NULL;

	if (room)
		memcpy(room, bytes, size);
}

/* A header of another size: the rest of a longer one is zero. */
static void resize_header(struct btf_writer *blob, uint32_t bytes)
{
	static const uint8_t zeros[64];
	uint32_t field = btf_writer_word(blob, bytes);

	if (bytes > sizeof(zeros))
		abort();
	memcpy(blob->data + 4, &field, sizeof(field));
	if (bytes > blob->size)
		append(blob, zeros, bytes - blob->size);
	blob->size = bytes;
}

size_t btf_sample_build(const struct btf_sample *sample, uint8_t **data)
{
	struct btf_writer types, blob;
	struct btf_section_sizes sizes;
	size_t size;

	btf_writer_init(&types, sample->is_big_endian);
	if (sample->add_types)
		sample->add_types(&types);
	sizes = (struct btf_section_sizes){
		.types = (uint32_t)types.size,
		.layout = sample->has_layout ? btf_layout_section_bytes() : 0,
		.strings = (uint32_t)sample->string_bytes,
	};
	btf_writer_init(&blob, sample->is_big_endian);
	btf_writer_header(&blob, &sizes);
	if (sample->header_bytes)
		resize_header(&blob, sample->header_bytes);
	append(&blob, types.data, types.size);
	if (sample->has_layout)
		btf_writer_layout_section(&blob);
	append(&blob, sample->strings, sample->string_bytes);
	size = blob.size;
	*data = malloc(size);
	if (!*data || types.failed || blob.failed)
		abort();
	memcpy(*data, blob.data, size);
	btf_writer_deinit(&types);
	btf_writer_deinit(&blob);
	return size;
}
