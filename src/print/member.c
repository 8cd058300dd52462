/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The line of a data member: declaration, padding to the column of comments, offset and size. */
#include <stdlib.h>

#include "print/parts.h"

enum {
	PACKED_BYTES = 28, /* of " __attribute__((__packed__))" */
	COMMENT_GAP = 3,   /* what the incumbent takes off for "};" behind a nameless body */
	NUMBER_BYTES_MAX = 32,
};

void print_alignment(struct printer *printer, uint64_t alignment)
{
	text_string(printer->text, " __attribute__((__aligned__(");
	text_number(printer->text, alignment);
	text_string(printer->text, ")))");
}

void print_comment_begin(struct printer *printer)
{
	text_colour(printer->text, TEXT_COMMENT);
	text_string(printer->text, "/* ");
}

void print_comment_end(struct printer *printer)
{
	text_string(printer->text, " */");
	text_colour(printer->text, TEXT_PLAIN);
}

/* Before the first member in a cache line: says so, and how far back its start is. */
static void print_cacheline(struct printer *printer, uint64_t offset, const struct place *place)
{
	uint64_t size = printer->layouts->cacheline_size;
	uint64_t line = offset / size;
	uint64_t past = offset % size;

	if (line <= printer->cacheline)
		return;
	printer->cacheline = line;
	if (printer->style->is_quiet || place->hides_offsets)
		return;
	print_comment_begin(printer);
	text_string(printer->text, "--- cacheline ");
	text_number(printer->text, line);
	text_string(printer->text, " boundary (");
	text_number(printer->text, offset - past);
	text_string(printer->text, " bytes)");
	if (past) {
		text_string(printer->text, " was ");
		text_number(printer->text, past);
		text_string(printer->text, past > 1 ? " bytes ago" : " byte ago");
	}
	text_string(printer->text, " ---");
	print_comment_end(printer);
	text_char(printer->text, '\n');
	print_indent(printer, place);
}

/* Right-justified. */
static void print_column_number(struct printer *printer, uint64_t number, size_t width)
{
	struct text *text = printer->text;
	size_t start = text->size;
	size_t size;

	if (printer->style->is_hex)
		text_hex(text, number);
	else
		text_number(text, number);
	size = text->size - start;
	if (size >= width || text->failed)
		return;
	text_fill(text, ' ', width - size);
	if (text->failed)
		return;
	memmove(text->data + start + width - size, text->data + start, size);
	memset(text->data + start, ' ', width - size);
}

/* An offset, and the size; of bit fields also the position in the storage. */
static void print_place_comment(struct printer *printer, uint64_t offset,
				const struct member_layout *layout)
{
	print_comment_begin(printer);
	print_column_number(printer, offset, 5);
	if (layout->bit_size) {
		text_char(printer->text, ':');
		print_column_number(printer, layout->bit_position, 2);
		text_char(printer->text, ' ');
		print_column_number(printer, layout->size, 2);
	} else {
		text_char(printer->text, ' ');
		print_column_number(printer, layout->size, 5);
	}
	print_comment_end(printer);
}

/*
 * Blanks up to the comment. Behind a body without a name the column is counted from the name, everything
 * else from the first byte of the member, newlines and all.
 */
static void print_gap(struct printer *printer, const struct program_member *member, bool is_packed,
		      size_t alignment_bytes, size_t start, const struct place *place)
{
	int column = place->type_width + place->name_width;
	size_t done = text_width(printer->text) - start;
	const struct program_type *type = &printer->program->types[member->type];

	if (declaration_is_anonymous_body(printer, member->type)) {
		int name = member->name ? (int)strlen(member->name) : -1;
		const struct aggregate_layout *body =
			type->kind == TYPE_STRUCT ? layout_of(printer->layouts, member->type) :
						    NULL;

		name += (int)alignment_bytes;
		if (body && (body->is_packed || is_packed) && !printer->style->suppresses_packed)
			name += PACKED_BYTES;
		column = abs(column - name - COMMENT_GAP);
		text_fill(printer->text, ' ', column > 1 ? (size_t)column : 1);
		return;
	}
	text_fill(printer->text, ' ',
		  column > 0 && (size_t)column > done ? (size_t)column - done : 1);
}

static void print_name_and_type(struct printer *printer, const struct program_member *member,
				const struct place *place)
{
	if (member->kind == MEMBER_BASE) {
		text_string(printer->text, "/* ");
		print_declaration(printer, member->type, "<ancestor>", place);
		text_string(printer->text, "; */");
	} else {
		print_declaration(printer, member->type, member->name, place);
	}
}

void print_member(struct printer *printer, uint32_t aggregate, uint32_t entry,
		  const struct place *place)
{
	const struct program *program = printer->program;
	const struct program_member *member =
		&program_members(program, &program->types[aggregate])[entry];
	const struct aggregate_layout *outer = layout_of(printer->layouts, aggregate);
	const struct member_layout *layout;
	struct place inner = *place;
	size_t start, alignment_bytes = 0;

	if (!outer)
		return;
	layout = &outer->members[entry];
	/* In source that compiles it is the outer type that gets what it needs. */
	inner.is_packed = !printer->plans &&
			  layout_member_is_packed(printer->layouts, aggregate, entry);
	inner.base = layout->offset + (place->is_relative ? 0 : place->base);
	print_cacheline(printer, inner.base, place);
	start = text_width(printer->text);
	print_name_and_type(printer, member, &inner);
	if (layout->bit_size) {
		text_char(printer->text, ':');
		text_number(printer->text, layout->bit_size);
	}
	if (layout->alignment && !printer->style->suppresses_alignment &&
	    !(printer->plans && printer->plans[aggregate])) {
		size_t before = text_width(printer->text);

		print_alignment(printer, layout->alignment);
		alignment_bytes = text_width(printer->text) - before;
	}
	if (member->kind != MEMBER_BASE)
		text_char(printer->text, ';');
	if (printer->style->is_quiet || place->hides_offsets)
		return;
	print_gap(printer, member, inner.is_packed, alignment_bytes, start, place);
	print_place_comment(printer, inner.base, layout);
}
