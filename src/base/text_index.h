/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Where texts are in sections of NUL-terminated strings. Built once, from then on read
 * by any number of threads.
 *
 * Sections continue each other's offsets, as those of a chain of BTF blobs do. Of equal texts the one at
 * the lowest offset counts; a text that is only the end of another one is not there.
 */
#ifndef BASE_TEXT_INDEX_H
#define BASE_TEXT_INDEX_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/worker_pool.h"

struct text_section {
	const char *bytes; /* must outlive the index */
	uint32_t size;     /* what follows the last NUL is ignored */
	uint32_t first_offset;
};

struct text_index;

/*
 * sections: by first_offset, without overlap. hash_bits: how many bits of a hash decide where a text is
 * kept, 0: all (others are for tests). Memory is that of `arena`: 16 to 32 bytes per text.
 */
enum smelt_status text_index_create(const struct text_section *sections, uint32_t section_count,
				    unsigned hash_bits, struct worker_pool *pool,
				    struct arena *arena, struct text_index **index,
				    struct smelt_error *error);

enum { TEXT_INDEX_NONE = UINT32_MAX };

/* Offset of `size` bytes without NUL, or TEXT_INDEX_NONE. */
uint32_t text_index_find(const struct text_index *index, const char *text, size_t size);

/* The text at an offset that lies in one of the sections. */
const char *text_index_text(const struct text_index *index, uint32_t offset);

#endif
