/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#include "encode_command.h"

#include <stdlib.h>
#include <sys/stat.h>

#include <smelt/encode.h>

#include "cli/progress_line.h"
#include "encode_setup.h"
#include "run_report.h"

struct encode_run {
	const struct pahole_options *options;
	const char *input; /* the first file */
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

/* A detached file that is the input would lose the input. */
static bool is_same_file(const char *one, const char *other)
{
	struct stat one_info;
	struct stat other_info;

	return stat(one, &one_info) == 0 && stat(other, &other_info) == 0 &&
	       S_ISREG(one_info.st_mode) && one_info.st_dev == other_info.st_dev &&
	       one_info.st_ino == other_info.st_ino;
}

/* One file of several takes the others' output with it. */
static enum cli_exit_status encode_failed(const struct encode_run *run, enum smelt_status status)
{
	if (run->options->file_count == 1)
		return encode_say_failure(run->input, status, &run->error);
	cli_message(PAHOLE_PROGRAM, "%s; nothing is written for the other files, either",
		    run->error.text);
	return CLI_EXIT_FAILURE;
}

static enum cli_exit_status write_blob(struct encode_run *run, const struct smelt_btf_blob *blob)
{
	const char *detached = run->options->detached_path;
	struct run_clock start = run_clock_now();
	enum smelt_status status = detached ? encode_write_detached(detached, blob, &run->error) :
					      encode_write_into(run->input, blob, &run->error);
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
					     const struct smelt_encode_options *encode)
{
	const struct pahole_options *options = run->options;
	struct smelt_btf_blob blob = { 0 };
	enum smelt_status status;
	enum cli_exit_status exit_status;

	cli_progress_line_init(&run->progress, PAHOLE_PROGRAM, "units", run->input,
			       encode_progress_delay());
	status = smelt_encode_files((const char *const *)options->files, options->file_count,
				    encode, &run->report.encode, &blob, &run->error);
	cli_progress_line_deinit(&run->progress);

	if (status)
		exit_status = encode_failed(run, status);
	else if (!blob.data)
		exit_status = encode_say_nothing(run->input, &run->report.encode, options->verbose);
	else
		exit_status = write_blob(run, &blob);
	smelt_btf_blob_deinit(&blob);
	return exit_status;
}

static enum cli_exit_status set_up_and_run(struct encode_run *run, struct pahole_options *options)
{
	struct encode_setup setup;
	enum cli_exit_status status;

	encode_setup_init(&setup, options);
	setup.options.progress = run_progress;
	setup.options.warning = run_warning;
	setup.options.context = run;
	status = encode_setup_open_base(&setup, options);
	if (!status)
		status = encode_and_write(run, &setup.options);
	encode_setup_deinit(&setup);
	return status;
}

static bool is_input(const struct pahole_options *options, const char *path)
{
	bool is_one = false;

	for (size_t i = 0; i < options->file_count; i++)
		is_one |= is_same_file(options->files[i], path);
	for (size_t i = 0; i < options->base_count; i++)
		is_one |= is_same_file(options->base_paths[i], path);
	if (is_one)
		cli_message(PAHOLE_PROGRAM, "%s: is an input too; not overwritten", path);
	return is_one;
}

/* With a message, if one that is to be written is one that is read. */
static bool outputs_are_inputs(const struct pahole_options *options)
{
	bool is_one = false;
	char *base_path;

	if (!options->detached_path)
		return false;
	if (options->features.features & SMELT_BTF_DISTILLED_BASE) {
		base_path = encode_base_path(options->detached_path);
		is_one = base_path && is_input(options, base_path);
		free(base_path);
	}
	return is_one || is_input(options, options->detached_path);
}

enum cli_exit_status encode_command_run(struct pahole_options *options)
{
	struct encode_run run = {
		.options = options,
		.input = options->files[0],
		.report.start = run_clock_now(),
	};
	enum cli_exit_status status;

	if (outputs_are_inputs(options))
		return CLI_EXIT_FAILURE;
	status = set_up_and_run(&run, options);
	if (options->verbose || options->timings)
		run_report_print(&run.report, stderr);
	return status;
}
