/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Where the results of --each go. */
#ifndef PAHOLE_EACH_OUTPUTS_H
#define PAHOLE_EACH_OUTPUTS_H

#include "file_list.h"
#include "options.h"

/*
 * A path per input: the input itself, or NAME.btf in the folder that the options name, which is made if
 * need be, for an input called NAME; a distilled base goes beside it. No two may be one file, and none in the folder may be an input. A message for every failure.
 */
struct each_outputs {
	char **paths; /* in `folder`; NULL: the inputs themselves */
	size_t count;
};

/* To be deinitialised in any case. */
enum cli_exit_status each_outputs_init(struct each_outputs *outputs, const struct file_list *inputs,
				       const struct pahole_options *options);
void each_outputs_deinit(struct each_outputs *outputs);

#endif
