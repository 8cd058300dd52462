/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * --lang, --lang_exclude and PAHOLE_LANG_EXCLUDE.
 *
 * The last list of each kind counts. With both kinds, what is kept is what the one
 * names and the other does not. The environment counts only without any option.
 */
#ifndef CLI_LANGUAGE_FILTER_H
#define CLI_LANGUAGE_FILTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <smelt/error.h>

#include "cli/word_list.h"

struct cli_language_list {
	uint16_t *codes; /* NULL until a list was given */
	size_t count;
};

struct cli_language_filter {
	struct cli_language_list kept;
	struct cli_language_list dropped;
};

void cli_language_filter_deinit(struct cli_language_filter *filter);

/*
 * Parses `text` into one of a filter's lists, which it replaces on success. With
 * SMELT_BAD_ARGUMENT, *unknown is the first name that means nothing (empty if the
 * whole list is).
 */
enum smelt_status cli_language_list_parse(struct cli_language_list *list, const char *text,
					  struct cli_word *unknown);

/*
 * The one list to hand to the library; NULL codes mean that all units are wanted. It
 * belongs to the filter, and the filter is not to be parsed into any more.
 */
struct cli_language_list cli_language_filter_resolve(struct cli_language_filter *filter,
						     bool *excluded);

#endif
