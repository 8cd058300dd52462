/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#include "encode_setup.h"

#include <inttypes.h>
#include <stdlib.h>

static const double PROGRESS_DELAY_SECONDS = 1.0;

/* Test hooks; not part of the interface. */
static uint64_t test_setting(const char *name)
{
	const char *text = getenv(name);

	return text ? strtoull(text, NULL, 0) : 0;
}

double encode_progress_delay(void)
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

/* What the command line does not say make's jobserver decides, if there is one. */
static unsigned choose_jobs(struct cli_jobserver *jobserver, const struct pahole_options *options)
{
	unsigned threads;

	if (options->jobs)
		return options->jobs;
	cli_jobserver_init(jobserver);
	threads = cli_jobserver_threads(jobserver, options->is_parallel);
	if (options->verbose && jobserver->connection)
		cli_message(PAHOLE_PROGRAM, "make's jobserver has the say over up to %u threads",
			    threads);
	else if (options->verbose && jobserver->is_announced)
		cli_message(PAHOLE_PROGRAM, "%s; working with one thread", jobserver->error.text);
	return threads;
}

void encode_setup_init(struct encode_setup *setup, struct pahole_options *options)
{
	struct smelt_encode_options *encode = &setup->options;
	struct cli_language_list list;

	*setup = (struct encode_setup){ 0 };
	if (options->verbose)
		print_notes(&options->features);
	*encode = (struct smelt_encode_options){
		.struct_size = sizeof(*encode),
		.features = options->features.features,
		.jobs = choose_jobs(&setup->jobserver, options),
		.unit_exclude_prefix = options->unit_exclude_prefix,
		.kabi_prefix = options->kabi_prefix,
		.fixup_silly_bitfields = options->fixup_silly_bitfields,
		.shuffle_seed = test_setting("SMELT_TEST_SHUFFLE"),
		.hash_bits = (unsigned)test_setting("SMELT_TEST_HASH_BITS"),
		.jobserver = setup->jobserver.connection,
	};
	list = cli_language_filter_resolve(&options->languages, &encode->languages_excluded);
	encode->languages = list.codes;
	encode->language_count = list.count;
}

enum cli_exit_status encode_setup_open_base(struct encode_setup *setup,
					    const struct pahole_options *options)
{
	struct smelt_error error;

	if (base_chain_init(&setup->bases, options, &setup->options, &setup->options.base, &error))
		return cli_file_error(PAHOLE_PROGRAM, setup->bases.path, &error);
	return CLI_EXIT_OK;
}

void encode_setup_deinit(struct encode_setup *setup)
{
	base_chain_deinit(&setup->bases);
	cli_jobserver_deinit(&setup->jobserver);
}

char *encode_base_path(const char *path)
{
	char *base_path;

	return asprintf(&base_path, "%s.base", path) < 0 ? NULL : base_path;
}

enum smelt_status encode_write_detached(const char *path, const struct smelt_btf_blob *blob,
					struct smelt_error *error)
{
	char *base_path;
	enum smelt_status status;

	if (!blob->base_data)
		return smelt_write_file(path, blob->data, blob->size, error);
	base_path = encode_base_path(path);
	if (!base_path) {
		*error = (struct smelt_error){ SMELT_NO_MEMORY, 0, "out of memory" };
		return SMELT_NO_MEMORY;
	}
	/* The base first: who finds new BTF finds its base. */
	status = smelt_write_files(
		(struct smelt_output_file[]){
			{ base_path, blob->base_data, blob->base_size },
			{ path, blob->data, blob->size },
		},
		2, error);
	free(base_path);
	return status;
}

/* Without a base, a .BTF.base that is there belongs to BTF that is there no longer. */
enum smelt_status encode_write_into(const char *path, const struct smelt_btf_blob *blob,
				    struct smelt_error *error)
{
	const struct smelt_elf_section sections[] = {
		{ .name = ".BTF", .data = blob->data, .size = blob->size },
		{ .name = ".BTF.base", .data = blob->base_data, .size = blob->base_size },
	};

	return smelt_write_elf_sections(path, sections, sizeof(sections) / sizeof(sections[0]),
					error);
}

/*
 * Kernel builds hand in objects without debug information and take a failure for
 * theirs, so a sound file without any is no error. Nor is it silent.
 */
enum cli_exit_status encode_say_failure(const char *path, enum smelt_status status,
					const struct smelt_error *error)
{
	if (status != SMELT_NO_DEBUG_INFO)
		return cli_file_error(PAHOLE_PROGRAM, path, error);
	cli_message(PAHOLE_PROGRAM, "%s: no DWARF; nothing encoded", path);
	return CLI_EXIT_OK;
}

enum cli_exit_status encode_say_nothing(const char *path, const struct smelt_encode_report *report,
					bool verbose)
{
	if (report->units_excluded == 0 || report->units_excluded < report->units)
		cli_message(PAHOLE_PROGRAM, "%s: DWARF without anything to encode; nothing written",
			    path);
	else if (verbose)
		cli_message(PAHOLE_PROGRAM,
			    "%s: all %" PRIu64 " units are left out; nothing written", path,
			    report->units);
	return CLI_EXIT_OK;
}
