/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#include "print/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

enum { TEXT_FIRST_CAPACITY = 4096, DECIMAL_DIGITS_MAX = 20, FORMAT_BYTES_MAX = 256 };

void text_deinit(struct text *text)
{
	free(text->data);
	text->data = NULL;
	text->size = text->capacity = 0;
}

void text_reset(struct text *text)
{
	text->size = 0;
	text->invisible = 0;
	text->failed = text->is_too_long = false;
}

bool text_make_room(struct text *text, size_t bytes)
{
	size_t capacity = text->capacity ? text->capacity : TEXT_FIRST_CAPACITY;
	char *grown;

	if (text->failed)
		return false;
	if (text->limit && (text->size > text->limit || bytes > text->limit - text->size)) {
		text->failed = text->is_too_long = true;
		return false;
	}
	while (capacity - text->size < bytes)
		if (__builtin_mul_overflow(capacity, 2u, &capacity)) {
			text->failed = true;
			return false;
		}
	grown = realloc(text->data, capacity);
	if (!grown) {
		text->failed = true;
		return false;
	}
	text->data = grown;
	text->capacity = capacity;
	return true;
}

void text_fill(struct text *text, char c, size_t count)
{
	/* Nothing of an empty text: there is no memory yet that could be passed on. */
	if (count == 0 || (text->capacity - text->size < count && !text_make_room(text, count)))
		return;
	memset(text->data + text->size, c, count);
	text->size += count;
}

void text_tabs(struct text *text, unsigned count)
{
	text_fill(text, '\t', count);
}

void text_number(struct text *text, uint64_t number)
{
	char digits[DECIMAL_DIGITS_MAX];
	size_t start = sizeof(digits);

	do
		digits[--start] = (char)('0' + number % 10);
	while (number /= 10);
	text_bytes(text, digits + start, sizeof(digits) - start);
}

void text_signed(struct text *text, int64_t number)
{
	if (number < 0)
		text_char(text, '-');
	text_number(text, number < 0 ? -(uint64_t)number : (uint64_t)number);
}

void text_hex(struct text *text, uint64_t number)
{
	text_format(text, "%#llx", (unsigned long long)number);
}

void text_format(struct text *text, const char *format, ...)
{
	char buffer[FORMAT_BYTES_MAX];
	va_list arguments;
	int size;

	va_start(arguments, format);
	size = vsnprintf(buffer, sizeof(buffer), format, arguments);
	va_end(arguments);
	if (size > 0)
		text_bytes(text, buffer,
			   (size_t)size < sizeof(buffer) ? (size_t)size : sizeof(buffer) - 1);
}

/* ECMA-48, 8.3.117 "Select graphic rendition": dim, yellow, bold, cyan. */
void text_colour(struct text *text, enum text_colour colour)
{
	static const char *const escapes[] = {
		[TEXT_PLAIN] = "\033[0m",   [TEXT_COMMENT] = "\033[2m", [TEXT_WARNING] = "\033[33m",
		[TEXT_KEYWORD] = "\033[1m", [TEXT_NAME] = "\033[36m",
	};
	size_t before = text->size;

	if (!text->has_colours)
		return;
	text_string(text, escapes[colour]);
	text->invisible += text->size - before;
}
