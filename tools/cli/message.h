/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* What the programs say on stderr, and their exit statuses. */
#ifndef CLI_MESSAGE_H
#define CLI_MESSAGE_H

#include <smelt/error.h>

enum cli_exit_status {
	CLI_EXIT_OK = 0,
	CLI_EXIT_FAILURE = 1,
	CLI_EXIT_USAGE = 64, /* also: an option that this version does not have yet */
};

/* "PROGRAM: text" and a newline, in one write; control characters of the text become '?'. */
void cli_message(const char *program, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* A message and the line that points to --help. Returns CLI_EXIT_USAGE. */
enum cli_exit_status cli_usage_error(const char *program, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* "PROGRAM: FILE: cause", without FILE twice. Returns CLI_EXIT_FAILURE. */
enum cli_exit_status cli_file_error(const char *program, const char *file,
				    const struct smelt_error *error);

/*
 * At exit, checks that what was printed on stdout arrived; if not, a message and exit
 * status 1 whatever the program meant to return.
 */
void cli_check_stdout_at_exit(void);

#endif
