/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Two ways to write, with the same bytes as the result.
 *
 * A copy with the new tail takes the place of the file by rename(2). Nobody ever sees anything
 * but the old or the new file. Where the file system lets files share blocks a copy is free; elsewhere it costs
 * 0.5 ms a megabyte, and as much again when the old file is freed and the new one
 * flushed: nothing for a kernel module, as much as encoding itself for a kernel of 340 MB.
 *
 * Changing the file in place costs the tail only (5 ms for that kernel), and keeps what a copy would
 * lose: hard links, or an owner that we cannot give. Each step leaves a file that is whole:
 *
 *	| header | content | old |			before
 *	| header | content | old |    | temporary |	a tail far behind, synced
 *	| HEADER | content |     |    | temporary |	switched over, synced
 *	| HEADER | content | new |    | temporary |	the tail where it belongs, synced
 *	| header'| content | new |    | temporary |	switched over again, synced
 *	| header'| content | new |			cut
 *
 * Without an old tail (nothing behind the content) the first two steps fall away. The syncs are for
 * the order of writes, should the power fail; they are of the tails only, since syncing all of
 * a kernel that was just linked takes seconds on a slow disk. When the process is killed
 * before the last step, bytes that nothing refers to stay behind the end, or amid the file. A mark at
 * the end of the temporary tail tells the next run, which does the rest.
 */
#include "elf/section_writer.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file_draft.h"
#include "elf/elf_internal.h"
#include "elf/section_update.h"

/* Larger files are changed in place, if their blocks cannot be shared. */
#define COPY_BYTES_MAX (UINT64_C(128) << 20)

/* FICLONE of linux/fs.h: makes a file share all blocks of another. */
#define CLONE_FILE _IOW(0x94, 9, int)

struct section_writer {
	const char *path;
	const struct elf_file *file;
	const struct elf_update *update;
	struct stat before; /* the file, when its headers were read */
};

static bool is_unchanged(const struct section_writer *writer, const struct stat *now)
{
	const struct stat *before = &writer->before;

	return now->st_dev == before->st_dev && now->st_ino == before->st_ino &&
	       now->st_size == before->st_size && now->st_mtim.tv_sec == before->st_mtim.tv_sec &&
	       now->st_mtim.tv_nsec == before->st_mtim.tv_nsec;
}

static enum smelt_status changed_error(const struct section_writer *writer,
				       struct smelt_error *error)
{
	return error_set(error, SMELT_BAD_DATA, "%s: was changed by somebody else meanwhile",
			 writer->path);
}

static enum smelt_status write_tail(const struct section_writer *writer, int descriptor,
				    const struct elf_tail *tail, struct smelt_error *error)
{
	return file_write_at(descriptor, tail->data, tail->size, tail->offset, writer->path, error);
}

static enum smelt_status write_header(const struct section_writer *writer, int descriptor,
				      const uint8_t *header, struct smelt_error *error)
{
	return file_write_at(descriptor, header, writer->update->header_size, 0, writer->path,
			     error);
}

/* The part that the kernel does not copy by itself, or all of it. */
static enum smelt_status copy_by_hand(const struct section_writer *writer, int descriptor,
				      uint64_t offset, struct smelt_error *error)
{
	enum { BUFFER_BYTES = 1 << 18 };
	uint64_t end = writer->update->content_end;
	enum smelt_status status = SMELT_OK;
	uint8_t *buffer = malloc(BUFFER_BYTES);

	if (!buffer)
		return error_no_memory(error);
	while (!status && offset < end) {
		size_t size = end - offset < BUFFER_BYTES ? (size_t)(end - offset) : BUFFER_BYTES;

		status = elf_file_read_at(writer->file, 0, offset, buffer, size, error);
		if (!status)
			status = file_write_at(descriptor, buffer, size, offset, writer->path,
					       error);
		offset += size;
	}
	free(buffer);
	return status;
}

/*
 * Fills an empty draft with the content. *is_cheap is false, and nothing done, if the
 * content is large and has to be copied.
 */
static enum smelt_status copy_content(const struct section_writer *writer, int descriptor,
				      bool *is_cheap, struct smelt_error *error)
{
	int source = writer->file->fd;
	uint64_t end = writer->update->content_end;
	off_t from = 0, to = 0;

	if (ioctl(descriptor, CLONE_FILE, source) == 0)
		return ftruncate(descriptor, (off_t)end) == 0 ?
			       SMELT_OK :
			       error_os(error, "cut", writer->path);
	*is_cheap = end <= COPY_BYTES_MAX;
	if (!*is_cheap)
		return SMELT_OK;
	while ((uint64_t)to < end) {
		ssize_t copied =
			copy_file_range(source, &from, descriptor, &to, (size_t)end - to, 0);

		if (copied < 0 && errno == EINTR)
			continue;
		if (copied <= 0)
			break; /* not between these file systems, or a failure that will come again */
	}
	return copy_by_hand(writer, descriptor, (uint64_t)to, error);
}

static enum smelt_status fill_draft(const struct section_writer *writer, int descriptor,
				    struct smelt_error *error)
{
	struct elf_tail tail;
	enum smelt_status status =
		elf_update_build(writer->update, writer->update->content_end, false, &tail, error);

	if (status)
		return status;
	status = write_tail(writer, descriptor, &tail, error);
	if (!status)
		status = write_header(writer, descriptor, tail.header, error);
	elf_tail_deinit(&tail);
	return status;
}

/* *is_possible is false, and nothing done, if the copy would be expensive or not the same. */
static enum smelt_status write_draft(const struct section_writer *writer,
				     const struct file_target *target, struct file_draft *draft,
				     bool *is_possible, struct smelt_error *error)
{
	struct stat now;
	enum smelt_status status = copy_content(writer, draft->descriptor, is_possible, error);

	if (!status && *is_possible)
		*is_possible = file_draft_copy_attributes(draft, target, writer->file->fd);
	if (status || !*is_possible)
		return status;
	status = fill_draft(writer, draft->descriptor, error);
	if (status)
		return status;
	if (fstat(writer->file->fd, &now) != 0 || !is_unchanged(writer, &now))
		return changed_error(writer, error);
	return file_draft_publish(draft, target, error);
}

static enum smelt_status write_copy(const struct section_writer *writer, bool *is_possible,
				    struct smelt_error *error)
{
	struct file_target target;
	struct file_draft draft;
	enum smelt_status status = file_target_init(&target, writer->path, error);

	*is_possible = true;
	if (!status && (!target.exists || !is_unchanged(writer, &target.info)))
		status = changed_error(writer, error);
	else if (!status)
		*is_possible = target.info.st_nlink == 1;
	if (!status && *is_possible) {
		status = file_draft_open(&draft, &target, error);
		if (!status)
			status = write_draft(writer, &target, &draft, is_possible, error);
		file_draft_discard(&draft, &target);
	}
	file_target_deinit(&target);
	return status;
}

/*
 * Waits until these bytes of the file are on disk, and the size that makes them part of it.
 * fsync(2) would wait for the whole file; msync(2) has a range.
 */
static enum smelt_status sync_range(const struct section_writer *writer, int descriptor,
				    uint64_t offset, uint64_t size, struct smelt_error *error)
{
	uint64_t start = offset & -(uint64_t)sysconf(_SC_PAGESIZE);
	size_t map_size = (size_t)(offset + size - start);
	void *map = mmap(NULL, map_size, PROT_READ, MAP_SHARED, descriptor, (off_t)start);
	int result = map == MAP_FAILED ? fdatasync(descriptor) : msync(map, map_size, MS_SYNC);

	if (result != 0)
		error_os(error, "sync", writer->path);
	if (map != MAP_FAILED)
		munmap(map, map_size);
	return result == 0 ? SMELT_OK : SMELT_OS_ERROR;
}

/* A tail, and then the header that leads to it. */
static enum smelt_status switch_to(const struct section_writer *writer, int descriptor,
				   const struct elf_tail *tail, struct smelt_error *error)
{
	enum smelt_status status = write_tail(writer, descriptor, tail, error);

	if (!status)
		status = sync_range(writer, descriptor, tail->offset, tail->size, error);
	if (!status)
		status = write_header(writer, descriptor, tail->header, error);
	if (!status)
		status = sync_range(writer, descriptor, 0, writer->update->header_size, error);
	return status;
}

/* After a failure before anything old was written over. Best effort: there is an error already. */
static void restore(const struct section_writer *writer, int descriptor)
{
	const struct timespec times[] = { { .tv_nsec = UTIME_OMIT }, writer->before.st_mtim };

	(void)write_header(writer, descriptor, writer->update->header, NULL);
	if (ftruncate(descriptor, writer->before.st_size) == 0)
		(void)futimens(descriptor, times);
}

/* From a file with the temporary tail, which is complete, to what it is meant to be. */
static void tidy(const struct section_writer *writer, int descriptor, const struct elf_tail *tail)
{
	/* A failure leaves the temporary tail in use, or some bytes behind the end. */
	if (switch_to(writer, descriptor, tail, NULL) == SMELT_OK)
		(void)!ftruncate(descriptor, (off_t)(tail->offset + tail->size));
}

/* `temporary` is NULL if the final tail writes over nothing. */
static enum smelt_status install(const struct section_writer *writer, int descriptor,
				 const struct elf_tail *temporary, const struct elf_tail *final,
				 struct smelt_error *error)
{
	enum smelt_status status =
		switch_to(writer, descriptor, temporary ? temporary : final, error);

	if (status)
		restore(writer, descriptor);
	else if (temporary)
		tidy(writer, descriptor, final);
	return status;
}

static enum smelt_status build_and_install(const struct section_writer *writer, int descriptor,
					   struct smelt_error *error)
{
	uint64_t content_end = writer->update->content_end;
	uint64_t file_size = (uint64_t)writer->before.st_size;
	struct elf_tail final, temporary = { 0 };
	enum smelt_status status =
		elf_update_build(writer->update, content_end, false, &final, error);
	uint64_t final_end = content_end + final.size;

	if (!status && file_size > content_end)
		status = elf_update_build(writer->update,
					  final_end > file_size ? final_end : file_size, true,
					  &temporary, error);
	if (!status)
		status = install(writer, descriptor, temporary.data ? &temporary : NULL, &final,
				 error);
	elf_tail_deinit(&temporary);
	elf_tail_deinit(&final);
	return status;
}

static enum smelt_status write_in_place(const struct section_writer *writer,
					struct smelt_error *error)
{
	int descriptor = open(writer->path, O_RDWR | O_CLOEXEC | O_NONBLOCK);
	enum smelt_status status;
	struct stat now;

	if (descriptor < 0)
		return error_os(error, "open for writing", writer->path);
	if (flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
		status = error_set(error, SMELT_OS_ERROR, "%s: somebody else is writing to it",
				   writer->path);
	else if (fstat(descriptor, &now) != 0 || !is_unchanged(writer, &now))
		status = changed_error(writer, error);
	else
		status = build_and_install(writer, descriptor, error);
	if (close(descriptor) != 0 && !status)
		status = error_os(error, "close", writer->path);
	return status;
}

static enum smelt_status write_update(const struct section_writer *writer,
				      struct smelt_error *error)
{
	bool copied;
	enum smelt_status status = write_copy(writer, &copied, error);

	if (!status && !copied)
		status = write_in_place(writer, error);
	return status;
}

enum smelt_status elf_write_sections(const char *path, const struct smelt_elf_section *sections,
				     size_t count, struct smelt_error *error)
{
	struct elf_update update = { 0 };
	struct section_writer writer = { .path = path, .update = &update };
	struct elf_file *file = NULL;
	sigset_t old_mask;
	enum smelt_status status = elf_file_open(path, &file, error);

	if (status)
		return status;
	writer.file = file;
	if (fstat(file->fd, &writer.before) != 0)
		status = error_os(error, "stat", path);
	if (!status)
		status = elf_update_init(&update, file, sections, count, error);
	if (!status && update.is_needed) {
		file_signals_hold(&old_mask);
		status = write_update(&writer, error);
		file_signals_release(&old_mask);
	}
	elf_update_deinit(&update);
	elf_file_close(file);
	return status;
}
