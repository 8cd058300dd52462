/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* What all ways to encode have in common: from the command line to the library, and back to words. */
#ifndef PAHOLE_ENCODE_SETUP_H
#define PAHOLE_ENCODE_SETUP_H

#include <smelt/encode.h>

#include "base_chain.h"
#include "cli/jobserver.h"
#include "options.h"

struct encode_setup {
	struct smelt_encode_options options; /* without callbacks */
	struct cli_jobserver jobserver;
	struct base_chain bases;
};

/* Uses up options->languages. With --verbose prints what will be done. */
void encode_setup_init(struct encode_setup *setup, struct pahole_options *options);
/* Opens the base that the options name, if any; on failure with a message. */
enum cli_exit_status encode_setup_open_base(struct encode_setup *setup,
					    const struct pahole_options *options);
/* Threads must be done: they may have tokens of the jobserver. */
void encode_setup_deinit(struct encode_setup *setup);

/* For cli_progress_line_init(). */
double encode_progress_delay(void);

/* The file beside `path` for its distilled base. The caller frees it; NULL: out of memory. */
char *encode_base_path(const char *path);

/* Writes the BTF to `path`, with its base beside it if it has one. */
enum smelt_status encode_write_detached(const char *path, const struct smelt_btf_blob *blob,
					struct smelt_error *error);

/* Puts the BTF into the ELF file `path`. */
enum smelt_status encode_write_into(const char *path, const struct smelt_btf_blob *blob,
				    struct smelt_error *error);

/* Says why there is no output for the file. Not all such reasons are failures. */
enum cli_exit_status encode_say_failure(const char *path, enum smelt_status status,
					const struct smelt_error *error);
enum cli_exit_status encode_say_nothing(const char *path, const struct smelt_encode_report *report,
					bool verbose);

#endif
