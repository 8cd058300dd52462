/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#include "print/show.h"

#include <stdlib.h>

#include "print/show_parts.h"

enum {
	TEXT_LIMIT =
		256
		<< 20, /* of one type; the largest of a kernel has some 10 KiB, expanded 1 MiB */
	FLUSH_BYTES = 64 << 10,
	CACHELINE_SIZE = 64,
};

static struct print_style style_from(uint32_t bits)
{
	return (struct print_style){
		.expands_types = bits & SMELT_STYLE_EXPAND_TYPES,
		.expands_pointers = bits & SMELT_STYLE_EXPAND_POINTERS,
		.is_relative = bits & SMELT_STYLE_RELATIVE,
		.is_hex = bits & SMELT_STYLE_HEX,
		.is_quiet = bits & SMELT_STYLE_QUIET,
		.only_data_members = bits & SMELT_STYLE_DATA_ONLY,
		.shows_biggest_member = bits & SMELT_STYLE_BIGGEST,
		.shows_origin = bits & SMELT_STYLE_ORIGIN,
		.classes_as_structs = bits & SMELT_STYLE_CLASSES_AS_STRUCTS,
		.has_flat_arrays = bits & SMELT_STYLE_FLAT_ARRAYS,
		.suppresses_alignment = bits & SMELT_STYLE_NO_ALIGNED,
		.suppresses_force_padding = bits & SMELT_STYLE_NO_FORCED_PADDING,
		.suppresses_packed = bits & SMELT_STYLE_NO_PACKED,
	};
}

enum smelt_status show_create(const struct smelt_show_options *options, struct smelt_show **result,
			      struct smelt_error *error)
{
	struct smelt_show *show = calloc(1, sizeof(*show));

	if (!show)
		return error_no_memory(error);
	show->options = options;
	show->style = style_from(options->style);
	show->scratch.limit = TEXT_LIMIT;
	show->scratch.has_colours = options->style & SMELT_STYLE_COLOUR;
	if (options->names) {
		show->lookup = name_lookup_create(options->names, options->name_count);
		if (!show->lookup) {
			show_destroy(show);
			return error_no_memory(error);
		}
	}
	*result = show;
	return SMELT_OK;
}

static void run_destroy(struct show_run *run)
{
	printer_deinit(&run->printer);
	layouts_deinit(&run->layouts);
	free(run);
}

void show_destroy(struct smelt_show *show)
{
	if (!show)
		return;
	for (size_t i = 0; i < show->runs.count; i++)
		run_destroy(show->runs.items[i]);
	vector_deinit(&show->runs);
	vector_deinit(&show->entries);
	name_lookup_destroy(show->lookup);
	seen_set_deinit(&show->seen);
	text_deinit(&show->text);
	text_deinit(&show->scratch);
	free(show);
}

static enum smelt_status run_create(struct smelt_show *show, const struct program *program,
				    struct show_run **result, struct smelt_error *error)
{
	struct show_run *run = calloc(1, sizeof(*run));
	uint32_t cacheline = show->options->cacheline_size;
	enum smelt_status status;

	if (!run)
		return error_no_memory(error);
	run->program = program;
	status =
		layouts_init(&run->layouts, program, cacheline ? cacheline : CACHELINE_SIZE, error);
	printer_init(&run->printer, &run->layouts, &show->style, &show->scratch);
	if (status) {
		run_destroy(run);
		return status;
	}
	*result = run;
	return SMELT_OK;
}

enum smelt_status show_flush(struct smelt_show *show, bool all, struct smelt_error *error)
{
	struct text *text = &show->text;

	if (text->failed)
		return error_no_memory(error);
	if (text->size < FLUSH_BYTES && !all)
		return SMELT_OK;
	if (text->size > 0 &&
	    !show->options->output(show->options->context, text->data, text->size))
		return error_set(error, SMELT_OS_ERROR, "output stopped");
	text_reset(text);
	return SMELT_OK;
}

enum smelt_status show_type(struct smelt_show *show, struct show_run *run, uint32_t type,
			    bool *is_new, struct smelt_error *error)
{
	enum smelt_status status;
	uint32_t number;
	bool first;

	text_reset(&show->scratch);
	print_definition(&run->printer, type);
	status = printer_status(&run->printer, type, error);
	if (status)
		return status;
	if (!seen_set_add(&show->seen, show->scratch.data, show->scratch.size, &number, &first))
		return error_no_memory(error);
	if (is_new)
		*is_new = first;
	if (!first)
		return SMELT_OK;
	text_bytes(&show->text, show->scratch.data, show->scratch.size);
	if (show->lookup)
		text_char(&show->text, '\n');
	return show_flush(show, false, error);
}

static bool is_listed(const struct program *program, uint32_t number)
{
	const struct program_type *type = &program->types[number];

	return type_kind_is_aggregate(type->kind) && type->name && type->scope == 0;
}

static enum smelt_status show_later(struct smelt_show *show, struct show_run *run, uint32_t type,
				    struct smelt_error *error)
{
	struct show_entry *entry = vector_push(&show->entries);

	if (!entry)
		return error_no_memory(error);
	*entry = (struct show_entry){ run, type, (uint32_t)show->entries.count };
	return SMELT_OK;
}

static enum smelt_status show_all(struct smelt_show *show, struct show_run *run,
				  struct smelt_error *error)
{
	enum smelt_status status = SMELT_OK;

	for (uint32_t type = 1; type < run->program->type_count && !status; type++) {
		if (!is_listed(run->program, type))
			continue;
		status = show->options->sort ? show_later(show, run, type, error) :
					       show_type(show, run, type, NULL, error);
	}
	return status;
}

enum smelt_status show_add(struct smelt_show *show, const struct program *program,
			   struct smelt_error *error)
{
	struct show_run **kept;
	struct show_run *run = NULL;
	enum smelt_status status = run_create(show, program, &run, error);

	if (status)
		return status;
	status = show->lookup ? show_named(show, run, error) : show_all(show, run, error);
	if (!show->options->sort || status) {
		run_destroy(run);
		return status;
	}
	kept = vector_push(&show->runs);
	if (!kept) {
		run_destroy(run);
		return error_no_memory(error);
	}
	*kept = run;
	return SMELT_OK;
}

enum smelt_status show_finish(struct smelt_show *show, struct smelt_error *error)
{
	enum smelt_status status = SMELT_OK;

	show_sort(show);
	for (size_t i = 0; i < show->entries.count && !status; i++)
		status = show_type(show, show->entries.items[i].run, show->entries.items[i].type,
				   NULL, error);
	return status ? status : show_flush(show, true, error);
}

bool show_found(const struct smelt_show *show, size_t index)
{
	return show->lookup && name_lookup_found(show->lookup, index);
}
