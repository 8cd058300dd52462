/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The options that say which types are shown, and how. */
#ifndef PAHOLE_SHOW_OPTIONS_H
#define PAHOLE_SHOW_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include <smelt/show.h>

struct pahole_show_options {
	struct smelt_show_options
		show;      /* names, output and context are filled in by show_command */
	const char *names; /* -C, or NULL */
};

/* False: not an option of this kind. */
bool pahole_show_option_parse(struct pahole_show_options *options, int key, const char *argument);

#endif
