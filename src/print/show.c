/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#include "print/show_parts.h"

#include <stdlib.h>

enum {
	/* Of one type; the largest of a kernel has some 10 KiB, expanded 1 MiB. */
	TEXT_LIMIT = 256 << 20,
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
	compile_names_init(&show->compile_names);
	show->compile_scratch.limit = TEXT_LIMIT;
	if (options->compile) { /* no method is C, and what is in place would be defined twice */
		show->style.only_data_members = true;
		show->style.expands_types = show->style.expands_pointers = false;
	}
	show->text.limit = 2 * (size_t)TEXT_LIMIT;
	show->scratch.limit = TEXT_LIMIT;
	show->scratch.has_colours = options->style & SMELT_STYLE_COLOUR;
	if (options->selection != SMELT_SELECT_ALL) {
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
	free(run->typedef_names);
	free(run->pointing);
	if (run->source.layouts)
		source_layouts_deinit(&run->source);
	if (run->compile)
		compile_run_deinit(run->compile);
	free(run->compile);
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
	for (size_t i = 0; i < show->tallies.count; i++)
		free(show->tallies.items[i].name);
	vector_deinit(&show->tallies);
	name_lookup_destroy(show->lookup);
	seen_set_deinit(&show->seen);
	compile_names_deinit(&show->compile_names);
	text_deinit(&show->compile_scratch);
	text_deinit(&show->text);
	text_deinit(&show->scratch);
	free(show);
}

static enum smelt_status add_compile_run(struct smelt_show *show, struct show_run *run,
					 struct smelt_error *error)
{
	enum smelt_status status;

	run->compile = calloc(1, sizeof(*run->compile));
	if (!run->compile)
		return error_no_memory(error);
	status = compile_run_init(run->compile, &show->compile_names, &run->printer,
				  ++show->program_count, &show->compile_scratch, error);
	run->compile->skips_atomic = show->options->no_atomic_typedefs;
	if (status) {
		free(run->compile);
		run->compile = NULL;
	}
	return status;
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
	if (!status && show->options->compile)
		status = add_compile_run(show, run, error);
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

	if (text->is_too_long)
		return error_set(error, SMELT_UNSUPPORTED, "a list is longer than %zu MiB",
				 text->limit >> 20);
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

/*
 * What somebody sees of a type decides whether it was shown before. Lists show too little of it, so there it is
 * the definition in the usual style.
 */
static enum smelt_status print_type_text(struct smelt_show *show, struct show_run *run,
					 uint32_t type, struct smelt_error *error)
{
	static const struct print_style usual;

	text_reset(&show->scratch);
	run->printer.style = show->options->listing == SMELT_LIST_DEFINITIONS ? &show->style :
										&usual;
	if (!run->program->types[type].name && show_typedef_of(run, type)) {
		print_definition_with_typedef(&run->printer, type, show_typedef_of(run, type));
	} else {
		print_definition(&run->printer, type);
	}
	return printer_status(&run->printer, type, error);
}

enum smelt_status show_note(struct smelt_show *show, struct show_run *run, uint32_t type,
			    uint32_t *number, bool *is_new, struct smelt_error *error)
{
	enum smelt_status status = print_type_text(show, run, type, error);

	if (!status &&
	    !seen_set_add(&show->seen, show->scratch.data, show->scratch.size, number, is_new))
		status = error_no_memory(error);
	return status;
}

/* What is there already leaves an empty line; what is the same as something leaves nothing. */
static enum smelt_status plan_type(struct smelt_show *show, struct show_run *run, uint32_t type,
				   struct smelt_error *error)
{
	bool has_name = run->program->types[type].name != NULL;
	bool is_repeat;
	bool is_new = compile_add(run->compile, type, has_name ? 0 : show_typedef_of(run, type),
				  &is_repeat);

	if (!is_repeat && (!is_new || show->options->selection == SMELT_SELECT_NAMED))
		compile_add_empty_line(run->compile);
	return compile_status(run->compile, type, error);
}

static enum smelt_status print_plan(struct smelt_show *show, struct show_run *run,
				    struct smelt_error *error)
{
	enum smelt_status status = SMELT_OK;

	if (!run->compile)
		return SMELT_OK;
	run->printer.style = &show->style;
	for (size_t i = 0; i < run->compile->items.count && !status; i++) {
		text_reset(&show->scratch);
		compile_print(run->compile, i);
		status = printer_status(&run->printer, run->compile->items.items[i].type, error);
		if (!status)
			status = compile_status(run->compile, 0, error);
		text_bytes(&show->text, show->scratch.data, show->scratch.size);
		if (!status)
			status = show_flush(show, false, error);
	}
	if (status || !show->options->assertions)
		return status;
	text_reset(&show->scratch);
	compile_print_assertions(run->compile);
	text_bytes(&show->text, show->scratch.data, show->scratch.size);
	return printer_status(&run->printer, 0, error);
}

enum smelt_status show_type(struct smelt_show *show, struct show_run *run, uint32_t type,
			    struct smelt_error *error)
{
	uint32_t number;
	bool is_new;
	enum smelt_status status;

	if (run->compile)
		return plan_type(show, run, type, error);
	if (show->options->reorganize && show->options->selection == SMELT_SELECT_NAMED)
		return show_reorganized(show, run, type, error);
	status = show_note(show, run, type, &number, &is_new, error);
	if (status)
		return status;
	if (show->options->listing != SMELT_LIST_DEFINITIONS)
		return is_new || show->options->listing >= SMELT_LIST_REPEATS ?
			       show_list(show, run, type, number, error) :
			       SMELT_OK;
	if (!is_new)
		return SMELT_OK;
	text_bytes(&show->text, show->scratch.data, show->scratch.size);
	if (show->options->selection == SMELT_SELECT_NAMED)
		text_char(&show->text, '\n');
	return show_flush(show, false, error);
}

enum smelt_status show_type_or_defer(struct smelt_show *show, struct show_run *run, uint32_t type,
				     struct smelt_error *error)
{
	struct show_entry *entry;

	if (!show->options->sort)
		return show_type(show, run, type, error);
	entry = vector_push(&show->entries);
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
		uint64_t size;

		if (!show_filter_passes(show, run, type))
			continue;
		if (show->options->filter.only_packable) {
			status = show_packed_size(show, run, type, &size, error);
			if (status || size >= run->program->types[type].size)
				continue;
		}
		status = show_type_or_defer(show, run, type, error);
	}
	return status;
}

static enum smelt_status show_selection(struct smelt_show *show, struct show_run *run,
					struct smelt_error *error)
{
	switch (show->options->selection) {
	case SMELT_SELECT_ALL:
		return show->options->listing == SMELT_LIST_METHODS ?
			       show_pointed_to(show, run, error) :
			       show_all(show, run, error);
	case SMELT_SELECT_NAMED:
		return show_named(show, run, error);
	case SMELT_SELECT_CONTAINING:
		return show_containing(show, run, error);
	case SMELT_SELECT_POINTING:
		return show_pointing(show, run, error);
	case SMELT_SELECT_ENUMERATOR:
		return show_enumerators(show, run, error);
	case SMELT_SELECT_DEFINING_UNIT:
		return show_units(show, run, error);
	}
	return error_set(error, SMELT_BAD_ARGUMENT, "no such selection");
}

enum smelt_status show_add(struct smelt_show *show, const struct program *program,
			   struct smelt_error *error)
{
	struct show_run **kept;
	struct show_run *run = NULL;
	enum smelt_status status = run_create(show, program, &run, error);

	if (status)
		return status;
	status = show_selection(show, run, error);
	if (!show->options->sort && !status)
		status = print_plan(show, run, error);
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
				   error);
	for (size_t i = 0; i < show->runs.count && !status; i++)
		status = print_plan(show, show->runs.items[i], error);
	if (!status)
		status = show_list_tallies(show, error);
	return status ? status : show_flush(show, true, error);
}

bool show_found(const struct smelt_show *show, size_t index)
{
	return show->lookup && name_lookup_found(show->lookup, index);
}
