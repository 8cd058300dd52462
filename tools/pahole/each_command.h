/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* pahole --each: every file on its own, in one run */
#ifndef PAHOLE_EACH_COMMAND_H
#define PAHOLE_EACH_COMMAND_H

#include "options.h"

/*
 * Encodes each of options->files, and of the files in lists among them, into itself, or into a file in the
 * folder options->detached_path. Uses up options->languages. Prints a message for every
 * outcome but plain success.
 */
enum cli_exit_status each_command_run(struct pahole_options *options);

#endif
