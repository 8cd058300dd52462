/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#include "encode_command.h"

#include <inttypes.h>
#include <stdlib.h>
#include <sys/stat.h>

#include <smelt/encode.h>

#include "cli/jobserver.h"
#include "cli/progress_line.h"
#include "run_report.h"

static const double PROGRESS_DELAY_SECONDS = 1.0;

struct encode_run {
	const struct pahole_options *options;
	const char *input; /* the first file */
	struct cli_jobserver jobserver;
	struct cli_progress_line progress;
	struct run_report report;
	struct smelt_error error;
};

static void run_progress(void *context, uint64_t units_done, uint64_t units_total)
{
	struct encode_run *run = context;

	cli_progress_line_update(&run->progress, units_done, units_total);
}

static void run_warning(void *context, const char *text)
{
	struct encode_run *run = context;

	cli_progress_line_erase(&run->progress);
	if (run->options->file_count == 1)
		cli_message(PAHOLE_PROGRAM, "%s: %s", run->input, text);
	else
		cli_message(PAHOLE_PROGRAM, "%s and %zu more: %s", run->input,
			    run->options->file_count - 1, text);
}

/* Test hooks; not part of the interface. */
static uint64_t test_setting(const char *name)
{
	const char *text = getenv(name);

	return text ? strtoull(text, NULL, 0) : 0;
}

static double progress_delay(void)
{
	return getenv("SMELT_TEST_PROGRESS") ? 0 : PROGRESS_DELAY_SECONDS;
}

static void print_notes(const struct feature_list *features)
{
	for (size_t i = 0; i < features->unknown_count; i++)
		cli_message(PAHOLE_PROGRAM, "unknown BTF feature \"%.*s\" ignored",
			    (int)features->unknown[i].length, features->unknown[i].start);
	(void)fprintf(stderr, "%s: BTF features: ", PAHOLE_PROGRAM);
	feature_list_print(stderr, features->features);
}

/* A detached file that is the input would lose the input. */
static bool is_same_file(const char *one, const char *other)
{
	struct stat one_info;
	struct stat other_info;

	return stat(one, &one_info) == 0 && stat(other, &other_info) == 0 &&
	       S_ISREG(one_info.st_mode) && one_info.st_dev == other_info.st_dev &&
	       one_info.st_ino == other_info.st_ino;
}

/* What the command line does not say make's jobserver decides, if there is one. */
static unsigned choose_jobs(struct encode_run *run)
{
	const struct pahole_options *options = run->options;
	unsigned threads;

	if (options->jobs)
		return options->jobs;
	cli_jobserver_init(&run->jobserver);
	threads = cli_jobserver_threads(&run->jobserver, options->is_parallel);
	if (options->verbose && run->jobserver.connection)
		cli_message(PAHOLE_PROGRAM, "make's jobserver has the say over up to %u threads",
			    threads);
	else if (options->verbose && run->jobserver.is_announced)
		cli_message(PAHOLE_PROGRAM, "%s; working with one thread",
			    run->jobserver.error.text);
	return threads;
}

static enum smelt_status run_encode(struct encode_run *run, struct cli_language_filter *languages,
				    struct smelt_btf_blob *blob)
{
	const struct pahole_options *options = run->options;
	struct smelt_encode_options encode = {
		.struct_size = sizeof(encode),
		.features = options->features.features,
		.jobs = choose_jobs(run),
		.unit_exclude_prefix = options->unit_exclude_prefix,
		.kabi_prefix = options->kabi_prefix,
		.fixup_silly_bitfields = options->fixup_silly_bitfields,
		.progress = run_progress,
		.warning = run_warning,
		.context = run,
		.shuffle_seed = test_setting("SMELT_TEST_SHUFFLE"),
		.hash_bits = (unsigned)test_setting("SMELT_TEST_HASH_BITS"),
	};
	enum smelt_status status;
	struct cli_language_list list =
		cli_language_filter_resolve(languages, &encode.languages_excluded);

	encode.languages = list.codes;
	encode.language_count = list.count;
	encode.jobserver = run->jobserver.connection;
	status = smelt_encode_files((const char *const *)options->files, options->file_count,
				    &encode, &run->report.encode, blob, &run->error);
	cli_jobserver_deinit(&run->jobserver);
	return status;
}

/*
 * Kernel builds hand in objects without debug information and take a failure for
 * theirs, so a sound file without any is no error. Nor is it silent. That holds for a file alone: one of several
 * takes the others' output with it.
 */
static enum cli_exit_status encode_failed(const struct encode_run *run, enum smelt_status status)
{
	if (run->options->file_count > 1) {
		cli_message(PAHOLE_PROGRAM, "%s; nothing is written for the other files, either",
			    run->error.text);
		return CLI_EXIT_FAILURE;
	}
	if (status != SMELT_NO_DEBUG_INFO)
		return cli_file_error(PAHOLE_PROGRAM, run->input, &run->error);
	cli_message(PAHOLE_PROGRAM, "%s: no DWARF; nothing encoded", run->input);
	return CLI_EXIT_OK;
}

static enum cli_exit_status encoded_nothing(const struct encode_run *run)
{
	const struct smelt_encode_report *report = &run->report.encode;

	if (report->units_excluded == 0 || report->units_excluded < report->units)
		cli_message(PAHOLE_PROGRAM, "%s: DWARF without anything to encode; nothing written",
			    run->input);
	else if (run->options->verbose)
		cli_message(PAHOLE_PROGRAM,
			    "%s: all %" PRIu64 " units are left out; nothing written", run->input,
			    report->units);
	return CLI_EXIT_OK;
}

/* A .BTF.base that is there belongs to BTF that is there no longer. */
static enum smelt_status write_into_input(struct encode_run *run, const struct smelt_btf_blob *blob)
{
	const struct smelt_elf_section sections[] = {
		{ .name = ".BTF", .data = blob->data, .size = blob->size },
		{ .name = ".BTF.base", .data = NULL },
	};

	return smelt_write_elf_sections(run->input, sections,
					sizeof(sections) / sizeof(sections[0]), &run->error);
}

static enum cli_exit_status write_blob(struct encode_run *run, const struct smelt_btf_blob *blob)
{
	const char *detached = run->options->detached_path;
	struct run_clock start = run_clock_now();
	enum smelt_status status =
		detached ? smelt_write_file(detached, blob->data, blob->size, &run->error) :
			   write_into_input(run, blob);
	struct run_clock end = run_clock_now();

	run->report.write = (struct smelt_pass_time){
		.name = "write",
		.wall_seconds = end.wall - start.wall,
		.cpu_seconds = end.cpu - start.cpu,
	};
	return status ? cli_file_error(PAHOLE_PROGRAM, detached ? detached : run->input,
				       &run->error) :
			CLI_EXIT_OK;
}

static enum cli_exit_status encode_and_write(struct encode_run *run,
					     struct cli_language_filter *languages)
{
	struct smelt_btf_blob blob = { 0 };
	enum smelt_status status;
	enum cli_exit_status exit_status;

	cli_progress_line_init(&run->progress, PAHOLE_PROGRAM, run->input, progress_delay());
	status = run_encode(run, languages, &blob);
	cli_progress_line_deinit(&run->progress);

	if (status)
		exit_status = encode_failed(run, status);
	else if (!blob.data)
		exit_status = encoded_nothing(run);
	else
		exit_status = write_blob(run, &blob);
	smelt_btf_blob_deinit(&blob);
	return exit_status;
}

static bool is_input(const struct pahole_options *options, const char *path)
{
	bool is_one = false;

	for (size_t i = 0; i < options->file_count; i++)
		is_one |= is_same_file(options->files[i], path);
	return is_one;
}

enum cli_exit_status encode_command_run(struct pahole_options *options)
{
	struct encode_run run = {
		.options = options,
		.input = options->files[0],
		.report.start = run_clock_now(),
	};
	enum cli_exit_status status;

	if (options->verbose)
		print_notes(&options->features);
	if (options->detached_path && is_input(options, options->detached_path)) {
		cli_message(PAHOLE_PROGRAM, "%s: is an input too; not overwritten",
			    options->detached_path);
		return CLI_EXIT_FAILURE;
	}
	status = encode_and_write(&run, &options->languages);
	if (options->verbose || options->timings)
		run_report_print(&run.report, stderr);
	return status;
}
