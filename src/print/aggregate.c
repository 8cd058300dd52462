/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Bodies of structs and unions. */
#include "print/parts.h"

/* A struct while its entries are printed. */
struct body {
	struct printer *printer;
	uint32_t type;
	const struct program_member *members;
	const struct aggregate_layout *layout;
	const struct source_plan *plan; /* or NULL */
	struct place place;             /* inside */
	bool has_gap; /* comments were printed: an empty line before what comes next */
	const struct member_layout *previous; /* data member; NULL: none yet */
	uint64_t previous_size; /* as far as it matters for overlaps, see print_overlap() */
	uint8_t accessibility;
};

/* A comment on a line of its own between members, with an empty line before the first. */
static void begin_note(struct body *body)
{
	if (!body->has_gap) {
		text_char(body->printer->text, '\n');
		body->has_gap = true;
	}
}

static void print_hole(struct printer *printer, int64_t size, const char *unit)
{
	text_colour(printer->text, TEXT_WARNING);
	text_string(printer->text, "/* XXX ");
	text_signed(printer->text, size);
	text_char(printer->text, ' ');
	text_string(printer->text, unit);
	text_string(printer->text, size == 1 ? "" : "s");
	text_string(printer->text, " hole, try to pack */");
	text_colour(printer->text, TEXT_PLAIN);
}

/* Before the first member. */
static void print_first_holes(struct body *body)
{
	const struct aggregate_layout *layout = body->layout;

	if (body->printer->style->is_quiet)
		return;
	if (layout->first_bit_hole > 0) {
		begin_note(body);
		print_indent(body->printer, &body->place);
		print_hole(body->printer, layout->first_bit_hole, "bit");
		text_char(body->printer->text, '\n');
	}
	if (layout->first_hole > 0) {
		begin_note(body);
		print_indent(body->printer, &body->place);
		print_hole(body->printer, layout->first_hole, "byte");
		text_char(body->printer->text, '\n');
	}
}

/* After a member. */
static void print_holes(struct body *body, const struct member_layout *member)
{
	struct printer *printer = body->printer;

	if (member->bit_hole != 0) {
		begin_note(body);
		text_char(printer->text, '\n');
		print_indent(printer, &body->place);
		print_hole(printer, member->bit_hole, "bit");
	}
	if (member->hole > 0) {
		begin_note(body);
		text_char(printer->text, '\n');
		print_indent(printer, &body->place);
		print_hole(printer, member->hole, "byte");
	}
}

static void list_item(struct printer *printer, bool *is_first)
{
	text_string(printer->text, *is_first ? "/* XXX last struct has " : ", ");
	*is_first = false;
}

static void list_count(struct printer *printer, uint64_t count, const char *one, const char *many,
		       bool *is_first)
{
	if (count == 0)
		return;
	list_item(printer, is_first);
	text_number(printer->text, count);
	text_string(printer->text, count == 1 ? one : many);
}

/* What is inside a member that is a struct itself. */
static void print_nested(struct body *body, uint32_t type)
{
	struct printer *printer = body->printer;
	const struct type_facts *facts;
	const struct aggregate_layout *nested;
	bool is_first = true;

	if (printer->program->types[type].kind != TYPE_STRUCT)
		return;
	facts = facts_of(&printer->layouts->facts, type);
	nested = layout_of(printer->layouts, type);
	if (!nested ||
	    !(facts->ends_in_flexible_array || facts->embeds_flexible_array || nested->padding ||
	      nested->bit_padding || nested->hole_count || nested->bit_hole_count))
		return;
	begin_note(body);
	text_char(printer->text, '\n');
	print_indent(printer, &body->place);
	text_colour(printer->text, TEXT_WARNING);
	if (facts->ends_in_flexible_array) {
		list_item(printer, &is_first);
		text_string(printer->text, "a flexible array");
	}
	if (facts->embeds_flexible_array) {
		list_item(printer, &is_first);
		text_string(printer->text, "embedded flexible array(s)");
	}
	list_count(printer, nested->padding, " byte of padding", " bytes of padding", &is_first);
	list_count(printer, nested->bit_padding, " bit of padding", " bits of padding", &is_first);
	list_count(printer, nested->hole_count, " hole", " holes", &is_first);
	list_count(printer, nested->bit_hole_count, " bit hole", " bit holes", &is_first);
	text_string(printer->text, " */");
	text_colour(printer->text, TEXT_PLAIN);
}

/*
 * A bit field without a name where the source must have had one: it moves the next field to
 * another storage unit, or skips bits.
 */
static void print_filler(struct body *body, uint32_t type, const struct member_layout *member)
{
	struct printer *printer = body->printer;
	bool is_same_unit = body->previous->offset == member->offset;
	int64_t bits = is_same_unit ? body->previous->bit_hole : 0;

	if (bits < 0)
		return;
	if (!is_same_unit) {
		text_char(printer->text, '\n');
		print_indent(printer, &body->place);
		print_comment_begin(printer);
		text_string(printer->text, "Force alignment to the next boundary:");
		print_comment_end(printer);
		text_char(printer->text, '\n');
	}
	print_indent(printer, &body->place);
	print_declaration(printer, type, NULL, &body->place);
	text_char(printer->text, ':');
	text_signed(printer->text, bits);
	text_string(printer->text, ";\n");
}

static void print_combined(struct body *body, const char *with)
{
	struct printer *printer = body->printer;

	if (printer->style->is_quiet)
		return;
	begin_note(body);
	print_indent(printer, &body->place);
	print_comment_begin(printer);
	text_string(printer->text, "Bitfield combined with ");
	text_string(printer->text, with);
	text_string(printer->text, " fields");
	print_comment_end(printer);
	text_char(printer->text, '\n');
}

/* Storage units can overlap: those of bit fields with other units, and with ordinary members. */
static void print_overlap(struct body *body, const struct member_layout *member)
{
	const struct member_layout *previous = body->previous;

	if (member->offset < previous->offset ||
	    (member->offset == previous->offset && !previous->bit_size && member->bit_size))
		print_combined(body, "previous");
	else if (member->offset > previous->offset &&
		 member->offset - previous->offset < body->previous_size)
		print_combined(body, "next");
}

static void print_gap_array(struct printer *printer, uint64_t bytes, const struct place *place)
{
	print_indent(printer, place);
	text_string(printer->text, "char __gap");
	text_number(printer->text, printer->gap_count++);
	text_char(printer->text, '[');
	text_number(printer->text, bytes);
	text_string(printer->text, "];\n");
}

static void print_gap_field(struct printer *printer, uint64_t bits, const struct place *place)
{
	if (bits == 0)
		return;
	print_indent(printer, place);
	text_string(printer->text, "int :");
	text_number(printer->text, bits);
	text_string(printer->text, ";\n");
}

/*
 * Unnamed bit fields over the bits from `start` on; an array instead where these would be too many. Only
 * in packed types, where they do not align anything.
 */
static void print_gap_fields(struct printer *printer, uint64_t start, uint64_t bits,
			     const struct place *place)
{
	enum { FIELD_BITS = 32, FIELDS_MAX = 8 };

	if (bits > FIELD_BITS * FIELDS_MAX) {
		uint64_t lead = -start % 8;

		print_gap_field(printer, lead, place);
		print_gap_array(printer, (bits - lead) / 8, place);
		bits = (bits - lead) % 8;
	}
	for (; bits > FIELD_BITS; bits -= FIELD_BITS)
		print_gap_field(printer, FIELD_BITS, place);
	print_gap_field(printer, bits, place);
}

static void print_data_member(struct body *body, uint32_t entry)
{
	struct printer *printer = body->printer;
	const struct program_member *member = &body->members[entry];
	const struct member_layout *layout = &body->layout->members[entry];

	if (body->plan)
		print_gap_fields(printer, layout->bit_offset - body->plan->gaps[entry],
				 body->plan->gaps[entry], &body->place);
	if (body->previous && body->previous_size && layout->is_placed) {
		if (body->previous->bit_hole && layout->bit_size && !body->plan)
			print_filler(body, member->type, layout);
		print_overlap(body, layout);
	}
	if (body->has_gap)
		text_char(printer->text, '\n');
	body->has_gap = false;

	body->place.is_only_member = !body->previous;
	print_indent(printer, &body->place);
	print_member(printer, body->type, entry, &body->place);
	if (!printer->style->is_quiet) {
		print_nested(body, member->type);
		print_holes(body, layout);
	}
	text_char(printer->text, '\n');

	if (!layout->is_placed)
		return;
	if (!body->previous || body->previous_size == 0 ||
	    body->previous->offset != layout->offset ||
	    (!body->previous->bit_size && layout->bit_size))
		body->previous_size = layout->size;
	body->previous = layout;
}

static void print_entries(struct body *body)
{
	struct printer *printer = body->printer;
	uint32_t count = printer->program->types[body->type].item_count;

	print_first_holes(body);
	for (uint32_t i = 0; i < count && !printer->text->failed; i++) {
		uint32_t entry = layout_entry(body->layout, i);

		body->place.is_last_member = i == count - 1 && !(body->plan && body->plan->end_gap);
		print_accessibility(printer, &body->members[entry], &body->accessibility,
				    &body->place);
		if (body->members[entry].kind <= MEMBER_BASE)
			print_data_member(body, entry);
		else
			print_other_entry(printer, &body->members[entry], &body->place);
	}
}

/*
 * Unnamed bit fields that make up for padding that nothing recorded explains: source that forced an
 * alignment or a size in a way that is not described. Padding below the natural alignment is no riddle.
 */
static void print_forced_padding(struct body *body)
{
	struct printer *printer = body->printer;
	const struct program *program = printer->program;
	const struct program_type *type = &program->types[body->type];
	const struct member_layout *last = body->previous;
	uint64_t padding = body->layout->padding;

	if (!program->has_alignment || body->layout->alignment ||
	    printer->style->suppresses_force_padding || !last || padding <= program->address_size ||
	    padding < facts_of(&printer->layouts->facts, body->type)->alignment ||
	    last->size == 0 || last->size & (last->size - 1))
		return;
	text_char(printer->text, '\n');
	print_indent(printer, &body->place);
	print_comment_begin(printer);
	text_string(printer->text, "Force padding:");
	print_comment_end(printer);
	text_char(printer->text, '\n');
	for (uint64_t done = 0; done + last->size <= padding && !printer->text->failed;
	     done += last->size) {
		print_indent(printer, &body->place);
		print_declaration(printer, body->members[type->item_count - 1].type, NULL,
				  &body->place);
		text_char(printer->text, ':');
		text_number(printer->text, last->size * 8);
		text_string(printer->text, ";\n");
	}
}

void print_head(struct printer *printer, const char *keyword, uint32_t type)
{
	const char *name = printer_name(printer, type);

	text_colour(printer->text, TEXT_KEYWORD);
	text_string(printer->text, keyword);
	text_colour(printer->text, TEXT_PLAIN);
	if (name) {
		text_char(printer->text, ' ');
		text_colour(printer->text, TEXT_NAME);
		text_string(printer->text, name);
		text_colour(printer->text, TEXT_PLAIN);
	}
}

static const char *struct_keyword(const struct printer *printer, const struct program_type *type)
{
	if (printer->style->classes_as_structs)
		return "struct";
	return type->flags & TYPE_INTERFACE ? "interface" :
	       type->flags & TYPE_CLASS     ? "class" :
					      "struct";
}

void print_struct(struct printer *printer, uint32_t number, const struct place *place)
{
	const struct program_type *type = &printer->program->types[number];
	struct body body = {
		.printer = printer,
		.type = number,
		.members = program_members(printer->program, type),
		.layout = layout_of(printer->layouts, number),
		.plan = printer->plans ? printer->plans[number] : NULL,
		.place = place_inside(place),
	};

	if (!body.layout)
		return;
	print_head(printer, struct_keyword(printer, type), number);
	print_bases(printer, number);
	text_string(printer->text, " {\n");
	print_entries(&body);
	if (body.plan)
		print_gap_fields(printer, body.layout->size * 8 - body.plan->end_gap,
				 body.plan->end_gap, &body.place);
	else
		print_forced_padding(&body);
	if (!printer->style->only_data_members)
		print_vtable(printer, number, &body.place);
	if (place->shows_summary && !printer->style->is_quiet)
		print_summary(printer, number, &body.place);
	print_indent(printer, place);
	text_char(printer->text, '}');
	if (body.plan ||
	    ((body.layout->is_packed || place->is_packed) && !printer->style->suppresses_packed))
		text_string(printer->text, " __attribute__((__packed__))");
}

void print_struct_alignment(struct printer *printer, uint32_t type)
{
	const struct source_plan *plan = printer->plans ? printer->plans[type] : NULL;
	const struct aggregate_layout *layout;

	if (plan) {
		if (plan->alignment > 1)
			print_alignment(printer, plan->alignment);
		return;
	}
	if (printer->program->types[type].kind != TYPE_STRUCT ||
	    printer->style->suppresses_alignment)
		return;
	layout = layout_of(printer->layouts, type);
	if (layout && layout->alignment && !layout->is_packed)
		print_alignment(printer, layout->alignment);
}

void print_union(struct printer *printer, uint32_t number, const struct place *place)
{
	const struct program_type *type = &printer->program->types[number];
	const struct program_member *members = program_members(printer->program, type);
	const struct source_plan *plan = printer->plans ? printer->plans[number] : NULL;
	struct place inner = place_inside(place);
	uint64_t cacheline = printer->cacheline;
	bool is_first = true;

	print_head(printer, "union", number);
	text_string(printer->text, " {\n");
	inner.in_union = true;
	for (uint32_t i = 0; i < type->item_count && !printer->text->failed; i++) {
		if (members[i].kind > MEMBER_BASE) {
			print_other_entry(printer, &members[i], &inner);
			continue;
		}
		inner.is_only_member = is_first;
		inner.is_last_member = i == type->item_count - 1;
		print_indent(printer, &inner);
		print_member(printer, number, i, &inner);
		text_char(printer->text, '\n');
		/* All members start together, so each may cross the same boundary. */
		printer->cacheline = cacheline;
		is_first = false;
	}
	if (plan && plan->end_gap)
		print_gap_array(printer, plan->end_gap / 8, &inner);
	print_indent(printer, place);
	text_char(printer->text, '}');
	if (plan)
		text_string(printer->text, " __attribute__((__packed__))");
}
