/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Writing a result so that the old file survives every failure.
 *
 * The bytes go to a draft in the folder of the target; rename(2) then puts it in
 * place. Where the file system allows it (O_TMPFILE) the draft has no name while
 * it is filled, so that even SIGKILL leaves nothing behind; elsewhere it is a
 * hidden file. Signals that would end the program are held back in the calling
 * thread from the moment a draft can exist until it is in place or gone. That needs
 * no handler and no global state, but a program whose other threads accept these
 * signals can still be ended in between.
 *
 * What is not a regular file is written to directly, and a path that names one of
 * our own descriptors (/dev/stdout) goes to that descriptor at its position, so that
 * shell redirections with > and >> mean what they say.
 */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <smelt/encode.h>

#include "base/error.h"

enum {
	NEW_FILE_MODE = 0640,
	LINKS_MAX = 40, /* as in the kernel: more is a loop */
	DRAFT_NAME_BYTES = 48,
	DRAFT_ATTEMPTS = 10000, /* names that are taken, by threads or by leftovers of a SIGKILL */
};

/* The file to replace. */
struct target {
	const char *shown; /* as the caller wrote it, for messages */
	char *path;        /* symbolic links of the last component followed */
	const char *name;  /* last component of path */
	int folder;        /* descriptor of the folder that holds it */
	bool exists;
	struct stat info; /* valid if it exists */
};

/* What will become the target. */
struct draft {
	int descriptor;
	char name[DRAFT_NAME_BYTES]; /* in target.folder; "" while it has none */
};

void smelt_btf_blob_deinit(struct smelt_btf_blob *blob)
{
	if (!blob)
		return;
	free(blob->data);
	blob->data = NULL;
	blob->size = 0;
}

static enum smelt_status write_all(int descriptor, const uint8_t *data, size_t size,
				   const char *path, struct smelt_error *error)
{
	while (size > 0) {
		ssize_t written = write(descriptor, data, size);

		if (written < 0 && errno == EINTR)
			continue;
		if (written == 0)
			errno = ENOSPC; /* some devices say so instead of failing */
		if (written <= 0)
			return error_os(error, "write", path);
		data += written;
		size -= (size_t)written;
	}
	return SMELT_OK;
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
	status = write_all(descriptor, data, size, path, error);
	if (close(descriptor) != 0 && !status)
		status = error_os(error, "close", path);
	return status;
}

/* Puts what the link `*path` points to in the place of `*path`. */
static bool follow_link(char **path)
{
	char link[4096];
	ssize_t length = readlink(*path, link, sizeof(link) - 1);
	const char *slash = strrchr(*path, '/');
	char *followed = NULL;

	if (length < 0)
		return false;
	link[length] = '\0';
	if (link[0] == '/' || !slash)
		followed = strdup(link);
	else if (asprintf(&followed, "%.*s/%s", (int)(slash - *path), *path, link) < 0)
		followed = NULL;
	if (!followed)
		return false;
	free(*path);
	*path = followed;
	return true;
}

/* Follows links by hand, because a link to a file that is not there yet is fine too. */
static enum smelt_status target_resolve(struct target *target, struct smelt_error *error)
{
	struct stat info;

	target->path = strdup(target->shown);
	if (!target->path)
		return error_no_memory(error);
	for (int links = 0; lstat(target->path, &info) == 0 && S_ISLNK(info.st_mode); links++) {
		if (links >= LINKS_MAX) {
			errno = ELOOP;
			return error_os(error, "follow link", target->shown);
		}
		if (!follow_link(&target->path))
			return error_os(error, "follow link", target->shown);
	}
	return SMELT_OK;
}

static enum smelt_status target_open_folder(struct target *target, struct smelt_error *error)
{
	char *slash = strrchr(target->path, '/');
	const char *folder = slash == target->path ? "/" : slash ? target->path : ".";

	target->name = slash ? slash + 1 : target->path;
	if (target->name[0] == '\0') {
		errno = target->path[0] ? EISDIR : ENOENT;
		return error_os(error, "create", target->shown);
	}
	if (slash)
		*slash = '\0'; /* cuts path at the folder; name stays valid behind it */
	target->folder = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (target->folder < 0)
		return error_os(error, "create", target->shown);
	return SMELT_OK;
}

static enum smelt_status target_init(struct target *target, const char *path,
				     struct smelt_error *error)
{
	enum smelt_status status;

	*target = (struct target){ .shown = path, .folder = -1 };
	status = target_resolve(target, error);
	if (status)
		return status;
	if (stat(target->path, &target->info) == 0)
		target->exists = true;
	/* rename(2) would replace a file that says it must not be written. */
	if (target->exists && faccessat(AT_FDCWD, target->path, W_OK, AT_EACCESS) != 0)
		return error_os(error, "open for writing", path);
	return target_open_folder(target, error);
}

static void target_deinit(struct target *target)
{
	if (target->folder >= 0)
		close(target->folder);
	free(target->path);
}

/* The next name for a draft; unique among the threads and attempts of this process. */
static void draft_next_name(struct draft *draft, unsigned attempt)
{
	(void)snprintf(draft->name, sizeof(draft->name), ".smelt-%ld-%u.tmp", (long)getpid(),
		       attempt);
}

static enum smelt_status draft_open(struct draft *draft, const struct target *target,
				    struct smelt_error *error)
{
	draft->name[0] = '\0';
	draft->descriptor = -1;
	/* A nameless file gets its name through /proc, see draft_link(). */
	if (access("/proc/self/fd", X_OK) == 0)
		draft->descriptor = openat(target->folder, ".", O_TMPFILE | O_WRONLY | O_CLOEXEC,
					   NEW_FILE_MODE);
	for (unsigned i = 0; draft->descriptor < 0 && i < DRAFT_ATTEMPTS; i++) {
		draft_next_name(draft, i);
		draft->descriptor = openat(target->folder, draft->name,
					   O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, NEW_FILE_MODE);
		if (draft->descriptor < 0 && errno != EEXIST)
			break;
	}
	if (draft->descriptor < 0) {
		draft->name[0] = '\0';
		return error_os(error, "create", target->shown);
	}
	return SMELT_OK;
}

/* Closes, and removes it if it still has a name of its own. */
static void draft_discard(struct draft *draft, const struct target *target)
{
	if (draft->descriptor >= 0)
		close(draft->descriptor);
	if (draft->name[0] != '\0')
		(void)unlinkat(target->folder, draft->name, 0);
}

/* Owner and mode of the file that is replaced; what may not be given away stays ours. */
static enum smelt_status draft_copy_mode(const struct draft *draft, const struct target *target,
					 struct smelt_error *error)
{
	if (!target->exists)
		return SMELT_OK;
	if (fchown(draft->descriptor, target->info.st_uid, target->info.st_gid) != 0 &&
	    errno != EPERM && errno != EINVAL && errno != ENOSYS)
		return error_os(error, "set owner of", target->shown);
	if (fchmod(draft->descriptor, target->info.st_mode & 07777) != 0)
		return error_os(error, "set mode of", target->shown);
	return SMELT_OK;
}

/* Gives a nameless draft a name. linkat(2) cannot replace, so it is not the target's. */
static enum smelt_status draft_link(struct draft *draft, const struct target *target,
				    struct smelt_error *error)
{
	char source[64];

	(void)snprintf(source, sizeof(source), "/proc/self/fd/%d", draft->descriptor);
	for (unsigned i = 0; i < DRAFT_ATTEMPTS; i++) {
		draft_next_name(draft, i);
		if (linkat(AT_FDCWD, source, target->folder, draft->name, AT_SYMLINK_FOLLOW) == 0)
			return SMELT_OK;
		if (errno != EEXIST)
			break;
	}
	draft->name[0] = '\0';
	return error_os(error, "create", target->shown);
}

static enum smelt_status draft_publish(struct draft *draft, const struct target *target,
				       struct smelt_error *error)
{
	int descriptor;

	if (draft->name[0] == '\0') {
		enum smelt_status status = draft_link(draft, target, error);

		if (status)
			return status;
	}
	/* Network file systems report a full disk here at the latest. */
	descriptor = draft->descriptor;
	draft->descriptor = -1;
	if (close(descriptor) != 0)
		return error_os(error, "close", target->shown);
	if (renameat(target->folder, draft->name, target->folder, target->name) != 0)
		return error_os(error, "replace", target->shown);
	draft->name[0] = '\0';
	return SMELT_OK;
}

static enum smelt_status replace(const struct target *target, const void *data, size_t size,
				 struct smelt_error *error)
{
	struct draft draft;
	enum smelt_status status = draft_open(&draft, target, error);

	if (!status)
		status = write_all(draft.descriptor, data, size, target->shown, error);
	if (!status)
		status = draft_copy_mode(&draft, target, error);
	if (!status)
		status = draft_publish(&draft, target, error);
	draft_discard(&draft, target);
	return status;
}

/* Holds back what would end the program; returns the mask to go back to in *old. */
static void signals_hold(sigset_t *old)
{
	static const int fatal[] = { SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGXFSZ };
	sigset_t held;

	sigemptyset(&held);
	for (size_t i = 0; i < sizeof(fatal) / sizeof(fatal[0]); i++)
		sigaddset(&held, fatal[i]);
	pthread_sigmask(SIG_BLOCK, &held, old);
}

/*
 * SIGXFSZ was a by-product of the write(2) that already failed with EFBIG, so it is
 * taken off the list instead of killing a program that has a message to print.
 */
static void signals_release(const sigset_t *old)
{
	static const struct timespec no_wait = { 0, 0 };
	sigset_t file_too_large;

	sigemptyset(&file_too_large);
	sigaddset(&file_too_large, SIGXFSZ);
	if (!sigismember(old, SIGXFSZ))
		(void)sigtimedwait(&file_too_large, NULL, &no_wait);
	pthread_sigmask(SIG_SETMASK, old, NULL);
}

enum smelt_status smelt_write_file(const char *path, const void *data, size_t size,
				   struct smelt_error *error)
{
	struct target target;
	struct stat info;
	sigset_t old_mask;
	enum smelt_status status;
	int descriptor = own_descriptor(path);

	assert(data || size == 0);
	if (descriptor >= 0)
		return write_all(descriptor, data, size, path, error);
	if (stat(path, &info) == 0 && !S_ISREG(info.st_mode))
		return write_directly(path, data, size, error);

	status = target_init(&target, path, error);
	if (!status) {
		signals_hold(&old_mask);
		status = replace(&target, data, size, error);
		signals_release(&old_mask);
	}
	target_deinit(&target);
	return status;
}
