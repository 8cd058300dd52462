/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#include "name_list.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "options.h"

static const char FILE_PREFIX[] = "file://";

static enum cli_exit_status no_memory(void)
{
	cli_message(PAHOLE_PROGRAM, "out of memory");
	return CLI_EXIT_FAILURE;
}

static enum cli_exit_status add_name(struct name_list *list, const char *name, size_t length)
{
	char *copy;

	while (length > 0 && name[0] == ' ') {
		name++;
		length--;
	}
	while (length > 0 && name[length - 1] == ' ')
		length--;
	if (length == 0)
		return CLI_EXIT_OK;
	if (list->count == list->capacity) {
		size_t capacity = list->capacity ? list->capacity * 2 : 16;
		char **names = realloc(list->names, capacity * sizeof(*names));

		if (!names)
			return no_memory();
		list->names = names;
		list->capacity = capacity;
	}
	copy = strndup(name, length);
	if (!copy)
		return no_memory();
	list->names[list->count++] = copy;
	return CLI_EXIT_OK;
}

static enum cli_exit_status add_lines(struct name_list *list, const char *path)
{
	enum cli_exit_status status = CLI_EXIT_OK;
	FILE *file = fopen(path, "re");
	char *line = NULL;
	size_t capacity = 0;
	ssize_t length;

	if (!file) {
		cli_message(PAHOLE_PROGRAM, "%s: %s", path, strerror(errno));
		return CLI_EXIT_FAILURE;
	}
	while (!status && (length = getline(&line, &capacity, file)) >= 0) {
		size_t end = (size_t)length;

		while (end > 0 && (line[end - 1] == '\n' || line[end - 1] == '\r'))
			end--;
		status = add_name(list, line, end);
	}
	if (!status && ferror(file)) {
		cli_message(PAHOLE_PROGRAM, "%s: %s", path, strerror(errno));
		status = CLI_EXIT_FAILURE;
	}
	free(line);
	(void)fclose(file);
	return status;
}

/* Up to the comma that ends the first name, or the end. */
static size_t name_length(const char *text)
{
	int open = 0;
	size_t i;

	for (i = 0; text[i] && (text[i] != ',' || open > 0); i++) {
		if (strchr("(<[", text[i]))
			open++;
		else if (strchr(")>]", text[i]))
			open--;
	}
	return i;
}

enum cli_exit_status name_list_add(struct name_list *list, const char *text)
{
	enum cli_exit_status status = CLI_EXIT_OK;

	while (*text && !status) {
		size_t length = name_length(text);

		if (strncmp(text, FILE_PREFIX, sizeof(FILE_PREFIX) - 1) == 0) {
			char *path = strndup(text + sizeof(FILE_PREFIX) - 1,
					     length - (sizeof(FILE_PREFIX) - 1));

			status = path ? add_lines(list, path) : no_memory();
			free(path);
		} else {
			status = add_name(list, text, length);
		}
		text += length;
		text += *text == ',';
	}
	return status;
}

void name_list_deinit(struct name_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		free(list->names[i]);
	free(list->names);
	*list = (struct name_list){ 0 };
}
