/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#include "feature_list.h"

#include <stdlib.h>

#include <smelt/encode.h>

void feature_list_init(struct feature_list *list)
{
	*list = (struct feature_list){ .features = SMELT_BTF_PLAIN };
}

void feature_list_deinit(struct feature_list *list)
{
	free(list->unknown);
	*list = (struct feature_list){ 0 };
}

static uint32_t word_features(const struct cli_word *word)
{
	if (cli_word_equals(word, "default"))
		return SMELT_BTF_DEFAULT;
	for (unsigned i = 0; i < SMELT_BTF_FEATURE_COUNT; i++)
		if (cli_word_equals(word, smelt_btf_feature_name(i)))
			return 1u << i;
	return 0;
}

static bool list_note_unknown(struct feature_list *list, const struct cli_word *word)
{
	struct cli_word *unknown =
		reallocarray(list->unknown, list->unknown_count + 1, sizeof(*unknown));

	if (!unknown)
		return false;
	list->unknown = unknown;
	list->unknown[list->unknown_count++] = *word;
	return true;
}

bool feature_list_add(struct feature_list *list, const char *text)
{
	struct cli_word word;

	if (!list->was_given)
		list->features = 0;
	list->was_given = true;
	if (*text == '+') {
		list->features |= SMELT_BTF_DEFAULT;
		text++;
	}
	while (cli_word_next(&text, &word)) {
		uint32_t features = word_features(&word);

		if (features == 0 && !list_note_unknown(list, &word))
			return false;
		list->features |= features;
	}
	return true;
}

void feature_list_print(FILE *stream, uint32_t features)
{
	const char *separator = "";

	for (unsigned i = 0; i < SMELT_BTF_FEATURE_COUNT; i++) {
		if (!(features & 1u << i))
			continue;
		(void)fprintf(stream, "%s%s", separator, smelt_btf_feature_name(i));
		separator = ",";
	}
	(void)fputc('\n', stream);
}
