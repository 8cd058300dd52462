/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#include "print/parts.h"

enum { ENUMERATOR_COLUMN_MAX = 1024 }; /* longer names do not widen it for the others */

static const char *enumerator_name(const struct printer *printer, uint32_t index)
{
	const char *other = printer->enumerator_names ? printer->enumerator_names[index] : NULL;

	return other ? other : printer->program->enumerators[index].name;
}

static void print_enumerator(struct printer *printer, const struct program_type *type,
			     uint32_t index, size_t width)
{
	const struct program_enumerator *enumerator = &printer->program->enumerators[index];
	size_t start = text_width(printer->text);

	text_string(printer->text, enumerator_name(printer, index));
	text_pad(printer->text, start, width);
	text_string(printer->text, " = ");
	if (printer->style->is_hex)
		text_hex(printer->text, enumerator->value);
	else if (type->flags & TYPE_SIGNED)
		text_signed(printer->text, (int64_t)enumerator->value);
	else
		text_number(printer->text, enumerator->value);
	text_string(printer->text, ",\n");
}

/* Bytes that GCC takes for these values in a packed enumeration. */
static unsigned smallest_enum(const struct program *program, const struct program_type *type)
{
	const struct program_enumerator *enumerators = program->enumerators + type->first_item;
	unsigned bits = 1;
	bool has_negative = false;

	for (uint32_t i = 0; i < type->item_count; i++) {
		bool is_negative = type->flags & TYPE_SIGNED && (int64_t)enumerators[i].value < 0;
		uint64_t magnitude = is_negative ? ~enumerators[i].value : enumerators[i].value;
		unsigned needed = magnitude ? 64 - (unsigned)__builtin_clzll(magnitude) : 0;

		has_negative |= is_negative;
		bits = needed > bits ? needed : bits;
	}
	bits += has_negative;
	return bits <= 8 ? 1 : bits <= 16 ? 2 : bits <= 32 ? 4 : 8;
}

/* An attribute if the values alone do not give this size. */
static void print_enum_size(struct printer *printer, const struct program_type *type)
{
	static const char *const modes[] = { [1] = "QI", [2] = "HI", [4] = "SI", [8] = "DI" };
	unsigned smallest = smallest_enum(printer->program, type);

	if (type->size == (smallest < 4 ? 4 : smallest))
		return;
	if (type->size == smallest) {
		text_string(printer->text, " __attribute__((__packed__))");
	} else if (type->size <= 8 && modes[type->size]) {
		text_string(printer->text, " __attribute__((__mode__(__");
		text_string(printer->text, modes[type->size]);
		text_string(printer->text, "__)))");
	}
}

/*
 * In compilable source: an enumeration without name that was printed before, and so its values are there. It
 * goes by a typedef then, or is just a number.
 */
static bool print_known_enum(struct printer *printer, uint32_t number)
{
	uint32_t known = printer->enum_typedefs ? printer->enum_typedefs[number] : 0;

	if (!printer->enum_typedefs || printer_name(printer, number))
		return false;
	if (known == 0) {
		printer->enum_typedefs[number] = UINT32_MAX;
		return false;
	}
	text_string(printer->text, known == UINT32_MAX ?
					   printer_sized_type(&printer->program->types[number]) :
					   printer_name(printer, known));
	return true;
}

void print_enum(struct printer *printer, uint32_t number, const struct place *place)
{
	const struct program_type *type = &printer->program->types[number];
	struct place inner = place_inside(place);
	size_t width = 0;

	if (print_known_enum(printer, number))
		return;
	print_head(printer, "enum", number);
	if (type->item_count == 0)
		return;
	text_string(printer->text, " {\n");
	for (uint32_t i = 0; i < type->item_count; i++) {
		size_t length = strlen(enumerator_name(printer, type->first_item + i));

		if (length > width && length <= ENUMERATOR_COLUMN_MAX)
			width = length;
	}
	for (uint32_t i = 0; i < type->item_count && !printer->text->failed; i++) {
		print_indent(printer, &inner);
		print_enumerator(printer, type, type->first_item + i, width);
	}
	print_indent(printer, place);
	text_char(printer->text, '}');
	print_enum_size(printer, type);
}
