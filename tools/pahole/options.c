/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#include "options.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include <smelt/encode.h>

#include "option_rows.h"

/* Ends argp_parse() with a message that has been printed. */
static error_t parse_fails(struct pahole_options *options, enum cli_exit_status status)
{
	options->parse_status = status;
	return ECANCELED;
}

static error_t parse_no_memory(struct pahole_options *options)
{
	cli_message(PAHOLE_PROGRAM, "out of memory");
	return parse_fails(options, CLI_EXIT_FAILURE);
}

static error_t parse_languages(struct pahole_options *options, struct cli_language_list *list,
			       const char *text)
{
	struct cli_word unknown;

	switch ((int)cli_language_list_parse(list, text, &unknown)) {
	case SMELT_OK:
		return 0;
	case SMELT_NO_MEMORY:
		return parse_no_memory(options);
	default:
		cli_message(PAHOLE_PROGRAM, "unknown language \"%.*s\"", (int)unknown.length,
			    unknown.start);
		return parse_fails(options, CLI_EXIT_FAILURE);
	}
}

static error_t parse_features(struct pahole_options *options, const char *text, bool strict)
{
	struct feature_list *list = &options->features;
	size_t unknown_before = list->unknown_count;

	if (!feature_list_add(list, text))
		return parse_no_memory(options);
	if (!strict || list->unknown_count == unknown_before)
		return 0;
	cli_message(PAHOLE_PROGRAM, "unknown BTF feature \"%.*s\"; there are:",
		    (int)list->unknown[unknown_before].length, list->unknown[unknown_before].start);
	feature_list_print(stderr, UINT32_MAX);
	return parse_fails(options, CLI_EXIT_FAILURE);
}

/* Lenient like everything numeric here: what is no number is 0, and none work with less than one thread. */
/* The newest one last; the oldest one goes. */
static void add_base(struct pahole_options *options, const char *path)
{
	const char **paths = options->base_paths;

	if (options->base_count == PAHOLE_BASES_MAX)
		memmove(paths, paths + 1, --options->base_count * sizeof(*paths));
	paths[options->base_count++] = path;
	options->base_path = path;
}

static void parse_jobs(struct pahole_options *options, const char *text)
{
	long jobs = text ? strtol(text, NULL, 10) : 0;

	options->is_parallel = text == NULL;
	if (text && jobs < 1)
		jobs = 1;
	options->jobs = jobs <= INT_MAX ? (unsigned)jobs : INT_MAX;
}

/* The flags that are older than --btf_features. */
static error_t parse_feature_flag(int key, struct pahole_options *options)
{
	uint32_t *features = &options->features.features;

	switch (key) {
	case KEY_BTF_ENCODE_FORCE:
		*features |= SMELT_BTF_ENCODE_FORCE;
		return 0;
	case KEY_BTF_GEN_FLOATS:
		*features |= SMELT_BTF_FLOAT;
		return 0;
	case KEY_BTF_GEN_ALL:
		return parse_features(options, "default", true);
	case KEY_BTF_GEN_OPTIMIZED:
		*features |= SMELT_BTF_OPTIMIZED_FUNC;
		return 0;
	case KEY_BTF_ATTRIBUTES:
		*features |= SMELT_BTF_ATTRIBUTES;
		return 0;
	case KEY_SKIP_BTF_VARS:
		*features &= ~SMELT_BTF_VAR;
		return 0;
	case KEY_SKIP_BTF_DECL_TAG:
		*features &= ~SMELT_BTF_DECL_TAG;
		return 0;
	case KEY_SKIP_BTF_TYPE_TAG:
		*features &= ~SMELT_BTF_TYPE_TAG;
		return 0;
	case KEY_SKIP_BTF_ENUM64:
		*features &= ~SMELT_BTF_ENUM64;
		return 0;
	case KEY_SKIP_BTF_INCONSISTENT_PROTO:
		*features |= SMELT_BTF_CONSISTENT_FUNC;
		return 0;
	case KEY_REPRODUCIBLE_BUILD:
		*features |= SMELT_BTF_REPRODUCIBLE_BUILD;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static error_t parse_encoding(int key, char *argument, struct pahole_options *options)
{
	switch (key) {
	case 'J':
		options->encode = true;
		return 0;
	case KEY_BTF_ENCODE_DETACHED:
		options->encode = true;
		options->detached_path = argument;
		return 0;
	case KEY_EACH:
		options->each = true;
		return 0;
	case KEY_BTF_FEATURES:
		return parse_features(options, argument, false);
	case KEY_BTF_FEATURES_STRICT:
		return parse_features(options, argument, true);
	default:
		return parse_feature_flag(key, options);
	}
}

static error_t parse_reading(int key, char *argument, struct pahole_options *options)
{
	switch (key) {
	case 'F':
		options->format_path = argument;
		return 0;
	case 'j':
		parse_jobs(options, argument);
		return 0;
	case 'X':
		options->unit_exclude_prefix = argument;
		return 0;
	case KEY_LANG:
		return parse_languages(options, &options->languages.kept, argument);
	case KEY_LANG_EXCLUDE:
		return parse_languages(options, &options->languages.dropped, argument);
	case KEY_BTF_BASE:
		add_base(options, argument);
		return 0;
	case KEY_KABI_PREFIX:
		options->kabi_prefix = argument;
		return 0;
	case KEY_FIXUP_SILLY_BITFIELDS:
		options->fixup_silly_bitfields = true;
		return 0;
	case KEY_HASHBITS:
		return 0;
	default:
		return parse_encoding(key, argument, options);
	}
}

static error_t ask(struct pahole_options *options, enum pahole_question question)
{
	if (options->question == PAHOLE_NO_QUESTION)
		options->question = question;
	return 0;
}

static error_t parse_option(int key, char *argument, struct argp_state *state)
{
	struct pahole_options *options = state->input;
	const struct cli_option *row;

	switch (key) {
	case ARGP_KEY_ARG:
		options->files[options->file_count++] = argument;
		return 0;
	case 'V':
		options->verbose = true;
		return 0;
	case KEY_TIMINGS:
		options->timings = true;
		return 0;
	case KEY_VERSION:
		return ask(options, PAHOLE_ASKS_VERSION);
	case KEY_NUMERIC_VERSION:
		return ask(options, PAHOLE_ASKS_NUMERIC_VERSION);
	case KEY_SUPPORTED_BTF_FEATURES:
		return ask(options, PAHOLE_ASKS_FEATURES);
	default:
		break;
	}

	row = cli_option_table_find(&pahole_option_table, key);
	if (row && row->support == CLI_NOT_YET) {
		if (!options->missing)
			options->missing = row;
		return 0;
	}
	if (pahole_show_option_parse(&options->show, key, argument))
		return 0;
	return parse_reading(key, argument, options);
}

static char *filter_help(int key, const char *text, void *input)
{
	(void)input;
	return cli_option_table_filter_help(&pahole_option_table, key, text);
}

static enum cli_exit_status options_parse(struct pahole_options *options, int argc, char **argv)
{
	struct argp_option *argp_options = cli_option_table_to_argp(&pahole_option_table);
	const struct argp argp = {
		.options = argp_options,
		.parser = parse_option,
		.args_doc = "FILE...",
		.doc = "Encodes the DWARF debug information of FILE as BTF; several make one BTF.\v"
		       "Options marked [not yet] are known, so that abbreviations stay what they "
		       "will be, and refused. Exit status: 0 success or nothing to encode, 1 "
		       "failure, 64 a command line that cannot be carried out.",
		.help_filter = filter_help,
	};
	error_t failure;

	if (!argp_options) {
		(void)parse_no_memory(options);
		return options->parse_status;
	}
	failure = argp_parse(&argp, argc, argv, 0, NULL, options);
	free(argp_options);
	if (failure && !options->parse_status)
		options->parse_status = CLI_EXIT_USAGE;
	return options->parse_status;
}

enum cli_exit_status pahole_options_init(struct pahole_options *options, int argc, char **argv)
{
	const char *dropped = getenv("PAHOLE_LANG_EXCLUDE");

	*options = (struct pahole_options){ 0 };
	feature_list_init(&options->features);
	options->files = calloc((size_t)argc + 1, sizeof(*options->files));
	if (!options->files) {
		(void)parse_no_memory(options);
		return options->parse_status;
	}
	if (options_parse(options, argc, argv))
		return options->parse_status;
	if (dropped && *dropped && options->question == PAHOLE_NO_QUESTION &&
	    !options->languages.kept.codes && !options->languages.dropped.codes)
		(void)parse_languages(options, &options->languages.dropped, dropped);
	return options->parse_status;
}

void pahole_options_deinit(struct pahole_options *options)
{
	feature_list_deinit(&options->features);
	cli_language_filter_deinit(&options->languages);
	free(options->files);
	*options = (struct pahole_options){ 0 };
}
