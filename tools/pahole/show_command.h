/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* pahole without -J: shows types of the files. */
#ifndef PAHOLE_SHOW_COMMAND_H
#define PAHOLE_SHOW_COMMAND_H

#include "options.h"

enum cli_exit_status show_command_run(struct pahole_options *options);

#endif
