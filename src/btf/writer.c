/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#include "btf/writer.h"

#include <stdlib.h>

enum { WRITER_MIN_CAPACITY = 4096 };

void btf_writer_init_over(struct btf_writer *writer, void *data, size_t capacity,
			  bool is_big_endian)
{
	bool host_is_big_endian = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;

	*writer = (struct btf_writer){
		.data = data,
		.capacity = capacity,
		.is_swapped = is_big_endian != host_is_big_endian,
	};
}

void btf_writer_init(struct btf_writer *writer, bool is_big_endian)
{
	btf_writer_init_over(writer, NULL, 0, is_big_endian);
	writer->can_grow = true;
}

void btf_writer_deinit(struct btf_writer *writer)
{
	if (!writer || !writer->can_grow)
		return;
	free(writer->data);
	btf_writer_init_over(writer, NULL, 0, false);
}

bool btf_writer_make_room(struct btf_writer *writer, size_t bytes)
{
	size_t needed;
	size_t capacity = writer->capacity < WRITER_MIN_CAPACITY ? WRITER_MIN_CAPACITY :
								   writer->capacity;
	uint8_t *data;

	if (writer->failed || !writer->can_grow ||
	    __builtin_add_overflow(writer->size, bytes, &needed) || needed > PTRDIFF_MAX / 2)
		goto failed;
	while (capacity < needed)
		capacity += capacity / 2;
	data = realloc(writer->data, capacity);
	if (!data)
		goto failed;
	writer->data = data;
	writer->capacity = capacity;
	return true;

failed:
	/* Sticky: a later, smaller piece must not land behind the gap. */
	writer->failed = true;
	writer->capacity = writer->size;
	return false;
}

void btf_writer_int(struct btf_writer *writer, uint32_t name, uint32_t byte_size, uint32_t encoding)
{
	btf_writer_record(writer, name, btf_info(BTF_KIND_INT, false, 0), byte_size);
	btf_writer_u32(writer, encoding << 24 | (byte_size * 8 & 0xff));
}

void btf_writer_variable(struct btf_writer *writer, uint32_t name, uint32_t type,
			 enum btf_linkage linkage)
{
	btf_writer_record(writer, name, btf_info(BTF_KIND_VAR, false, 0), type);
	btf_writer_u32(writer, linkage);
}

void btf_writer_decl_tag(struct btf_writer *writer, uint32_t value, uint32_t type,
			 int32_t component)
{
	btf_writer_record(writer, value, btf_info(BTF_KIND_DECL_TAG, false, 0), type);
	btf_writer_u32(writer, (uint32_t)component);
}

static void write_u16(struct btf_writer *writer, uint16_t value)
{
	uint8_t *room = btf_writer_extend(writer, sizeof(value));

	if (!room)
		return;
	if (writer->is_swapped)
		value = __builtin_bswap16(value);
	memcpy(room, &value, sizeof(value));
}

static void write_u8(struct btf_writer *writer, uint8_t value)
{
	uint8_t *room = btf_writer_extend(writer, sizeof(value));

	if (room)
		*room = value;
}

void btf_writer_header(struct btf_writer *writer, const struct btf_section_sizes *sizes)
{
	write_u16(writer, BTF_MAGIC);
	write_u8(writer, BTF_VERSION);
	write_u8(writer, 0); /* flags: none are defined */
	btf_writer_u32(writer, BTF_HEADER_BYTES);
	btf_writer_pair(writer, 0, sizes->types);
	btf_writer_pair(writer, sizes->types + sizes->layout, sizes->strings);
	btf_writer_pair(writer, sizes->layout ? sizes->types : 0, sizes->layout);
}

uint32_t btf_layout_section_bytes(void)
{
	return BTF_KIND_COUNT * BTF_LAYOUT_ENTRY_BYTES;
}

void btf_writer_layout_section(struct btf_writer *writer)
{
	for (unsigned kind = 0; kind < BTF_KIND_COUNT; kind++) {
		struct btf_kind_layout layout = btf_kind_layout((enum btf_kind)kind);

		write_u8(writer, layout.fixed_bytes);
		write_u8(writer, layout.part_bytes);
		write_u16(writer, 0); /* flags: none are defined */
	}
}
