/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#include "program/dwarf_program.h"

#include <stdlib.h>
#include <string.h>

#include "program/program_run.h"

static void release_backing(void *pointer)
{
	struct program_backing *backing = pointer;

	dwarf_loader_destroy(backing->loader);
	load_context_destroy(backing->loading);
	elf_file_close(backing->file);
	free(backing);
}

/* Takes `file` over. */
static enum smelt_status run_init(struct program_run *run, struct elf_file *file,
				  struct smelt_error *error)
{
	const struct dwarf_program_options *options = run->options;
	const struct dwarf_load_options load = {
		.display = true,
		.functions = options->has_functions,
		.file_names = options->has_file_names,
		.fixup_silly_bitfields = options->fixup_silly_bitfields,
		.languages = options->languages,
		.language_count = options->language_count,
		.languages_excluded = options->languages_excluded,
		.unit_exclude_prefix = options->unit_exclude_prefix,
		.kabi_prefix = options->kabi_prefix,
	};
	enum smelt_status status;
	unsigned count;

	arena_init(&run->arena);
	run->backing = calloc(1, sizeof(*run->backing));
	if (!run->backing) {
		elf_file_close(file);
		return error_no_memory(error);
	}
	run->backing->file = file;
	status = worker_pool_create(options->jobs, &run->pool, error);
	if (status)
		return status;
	worker_pool_set_shuffle(run->pool, options->shuffle_seed);
	worker_pool_set_jobserver(run->pool, options->jobserver);
	count = worker_pool_size(run->pool);
	run->captures = aligned_alloc(_Alignof(struct run_capture), count * sizeof(*run->captures));
	if (!run->captures)
		return error_no_memory(error);
	memset(run->captures, 0, count * sizeof(*run->captures));
	status = load_context_create(&run->backing->loading, error);
	if (status)
		return status;
	return dwarf_loader_create(run->backing->loading, file, &load, &run->backing->loader,
				   error);
}

/* All but what became the program's. */
static void run_deinit(struct program_run *run)
{
	for (unsigned i = 0; run->captures && i < worker_pool_size(run->pool); i++)
		capture_deinit(&run->captures[i].capture);
	free(run->captures);
	dedup_destroy(run->dedup);
	if (run->backing)
		release_backing(run->backing);
	arena_deinit(&run->arena);
	worker_pool_destroy(run->pool);
}

static void report_missing(const struct program_run *run, struct dwarf_program_report *report)
{
	const char *cause;

	report->missing_units = dwarf_loader_missing_units(run->backing->loader, &cause);
	(void)error_set(&report->missing_cause, SMELT_OS_ERROR, "%s",
			report->missing_units ? cause : "");
}

/* On success the program owns the backing. */
static enum smelt_status make_program(struct program_run *run, struct program **result,
				      struct smelt_error *error)
{
	struct program *program = program_create(elf_file_path(run->backing->file));
	enum smelt_status status;

	if (!program)
		return error_no_memory(error);
	status = assemble_program(run, program, error);
	if (status) {
		program_destroy(program);
		return status;
	}
	load_context_keep_names(run->backing->loading);
	program->backing = run->backing;
	program->release = release_backing;
	run->backing = NULL;
	*result = program;
	return SMELT_OK;
}

enum smelt_status dwarf_program_load(struct elf_file *file,
				     const struct dwarf_program_options *options,
				     struct program **program, struct dwarf_program_report *report,
				     struct smelt_error *error)
{
	struct program_run run = { .options = options };
	enum smelt_status status = run_init(&run, file, error);

	*report = (struct dwarf_program_report){ 0 };
	if (!status)
		status = load_types(&run, error);
	if (!status)
		status = choose_types(&run, error);
	if (!status) {
		report_missing(&run, report);
		status = make_program(&run, program, error);
	}
	run_deinit(&run);
	return status;
}
