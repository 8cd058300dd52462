/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* What the command line of pahole asks for, as one value. */
#ifndef PAHOLE_OPTIONS_H
#define PAHOLE_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cli/language_filter.h"
#include "cli/message.h"
#include "cli/option_table.h"
#include "feature_list.h"
#include "show_options.h"

/* The name in messages, whatever the program is called on disk. */
#define PAHOLE_PROGRAM "pahole"

/* A base may be split on another one, but chains are short. */
enum { PAHOLE_BASES_MAX = 4 };

/* Questions that are answered instead of any work. */
enum pahole_question {
	PAHOLE_NO_QUESTION,
	PAHOLE_ASKS_VERSION,
	PAHOLE_ASKS_NUMERIC_VERSION,
	PAHOLE_ASKS_FEATURES,
};

struct pahole_options {
	enum pahole_question question;    /* the first one */
	const struct cli_option *missing; /* the first option given that is not there yet */
	char **files;
	size_t file_count;

	const char *base_paths[PAHOLE_BASES_MAX]; /* --btf_base, the last ones given */
	size_t base_count;

	bool encode;               /* -J or --btf_encode_detached */
	bool each;                 /* every file for itself; detached_path is a folder */
	const char *detached_path; /* or NULL */
	const char *format_path;   /* -F, or NULL */
	struct feature_list features;
	struct cli_language_filter languages;
	const char *unit_exclude_prefix;
	const char *kabi_prefix;
	bool fixup_silly_bitfields;
	const char *base_path; /* the last of them, or NULL */
	struct pahole_show_options show;
	unsigned jobs;    /* -jN; 0: not given */
	bool is_parallel; /* -j without N */
	bool verbose;
	bool timings;

	enum cli_exit_status parse_status; /* why parsing stopped */
};

/*
 * Reads the command line and PAHOLE_LANG_EXCLUDE. --help, --usage and options that do
 * not exist end the program here, everything else returns: CLI_EXIT_OK, or what to exit
 * with after a message. Strings belong to argv. In any case to be deinitialised.
 */
enum cli_exit_status pahole_options_init(struct pahole_options *options, int argc, char **argv);
void pahole_options_deinit(struct pahole_options *options);

#endif
