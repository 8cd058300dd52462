/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#include "file_list.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "options.h"

static enum cli_exit_status no_memory(void)
{
	cli_message(PAHOLE_PROGRAM, "out of memory");
	return CLI_EXIT_FAILURE;
}

/* Takes `path` over; NULL means that there was no memory for it. */
static enum cli_exit_status add_path(struct file_list *list, char *path)
{
	if (path && list->count == list->capacity) {
		size_t capacity = list->capacity ? 2 * list->capacity : 64;
		char **grown = reallocarray(list->paths, capacity, sizeof(*grown));

		if (grown) {
			list->paths = grown;
			list->capacity = capacity;
		}
	}
	if (!path || list->count == list->capacity) {
		free(path);
		return no_memory();
	}
	list->paths[list->count++] = path;
	return CLI_EXIT_OK;
}

/* foo.o becomes foo.ko if that is there. NULL for NULL. */
static char *choose_module(char *path)
{
	size_t size = path ? strlen(path) : 0;
	char *module = NULL;

	if (size < 3 || strcmp(path + size - 2, ".o") != 0 ||
	    asprintf(&module, "%.*s.ko", (int)(size - 2), path) < 0)
		return path;
	if (access(module, F_OK) == 0) {
		free(path);
		return module;
	}
	free(module);
	return path;
}

static enum cli_exit_status add_lines(struct file_list *list, FILE *stream, const char *name)
{
	enum cli_exit_status status = CLI_EXIT_OK;
	char *line = NULL;
	size_t capacity = 0;
	ssize_t size;

	errno = 0;
	while (!status && (size = getline(&line, &capacity, stream)) >= 0) {
		if (size > 0 && line[size - 1] == '\n')
			line[--size] = '\0';
		if (strlen(line) != (size_t)size) {
			cli_message(PAHOLE_PROGRAM, "%s: not a list of files", name);
			status = CLI_EXIT_FAILURE;
		} else if (size > 0) {
			status = add_path(list, choose_module(strdup(line)));
		}
	}
	if (!status && !feof(stream)) {
		cli_message(PAHOLE_PROGRAM, "%s: read: %s", name, strerror(errno));
		status = CLI_EXIT_FAILURE;
	}
	free(line);
	return status;
}

static enum cli_exit_status add_list(struct file_list *list, const char *name)
{
	enum cli_exit_status status;
	FILE *stream;

	if (strcmp(name, "-") == 0)
		return add_lines(list, stdin, "standard input");
	stream = fopen(name, "re");
	if (!stream) {
		cli_message(PAHOLE_PROGRAM, "%s: open: %s", name, strerror(errno));
		return CLI_EXIT_FAILURE;
	}
	status = add_lines(list, stream, name);
	(void)fclose(stream);
	return status;
}

enum cli_exit_status file_list_expand(struct file_list *list, char *const *arguments, size_t count)
{
	enum cli_exit_status status = CLI_EXIT_OK;

	for (size_t i = 0; i < count && !status; i++) {
		if (arguments[i][0] == '@')
			status = add_list(list, arguments[i] + 1);
		else
			status = add_path(list, strdup(arguments[i]));
	}
	return status;
}

void file_list_deinit(struct file_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		free(list->paths[i]);
	free(list->paths);
	*list = (struct file_list){ 0 };
}
