/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#include "cli/message.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MESSAGE_BYTES = 1024 };

static void message_print(const char *program, const char *format, va_list arguments)
{
	char text[MESSAGE_BYTES];

	/* stderr is unbuffered: formatting first keeps messages of parallel builds in one piece. */
	(void)vsnprintf(text, sizeof(text), format, arguments);
	/* Names come from the input, and a terminal obeys what is in them. */
	for (char *at = text; *at; at++)
		if ((unsigned char)*at < ' ' || *at == 0x7f)
			*at = '?';
	(void)fprintf(stderr, "%s: %s\n", program, text);
}

void cli_message(const char *program, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	message_print(program, format, arguments);
	va_end(arguments);
}

enum cli_exit_status cli_usage_error(const char *program, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	message_print(program, format, arguments);
	va_end(arguments);
	(void)fprintf(stderr, "Try '%s --help' for the list of options.\n", program);
	return CLI_EXIT_USAGE;
}

enum cli_exit_status cli_file_error(const char *program, const char *file,
				    const struct smelt_error *error)
{
	size_t length = strlen(file);

	if (strncmp(error->text, file, length) == 0 && error->text[length] == ':')
		cli_message(program, "%s", error->text);
	else
		cli_message(program, "%s: %s", file, error->text);
	return CLI_EXIT_FAILURE;
}

static void check_stdout(void)
{
	int failed = ferror(stdout);

	if (fflush(stdout) == 0 && !failed)
		return;
	(void)fprintf(stderr, "%s: standard output: %s\n", program_invocation_short_name,
		      strerror(errno));
	_exit(CLI_EXIT_FAILURE);
}

void cli_check_stdout_at_exit(void)
{
	if (atexit(check_stdout) != 0)
		abort(); /* the C standard grants 32 handlers */
}
