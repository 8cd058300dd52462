/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#include "show_command.h"

#include <stdio.h>
#include <stdlib.h>

#include <smelt/show.h>

#include "cli/word_list.h"
#include "inputs.h"
#include "name_list.h"

enum { FORMATS_MAX = 8 };

struct show_run {
	struct pahole_options *options;
	const char *const *files;
	size_t file_count;
	enum smelt_format formats[FORMATS_MAX];
	size_t format_count;
	struct cli_language_list languages;
	bool languages_excluded;
	struct name_list names;
	struct smelt_show *show;
	struct smelt_program **programs; /* that were opened; NULL: closed again */
	size_t program_count;
	struct smelt_error error;
};

static bool write_out(void *context, const char *text, size_t size)
{
	(void)context;
	return fwrite(text, 1, size, stdout) == size;
}

/* -F: a word that means nothing ends the list; CTF is a format that no file has any more. */
static void choose_formats(struct show_run *run)
{
	const char *list = run->options->format_path;
	struct cli_word word;

	if (!list)
		list = run->options->base_path ? "btf" : "dwarf,btf";
	while (cli_word_next(&list, &word) && run->format_count < FORMATS_MAX) {
		if (cli_word_equals(&word, "dwarf"))
			run->formats[run->format_count++] = SMELT_FORMAT_DWARF;
		else if (cli_word_equals(&word, "btf"))
			run->formats[run->format_count++] = SMELT_FORMAT_BTF;
		else if (!cli_word_equals(&word, "ctf"))
			break;
	}
}

static bool reads_btf(const struct show_run *run)
{
	for (size_t i = 0; i < run->format_count; i++)
		if (run->formats[i] == SMELT_FORMAT_BTF)
			return true;
	return false;
}

/* Without files it is the running kernel; so it is if there are only names of types. */
static enum cli_exit_status choose_files(struct show_run *run, const char **kernel)
{
	const struct pahole_options *options = run->options;

	run->files = (const char *const *)options->files;
	run->file_count = options->file_count;
	if (options->file_count > 0 &&
	    !(options->file_count == 1 && options->show.show.selection == SMELT_SELECT_ALL &&
	      input_is_type_names(options->files[0])))
		return CLI_EXIT_OK;
	*kernel = reads_btf(run) ? input_kernel_btf() : NULL;
	if (!*kernel) {
		cli_message(PAHOLE_PROGRAM,
			    options->file_count ?
				    "%s: no such file, and no BTF of the running kernel" :
				    "no file given, and no BTF of the running kernel",
			    options->file_count ? options->files[0] : "");
		return CLI_EXIT_FAILURE;
	}
	run->files = kernel;
	run->file_count = 1;
	if (options->file_count == 0)
		return CLI_EXIT_OK;
	run->options->show.show.selection = SMELT_SELECT_NAMED;
	return name_list_add(&run->names, options->files[0]);
}

/* A few names, and nothing that leads from them to all other types. */
static bool needs_only_names(const struct show_run *run)
{
	enum { NAMES_MAX = 16 };
	const struct smelt_show_options *show = &run->options->show.show;

	return show->selection == SMELT_SELECT_NAMED && run->names.count <= NAMES_MAX &&
	       !show->compile && show->listing != SMELT_LIST_METHODS &&
	       !(show->style & SMELT_STYLE_EXPAND_POINTERS);
}

static bool needs_files(const struct smelt_show_options *show)
{
	return (show->style & SMELT_STYLE_ORIGIN) || show->filter.exclude_file_prefix;
}

static enum smelt_status open_file(struct show_run *run, const char *path, bool needs_all,
				   struct smelt_program **program)
{
	const char *base = run->options->base_path;
	const struct smelt_program_options reading = {
		.struct_size = sizeof(reading),
		.formats = run->formats,
		.format_count = run->format_count,
		.base_path = base ? base : input_implied_base(path),
		.languages = run->languages.codes,
		.language_count = run->languages.count,
		.languages_excluded = run->languages_excluded,
		.unit_exclude_prefix = run->options->unit_exclude_prefix,
		.jobs = run->options->jobs,
		.needed_names = needs_all || !needs_only_names(run) ?
					NULL :
					(const char *const *)run->names.names,
		.needed_name_count = run->names.count,
		.needs_functions = run->options->show.show.listing == SMELT_LIST_METHODS,
		.needs_files = needs_files(&run->options->show.show),
		.needs_counts = run->options->show.show.listing == SMELT_LIST_REPEATS,
	};

	return smelt_program_open(path, &reading, program, &run->error);
}

static enum smelt_status show_file(struct show_run *run, const char *path)
{
	struct smelt_program **program = &run->programs[run->program_count];
	enum smelt_status status = open_file(run, path, false, program);

	if (status)
		return status;
	run->program_count++;
	status = smelt_show_add(run->show, *program, &run->error);
	if (!run->options->show.show.sort) {
		smelt_program_close(*program);
		*program = NULL;
	}
	return status;
}

/* For hints the last file is looked at as a whole; NULL if that fails now. */
static struct smelt_program *open_for_hints(struct show_run *run)
{
	struct smelt_program *program = NULL;

	(void)open_file(run, run->files[run->file_count - 1], true, &program);
	return program;
}

static enum cli_exit_status report_missing(struct show_run *run)
{
	bool is_type = run->options->show.show.selection != SMELT_SELECT_ENUMERATOR;
	const char *what = is_type ? "type" : "enumerator";
	struct smelt_program *program = NULL;
	enum cli_exit_status status = CLI_EXIT_OK;

	for (size_t i = 0; i < run->names.count; i++) {
		const char *name = run->names.names[i];
		const char *similar = NULL;

		if (smelt_show_found(run->show, i))
			continue;
		if (is_type && !program)
			program = open_for_hints(run);
		if (program)
			similar = smelt_program_similar_name(program, name);
		if (similar)
			cli_message(PAHOLE_PROGRAM, "%s '%s' not found; there is '%s'", what, name,
				    similar);
		else
			cli_message(PAHOLE_PROGRAM, "%s '%s' not found", what, name);
		status = CLI_EXIT_FAILURE;
	}
	smelt_program_close(program);
	return status;
}

static enum cli_exit_status show_failed(const struct show_run *run, const char *path,
					enum smelt_status status)
{
	(void)cli_file_error(PAHOLE_PROGRAM, path, &run->error);
	return status == SMELT_UNSUPPORTED ? CLI_EXIT_USAGE : CLI_EXIT_FAILURE;
}

static enum cli_exit_status show_files(struct show_run *run)
{
	enum smelt_status status;

	for (size_t i = 0; i < run->file_count; i++) {
		status = show_file(run, run->files[i]);
		if (status)
			return show_failed(run, run->files[i], status);
	}
	status = smelt_show_finish(run->show, &run->error);
	if (status)
		return show_failed(run, run->files[run->file_count - 1], status);
	return report_missing(run);
}

static enum cli_exit_status show_prepared(struct show_run *run)
{
	struct smelt_show_options *show = &run->options->show.show;

	show->struct_size = sizeof(*show);
	show->names = (const char *const *)run->names.names;
	show->name_count = run->names.count;
	show->output = write_out;
	run->programs = calloc(run->file_count, sizeof(*run->programs));
	if (!run->programs || smelt_show_create(show, &run->show, &run->error)) {
		cli_message(PAHOLE_PROGRAM, "out of memory");
		return CLI_EXIT_FAILURE;
	}
	return show_files(run);
}

static void run_deinit(struct show_run *run)
{
	smelt_show_destroy(run->show);
	for (size_t i = 0; i < run->program_count; i++)
		smelt_program_close(run->programs[i]);
	free(run->programs);
	name_list_deinit(&run->names);
}

enum cli_exit_status show_command_run(struct pahole_options *options)
{
	struct show_run run = { .options = options };
	const char *kernel = NULL;
	enum cli_exit_status status = CLI_EXIT_OK;

	choose_formats(&run);
	run.languages = cli_language_filter_resolve(&options->languages, &run.languages_excluded);
	pahole_show_options_finish(&options->show, options->verbose);
	if (pahole_show_options_names(&options->show))
		status = name_list_add(&run.names, pahole_show_options_names(&options->show));
	if (!status)
		status = choose_files(&run, &kernel);
	if (!status && options->show.show.selection != SMELT_SELECT_ALL && run.names.count == 0)
		status = cli_usage_error(PAHOLE_PROGRAM, "no names of types given");
	if (!status)
		status = show_prepared(&run);
	run_deinit(&run);
	return status;
}
