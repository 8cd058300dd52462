/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Files that are replaced as a whole: the new content goes to a draft in the folder of the
 * target, and rename(2) puts it in place. Until then the target is as it was; a draft that is
 * given up leaves nothing.
 *
 *	file_target_init -> file_signals_hold -> file_draft_open -> write -> file_draft_publish
 *	-> file_draft_discard -> file_signals_release -> file_target_deinit
 *
 * Nothing is synced: after a power failure the file system decides what is there.
 */
#ifndef BASE_FILE_DRAFT_H
#define BASE_FILE_DRAFT_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#include "base/error.h"

enum {
	FILE_DRAFT_MODE = 0640, /* of a new file, less the umask */
	FILE_DRAFT_NAME_BYTES = 48,
};

/* The file to replace, or the one to be. */
struct file_target {
	const char *shown; /* as the caller wrote it, for messages; not owned */
	char *path;        /* symbolic links of the last component followed */
	const char *name;  /* last component of path */
	int folder;        /* descriptor of the folder that holds it */
	bool exists;
	struct stat info; /* valid if it exists */
};

/* What will become the target. */
struct file_draft {
	int descriptor;   /* for reading and writing; -1 once published */
	const char *name; /* in target->folder; NULL while it has none */
	char own_name[FILE_DRAFT_NAME_BYTES];
};

/*
 * Finds the folder and follows symbolic links, also to a file that is not there yet. An existing
 * file that must not be written is an error, as rename(2) would not mind. To be deinitialised also
 * after a failure.
 */
enum smelt_status file_target_init(struct file_target *target, const char *path,
				   struct smelt_error *error);
void file_target_deinit(struct file_target *target);

/* A new empty file beside the target. To be discarded also after a failure. */
enum smelt_status file_draft_open(struct file_draft *draft, const struct file_target *target,
				  struct smelt_error *error);

/*
 * Owner and mode of the file that is replaced. What may not be given away stays ours, and
 * loses its set-ID bits.
 */
enum smelt_status file_draft_copy_mode(const struct file_draft *draft,
				       const struct file_target *target, struct smelt_error *error);

/*
 * Owner, mode and extended attributes of the target, which is open as `source`. false if
 * something could not be given to the draft.
 */
bool file_draft_copy_attributes(const struct file_draft *draft, const struct file_target *target,
				int source);

/* Puts the draft in the target's place. */
enum smelt_status file_draft_publish(struct file_draft *draft, const struct file_target *target,
				     struct smelt_error *error);

/* Closes, and removes what has not become the target. */
void file_draft_discard(struct file_draft *draft, const struct file_target *target);

/* Writes all `size` bytes at the descriptor's position. */
enum smelt_status file_write_all(int descriptor, const uint8_t *data, size_t size, const char *path,
				 struct smelt_error *error);

/* The same at `offset`, whatever the position. */
enum smelt_status file_write_at(int descriptor, const uint8_t *data, size_t size, uint64_t offset,
				const char *path, struct smelt_error *error);

/*
 * Holds back, in the calling thread, the signals that would end the program and leave a
 * draft with a name behind. The old mask goes to *old, for file_signals_release().
 */
void file_signals_hold(sigset_t *old);
void file_signals_release(const sigset_t *old);

#endif
