/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#include "cli/language_filter.h"

#include <stdlib.h>
#include <string.h>

#include <smelt/encode.h>

enum { NAME_BYTES = 32 }; /* more than any known name needs */

void cli_language_filter_deinit(struct cli_language_filter *filter)
{
	free(filter->kept.codes);
	free(filter->dropped.codes);
	*filter = (struct cli_language_filter){ 0 };
}

static uint16_t word_language(const struct cli_word *word)
{
	char name[NAME_BYTES];

	if (word->length >= sizeof(name))
		return 0;
	memcpy(name, word->start, word->length);
	name[word->length] = '\0';
	return smelt_language_code(name);
}

enum smelt_status cli_language_list_parse(struct cli_language_list *list, const char *text,
					  struct cli_word *unknown)
{
	/* A word and its comma take two characters at least. */
	uint16_t *codes = calloc(strlen(text) / 2 + 1, sizeof(*codes));
	size_t count = 0;
	struct cli_word word;

	if (!codes)
		return SMELT_NO_MEMORY;
	while (cli_word_next(&text, &word)) {
		uint16_t code = word_language(&word);

		if (code == 0) {
			count = 0;
			break;
		}
		codes[count++] = code;
	}
	if (count == 0) { /* the word that stopped the loop is unknown or empty */
		*unknown = word;
		free(codes);
		return SMELT_BAD_ARGUMENT;
	}
	free(list->codes);
	*list = (struct cli_language_list){ .codes = codes, .count = count };
	return SMELT_OK;
}

static bool list_has(const struct cli_language_list *list, uint16_t code)
{
	for (size_t i = 0; i < list->count; i++)
		if (list->codes[i] == code)
			return true;
	return false;
}

struct cli_language_list cli_language_filter_resolve(struct cli_language_filter *filter,
						     bool *excluded)
{
	struct cli_language_list *kept = &filter->kept;
	size_t count = 0;

	*excluded = !kept->codes;
	if (!kept->codes)
		return filter->dropped;
	for (size_t i = 0; i < kept->count; i++)
		if (!list_has(&filter->dropped, kept->codes[i]))
			kept->codes[count++] = kept->codes[i];
	kept->count = count;
	return *kept;
}
