/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Paths of the source files that types are declared in. A unit's table is read when the first type of it asks, and each
 * path is made once.
 */
#include <string.h>

#include "load/capture_internal.h"

static struct line_section as_line_section(const struct elf_bytes *bytes)
{
	return (struct line_section){ .data = bytes->data, .size = bytes->size };
}

static enum smelt_status read_table(struct capture_job *job, struct smelt_error *error)
{
	const struct dwarf_sections *sections = job->load.sections;
	uint32_t index = elf_file_find_section(sections->file, ".debug_line");
	enum line_header_status bad;
	enum smelt_status status;
	struct elf_bytes bytes;

	if (index == 0)
		return SMELT_OK;
	status = elf_section_load(sections->file, index, &bytes, error);
	if (status || bytes.size == 0)
		return status;
	bad = line_header_read(
		&job->lines,
		&(struct line_sections){ .line = as_line_section(&bytes),
					 .str = as_line_section(&sections->str),
					 .line_str = as_line_section(&sections->line_str),
					 .swap = job->load.loader->swap },
		job->line_offset);
	if (bad == LINE_HEADER_NO_MEMORY)
		return error_no_memory(error);
	if (bad)
		return error_set(error, SMELT_BAD_DATA, "%s: .debug_line: offset 0x%llx: %s",
				 elf_file_path(sections->file),
				 (unsigned long long)job->line_offset,
				 line_header_status_text(bad));
	return SMELT_OK;
}

enum smelt_status capture_open_files(struct capture_job *job, const struct die_values *root,
				     const char *folder, struct smelt_error *error)
{
	const struct die_value *offset = &root->values[ATTR_STMT_LIST];

	job->lines.files.count = 0;
	job->paths = NULL;
	job->folder = folder;
	if (!job->load.loader->options.file_names || !values_have(root, ATTR_STMT_LIST))
		return SMELT_OK;
	/* DWARF 2 and 3 use data4 and data8. */
	if (offset->value_class != VALUE_SECTION_OFFSET && offset->value_class != VALUE_UNSIGNED)
		return SMELT_OK;
	job->line_offset = offset->number;
	return read_table(job, error);
}

/* A folder that is not absolute is relative to where the compiler ran, and left so. NULL: out of memory. */
static const char *join_path(struct capture_job *job, const char *folder, const char *name)
{
	struct name_table *names = job->load.loader->names;
	size_t folder_size = folder && name[0] != '/' ? strlen(folder) : 0;
	size_t name_size = strlen(name), size = 0;
	char *text = arena_alloc(job->load.scratch, folder_size + 1 + name_size + 1);
	uint32_t number;

	if (text == NULL)
		return NULL;
	if (folder_size > 0) {
		memcpy(text, folder, folder_size);
		size = folder_size;
		text[size++] = '/';
	}
	memcpy(text + size, name, name_size + 1);
	number = name_table_intern(names, text, size + name_size);
	return number == UINT32_MAX ? NULL : name_table_text(names, number);
}

const char *capture_file(struct capture_job *job, uint64_t file)
{
	const struct line_header *lines = &job->lines;

	if (file >= lines->files.count || lines->files.items[file].name == NULL)
		return NULL;
	if (job->paths == NULL)
		job->paths =
			arena_calloc(job->load.scratch, lines->files.count, sizeof(*job->paths));
	if (job->paths != NULL && job->paths[file] == NULL) {
		const char *folder = line_header_folder(lines, file);

		job->paths[file] = join_path(job, folder ? folder : job->folder,
					     lines->files.items[file].name);
	}
	if (job->paths == NULL || job->paths[file] == NULL) {
		capture_no_memory(job);
		return NULL;
	}
	return job->paths[file];
}
