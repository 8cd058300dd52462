/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Numbers of either byte order at any alignment. The caller has checked the bounds. */
#ifndef ELF_ENDIAN_BYTES_H
#define ELF_ENDIAN_BYTES_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

static inline bool host_is_big_endian(void)
{
	return __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
}

static inline uint16_t load_u16(const void *bytes, bool is_big_endian)
{
	uint16_t value;

	memcpy(&value, bytes, sizeof(value));
	return is_big_endian == host_is_big_endian() ? value : __builtin_bswap16(value);
}

static inline uint32_t load_u32(const void *bytes, bool is_big_endian)
{
	uint32_t value;

	memcpy(&value, bytes, sizeof(value));
	return is_big_endian == host_is_big_endian() ? value : __builtin_bswap32(value);
}

static inline uint64_t load_u64(const void *bytes, bool is_big_endian)
{
	uint64_t value;

	memcpy(&value, bytes, sizeof(value));
	return is_big_endian == host_is_big_endian() ? value : __builtin_bswap64(value);
}

/* A field of the size of an address: 8 or 4 bytes. */
static inline uint64_t load_word(const void *bytes, bool is_64bit, bool is_big_endian)
{
	return is_64bit ? load_u64(bytes, is_big_endian) : load_u32(bytes, is_big_endian);
}

static inline void store_u16(void *bytes, uint16_t value, bool is_big_endian)
{
	if (is_big_endian != host_is_big_endian())
		value = __builtin_bswap16(value);
	memcpy(bytes, &value, sizeof(value));
}

static inline void store_u32(void *bytes, uint32_t value, bool is_big_endian)
{
	if (is_big_endian != host_is_big_endian())
		value = __builtin_bswap32(value);
	memcpy(bytes, &value, sizeof(value));
}

static inline void store_u64(void *bytes, uint64_t value, bool is_big_endian)
{
	if (is_big_endian != host_is_big_endian())
		value = __builtin_bswap64(value);
	memcpy(bytes, &value, sizeof(value));
}

static inline void store_word(void *bytes, uint64_t value, bool is_64bit, bool is_big_endian)
{
	if (is_64bit)
		store_u64(bytes, value, is_big_endian);
	else
		store_u32(bytes, (uint32_t)value, is_big_endian);
}

#endif
