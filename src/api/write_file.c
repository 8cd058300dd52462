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
	blob->data = NULL;
	blob->size = 0;
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

static enum smelt_status replace(const struct file_target *target, const void *data, size_t size,
				 struct smelt_error *error)
{
	struct file_draft draft;
	enum smelt_status status = file_draft_open(&draft, target, error);

	if (!status)
		status = file_write_all(draft.descriptor, data, size, target->shown, error);
	if (!status)
		status = file_draft_copy_mode(&draft, target, error);
	if (!status)
		status = file_draft_publish(&draft, target, error);
	file_draft_discard(&draft, target);
	return status;
}

enum smelt_status smelt_write_file(const char *path, const void *data, size_t size,
				   struct smelt_error *error)
{
	struct file_target target;
	struct stat info;
	sigset_t old_mask;
	enum smelt_status status;
	int descriptor = own_descriptor(path);

	assert(data || size == 0);
	if (descriptor >= 0)
		return file_write_all(descriptor, data, size, path, error);
	if (stat(path, &info) == 0 && !S_ISREG(info.st_mode))
		return write_directly(path, data, size, error);

	status = file_target_init(&target, path, error);
	if (!status) {
		file_signals_hold(&old_mask);
		status = replace(&target, data, size, error);
		file_signals_release(&old_mask);
	}
	file_target_deinit(&target);
	return status;
}
