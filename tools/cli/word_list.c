/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#include "cli/word_list.h"

#include <string.h>

bool cli_word_next(const char **list, struct cli_word *word)
{
	const char *start = *list + strspn(*list, ",");
	size_t length = strcspn(start, ",");

	*list = start + length;
	*word = (struct cli_word){ .start = start, .length = length };
	return length > 0;
}

bool cli_word_equals(const struct cli_word *word, const char *text)
{
	return strlen(text) == word->length && memcmp(text, word->start, word->length) == 0;
}
