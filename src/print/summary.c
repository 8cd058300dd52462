/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The comments at the end of a struct: its size and what it is spent on. */
#include "print/parts.h"

struct summary {
	struct printer *printer;
	const struct place *place;
	const struct aggregate_layout *layout;
	struct nested_layout_counts nested;
	uint64_t size;
};

static void line_begin(const struct summary *summary, const char *what)
{
	print_indent(summary->printer, summary->place);
	print_comment_begin(summary->printer);
	text_string(summary->printer->text, what);
}

static void line_end(const struct summary *summary)
{
	print_comment_end(summary->printer);
	text_char(summary->printer->text, '\n');
}

static void item(const struct summary *summary, const char *name, uint64_t value)
{
	text_string(summary->printer->text, name);
	text_number(summary->printer->text, value);
}

static void print_size(const struct summary *summary, const struct type_facts *facts)
{
	uint64_t line = summary->printer->layouts->cacheline_size;
	uint64_t lines = facts->is_empty_class ? 0 : (summary->size + line - 1) / line;

	line_begin(summary, "size: ");
	text_number(summary->printer->text, summary->size);
	item(summary, ", cachelines: ", lines);
	item(summary, ", members: ", summary->layout->member_count);
	if (summary->layout->static_count)
		item(summary, ", static members: ", summary->layout->static_count);
	line_end(summary);
}

/* Only of interest if they are not just the size. */
static void print_sums(const struct summary *summary)
{
	const struct aggregate_layout *layout = summary->layout;

	if (layout->hole_sum == 0 && layout->bit_hole_sum == 0)
		return;
	if (layout->member_sum) {
		line_begin(summary, "sum members: ");
		text_number(summary->printer->text, layout->member_sum);
		if (layout->hole_sum) {
			item(summary, ", holes: ", layout->hole_count);
			item(summary, ", sum holes: ", layout->hole_sum);
		}
		line_end(summary);
	}
	if (layout->bit_member_sum) {
		line_begin(summary, "sum bitfield members: ");
		text_number(summary->printer->text, layout->bit_member_sum);
		text_string(summary->printer->text, " bits");
		if (layout->bit_hole_sum) {
			item(summary, ", bit holes: ", layout->bit_hole_count);
			item(summary, ", sum bit holes: ", layout->bit_hole_sum);
			text_string(summary->printer->text, " bits");
		} else {
			item(summary, " (", layout->bit_member_sum / 8);
			text_string(summary->printer->text, " bytes)");
		}
		line_end(summary);
	}
}

static void print_nested_counts(const struct summary *summary)
{
	const struct nested_layout_counts *nested = &summary->nested;
	const char *separator = "";

	if (!nested->with_holes && !nested->with_bit_holes && !nested->with_bit_padding)
		return;
	line_begin(summary, "member types with ");
	if (nested->with_holes) {
		item(summary, "holes: ", nested->with_holes);
		item(summary, ", total: ", nested->holes);
		separator = ", ";
	}
	if (nested->with_bit_holes) {
		text_string(summary->printer->text, separator);
		item(summary, "bit holes: ", nested->with_bit_holes);
		item(summary, ", total: ", nested->bit_holes);
		separator = ", ";
	}
	if (nested->with_bit_padding) {
		text_string(summary->printer->text, separator);
		item(summary, "bit paddings: ", nested->with_bit_padding);
		item(summary, ", total: ", nested->bit_padding);
		text_string(summary->printer->text, nested->bit_padding > 1 ? " bits" : " bit");
	}
	line_end(summary);
}

static void print_paddings(const struct summary *summary)
{
	if (summary->layout->padding) {
		line_begin(summary, "padding: ");
		text_number(summary->printer->text, summary->layout->padding);
		line_end(summary);
	}
	print_nested_counts(summary);
	if (summary->nested.with_padding) {
		line_begin(summary, "");
		item(summary, "paddings: ", summary->nested.with_padding);
		item(summary, ", sum paddings: ", summary->nested.padding);
		line_end(summary);
	}
	if (summary->layout->bit_padding) {
		line_begin(summary, "bit_padding: ");
		text_number(summary->printer->text, summary->layout->bit_padding);
		text_string(summary->printer->text, " bits");
		line_end(summary);
	}
}

static void print_forced(const struct summary *summary)
{
	const struct aggregate_layout *layout = summary->layout;

	if (!layout->aligned_member_count || summary->printer->style->suppresses_alignment)
		return;
	line_begin(summary, "forced alignments: ");
	text_number(summary->printer->text, layout->aligned_member_count);
	if (layout->forced_hole_count) {
		item(summary, ", forced holes: ", layout->forced_hole_count);
		item(summary, ", sum forced holes: ", layout->forced_hole_sum);
	}
	line_end(summary);
}

static void print_flexible(const struct summary *summary)
{
	const struct nested_layout_counts *nested = &summary->nested;

	if (!nested->flexible_at_end && !nested->flexible_inside)
		return;
	line_begin(summary, "flexible array members: ");
	if (nested->flexible_at_end)
		item(summary, "end: ", nested->flexible_at_end);
	if (nested->flexible_inside)
		item(summary,
		     nested->flexible_at_end ? ", middle: " : "middle: ", nested->flexible_inside);
	line_end(summary);
}

static void print_biggest(const struct summary *summary, uint32_t type)
{
	struct biggest_member biggest = layout_biggest_member(summary->printer->layouts, type);

	if (!biggest.name)
		return;
	line_begin(summary, "first biggest size base type member: ");
	text_string(summary->printer->text, biggest.name);
	item(summary, " ", biggest.offset);
	item(summary, " ", biggest.size);
	line_end(summary);
}

void print_summary(struct printer *printer, uint32_t type, const struct place *place)
{
	struct summary summary = {
		.printer = printer,
		.place = place,
		.layout = layout_of(printer->layouts, type),
		.nested = layout_nested_counts(printer->layouts, type),
	};
	uint64_t last;

	if (!summary.layout)
		return;
	summary.size = summary.layout->size;
	text_char(printer->text, '\n');
	print_size(&summary, facts_of(&printer->layouts->facts, type));
	print_sums(&summary);
	print_paddings(&summary);
	print_forced(&summary);
	print_flexible(&summary);
	last = (place->base + summary.size) % printer->layouts->cacheline_size;
	if (last) {
		line_begin(&summary, "last cacheline: ");
		text_number(printer->text, last);
		text_string(printer->text, " bytes");
		line_end(&summary);
	}
	if (printer->style->shows_biggest_member)
		print_biggest(&summary, type);
}
