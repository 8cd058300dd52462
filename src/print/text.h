/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Text that grows at its end. One that is out of memory, or longer than its limit, is
 * `failed` from then on and keeps what it has: one check at the end is enough.
 */
#ifndef PRINT_TEXT_H
#define PRINT_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* What a terminal shows in a colour of its own. */
enum text_colour { TEXT_PLAIN, TEXT_COMMENT, TEXT_WARNING, TEXT_KEYWORD, TEXT_NAME };

struct text {
	char *data; /* without a NUL */
	size_t size;
	size_t capacity;
	size_t limit;     /* of size; 0: none */
	size_t invisible; /* of size: bytes that take no place on a terminal */
	bool has_colours;
	bool failed;
	bool is_too_long; /* the limit is why */
};

void text_deinit(struct text *text);
/* Empty again, and not failed. */
void text_reset(struct text *text);

bool text_make_room(struct text *text, size_t bytes);

static inline void text_bytes(struct text *text, const char *bytes, size_t size)
{
	if (text->capacity - text->size < size && !text_make_room(text, size))
		return;
	memcpy(text->data + text->size, bytes, size);
	text->size += size;
}

static inline void text_string(struct text *text, const char *string)
{
	text_bytes(text, string, strlen(string));
}

static inline void text_char(struct text *text, char c)
{
	text_bytes(text, &c, 1);
}

void text_fill(struct text *text, char c, size_t count);
void text_tabs(struct text *text, unsigned count);
void text_number(struct text *text, uint64_t number);
void text_signed(struct text *text, int64_t number);
/* 0x...; just 0 for 0. */
void text_hex(struct text *text, uint64_t number);
/* Short texts only: up to 256 bytes. */
void text_format(struct text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Everything until the next call in this colour; no effect without has_colours. */
void text_colour(struct text *text, enum text_colour colour);

/* Bytes that can be seen. */
static inline size_t text_width(const struct text *text)
{
	return text->size - text->invisible;
}

/* Blanks until `width` bytes have come since `start` (a text_width), none if there were more. */
static inline void text_pad(struct text *text, size_t start, size_t width)
{
	size_t done = text_width(text) - start;

	if (done < width)
		text_fill(text, ' ', width - done);
}

#endif
