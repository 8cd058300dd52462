/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Other files that hold debug information of this one: the separate debug file that strip
 * makes, and the alternate (supplementary) file that dwz makes of what several files share.
 * Each is looked for in several places; a file in the right place that is not the right file
 * (other build-id or CRC) is passed over.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "elf/elf_internal.h"
#include "elf/endian_bytes.h"

enum { NOTE_GNU_BUILD_ID = 3 };
/* A build-id is 8 to 20 bytes long; a longer one is nonsense that makes no file name. */
enum { BUILD_ID_MIN_BYTES = 2, BUILD_ID_MAX_BYTES = 64 };

static const char standard_root[] = "/usr/lib/debug";

/* What is looked for, and what came of it. */
struct debug_search {
	struct elf_file *file; /* that names the other one */
	struct elf_bytes id;   /* build-id the other must have, or empty */
	bool has_crc;          /* of .gnu_debuglink, for files without build-id */
	uint32_t crc;
	struct elf_file *found; /* or NULL */
	char *mismatch;         /* path of a file that was passed over, or NULL */
	bool is_out_of_memory;
};

static bool has_build_id(struct elf_file *file, struct elf_bytes *id)
{
	return elf_file_find_note(file, "GNU", NOTE_GNU_BUILD_ID, id) &&
	       id->size >= BUILD_ID_MIN_BYTES && id->size <= BUILD_ID_MAX_BYTES;
}

static bool is_equal(const struct elf_bytes *a, const struct elf_bytes *b)
{
	return a->size == b->size && memcmp(a->data, b->data, a->size) == 0;
}

/* CRC-32 of a whole file, as .gnu_debuglink wants it. */
static bool compute_crc(const struct elf_file *file, uint32_t *crc)
{
	uint8_t buffer[1 << 16];
	uLong sum = crc32(0, NULL, 0);

	for (uint64_t offset = 0; offset < file->size; offset += sizeof(buffer)) {
		uint64_t rest = file->size - offset;
		size_t size = rest < sizeof(buffer) ? (size_t)rest : sizeof(buffer);

		if (elf_file_read_at(file, 0, offset, buffer, size, NULL))
			return false;
		sum = crc32(sum, buffer, (uInt)size);
	}
	*crc = (uint32_t)sum;
	return true;
}

/* The content of .debug_sup. DWARF 5, 7.3.6. */
struct supplementary_link {
	bool is_supplementary; /* this file is the one that others name */
	const char *name;
	struct elf_bytes checksum;
};

static bool parse_supplementary_link(struct elf_file *file, struct supplementary_link *link)
{
	enum { NAME_OFFSET = 3 }; /* after a 16-bit version and a flag */
	uint32_t index = elf_file_find_section(file, ".debug_sup");
	struct elf_bytes bytes;
	const uint8_t *name_end;
	uint64_t rest;

	if (index == 0 || elf_section_load(file, index, &bytes, NULL) || bytes.size < NAME_OFFSET)
		return false;
	link->is_supplementary = bytes.data[2] == 1;
	link->name = (const char *)bytes.data + NAME_OFFSET;
	name_end = memchr(link->name, '\0', bytes.size - NAME_OFFSET);
	if (!name_end)
		return false;
	rest = (uint64_t)(bytes.data + bytes.size - (name_end + 1));
	/* The length is a LEB128; one of 128 bytes and more is no checksum of ours. */
	if (rest == 0 || name_end[1] > BUILD_ID_MAX_BYTES || name_end[1] > rest - 1)
		return false;
	link->checksum = (struct elf_bytes){ name_end + 2, name_end[1] };
	return true;
}

static bool is_match(const struct debug_search *search, struct elf_file *candidate)
{
	struct supplementary_link link;
	struct elf_bytes id;
	uint32_t crc;

	/* The name of a debug file can lead back to the file itself. */
	if (candidate->device == search->file->device && candidate->inode == search->file->inode)
		return false;
	if (search->id.size > 0) {
		bool has_id = has_build_id(candidate, &id);

		if (has_id && is_equal(&id, &search->id))
			return true;
		if (parse_supplementary_link(candidate, &link) && link.is_supplementary &&
		    is_equal(&link.checksum, &search->id))
			return true;
		if (has_id)
			return false;
	}
	if (search->has_crc)
		return compute_crc(candidate, &crc) && crc == search->crc;
	return search->id.size == 0;
}

/* Tries `path`, which it frees. NULL: there was no memory for it. */
static void try_path(struct debug_search *search, char *path)
{
	struct elf_file *candidate = NULL;
	enum smelt_status status;

	if (!path)
		search->is_out_of_memory = true;
	if (!path || search->found || search->is_out_of_memory) {
		free(path);
		return;
	}
	status = elf_file_open(path, &candidate, NULL);
	if (status == SMELT_NO_MEMORY)
		search->is_out_of_memory = true;
	if (!status && is_match(search, candidate)) {
		search->found = candidate;
	} else if (!status) {
		elf_file_close(candidate);
		if (!search->mismatch) {
			search->mismatch = path;
			return;
		}
	}
	free(path);
}

static __attribute__((format(printf, 1, 2))) char *format_path(const char *format, ...)
{
	va_list arguments;
	char *path;
	int length;

	va_start(arguments, format);
	length = vasprintf(&path, format, arguments);
	va_end(arguments);
	return length < 0 ? NULL : path;
}

/* Calls visit(search, root, argument) for each root folder of debug files. */
static void for_each_root(struct debug_search *search,
			  void (*visit)(struct debug_search *, const char *root, const char *),
			  const char *argument)
{
	const char *roots = getenv("SMELT_DEBUG_PATH");

	if (!roots)
		roots = standard_root;
	while (*roots && !search->found) {
		size_t length = strcspn(roots, ":");
		char *root = strndup(roots, length);

		if (!root)
			search->is_out_of_memory = true;
		else if (length > 0)
			visit(search, root, argument);
		free(root);
		roots += length + (roots[length] == ':');
	}
}

/* `path` below `root`; it may be an absolute one. */
static void try_root(struct debug_search *search, const char *root, const char *path)
{
	try_path(search, format_path("%s%s%s", root, path[0] == '/' ? "" : "/", path));
}

static void search_by_build_id(struct debug_search *search)
{
	char path[sizeof(".build-id//.debug") + 2 * BUILD_ID_MAX_BYTES];
	int length;

	if (search->id.size < BUILD_ID_MIN_BYTES)
		return;
	length = sprintf(path, ".build-id/%02x/", search->id.data[0]);
	for (uint64_t i = 1; i < search->id.size; i++)
		length += sprintf(path + length, "%02x", search->id.data[i]);
	strcpy(path + length, ".debug");
	for_each_root(search, try_root, path);
}

/* Folder part of a path, without the last slash; "." if it has none. */
static char *folder_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? strndup(path, (size_t)(slash - path)) : strdup(".");
}

static enum smelt_status end_search(struct debug_search *search, struct elf_file **found,
				    struct smelt_error *error)
{
	free(search->mismatch);
	search->mismatch = NULL;
	if (search->is_out_of_memory) {
		elf_file_close(search->found);
		return error_no_memory(error);
	}
	*found = search->found;
	return SMELT_OK;
}

/* Name and CRC in .gnu_debuglink; false if there is none or it is broken. */
static bool parse_debuglink(struct elf_file *file, const char **name, uint32_t *crc)
{
	uint32_t index = elf_file_find_section(file, ".gnu_debuglink");
	struct elf_bytes bytes;
	const uint8_t *end;
	uint64_t crc_offset;

	if (index == 0 || elf_section_load(file, index, &bytes, NULL) || bytes.size == 0)
		return false;
	end = memchr(bytes.data, '\0', bytes.size);
	if (!end)
		return false;
	crc_offset = ((uint64_t)(end - bytes.data) + 4) & ~(uint64_t)3;
	if (crc_offset > bytes.size || bytes.size - crc_offset < 4)
		return false;
	*crc = load_u32(bytes.data + crc_offset, file->header.is_big_endian);
	*name = (const char *)bytes.data;
	/* A path is not meant to be there; only its last part is used. */
	if (strrchr(*name, '/'))
		*name = strrchr(*name, '/') + 1;
	return **name != '\0';
}

static void search_folder(struct debug_search *search, const char *folder, const char *name)
{
	try_path(search, format_path("%s/%s", folder, name));
	try_path(search, format_path("%s/.debug/%s", folder, name));
}

static void search_by_debuglink(struct debug_search *search, const char *name)
{
	char *real_path = realpath(search->file->path, NULL);
	char *folder = folder_of(search->file->path);

	if (folder)
		search_folder(search, folder, name);
	else
		search->is_out_of_memory = true;
	free(folder);
	folder = real_path ? folder_of(real_path) : NULL;
	if (folder) {
		char *path = format_path("%s/%s", folder, name);

		search_folder(search, folder, name);
		if (path)
			for_each_root(search, try_root, path);
		else
			search->is_out_of_memory = true;
		free(path);
	}
	free(folder);
	free(real_path);
}

enum smelt_status elf_file_open_debug(struct elf_file *file, struct elf_file **debug,
				      struct smelt_error *error)
{
	struct debug_search search = { .file = file };
	const char *name;

	if (!has_build_id(file, &search.id))
		search.id.size = 0;
	search_by_build_id(&search);
	if (!search.found && parse_debuglink(file, &name, &search.crc)) {
		search.has_crc = true;
		search_by_debuglink(&search, name);
	}
	return end_search(&search, debug, error);
}

/* Name and build-id in .gnu_debugaltlink or .debug_sup. */
static bool parse_alternate_link(struct elf_file *file, uint32_t altlink, const char **name,
				 struct elf_bytes *id)
{
	struct supplementary_link link;
	struct elf_bytes bytes;
	const uint8_t *end;

	if (altlink == 0) {
		if (!parse_supplementary_link(file, &link))
			return false;
		*name = link.name;
		*id = link.checksum;
		return true;
	}
	if (elf_section_load(file, altlink, &bytes, NULL) || bytes.size == 0)
		return false;
	end = memchr(bytes.data, '\0', bytes.size);
	if (!end)
		return false;
	*name = (const char *)bytes.data;
	*id = (struct elf_bytes){ end + 1, (uint64_t)(bytes.data + bytes.size - (end + 1)) };
	return id->size <= BUILD_ID_MAX_BYTES;
}

/* `name` of a file below /usr/lib/debug: the same below `root`. */
static void try_moved_root(struct debug_search *search, const char *root, const char *name)
{
	size_t length = strlen(standard_root);

	if (strncmp(name, standard_root, length) == 0 && name[length] == '/')
		try_root(search, root, name + length + 1);
	try_root(search, root, name);
}

/*
 * Debian's packages name absolute paths below /usr/lib/debug. In a tree where a package was
 * unpacked these are below the same place as the file itself.
 */
static void search_unpacked_tree(struct debug_search *search, const char *real_path,
				 const char *name)
{
	const char *inside = strstr(real_path, standard_root);

	if (inside)
		try_path(search, format_path("%.*s%s", (int)(inside - real_path), real_path, name));
}

static void search_alternate(struct debug_search *search, const char *name)
{
	char *real_path = realpath(search->file->path, NULL);

	if (name[0] == '/') {
		try_path(search, strdup(name));
		if (real_path)
			search_unpacked_tree(search, real_path, name);
		for_each_root(search, try_moved_root, name);
	} else {
		char *folder = folder_of(real_path ? real_path : search->file->path);

		if (folder)
			try_path(search, format_path("%s/%s", folder, name));
		free(folder);
	}
	free(real_path);
	search_by_build_id(search);
}

static enum smelt_status alternate_error(const struct debug_search *search, const char *name,
					 struct smelt_error *error)
{
	if (search->mismatch)
		return error_set(error, SMELT_BAD_DATA,
				 "%s: alternate debug file %s: has another build-id",
				 search->file->path, search->mismatch);
	errno = ENOENT;
	error_os(error, "open alternate debug file", name);
	error_prefix(error, "%s", search->file->path);
	return SMELT_OS_ERROR;
}

enum smelt_status elf_file_open_alternate(struct elf_file *file, struct elf_file **alternate,
					  struct smelt_error *error)
{
	struct debug_search search = { .file = file };
	uint32_t altlink = elf_file_find_section(file, ".gnu_debugaltlink");
	uint32_t section = altlink ? altlink : elf_file_find_section(file, ".debug_sup");
	struct supplementary_link link;
	enum smelt_status status;
	const char *name;

	*alternate = NULL;
	if (section == 0)
		return SMELT_OK;
	if (!altlink && parse_supplementary_link(file, &link) && link.is_supplementary)
		return SMELT_OK;
	if (!parse_alternate_link(file, altlink, &name, &search.id))
		return elf_section_error(file, section, SMELT_BAD_DATA, error,
					 "no name of an alternate debug file");
	search_alternate(&search, name);
	status = search.found || search.is_out_of_memory ? SMELT_OK :
							   alternate_error(&search, name, error);
	if (status) {
		free(search.mismatch);
		return status;
	}
	return end_search(&search, alternate, error);
}
