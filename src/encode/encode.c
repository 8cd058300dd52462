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

	return __builtin_mul_overflow(count, size, &bytes) ? NULL : arena_alloc(run->arena, bytes);
}

void *run_calloc(struct encode_run *run, uint64_t count, size_t size)
{
	return arena_calloc(run->arena, count, size);
}

uint32_t run_base_name(const struct encode_run *run, uint32_t name)
{
	const char *text = name_table_text(run->names, name);

	return text_index_find(run->base->texts, text, strlen(text));
}

enum smelt_status run_pass_status(const struct encode_run *run, struct smelt_error *error)
{
	return atomic_load(&run->out_of_memory) ? error_no_memory(error) : SMELT_OK;
}

/* In reverse order of making; whatever was not made is zero. */
static void run_deinit(struct encode_run *run)
{
	string_table_deinit(&run->strings);
	arena_pointers_deinit(&run->arena_pointers);
	prototype_table_destroy(run->prototypes);
	key_map_deinit(&run->starts.numbers);
	dedup_destroy(run->dedup);
	close_inputs(run);
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

/* What adds nothing to a base is still said to be nothing. */
static bool has_output(const struct encode_run *run)
{
	return run->record_count > 0 || run->base;
}

/* The passes. A pass that is over is marked with how long it took. */
static enum smelt_status run_passes(struct encode_run *run, const char *const *paths,
				    uint32_t path_count, struct smelt_error *error)
{
	struct pass_clock clock;
	enum smelt_status status;

	pass_clock_init(&clock, run->report, run->pool);
	status = open_inputs(run, paths, path_count, error);
	pass_clock_lap(&clock, "open");

	if (!status)
		status = index_inputs(run, error);
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

	if (!status && has_output(run))
		status = collect_strings(run, error);
	pass_clock_lap(&clock, "order strings");

	if (!status && has_output(run))
		status = emit_records(run, error);
	pass_clock_lap(&clock, "emit");

	if (run_has(run, SMELT_BTF_DISTILLED_BASE)) {
		if (!status && has_output(run))
			status = distill_base(run, error);
		pass_clock_lap(&clock, "distill base");
	}
	return status;
}

enum smelt_status encode_files(struct encode_session *session, const char *const *paths,
			       uint32_t path_count, const struct smelt_encode_options *options,
			       struct smelt_encode_report *report, struct smelt_btf_blob *blob,
			       struct smelt_error *error)
{
	struct encode_run run = {
		.options = options,
		.report = report,
		.base = options->base,
		.pool = session->pool,
		.workers = session->workers,
		.loading = session->loading,
		.arena = &session->arena,
	};
	enum smelt_status status;

	status = create_dedup(&run, error);
	if (!status)
		status = run_passes(&run, paths, path_count, error);
	if (!status) {
		issue_log_report(&run.issues, run.names, options->warning, options->context);
		report->btf_bytes = run.blob.size + run.blob.base_size;
		*blob = run.blob;
	} else {
		free(run.blob.data);
	}
	run_deinit(&run);
	return status;
}
