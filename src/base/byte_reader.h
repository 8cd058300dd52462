/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * A bounds-checked reader over bytes in either byte order. The first fault sticks, with the
 * position where the faulty value starts; every later read returns 0 and does not move, so a
 * loop may check once at its end. It ends because `position` stops.
 */
#ifndef BASE_BYTE_READER_H
#define BASE_BYTE_READER_H

#include <byteswap.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum reader_fault {
	READER_OK = 0,
	READER_TRUNCATED,
	READER_LEB128_TOO_LONG,
};

struct byte_reader {
	const uint8_t *start;
	const uint8_t *position;
	const uint8_t *end;
	bool swap; /* the data's byte order is not the host's */
	enum reader_fault fault;
	size_t fault_offset; /* from start */
};

static inline struct byte_reader byte_reader_over(const void *data, size_t size, bool swap)
{
	const uint8_t *bytes = data;

	return (struct byte_reader){
		.start = bytes, .position = bytes, .end = bytes + size, .swap = swap
	};
}

static inline void byte_reader_fail(struct byte_reader *reader, const uint8_t *at,
				    enum reader_fault fault)
{
	if (reader->fault == READER_OK) {
		reader->fault = fault;
		reader->fault_offset = (size_t)(at - reader->start);
	}
	reader->position = reader->end; /* nothing more to read: loops stop */
}

static inline size_t byte_reader_left(const struct byte_reader *reader)
{
	return (size_t)(reader->end - reader->position);
}

/* Pointer to the next `size` bytes, moved past; NULL on a fault. */
static inline const uint8_t *byte_reader_bytes(struct byte_reader *reader, uint64_t size)
{
	const uint8_t *bytes = reader->position;

	if (size > byte_reader_left(reader)) {
		byte_reader_fail(reader, bytes, READER_TRUNCATED);
		return NULL;
	}
	reader->position += size;
	return bytes;
}

static inline uint8_t byte_reader_u8(struct byte_reader *reader)
{
	const uint8_t *bytes = byte_reader_bytes(reader, 1);

	return bytes ? *bytes : 0;
}

static inline uint16_t byte_reader_u16(struct byte_reader *reader)
{
	const uint8_t *bytes = byte_reader_bytes(reader, 2);
	uint16_t value = 0;

	if (bytes)
		memcpy(&value, bytes, 2);
	return reader->swap ? bswap_16(value) : value;
}

static inline uint32_t byte_reader_u32(struct byte_reader *reader)
{
	const uint8_t *bytes = byte_reader_bytes(reader, 4);
	uint32_t value = 0;

	if (bytes)
		memcpy(&value, bytes, 4);
	return reader->swap ? bswap_32(value) : value;
}

static inline uint64_t byte_reader_u64(struct byte_reader *reader)
{
	const uint8_t *bytes = byte_reader_bytes(reader, 8);
	uint64_t value = 0;

	if (bytes)
		memcpy(&value, bytes, 8);
	return reader->swap ? bswap_64(value) : value;
}

/* Unsigned number of 1, 2, 3, 4 or 8 bytes. */
static inline uint64_t byte_reader_unsigned(struct byte_reader *reader, unsigned size)
{
	switch (size) {
	case 1:
		return byte_reader_u8(reader);
	case 2:
		return byte_reader_u16(reader);
	case 3: {
		const uint8_t *bytes = byte_reader_bytes(reader, 3);
		bool big = reader->swap == (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__);

		if (bytes == NULL)
			return 0;
		return big ? (uint32_t)bytes[0] << 16 | (uint32_t)bytes[1] << 8 | bytes[2] :
			     (uint32_t)bytes[2] << 16 | (uint32_t)bytes[1] << 8 | bytes[0];
	}
	case 4:
		return byte_reader_u32(reader);
	default:
		return byte_reader_u64(reader);
	}
}

/* DWARF 5, 7.6. Bits beyond 64 are dropped; more than 16 bytes are a fault. */
static inline uint64_t byte_reader_uleb128(struct byte_reader *reader)
{
	const uint8_t *first = reader->position;
	uint64_t value = 0;

	if (first < reader->end && *first < 0x80) { /* nearly all are one byte */
		reader->position++;
		return *first;
	}
	for (unsigned shift = 0; reader->position < reader->end; shift += 7) {
		uint8_t byte = *reader->position++;

		if (shift < 64)
			value |= (uint64_t)(byte & 0x7f) << shift;
		if (byte < 0x80)
			return value;
		if (shift >= 7 * 15) {
			byte_reader_fail(reader, first, READER_LEB128_TOO_LONG);
			return 0;
		}
	}
	byte_reader_fail(reader, first, READER_TRUNCATED);
	return 0;
}

static inline int64_t byte_reader_sleb128(struct byte_reader *reader)
{
	const uint8_t *first = reader->position;
	uint64_t value = 0;

	for (unsigned shift = 0; reader->position < reader->end; shift += 7) {
		uint8_t byte = *reader->position++;

		if (shift < 64)
			value |= (uint64_t)(byte & 0x7f) << shift;
		if (byte < 0x80) {
			if (shift + 7 < 64 && (byte & 0x40))
				value |= ~UINT64_C(0) << (shift + 7);
			return (int64_t)value;
		}
		if (shift >= 7 * 15) {
			byte_reader_fail(reader, first, READER_LEB128_TOO_LONG);
			return 0;
		}
	}
	byte_reader_fail(reader, first, READER_TRUNCATED);
	return 0;
}

/* A NUL-terminated string inside the bytes; NULL on a fault. */
static inline const char *byte_reader_string(struct byte_reader *reader)
{
	const uint8_t *first = reader->position;
	const uint8_t *nul = first == reader->end ? NULL :
						    memchr(first, 0, byte_reader_left(reader));

	if (nul == NULL) {
		byte_reader_fail(reader, first, READER_TRUNCATED);
		return NULL;
	}
	reader->position = nul + 1;
	return (const char *)first;
}

#endif
