/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* --reorganize and --packable. */
#include "layout/reorganize.h"

#include <stdlib.h>

#include "print/parts.h"
#include "print/show_parts.h"

static bool can_be_reorganized(const struct show_run *run, uint32_t type)
{
	return run->program->types[type].kind == TYPE_STRUCT;
}

static enum smelt_status prepare(struct show_run *run, struct smelt_error *error)
{
	if (run->source.layouts)
		return SMELT_OK;
	return source_layouts_init(&run->source, &run->layouts, error);
}

enum smelt_status show_packed_size(struct smelt_show *show, struct show_run *run, uint32_t type,
				   uint64_t *size, struct smelt_error *error)
{
	struct reorganize_options options = { .keeps_cachelines = show->options->keep_cachelines };
	struct reorganized result;
	enum smelt_status status = prepare(run, error);

	*size = run->program->types[type].size;
	if (status || !can_be_reorganized(run, type))
		return status;
	if (!reorganize(&run->source, type, &options, &result))
		return error_no_memory(error);
	*size = result.new_size;
	reorganized_deinit(&result);
	return SMELT_OK;
}

static const char *member_name(const struct show_run *run, uint32_t type, uint32_t entry)
{
	const struct program_type *aggregate = &run->program->types[type];
	const char *name = program_members(run->program, aggregate)[entry].name;

	return name ? name : "(anonymous)";
}

static void print_place(struct text *text, const struct show_run *run, uint32_t type,
			const char *word, uint32_t after)
{
	text_string(text, word);
	if (after == UINT32_MAX) {
		text_string(text, "the start");
		return;
	}
	text_string(text, "after '");
	text_string(text, member_name(run, type, after));
	text_char(text, '\'');
}

static void print_move(struct text *text, const struct show_run *run, uint32_t type,
		       const struct reorganize_move *move)
{
	text_string(text, "/* Moving '");
	text_string(text, member_name(run, type, move->entry));
	print_place(text, run, type, "' from ", move->after_before);
	print_place(text, run, type, " to ", move->after_now);
	text_string(text, " */\n");
}

/* The struct as it is after a move, up to the brace and its attributes. */
static enum smelt_status print_arranged(struct show_run *run, uint32_t type, const uint32_t *order,
					uint64_t size, const struct print_style *style,
					struct smelt_error *error)
{
	uint32_t count = run->program->types[type].item_count;
	const struct aggregate_layout *old = run->layouts.by_type[type];
	const struct aggregate_layout *arranged = NULL;
	uint64_t *offsets = calloc(count + 1u, sizeof(*offsets));
	struct place place = printer_place(&run->printer, type);

	if (offsets && reorganize_place(&run->source, type, order, offsets))
		arranged = layout_arrange(&run->layouts, type, order, offsets, size);
	free(offsets);
	if (!arranged)
		return error_no_memory(error);
	run->layouts.by_type[type] = arranged;
	run->printer.style = style;
	run->printer.cacheline = 0;
	print_type(&run->printer, type, &place);
	print_struct_alignment(&run->printer, type);
	run->layouts.by_type[type] = old;
	return printer_status(&run->printer, type, error);
}

static void print_count(struct text *text, uint64_t count, const char *unit)
{
	text_number(text, count);
	text_char(text, ' ');
	text_string(text, unit);
	if (count != 1)
		text_char(text, 's');
}

static void print_savings(struct smelt_show *show, struct show_run *run,
			  const struct reorganized *result)
{
	uint64_t line = run->layouts.cacheline_size;
	uint64_t lines =
		(result->old_size + line - 1) / line - (result->new_size + line - 1) / line;
	struct text *text = run->printer.text;

	(void)show;
	text_string(text, ";");
	if (result->new_size < result->old_size) {
		text_string(text, "   /* saved ");
		print_count(text, result->old_size - result->new_size, "byte");
		if (lines) {
			text_string(text, " and ");
			print_count(text, lines, "cacheline");
		}
		text_string(text, "! */");
	}
	text_char(text, '\n');
}

static enum smelt_status print_steps(struct smelt_show *show, struct show_run *run, uint32_t type,
				     const struct reorganized *result, struct smelt_error *error)
{
	static const struct print_style usual;
	struct text *text = run->printer.text;
	enum smelt_status status = SMELT_OK;

	for (size_t i = 0; i < result->moves.count && !status; i++) {
		const struct reorganize_move *move = &result->moves.items[i];

		if (!show->options->reorganize_steps && !show->options->counts)
			return SMELT_OK;
		print_move(text, run, type, move);
		if (!show->options->reorganize_steps)
			continue;
		status = print_arranged(run, type, result->orders.items + move->order, move->size,
					&usual, error);
		text_char(text, '\n');
	}
	if (result->moves.count && !status) {
		text_char(text, '\n');
		if (show->options->reorganize_steps)
			text_string(text, "/* Final reorganized struct: */\n");
	}
	return status;
}

static enum smelt_status print_result(struct smelt_show *show, struct show_run *run, uint32_t type,
				      const struct reorganized *result, struct smelt_error *error)
{
	const struct reorganize_move *last;
	enum smelt_status status = print_steps(show, run, type, result, error);
	struct place place;

	if (status)
		return status;
	if (result->moves.count > 0) {
		last = &result->moves.items[result->moves.count - 1];
		return print_arranged(run, type, result->orders.items + last->order, last->size,
				      &show->style, error);
	}
	place = printer_place(&run->printer, type);
	run->printer.style = &show->style;
	run->printer.cacheline = 0;
	print_type(&run->printer, type, &place);
	print_struct_alignment(&run->printer, type);
	return printer_status(&run->printer, type, error);
}

enum smelt_status show_reorganized(struct smelt_show *show, struct show_run *run, uint32_t type,
				   struct smelt_error *error)
{
	struct reorganize_options options = { .keeps_cachelines = show->options->keep_cachelines,
					      .wants_moves = true };
	struct reorganized result;
	enum smelt_status status = prepare(run, error);
	uint32_t number;
	bool is_new;

	if (status || !can_be_reorganized(run, type))
		return status;
	status = show_note(show, run, type, &number, &is_new, error);
	if (status || !is_new)
		return status;
	if (!reorganize(&run->source, type, &options, &result))
		return error_no_memory(error);
	text_reset(&show->scratch);
	status = print_result(show, run, type, &result, error);
	if (!status) {
		print_savings(show, run, &result);
		text_bytes(&show->text, show->scratch.data, show->scratch.size);
		status = show_flush(show, false, error);
	}
	reorganized_deinit(&result);
	return status;
}
