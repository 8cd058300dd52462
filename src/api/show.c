/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#include <smelt/show.h>

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "elf/elf_file.h"
#include "load/btf_program.h"
#include "model/program.h"
#include "print/show.h"
#include "print/similar.h"
#include "program/dwarf_program.h"

struct smelt_program {
	struct program *program;
	struct btf_file *base; /* or NULL */
};

/* Whether a unit is left out. */
static bool is_dropped(const struct smelt_program_options *options, const char *name,
		       uint16_t language)
{
	const char *prefix = options->unit_exclude_prefix;
	bool is_listed = false;

	if (prefix && strncmp(name, prefix, strlen(prefix)) == 0)
		return true;
	for (size_t i = 0; i < options->language_count; i++)
		is_listed |= options->languages[i] == language;
	return options->languages && is_listed == options->languages_excluded;
}

static enum smelt_status open_btf(const char *path, const struct smelt_program_options *options,
				  struct smelt_program *result, struct smelt_error *error)
{
	const struct btf_view *base = NULL;
	struct program_needs needs;
	struct btf_file *file;
	enum smelt_status status;

	if (options->base_path) {
		status = btf_file_open(options->base_path, NULL, &result->base, error);
		if (status)
			return status;
		base = btf_file_view(result->base);
	}
	status = btf_file_open(path, base, &file, error);
	if (status)
		return status;
	if (is_dropped(options, path, LANGUAGE_C)) {
		btf_file_close(file);
		result->program = program_create(path);
		return result->program ? SMELT_OK : error_no_memory(error);
	}
	needs = (struct program_needs){ .names = options->needed_names,
					.name_count = options->needed_name_count,
					.functions = options->needs_functions };
	return btf_program_load(file, &needs, &result->program, error);
}

static enum smelt_status open_dwarf(const char *path, const struct smelt_program_options *options,
				    struct smelt_program *result, struct smelt_error *error)
{
	const struct dwarf_program_options load = {
		.jobs = options->jobs,
		.has_file_names = options->needs_files,
		.has_functions = options->needs_functions,
		/* Of a function in a header each unit has a description. */
		.has_definition_counts = options->needs_counts || options->needs_functions,
		.languages = options->languages,
		.language_count = options->language_count,
		.languages_excluded = options->languages_excluded,
		.unit_exclude_prefix = options->unit_exclude_prefix,
	};
	struct dwarf_program_report report;
	struct elf_file *file;
	enum smelt_status status = elf_file_open(path, &file, error);

	return status ? status : dwarf_program_load(file, &load, &result->program, &report, error);
}

static enum smelt_status open_format(const char *path, enum smelt_format format,
				     const struct smelt_program_options *options,
				     struct smelt_program *result, struct smelt_error *error)
{
	switch (format) {
	case SMELT_FORMAT_BTF:
		return open_btf(path, options, result, error);
	case SMELT_FORMAT_DWARF:
		return open_dwarf(path, options, result, error);
	}
	return error_set(error, SMELT_BAD_ARGUMENT, "%s: no such format", path);
}

enum smelt_status smelt_program_open(const char *path, const struct smelt_program_options *options,
				     struct smelt_program **program, struct smelt_error *error)
{
	enum smelt_status status = SMELT_NO_DEBUG_INFO;
	struct smelt_program *result = calloc(1, sizeof(*result));

	if (!result)
		return error_no_memory(error);
	(void)error_set(error, status, "%s: no format to try", path);
	for (size_t i = 0; i < options->format_count; i++) {
		status = open_format(path, options->formats[i], options, result, error);
		if (status != SMELT_NO_DEBUG_INFO && status != SMELT_NOT_ELF)
			break;
	}
	if (status) {
		smelt_program_close(result);
		return status;
	}
	*program = result;
	return SMELT_OK;
}

void smelt_program_close(struct smelt_program *program)
{
	if (!program)
		return;
	program_destroy(program->program);
	btf_file_close(program->base);
	free(program);
}

const char *smelt_program_similar_name(const struct smelt_program *program, const char *name)
{
	return similar_name(program->program, name);
}

enum smelt_status smelt_show_create(const struct smelt_show_options *options,
				    struct smelt_show **show, struct smelt_error *error)
{
	return show_create(options, show, error);
}

void smelt_show_destroy(struct smelt_show *show)
{
	show_destroy(show);
}

enum smelt_status smelt_show_add(struct smelt_show *show, struct smelt_program *program,
				 struct smelt_error *error)
{
	return show_add(show, program->program, error);
}

enum smelt_status smelt_show_finish(struct smelt_show *show, struct smelt_error *error)
{
	return show_finish(show, error);
}

bool smelt_show_found(const struct smelt_show *show, size_t index)
{
	return show_found(show, index);
}
