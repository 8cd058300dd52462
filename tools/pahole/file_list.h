/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The files of --each: arguments, and lists of files in files. */
#ifndef PAHOLE_FILE_LIST_H
#define PAHOLE_FILE_LIST_H

#include <stddef.h>

#include "cli/message.h"

struct file_list {
	char **paths;
	size_t count;
	size_t capacity;
};

/*
 * Puts the files that the arguments name into a zeroed list. "@LIST" stands for those in the file LIST, one a
 * line; "@-" for those on standard input. In such a list a name in .o means the .ko beside it if there is one,
 * as in the kernel's modules.order. A message for every failure; to be deinitialised in any case.
 */
enum cli_exit_status file_list_expand(struct file_list *list, char *const *arguments, size_t count);
void file_list_deinit(struct file_list *list);

#endif
