/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#include "cli/progress_line.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { COLUMNS_DEFAULT = 80, COLUMNS_MAX = 120 };

static double seconds_since(const struct timespec *start)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)(now.tv_sec - start->tv_sec) + (double)(now.tv_nsec - start->tv_nsec) / 1e9;
}

void cli_progress_line_init(struct cli_progress_line *line, const char *program, const char *things,
			    const char *path, double delay_seconds)
{
	const char *slash = path ? strrchr(path, '/') : NULL;

	*line = (struct cli_progress_line){
		.program = program,
		.things = things,
		.subject = slash ? slash + 1 : path,
		.delay_seconds = delay_seconds,
		.enabled = isatty(STDERR_FILENO),
	};
	clock_gettime(CLOCK_MONOTONIC, &line->start);
	pthread_mutex_init(&line->lock, NULL);
}

void cli_progress_line_deinit(struct cli_progress_line *line)
{
	cli_progress_line_erase(line);
	pthread_mutex_destroy(&line->lock);
}

/* One less than there are: writing into the last column makes some terminals wrap. */
static unsigned terminal_columns(void)
{
	struct winsize size;

	if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col < 2)
		return COLUMNS_DEFAULT - 1;
	return size.ws_col <= COLUMNS_MAX ? size.ws_col - 1u : COLUMNS_MAX;
}

static void line_show(struct cli_progress_line *line, uint64_t done, uint64_t total)
{
	char text[COLUMNS_MAX + 1];
	unsigned columns = terminal_columns();
	unsigned length;

	(void)snprintf(text, columns + 1, "%s: %" PRIu64 " of %" PRIu64 " %s%s%s", line->program,
		       done, total, line->things, line->subject ? ", " : "",
		       line->subject ? line->subject : "");
	length = (unsigned)strlen(text);
	/* Blanks over the tail of a longer line before this one. */
	(void)fprintf(stderr, "\r%s%*s", text,
		      line->shown_columns > length ? (int)(line->shown_columns - length) : 0, "");
	line->shown_columns = length;
}

void cli_progress_line_update(struct cli_progress_line *line, uint64_t done, uint64_t total)
{
	if (!line->enabled || seconds_since(&line->start) < line->delay_seconds)
		return;
	pthread_mutex_lock(&line->lock);
	line_show(line, done, total);
	pthread_mutex_unlock(&line->lock);
}

void cli_progress_line_erase(struct cli_progress_line *line)
{
	pthread_mutex_lock(&line->lock);
	if (line->shown_columns > 0)
		(void)fprintf(stderr, "\r%*s\r", (int)line->shown_columns, "");
	line->shown_columns = 0;
	pthread_mutex_unlock(&line->lock);
}
