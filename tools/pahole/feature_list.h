/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * --btf_features and the older flags: which features are on, read from left to right.
 */
#ifndef PAHOLE_FEATURE_LIST_H
#define PAHOLE_FEATURE_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "cli/word_list.h"

struct feature_list {
	uint32_t features;        /* bits of enum smelt_btf_feature */
	bool was_given;           /* some list was added: it started from nothing */
	struct cli_word *unknown; /* names that mean nothing, in the order given */
	size_t unknown_count;
};

void feature_list_init(struct feature_list *list);
void feature_list_deinit(struct feature_list *list);

/*
 * Adds the features named in `text`, which must outlive the list; the first call turns
 * off what was on before. Names that mean nothing go to `unknown`. False when out of
 * memory.
 */
bool feature_list_add(struct feature_list *list, const char *text);

/* Prints the names of the features in the set, comma-separated, and a newline. */
void feature_list_print(FILE *stream, uint32_t features);

#endif
