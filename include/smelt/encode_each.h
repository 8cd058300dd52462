/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/**
 * @file
 * Many files, each encoded on its own: the modules of a kernel, say, all against
 * one base.
 *
 * Gives for each file what smelt_encode_file() gives, for less: threads, buffers and the
 * base are there once. Large files come first, the largest with all threads at work on
 * one, the others with a thread each. One file's failure is no other file's.
 */
#ifndef SMELT_ENCODE_EACH_H
#define SMELT_ENCODE_EACH_H

#include <smelt/encode.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What becomes of a file; `index` is its place in the list. Each may be NULL. */
struct smelt_each_callbacks {
	size_t struct_size; /**< sizeof(struct smelt_each_callbacks) */
	/**
	 * The file is encoded; `blob` is gone after the call. A failure counts as the file's. Called
	 * from any thread, several at a time, in no particular order; not for files without
	 * anything to encode.
	 */
	enum smelt_status (*write)(void *context, size_t index, const struct smelt_btf_blob *blob,
				   struct smelt_error *error);
	/** A warning, before the file's `done`. `text` has no newline. */
	void (*warning)(void *context, size_t index, const char *text);
	/**
	 * The file is done; report->btf_bytes is 0 if there was nothing to encode. One call at a
	 * time, in the order of the list, as soon as all before it are done.
	 *
	 * @param error  says why, unless status is SMELT_OK
	 */
	void (*done)(void *context, size_t index, enum smelt_status status,
		     const struct smelt_encode_report *report, const struct smelt_error *error);
	void *context;
};

/**
 * @param options  as for one file, except that `jobs` is shared by all files, and progress counts
 *                 files instead of units; `warning` is not used
 * @return SMELT_OK when all files were dealt with, whatever became of each
 */
enum smelt_status smelt_encode_each(const char *const *paths, size_t count,
				    const struct smelt_encode_options *options,
				    const struct smelt_each_callbacks *callbacks,
				    struct smelt_error *error);

#ifdef __cplusplus
}
#endif

#endif
