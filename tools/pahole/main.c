/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* pahole: options, then one call into the library, then an exit status. */
#include "cli/message.h"
#include "cli/version.h"
#include "cli/word_list.h"

#include <smelt/encode.h>

#include "each_command.h"
#include "encode_command.h"
#include "options.h"
#include "show_command.h"

static enum cli_exit_status answer(const struct pahole_options *options)
{
	switch (options->question) {
	case PAHOLE_ASKS_VERSION:
		cli_print_version(options->verbose);
		break;
	case PAHOLE_ASKS_NUMERIC_VERSION:
		cli_print_numeric_version();
		break;
	case PAHOLE_ASKS_FEATURES:
		feature_list_print(stdout, UINT32_MAX);
		break;
	case PAHOLE_NO_QUESTION:
		break;
	}
	return CLI_EXIT_OK;
}

/*
 * Whether -F allows DWARF, the only source to encode from. Formats are tried in order,
 * and one that cannot be a source is passed over; a word that means nothing ends the list.
 */
static bool formats_have_dwarf(const char *formats)
{
	struct cli_word word;

	while (cli_word_next(&formats, &word)) {
		if (cli_word_equals(&word, "dwarf"))
			return true;
		if (!cli_word_equals(&word, "btf") && !cli_word_equals(&word, "ctf"))
			return false;
	}
	return false;
}

/* What is asked for in the right words, but cannot be done. */
static enum cli_exit_status check_encoding(const struct pahole_options *options)
{
	if (!options->encode)
		return cli_usage_error(PAHOLE_PROGRAM, "--each needs -J or --btf_encode_detached");
	if (options->file_count == 0)
		return cli_usage_error(PAHOLE_PROGRAM, "no FILE to encode");
	if (options->detached_path && options->detached_path[0] == '\0')
		return cli_usage_error(PAHOLE_PROGRAM, "--btf_encode_detached: no file name");
	if (options->features.features & SMELT_BTF_DISTILLED_BASE && options->base_count == 0) {
		cli_message(PAHOLE_PROGRAM, "BTF feature distilled_base needs --btf_base");
		return CLI_EXIT_FAILURE;
	}
	if (options->format_path && !formats_have_dwarf(options->format_path)) {
		cli_message(PAHOLE_PROGRAM, "BTF is encoded from DWARF, which -F %s leaves out",
			    options->format_path);
		return CLI_EXIT_FAILURE;
	}
	return CLI_EXIT_OK;
}

static enum cli_exit_status work(struct pahole_options *options)
{
	enum cli_exit_status status;

	if (options->missing) {
		cli_option_refuse(PAHOLE_PROGRAM, options->missing);
		return CLI_EXIT_USAGE;
	}
	if (!options->encode && !options->each)
		return show_command_run(options);
	status = check_encoding(options);
	if (status)
		return status;
	return options->each ? each_command_run(options) : encode_command_run(options);
}

int main(int argc, char **argv)
{
	struct pahole_options options;
	enum cli_exit_status status;

	cli_check_stdout_at_exit();
	status = pahole_options_init(&options, argc, argv);
	if (!status && options.question != PAHOLE_NO_QUESTION)
		status = answer(&options);
	else if (!status)
		status = work(&options);
	pahole_options_deinit(&options);
	return (int)status;
}
