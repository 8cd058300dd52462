/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Comma-separated lists in option arguments. */
#ifndef CLI_WORD_LIST_H
#define CLI_WORD_LIST_H

#include <stdbool.h>
#include <stddef.h>

/* A piece of somebody else's string. */
struct cli_word {
	const char *start;
	size_t length;
};

/*
 * Takes the next non-empty word off the front of *list, which moves on. False at the
 * end. Blanks belong to words.
 */
bool cli_word_next(const char **list, struct cli_word *word);

bool cli_word_equals(const struct cli_word *word, const char *text);

#endif
