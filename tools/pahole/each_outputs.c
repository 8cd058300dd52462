/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#include "each_outputs.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "encode_setup.h"

/* A file on disk, and the input that is it. */
struct file_identity {
	dev_t device;
	ino_t number;
	size_t input;
};

static enum cli_exit_status no_memory(void)
{
	cli_message(PAHOLE_PROGRAM, "out of memory");
	return CLI_EXIT_FAILURE;
}

static int compare_identities(const void *a, const void *b)
{
	const struct file_identity *x = a, *y = b;

	if (x->device != y->device)
		return x->device < y->device ? -1 : 1;
	return x->number < y->number ? -1 : x->number > y->number;
}

static int compare_texts(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Those that are not there are left out: encoding them will say so. Returns their number. */
static size_t identify(const struct file_list *inputs, struct file_identity *identities)
{
	size_t count = 0;

	for (size_t i = 0; i < inputs->count; i++) {
		struct stat info;

		if (stat(inputs->paths[i], &info) == 0)
			identities[count++] = (struct file_identity){ info.st_dev, info.st_ino, i };
	}
	qsort(identities, count, sizeof(*identities), compare_identities);
	return count;
}

static enum cli_exit_status check_inputs(const struct file_list *inputs,
					 const struct file_identity *identities, size_t count)
{
	for (size_t i = 1; i < count; i++) {
		size_t one = identities[i - 1].input, other = identities[i].input;

		if (compare_identities(&identities[i - 1], &identities[i]) != 0)
			continue;
		cli_message(PAHOLE_PROGRAM, "%s: is the same file as %s; nothing was encoded",
			    inputs->paths[one > other ? one : other],
			    inputs->paths[one > other ? other : one]);
		return CLI_EXIT_FAILURE;
	}
	return CLI_EXIT_OK;
}

static char *output_path(const char *folder, const char *input)
{
	const char *slash = strrchr(input, '/');
	size_t size = strlen(folder);
	char *path;

	if (asprintf(&path, "%s%s%s.btf", folder, size > 0 && folder[size - 1] == '/' ? "" : "/",
		     slash ? slash + 1 : input) < 0)
		return NULL;
	return path;
}

static enum cli_exit_status check_names(const struct each_outputs *outputs)
{
	enum cli_exit_status status = CLI_EXIT_OK;
	char **sorted = malloc(outputs->count * sizeof(*sorted));

	if (!sorted)
		return no_memory();
	memcpy(sorted, outputs->paths, outputs->count * sizeof(*sorted));
	qsort(sorted, outputs->count, sizeof(*sorted), compare_texts);
	for (size_t i = 1; i < outputs->count && !status; i++) {
		if (strcmp(sorted[i - 1], sorted[i]) != 0)
			continue;
		cli_message(PAHOLE_PROGRAM,
			    "%s: would be the output of two files; nothing was encoded", sorted[i]);
		status = CLI_EXIT_FAILURE;
	}
	free(sorted);
	return status;
}

/* With a message if so. */
static bool is_input(const char *path, const struct file_identity *identities, size_t count)
{
	struct file_identity wanted = { 0 };
	struct stat info;

	if (stat(path, &info) != 0)
		return false;
	wanted.device = info.st_dev;
	wanted.number = info.st_ino;
	if (!bsearch(&wanted, identities, count, sizeof(wanted), compare_identities))
		return false;
	cli_message(PAHOLE_PROGRAM, "%s: is an input too; nothing was encoded", path);
	return true;
}

static enum cli_exit_status check_overwriting(const struct each_outputs *outputs, bool have_bases,
					      const struct file_identity *identities, size_t count)
{
	for (size_t i = 0; i < outputs->count; i++) {
		bool is_one = is_input(outputs->paths[i], identities, count);
		char *base_path;

		if (have_bases && !is_one) {
			base_path = encode_base_path(outputs->paths[i]);
			if (!base_path)
				return no_memory();
			is_one = is_input(base_path, identities, count);
			free(base_path);
		}
		if (is_one)
			return CLI_EXIT_FAILURE;
	}
	return CLI_EXIT_OK;
}

static enum cli_exit_status make_folder(const char *path)
{
	struct stat info;

	if (mkdir(path, 0777) != 0 && errno != EEXIST) {
		cli_message(PAHOLE_PROGRAM, "%s: make the folder: %s", path, strerror(errno));
		return CLI_EXIT_FAILURE;
	}
	if (stat(path, &info) != 0 || !S_ISDIR(info.st_mode)) {
		cli_message(PAHOLE_PROGRAM, "%s: not a folder, which --each writes to", path);
		return CLI_EXIT_FAILURE;
	}
	return CLI_EXIT_OK;
}

static enum cli_exit_status place_outputs(struct each_outputs *outputs,
					  const struct file_list *inputs, const char *folder)
{
	outputs->paths = calloc(inputs->count, sizeof(*outputs->paths));
	if (!outputs->paths)
		return no_memory();
	for (; outputs->count < inputs->count; outputs->count++) {
		outputs->paths[outputs->count] = output_path(folder, inputs->paths[outputs->count]);
		if (!outputs->paths[outputs->count])
			return no_memory();
	}
	return check_names(outputs);
}

enum cli_exit_status each_outputs_init(struct each_outputs *outputs, const struct file_list *inputs,
				       const struct pahole_options *options)
{
	const char *folder = options->detached_path;
	bool have_bases = options->features.features & SMELT_BTF_DISTILLED_BASE;
	struct file_identity *identities = calloc(inputs->count + 1, sizeof(*identities));
	enum cli_exit_status status = CLI_EXIT_OK;
	size_t count;

	*outputs = (struct each_outputs){ 0 };
	if (!identities)
		return no_memory();
	count = identify(inputs, identities);
	if (!folder)
		status = check_inputs(inputs, identities, count);
	if (folder && inputs->count > 0)
		status = place_outputs(outputs, inputs, folder);
	if (folder && !status)
		status = check_overwriting(outputs, have_bases, identities, count);
	free(identities);
	return folder && !status ? make_folder(folder) : status;
}

void each_outputs_deinit(struct each_outputs *outputs)
{
	for (size_t i = 0; i < outputs->count; i++)
		free(outputs->paths[i]);
	free(outputs->paths);
	*outputs = (struct each_outputs){ 0 };
}
