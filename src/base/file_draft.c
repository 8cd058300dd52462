/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Drafts; see file_draft.h. Where the file system allows it (O_TMPFILE) a draft has no name
 * while it is filled, so that even SIGKILL leaves nothing behind; elsewhere it is a hidden
 * file. Signals are held back by the mask of the calling thread: that needs no handler and no
 * global state, but a program whose other threads accept these signals can still be ended.
 */
#include "base/file_draft.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>

enum {
	LINKS_MAX = 40,         /* as in the kernel: more is a loop */
	DRAFT_ATTEMPTS = 10000, /* names that are taken, by threads or by leftovers of a SIGKILL */
};

enum smelt_status file_write_all(int descriptor, const uint8_t *data, size_t size, const char *path,
				 struct smelt_error *error)
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

enum smelt_status file_write_at(int descriptor, const uint8_t *data, size_t size, uint64_t offset,
				const char *path, struct smelt_error *error)
{
	while (size > 0) {
		ssize_t written = pwrite(descriptor, data, size, (off_t)offset);

		if (written < 0 && errno == EINTR)
			continue;
		if (written == 0)
			errno = ENOSPC;
		if (written <= 0)
			return error_os(error, "write", path);
		data += written;
		offset += (uint64_t)written;
		size -= (size_t)written;
	}
	return SMELT_OK;
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
static enum smelt_status target_resolve(struct file_target *target, struct smelt_error *error)
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

static enum smelt_status target_open_folder(struct file_target *target, struct smelt_error *error)
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

enum smelt_status file_target_init(struct file_target *target, const char *path,
				   struct smelt_error *error)
{
	enum smelt_status status;

	*target = (struct file_target){ .shown = path, .folder = -1 };
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

void file_target_deinit(struct file_target *target)
{
	if (target->folder >= 0)
		close(target->folder);
	free(target->path);
}

/* The next name for a draft; unique among the threads and attempts of this process. */
static void draft_next_name(struct file_draft *draft, unsigned attempt)
{
	(void)snprintf(draft->own_name, sizeof(draft->own_name), ".smelt-%ld-%u.tmp",
		       (long)getpid(), attempt);
	draft->name = draft->own_name;
}

enum smelt_status file_draft_open(struct file_draft *draft, const struct file_target *target,
				  struct smelt_error *error)
{
	draft->name = NULL;
	draft->descriptor = -1;
	/* A nameless file gets its name through /proc, see draft_link(). */
	if (access("/proc/self/fd", X_OK) == 0)
		draft->descriptor = openat(target->folder, ".", O_TMPFILE | O_RDWR | O_CLOEXEC,
					   FILE_DRAFT_MODE);
	for (unsigned i = 0; draft->descriptor < 0 && i < DRAFT_ATTEMPTS; i++) {
		draft_next_name(draft, i);
		draft->descriptor = openat(target->folder, draft->name,
					   O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, FILE_DRAFT_MODE);
		if (draft->descriptor < 0 && errno != EEXIST)
			break;
	}
	if (draft->descriptor < 0) {
		draft->name = NULL;
		return error_os(error, "create", target->shown);
	}
	return SMELT_OK;
}

void file_draft_discard(struct file_draft *draft, const struct file_target *target)
{
	if (draft->descriptor >= 0)
		close(draft->descriptor);
	if (draft->name)
		(void)unlinkat(target->folder, draft->name, 0);
}

enum smelt_status file_draft_copy_mode(const struct file_draft *draft,
				       const struct file_target *target, struct smelt_error *error)
{
	mode_t mode = target->info.st_mode & 07777;

	if (!target->exists)
		return SMELT_OK;
	if (fchown(draft->descriptor, target->info.st_uid, target->info.st_gid) != 0) {
		if (errno != EPERM && errno != EINVAL && errno != ENOSYS)
			return error_os(error, "set owner of", target->shown);
		mode &= 0777; /* set-user-ID meant another user */
	}
	if (fchmod(draft->descriptor, mode) != 0)
		return error_os(error, "set mode of", target->shown);
	return SMELT_OK;
}

/* Digests of the content, which the kernel makes itself; wrong for other content. */
static bool is_digest(const char *attribute)
{
	return strcmp(attribute, "security.ima") == 0 || strcmp(attribute, "security.evm") == 0;
}

static bool copy_attribute(int source, int descriptor, const char *name)
{
	ssize_t size = fgetxattr(source, name, NULL, 0);
	bool copied = false;
	void *value;

	if (size < 0)
		return false;
	value = malloc((size_t)size + 1);
	size = value ? fgetxattr(source, name, value, (size_t)size) : -1;
	if (size >= 0)
		copied = fsetxattr(descriptor, name, value, (size_t)size, 0) == 0;
	free(value);
	return copied;
}

static bool copy_attribute_list(int source, int descriptor)
{
	ssize_t size = flistxattr(source, NULL, 0);
	bool copied;
	char *names;

	if (size <= 0)
		return size == 0 || errno == ENOTSUP;
	names = malloc((size_t)size);
	if (!names)
		return false;
	size = flistxattr(source, names, (size_t)size);
	copied = size >= 0;
	for (const char *name = names; copied && name < names + size; name += strlen(name) + 1)
		copied = is_digest(name) || copy_attribute(source, descriptor, name);
	free(names);
	return copied;
}

bool file_draft_copy_attributes(const struct file_draft *draft, const struct file_target *target,
				int source)
{
	const struct stat *info = &target->info;

	return fchown(draft->descriptor, info->st_uid, info->st_gid) == 0 &&
	       fchmod(draft->descriptor, info->st_mode & 07777) == 0 &&
	       copy_attribute_list(source, draft->descriptor);
}

/* Gives a nameless draft a name: the target's, unless that is taken; linkat(2) cannot replace. */
static enum smelt_status draft_link(struct file_draft *draft, const struct file_target *target,
				    struct smelt_error *error)
{
	char source[64];

	(void)snprintf(source, sizeof(source), "/proc/self/fd/%d", draft->descriptor);
	draft->name = target->name;
	for (unsigned i = 0; i < DRAFT_ATTEMPTS; i++) {
		if (target->exists || i > 0)
			draft_next_name(draft, i);
		if (linkat(AT_FDCWD, source, target->folder, draft->name, AT_SYMLINK_FOLLOW) == 0)
			return SMELT_OK;
		if (errno != EEXIST)
			break;
	}
	draft->name = NULL;
	return error_os(error, "create", target->shown);
}

enum smelt_status file_draft_publish(struct file_draft *draft, const struct file_target *target,
				     struct smelt_error *error)
{
	int descriptor = draft->descriptor;

	if (!draft->name) {
		enum smelt_status status = draft_link(draft, target, error);

		if (status)
			return status;
	}
	/* Network file systems report a full disk here at the latest. */
	draft->descriptor = -1;
	if (close(descriptor) != 0)
		return error_os(error, "close", target->shown);
	if (draft->name != target->name &&
	    renameat(target->folder, draft->name, target->folder, target->name) != 0)
		return error_os(error, "replace", target->shown);
	draft->name = NULL;
	return SMELT_OK;
}

void file_signals_hold(sigset_t *old)
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
void file_signals_release(const sigset_t *old)
{
	static const struct timespec no_wait = { 0, 0 };
	sigset_t file_too_large;

	sigemptyset(&file_too_large);
	sigaddset(&file_too_large, SIGXFSZ);
	if (!sigismember(old, SIGXFSZ))
		(void)sigtimedwait(&file_too_large, NULL, &no_wait);
	pthread_sigmask(SIG_SETMASK, old, NULL);
}
