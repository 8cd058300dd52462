/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The pipeline. Each pass is one call; parallel ones are loops over one kind of thing with a join
 * at the end, so that between two passes nothing is in motion.
 */
#include "encode/encode.h"

#include <stdlib.h>
#include <string.h>

#include "encode/functions.h"
#include "encode/pass_clock.h"
#include "encode/run.h"

void *run_alloc(struct encode_run *run, uint64_t count, size_t size)
{
	size_t bytes;

	return __builtin_mul_overflow(count, size, &bytes) ? NULL : arena_alloc(&run->arena, bytes);
}

void *run_calloc(struct encode_run *run, uint64_t count, size_t size)
{
	return arena_calloc(&run->arena, count, size);
}

enum smelt_status run_pass_status(const struct encode_run *run, struct smelt_error *error)
{
	return atomic_load(&run->out_of_memory) ? error_no_memory(error) : SMELT_OK;
}

static enum smelt_status run_init(struct encode_run *run, struct smelt_error *error)
{
	unsigned worker_count;
	enum smelt_status status = worker_pool_create(run->options->jobs, &run->pool, error);

	if (status)
		return status;
	arena_init(&run->arena);
	worker_pool_set_shuffle(run->pool, run->options->shuffle_seed);
	worker_pool_set_jobserver(run->pool, run->options->jobserver);
	worker_count = worker_pool_size(run->pool);
	run->workers =
		aligned_alloc(_Alignof(struct run_worker), worker_count * sizeof(*run->workers));
	if (!run->workers)
		return error_no_memory(error);
	for (unsigned i = 0; i < worker_count; i++)
		arena_init(&run->workers[i].arena);
	return dedup_create(run->pool, run->options->hash_bits, &run->dedup, error);
}

/* In reverse order of making; whatever was not made is zero. */
static void run_deinit(struct encode_run *run)
{
	string_table_deinit(&run->strings);
	arena_pointers_deinit(&run->arena_pointers);
	prototype_table_destroy(run->prototypes);
	key_map_deinit(&run->starts.numbers);
	section_map_deinit(&run->sections);
	dedup_destroy(run->dedup);
	symbol_groups_destroy(run->groups);
	dwarf_loader_destroy(run->loader);
	elf_file_close(run->file);
	arena_deinit(&run->arena);
	for (unsigned i = 0; run->workers && i < worker_pool_size(run->pool); i++)
		arena_deinit(&run->workers[i].arena);
	free(run->workers);
	worker_pool_destroy(run->pool);
}

static enum smelt_status create_loader(struct encode_run *run, struct smelt_error *error)
{
	const struct smelt_encode_options *options = run->options;
	const struct dwarf_load_options load = {
		.floats = run_has(run, SMELT_BTF_FLOAT),
		.wide_enums = run_has(run, SMELT_BTF_ENUM64),
		.type_tags = run_has(run, SMELT_BTF_TYPE_TAG),
		.decl_tags = run_has(run, SMELT_BTF_DECL_TAG),
		.variables = run_has(run, SMELT_BTF_VAR | SMELT_BTF_GLOBAL_VAR),
		.true_signatures = run_has(run, SMELT_BTF_TRUE_SIGNATURE),
		.fixup_silly_bitfields = options->fixup_silly_bitfields,
		.languages = options->languages,
		.language_count = options->language_count,
		.languages_excluded = options->languages_excluded,
		.unit_exclude_prefix = options->unit_exclude_prefix,
		.kabi_prefix = options->kabi_prefix,
	};
	enum smelt_status status = dwarf_loader_create(run->file, &load, &run->loader, error);

	if (!status)
		run->names = dwarf_loader_names(run->loader);
	return status;
}

static enum smelt_status intern_text(struct encode_run *run, const char *text, uint32_t *name,
				     struct smelt_error *error)
{
	*name = name_table_intern(run->names, text, strlen(text));
	return *name == UINT32_MAX ? error_no_memory(error) : SMELT_OK;
}

/* Texts of ours, so that tags of the source with the same text are the same tags. */
static enum smelt_status intern_texts(struct encode_run *run, struct smelt_error *error)
{
	enum smelt_status status = intern_text(run, "__unnamed", &run->text_unnamed, error);

	if (!status)
		status = intern_text(run, "bpf_kfunc", &run->text_kfunc, error);
	if (!status)
		status = intern_text(run, "bpf_fastcall", &run->text_fastcall, error);
	if (!status)
		status = intern_text(run, "address_space(1)", &run->text_arena, error);
	return status;
}

/* Names of function symbols decide which functions are worth recording, so there is no going on without. */
static enum smelt_status group_symbols(struct encode_run *run, struct smelt_error *error)
{
	enum smelt_status status =
		symbol_groups_create(run->file, run->names, run->pool, &run->groups, error);

	/* Not the absence of DWARF that callers may take for success. */
	if (status == SMELT_NO_DEBUG_INFO)
		return error_set(error, SMELT_UNSUPPORTED,
				 "%s: no symbol table to tell which functions are there",
				 elf_file_path(run->file));
	return status;
}

/* The passes. A pass that is over is marked with how long it took. */
static enum smelt_status run_passes(struct encode_run *run, const char *path,
				    struct smelt_error *error)
{
	struct pass_clock clock;
	enum smelt_status status;

	pass_clock_init(&clock, run->report, run->pool);
	status = elf_file_open(path, &run->file, error);
	pass_clock_lap(&clock, "open");

	if (!status)
		status = create_loader(run, error);
	pass_clock_lap(&clock, "index units");

	if (!status)
		status = group_symbols(run, error);
	pass_clock_lap(&clock, "group symbols");

	if (!status)
		status = load_units(run, error);
	pass_clock_lap(&clock, "load units");

	/* No more types from here on. */
	if (!status)
		status = settle_types(run, error);
	if (!status)
		status = intern_texts(run, error);
	pass_clock_lap(&clock, "settle types");

	if (!status)
		status = choose_variables(run, error);
	if (!status)
		status = check_symbols(run, error);
	pass_clock_lap(&clock, "choose variables");

	if (!status)
		status = order_functions(run, error);
	if (!status)
		status = choose_functions(run, error);
	pass_clock_lap(&clock, "choose functions");

	/* What is encoded is known; now where it goes. */
	if (!status)
		status = collect_type_tags(run, error);
	if (!status)
		status = number_records(run, error);
	pass_clock_lap(&clock, "number records");

	if (!status && run->record_count > 0)
		status = collect_strings(run, error);
	pass_clock_lap(&clock, "order strings");

	if (!status && run->record_count > 0)
		status = emit_records(run, error);
	pass_clock_lap(&clock, "emit");
	return status;
}

enum smelt_status encode_file(const char *path, const struct smelt_encode_options *options,
			      struct smelt_encode_report *report, struct smelt_btf_blob *blob,
			      struct smelt_error *error)
{
	struct encode_run run = { .options = options, .report = report };
	enum smelt_status status = run_init(&run, error);

	if (!status)
		status = run_passes(&run, path, error);
	if (!status) {
		issue_log_report(&run.issues, run.names, options->warning, options->context);
		report->btf_bytes = run.blob.size;
		*blob = run.blob;
	} else {
		free(run.blob.data);
	}
	run_deinit(&run);
	return status;
}
