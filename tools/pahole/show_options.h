/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The options that say which types are shown, and how. */
#ifndef PAHOLE_SHOW_OPTIONS_H
#define PAHOLE_SHOW_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include <smelt/show.h>

struct pahole_show_options {
	struct smelt_show_options
		show;          /* names, output and context are filled in by show_command */
	const char *names;     /* -C, or NULL */
	const char *contained; /* -i, -f, --contains_enumerator, or NULL */
	bool lists_names;      /* -z */
};

/* False: not an option of this kind. */
bool pahole_show_option_parse(struct pahole_show_options *options, int key, const char *argument);

/* The list of names that the selection is about, or NULL. */
const char *pahole_show_options_names(const struct pahole_show_options *options);

/* When all are parsed. */
void pahole_show_options_finish(struct pahole_show_options *options, bool verbose);

#endif
