/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Lists of type names: the argument of -C and its like. */
#ifndef PAHOLE_NAME_LIST_H
#define PAHOLE_NAME_LIST_H

#include <stddef.h>

#include "cli/message.h"

struct name_list {
	char **names;
	size_t count;
	size_t capacity;
};

/*
 * Adds the names in `text`: separated by commas, except inside (), <> and []; blanks around them do not
 * count, and empty ones are left out. A
 * name file://PATH stands for the lines of that file. A message and CLI_EXIT_FAILURE if it cannot be read.
 */
enum cli_exit_status name_list_add(struct name_list *list, const char *text);
void name_list_deinit(struct name_list *list);

#endif
