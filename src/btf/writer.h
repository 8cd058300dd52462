/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Writes BTF records in the byte order of the target, either to a buffer that grows
 * or to a stretch of memory of known size (so that several writers can fill parts of
 * one blob at the same time). A writer that runs out of room or memory is `failed`
 * from then on and writes nothing more: one check at the end is enough.
 */
#ifndef BTF_WRITER_H
#define BTF_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "btf/format.h"

struct btf_writer {
	uint8_t *data;
	size_t size; /* bytes written */
	size_t capacity;
	bool is_swapped; /* the target's byte order is not that of this machine */
	bool can_grow;
	bool failed;
};

/* A growing buffer, freed by _deinit. */
void btf_writer_init(struct btf_writer *writer, bool is_big_endian);
void btf_writer_deinit(struct btf_writer *writer);

/* Over `capacity` bytes of the caller's; nothing to release. */
void btf_writer_init_over(struct btf_writer *writer, void *data, size_t capacity,
			  bool is_big_endian);

bool btf_writer_make_room(struct btf_writer *writer, size_t bytes);

/* Room for `bytes` at the end, which count as written; NULL if there is none. */
static inline uint8_t *btf_writer_extend(struct btf_writer *writer, size_t bytes)
{
	uint8_t *room;

	if (writer->capacity - writer->size < bytes && !btf_writer_make_room(writer, bytes))
		return NULL;
	room = writer->data + writer->size;
	writer->size += bytes;
	return room;
}

static inline uint32_t btf_writer_word(const struct btf_writer *writer, uint32_t value)
{
	return writer->is_swapped ? __builtin_bswap32(value) : value;
}

/* One word. */
static inline void btf_writer_u32(struct btf_writer *writer, uint32_t value)
{
	uint8_t *room = btf_writer_extend(writer, sizeof(value));

	if (!room)
		return;
	value = btf_writer_word(writer, value);
	memcpy(room, &value, sizeof(value));
}

/* Two words: an enumerator (name, value) or a parameter (name, type). */
static inline void btf_writer_pair(struct btf_writer *writer, uint32_t first, uint32_t second)
{
	uint32_t words[] = { btf_writer_word(writer, first), btf_writer_word(writer, second) };
	uint8_t *room = btf_writer_extend(writer, sizeof(words));

	if (room)
		memcpy(room, words, sizeof(words));
}

/*
 * Three words: a member (name, type, offset), a 64-bit enumerator (name, low, high), a DATASEC's
 * entry (variable, offset, size), an array (element, index type, count).
 */
static inline void btf_writer_triple(struct btf_writer *writer, uint32_t first, uint32_t second,
				     uint32_t third)
{
	uint32_t words[] = { btf_writer_word(writer, first), btf_writer_word(writer, second),
			     btf_writer_word(writer, third) };
	uint8_t *room = btf_writer_extend(writer, sizeof(words));

	if (room)
		memcpy(room, words, sizeof(words));
}

/* The start of a record; its kind's parts follow. */
static inline void btf_writer_record(struct btf_writer *writer, uint32_t name, uint32_t info,
				     uint32_t size_or_type)
{
	btf_writer_triple(writer, name, info, size_or_type);
}

void btf_writer_int(struct btf_writer *writer, uint32_t name, uint32_t byte_size,
		    uint32_t encoding);
void btf_writer_variable(struct btf_writer *writer, uint32_t name, uint32_t type,
			 enum btf_linkage linkage);
void btf_writer_decl_tag(struct btf_writer *writer, uint32_t value, uint32_t type,
			 int32_t component);

/* Sizes of a blob's sections in bytes; they follow the header in this order, without gaps. */
struct btf_section_sizes {
	uint32_t types;
	uint32_t layout; /* 0 or btf_layout_section_bytes() */
	uint32_t strings;
};

void btf_writer_header(struct btf_writer *writer, const struct btf_section_sizes *sizes);

/* The section that tells readers how large the records of each kind are. */
uint32_t btf_layout_section_bytes(void);
void btf_writer_layout_section(struct btf_writer *writer);

#endif
