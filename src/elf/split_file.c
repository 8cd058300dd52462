/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Where the files of split DWARF are. What is in them is not looked at here. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "elf/elf_internal.h"

/* The parts that are not empty, with slashes between them; from malloc(). */
static char *join_path(const char *first, const char *second, const char *third)
{
	char *path;
	int length = asprintf(&path, "%s%s%s%s%s", first, *first ? "/" : "", second,
			      *second ? "/" : "", third);

	return length < 0 ? NULL : path;
}

bool elf_file_split_path(const struct elf_file *file, const char *folder, const char *name,
			 unsigned place, char **path)
{
	const char *slash = strrchr(file->path, '/');
	const char *name_slash = strrchr(name, '/');
	const char *base = name_slash ? name_slash + 1 : name;
	char *own_folder = slash ? strndup(file->path, (size_t)(slash - file->path)) : strdup(".");

	*path = NULL;
	if (own_folder == NULL)
		return false;
	/* An absolute name is one place less. */
	if (name[0] == '/' && place > 0)
		place++;
	switch (place) {
	case 0:
		/* A relative folder (-fdebug-prefix-map) counts from the file that names it. */
		*path = name[0] == '/'   ? strdup(name) :
			folder[0] == '/' ? join_path("", folder, name) :
					   join_path(own_folder, folder, name);
		break;
	case 1:
		*path = join_path(own_folder, "", name);
		break;
	case 2:
		*path = join_path(own_folder, "", base);
		break;
	default:
		free(own_folder);
		return true;
	}
	free(own_folder);
	return *path != NULL;
}

enum smelt_status elf_file_open_package(const struct elf_file *file, struct elf_file **package,
					struct smelt_error *error)
{
	struct smelt_error cause;
	enum smelt_status status;
	char *path;

	*package = NULL;
	if (asprintf(&path, "%s.dwp", file->path) < 0)
		return error_no_memory(error);
	status = elf_file_open(path, package, &cause);
	free(path);
	if (status == SMELT_OS_ERROR && cause.os_errno == ENOENT)
		return SMELT_OK;
	if (status && error)
		*error = cause;
	return status;
}
