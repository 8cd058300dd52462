/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Finds the BTF in a file; btf/reader.h checks it. */
#include "load/btf_file.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/vector.h"
#include "elf/elf_file.h"

enum {
	MAGIC_BYTES = SELFMAG,
	READ_BYTES_MIN = 64 << 10,
	MAPPED_BYTES_MIN = 256 << 10,
};

struct btf_file {
	char *path;
	VECTOR(uint8_t) raw; /* of a file that is BTF: what was read of it, */
	void *mapped;        /* or all of it */
	size_t mapped_bytes;
	struct elf_file *elf;     /* or this */
	struct btf_view own_base; /* of .BTF.base */
	struct btf_view view;
};

/*
 * Reads until `bytes` are there or the file ends, whatever its size is said to be: that is 0 or
 * a page for files of /proc and /sys, and pipes have none.
 */
static enum smelt_status read_until(struct btf_file *file, int descriptor, size_t bytes,
				    struct smelt_error *error)
{
	while (file->raw.count < bytes) {
		size_t room = file->raw.capacity - file->raw.count;
		ssize_t got;

		if (room == 0) {
			if (!vector_reserve(&file->raw, file->raw.count + READ_BYTES_MIN))
				return error_no_memory(error);
			continue;
		}
		if (room > bytes - file->raw.count)
			room = bytes - file->raw.count;
		got = read(descriptor, file->raw.items + file->raw.count, room);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return error_os(error, "read", file->path);
		if (got == 0)
			break;
		file->raw.count += (size_t)got;
	}
	return SMELT_OK;
}

/*
 * Maps a whole regular file, if it can be mapped: without the copy a kernel's 4.7 MB are there 1.3 ms earlier. As
 * for units, the price is a signal if somebody cuts the file short.
 */
static bool map_raw(struct btf_file *file, int descriptor, const struct stat *info)
{
	void *mapped;

	if (!S_ISREG(info->st_mode) || info->st_size < MAPPED_BYTES_MIN ||
	    info->st_size > UINT32_MAX)
		return false;
	mapped = mmap(NULL, (size_t)info->st_size, PROT_READ, MAP_PRIVATE | MAP_POPULATE,
		      descriptor, 0);
	if (mapped == MAP_FAILED)
		return false;
	file->mapped = mapped;
	file->mapped_bytes = (size_t)info->st_size;
	return true;
}

/* The magic, and all the rest if it is BTF's. */
static enum smelt_status read_raw(struct btf_file *file, int descriptor, struct smelt_error *error)
{
	struct stat info;
	enum smelt_status status;

	if (fstat(descriptor, &info) != 0)
		return error_os(error, "stat", file->path);
	if (S_ISDIR(info.st_mode))
		return error_set(error, SMELT_NOT_ELF, "%s: is a directory", file->path);
	status = read_until(file, descriptor, MAGIC_BYTES, error);
	if (status || !btf_is_blob(file->raw.items, file->raw.count) ||
	    map_raw(file, descriptor, &info))
		return status;
	/* One more byte than expected, so that one read(2) finds the end. */
	if (info.st_size > 0 && info.st_size < UINT32_MAX &&
	    !vector_reserve(&file->raw, (size_t)info.st_size + 1))
		return error_no_memory(error);
	return read_until(file, descriptor, SIZE_MAX, error);
}

static enum smelt_status view_bytes(const struct btf_file *file, const char *where,
				    const void *data, size_t size, const struct btf_view *base,
				    struct btf_view *view, struct smelt_error *error)
{
	enum smelt_status status = btf_view_init(view, data, size, base, error);

	return status ? error_prefix(error, "%s: %s", file->path, where) : SMELT_OK;
}

static enum smelt_status view_section(const struct btf_file *file, uint32_t section,
				      const char *where, const struct btf_view *base,
				      struct btf_view *view, struct smelt_error *error)
{
	struct elf_bytes bytes;
	enum smelt_status status = elf_section_load(file->elf, section, &bytes, error);

	if (status)
		return status;
	return view_bytes(file, where, bytes.data, bytes.size, base, view, error);
}

static enum smelt_status open_elf(struct btf_file *file, const struct btf_view *base,
				  struct smelt_error *error)
{
	uint32_t section, base_section;
	enum smelt_status status = elf_file_open(file->path, &file->elf, error);

	if (status)
		return status;
	section = elf_file_find_section(file->elf, ".BTF");
	base_section = elf_file_find_section(file->elf, ".BTF.base");
	if (section == 0)
		return error_set(error, SMELT_NO_DEBUG_INFO, "%s: has no BTF (no section .BTF)",
				 file->path);
	if (base_section != 0) {
		status = view_section(file, base_section, "section .BTF.base", NULL,
				      &file->own_base, error);
		if (status)
			return status;
		base = &file->own_base;
	}
	return view_section(file, section, "section .BTF", base, &file->view, error);
}

static enum smelt_status open_path(struct btf_file *file, const struct btf_view *base,
				   struct smelt_error *error)
{
	int descriptor = open(file->path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	enum smelt_status status;

	if (descriptor < 0)
		return error_os(error, "open", file->path);
	status = read_raw(file, descriptor, error);
	close(descriptor);
	if (status)
		return status;
	if (file->mapped)
		return view_bytes(file, "raw BTF", file->mapped, file->mapped_bytes, base,
				  &file->view, error);
	if (btf_is_blob(file->raw.items, file->raw.count))
		return view_bytes(file, "raw BTF", file->raw.items, file->raw.count, base,
				  &file->view, error);
	if (file->raw.count == MAGIC_BYTES && memcmp(file->raw.items, ELFMAG, SELFMAG) == 0)
		return open_elf(file, base, error);
	return error_set(error, SMELT_NOT_ELF, "%s: neither BTF nor an ELF file%s", file->path,
			 file->raw.count == 0 ? " (empty)" : "");
}

enum smelt_status btf_file_open(const char *path, const struct btf_view *base,
				struct btf_file **file, struct smelt_error *error)
{
	struct btf_file *opened = calloc(1, sizeof(*opened));
	enum smelt_status status;

	if (!opened)
		return error_no_memory(error);
	opened->path = strdup(path);
	status = opened->path ? open_path(opened, base, error) : error_no_memory(error);
	if (status) {
		btf_file_close(opened);
		return status;
	}
	*file = opened;
	return SMELT_OK;
}

void btf_file_close(struct btf_file *file)
{
	if (!file)
		return;
	btf_view_deinit(&file->view);
	btf_view_deinit(&file->own_base);
	elf_file_close(file->elf);
	if (file->mapped)
		munmap(file->mapped, file->mapped_bytes);
	vector_deinit(&file->raw);
	free(file->path);
	free(file);
}

const struct btf_view *btf_file_view(const struct btf_file *file)
{
	return &file->view;
}

const char *btf_file_path(const struct btf_file *file)
{
	return file->path;
}
