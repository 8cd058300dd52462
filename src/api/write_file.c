/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Writing a result so that the old file survives every failure: through a draft, see
 * base/file_draft.h. What is not a regular file is written to directly, and a path that names one of
 * our own descriptors (/dev/stdout) goes to that descriptor at its position, so that
 * shell redirections with > and >> mean what they say.
 */
#include <assert.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <smelt/encode.h>

#include "base/error.h"
#include "base/file_draft.h"

void smelt_btf_blob_deinit(struct smelt_btf_blob *blob)
{
	if (!blob)
		return;
	free(blob->data);
	free(blob->base_data);
	*blob = (struct smelt_btf_blob){ 0 };
}

/* Number of the descriptor that `path` is a name of, or -1. */
static int own_descriptor(const char *path)
{
	static const char *const prefixes[] = { "/dev/fd/", "/proc/self/fd/" };

	if (strcmp(path, "/dev/stdout") == 0)
		return STDOUT_FILENO;
	if (strcmp(path, "/dev/stderr") == 0)
		return STDERR_FILENO;
	for (size_t i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++) {
		size_t length = strlen(prefixes[i]);
		const char *digits = path + length;

		if (strncmp(path, prefixes[i], length) == 0 && strlen(digits) <= 6 &&
		    digits[0] != '\0' && strspn(digits, "0123456789") == strlen(digits))
			return atoi(digits);
	}
	return -1;
}

/* Devices, pipes and sockets: no draft, no rename. */
static enum smelt_status write_directly(const char *path, const void *data, size_t size,
					struct smelt_error *error)
{
	enum smelt_status status;
	int descriptor = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);

	if (descriptor < 0)
		return error_os(error, "open for writing", path);
	status = file_write_all(descriptor, data, size, path, error);
	if (close(descriptor) != 0 && !status)
		status = error_os(error, "close", path);
	return status;
}

/* A file on its way. */
struct output {
	struct file_target target;
	struct file_draft draft; /* descriptor -1: none */
};

static enum smelt_status output_fill(struct output *output, const struct smelt_output_file *file,
				     struct smelt_error *error)
{
	enum smelt_status status = file_draft_open(&output->draft, &output->target, error);

	if (!status)
		status = file_write_all(output->draft.descriptor, file->data, file->size,
					output->target.shown, error);
	if (!status)
		status = file_draft_copy_mode(&output->draft, &output->target, error);
	return status;
}

/* All drafts first: what fails most fails before the first file has changed. */
static enum smelt_status replace(struct output *outputs, const struct smelt_output_file *files,
				 size_t count, struct smelt_error *error)
{
	enum smelt_status status = SMELT_OK;
	size_t opened = 0;

	while (opened < count && !status) {
		status = output_fill(&outputs[opened], &files[opened], error);
		opened++;
	}
	for (size_t i = 0; i < count && !status; i++)
		status = file_draft_publish(&outputs[i].draft, &outputs[i].target, error);
	while (opened-- > 0)
		file_draft_discard(&outputs[opened].draft, &outputs[opened].target);
	return status;
}

static enum smelt_status replace_targets(struct output *outputs,
					 const struct smelt_output_file *files, size_t count,
					 struct smelt_error *error)
{
	enum smelt_status status = SMELT_OK;
	sigset_t old_mask;
	size_t found = 0;

	while (found < count && !status) {
		status = file_target_init(&outputs[found].target, files[found].path, error);
		found++;
	}
	if (!status) {
		file_signals_hold(&old_mask);
		status = replace(outputs, files, count, error);
		file_signals_release(&old_mask);
	}
	while (found-- > 0)
		file_target_deinit(&outputs[found].target);
	return status;
}

enum smelt_status smelt_write_file(const char *path, const void *data, size_t size,
				   struct smelt_error *error)
{
	const struct smelt_output_file file = { path, data, size };
	int descriptor = own_descriptor(path);
	struct output output;
	struct stat info;

	assert(data || size == 0);
	if (descriptor >= 0)
		return file_write_all(descriptor, data, size, path, error);
	if (stat(path, &info) == 0 && !S_ISREG(info.st_mode))
		return write_directly(path, data, size, error);
	return replace_targets(&output, &file, 1, error);
}

enum smelt_status smelt_write_files(const struct smelt_output_file *files, size_t count,
				    struct smelt_error *error)
{
	struct output *outputs;
	enum smelt_status status;
	struct stat info;

	for (size_t i = 0; i < count; i++) {
		assert(files[i].data || files[i].size == 0);
		if (own_descriptor(files[i].path) >= 0 ||
		    (stat(files[i].path, &info) == 0 && !S_ISREG(info.st_mode)))
			return error_set(error, SMELT_BAD_ARGUMENT,
					 "%s: not a regular file, as several outputs have to be",
					 files[i].path);
	}
	outputs = malloc((count ? count : 1) * sizeof(*outputs));
	if (!outputs)
		return error_no_memory(error);
	status = replace_targets(outputs, files, count, error);
	free(outputs);
	return status;
}
