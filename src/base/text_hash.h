/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* A hash of short texts: no defence against texts made to collide, so tables must stay right then. */
#ifndef BASE_TEXT_HASH_H
#define BASE_TEXT_HASH_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline uint64_t text_hash_step(uint64_t hash, uint64_t word)
{
	hash = (hash ^ word) * UINT64_C(0xff51afd7ed558ccd);
	return hash ^ hash >> 32;
}

/* Reads no byte outside of the text. All bits of the result are good. */
static inline uint64_t text_hash(const char *text, size_t size)
{
	uint64_t hash = size * UINT64_C(0x9e3779b97f4a7c15);
	uint64_t word;
	uint32_t head, tail;

	if (size >= 8) {
		const char *last = text + size - 8;

		for (; text < last; text += 8) {
			memcpy(&word, text, 8);
			hash = text_hash_step(hash, word);
		}
		memcpy(&word, last, 8);
	} else if (size >= 4) {
		memcpy(&head, text, 4);
		memcpy(&tail, text + size - 4, 4);
		word = (uint64_t)head << 32 | tail;
	} else if (size > 0) {
		word = (uint64_t)(uint8_t)text[0] << 16 | (uint64_t)(uint8_t)text[size / 2] << 8 |
		       (uint8_t)text[size - 1];
	} else {
		word = 0;
	}
	hash = text_hash_step(hash, word) * UINT64_C(0xc4ceb9fe1a85ec53);
	return hash ^ hash >> 29;
}

#endif
