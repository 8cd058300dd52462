/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* pahole --btf_encode_detached=OUTPUT FILE */
#ifndef PAHOLE_ENCODE_COMMAND_H
#define PAHOLE_ENCODE_COMMAND_H

#include "options.h"

/*
 * Encodes options->files[0] into options->detached_path; both must be there. Uses up
 * options->languages. Prints a message for every outcome but plain success.
 */
enum cli_exit_status encode_command_run(struct pahole_options *options);

#endif
