/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#include "each_command.h"

#include <smelt/encode_each.h>

#include "cli/progress_line.h"
#include "each_outputs.h"
#include "encode_setup.h"
#include "file_list.h"
#include "run_report.h"

struct each_run {
	const struct pahole_options *options;
	struct file_list inputs;
	struct each_outputs outputs;
	struct cli_progress_line progress;
	struct run_report report;
	size_t failed_count;
};

static void each_progress(void *context, uint64_t files_done, uint64_t files_total)
{
	struct each_run *run = context;

	cli_progress_line_update(&run->progress, files_done, files_total);
}

static enum smelt_status each_write(void *context, size_t index, const struct smelt_btf_blob *blob,
				    struct smelt_error *error)
{
	const struct each_run *run = context;

	if (run->outputs.paths)
		return encode_write_detached(run->outputs.paths[index], blob, error);
	return encode_write_into(run->inputs.paths[index], blob, error);
}

static void each_warning(void *context, size_t index, const char *text)
{
	struct each_run *run = context;

	cli_progress_line_erase(&run->progress);
	cli_message(PAHOLE_PROGRAM, "%s: %s", run->inputs.paths[index], text);
}

static void each_done(void *context, size_t index, enum smelt_status status,
		      const struct smelt_encode_report *report, const struct smelt_error *error)
{
	struct each_run *run = context;
	const char *path = run->inputs.paths[index];
	bool has_failed = false;

	run_report_add(&run->report, report);
	if (!status && report->btf_bytes > 0)
		return;
	cli_progress_line_erase(&run->progress);
	if (status)
		has_failed = encode_say_failure(path, status, error) != CLI_EXIT_OK;
	else
		(void)encode_say_nothing(path, report, run->options->verbose);
	run->failed_count += has_failed;
}

static enum cli_exit_status encode_all(struct each_run *run,
				       const struct smelt_encode_options *encode)
{
	const struct smelt_each_callbacks callbacks = {
		.struct_size = sizeof(callbacks),
		.write = each_write,
		.warning = each_warning,
		.done = each_done,
		.context = run,
	};
	struct smelt_error error;
	enum smelt_status status;

	cli_progress_line_init(&run->progress, PAHOLE_PROGRAM, "files", NULL,
			       encode_progress_delay());
	status = smelt_encode_each((const char *const *)run->inputs.paths, run->inputs.count,
				   encode, &callbacks, &error);
	cli_progress_line_deinit(&run->progress);

	if (status) {
		cli_message(PAHOLE_PROGRAM, "%s", error.text);
		return CLI_EXIT_FAILURE;
	}
	if (run->failed_count == 0)
		return CLI_EXIT_OK;
	cli_message(PAHOLE_PROGRAM, "%zu of %zu files failed", run->failed_count,
		    run->inputs.count);
	return CLI_EXIT_FAILURE;
}

static enum cli_exit_status set_up_and_run(struct each_run *run, struct pahole_options *options)
{
	struct encode_setup setup;
	enum cli_exit_status status;

	encode_setup_init(&setup, options);
	setup.options.progress = each_progress;
	setup.options.context = run;
	status = encode_setup_open_base(&setup, options);
	if (!status)
		status = encode_all(run, &setup.options);
	encode_setup_deinit(&setup);
	return status;
}

enum cli_exit_status each_command_run(struct pahole_options *options)
{
	struct each_run run = { .options = options, .report.start = run_clock_now() };
	enum cli_exit_status status =
		file_list_expand(&run.inputs, options->files, options->file_count);

	if (!status)
		status = each_outputs_init(&run.outputs, &run.inputs, options);
	if (!status) {
		status = set_up_and_run(&run, options);
		if (options->verbose || options->timings)
			run_report_print(&run.report, stderr);
	}
	each_outputs_deinit(&run.outputs);
	file_list_deinit(&run.inputs);
	return status;
}
