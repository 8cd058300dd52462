/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#include "show_options.h"

#include <stdint.h>
#include <stdlib.h>

#include "option_rows.h"

/* Options that just turn something on. */
static uint32_t style_bit(int key)
{
	switch (key) {
	case 'E':
		return SMELT_STYLE_EXPAND_TYPES;
	case 'p':
		return SMELT_STYLE_EXPAND_POINTERS;
	case 'r':
		return SMELT_STYLE_RELATIVE;
	case KEY_HEX:
		return SMELT_STYLE_HEX;
	case 'q':
		return SMELT_STYLE_QUIET;
	case 'M':
		return SMELT_STYLE_DATA_ONLY;
	case 'l':
		return SMELT_STYLE_BIGGEST;
	case 'I':
		return SMELT_STYLE_ORIGIN;
	case KEY_CLASSES_AS_STRUCTS:
		return SMELT_STYLE_CLASSES_AS_STRUCTS;
	case KEY_FLAT_ARRAYS:
		return SMELT_STYLE_FLAT_ARRAYS;
	case KEY_SUPPRESS_ALIGNED_ATTRIBUTE:
		return SMELT_STYLE_NO_ALIGNED;
	case KEY_SUPPRESS_FORCE_PADDINGS:
		return SMELT_STYLE_NO_FORCED_PADDING;
	case KEY_SUPPRESS_PACKED:
		return SMELT_STYLE_NO_PACKED;
	default:
		return 0;
	}
}

/* Lenient, like everything numeric of this program: what is no number is 0. */
static uint32_t number(const char *argument)
{
	unsigned long value = strtoul(argument, NULL, 0);

	return value < UINT32_MAX ? (uint32_t)value : UINT32_MAX;
}

static bool parse_listing(struct smelt_show_options *show, int key)
{
	switch (key) {
	case 's':
		show->listing = SMELT_LIST_SIZES;
		return true;
	case 'n':
		show->listing = SMELT_LIST_MEMBERS;
		return true;
	case 'N':
		show->listing = SMELT_LIST_NAME_LENGTHS;
		return true;
	case 'T':
		show->listing = SMELT_LIST_REPEATS;
		return true;
	case 'm':
		show->listing = SMELT_LIST_METHODS;
		return true;
	default:
		return false;
	}
}

static bool parse_filter_text(struct smelt_filter *filter, int key, const char *argument)
{
	switch (key) {
	case 'x':
		filter->exclude_prefix = argument;
		return true;
	case 'y':
		filter->name_prefix = argument;
		return true;
	case 'D':
		filter->exclude_file_prefix = argument;
		return true;
	case 'H':
		filter->holes = number(argument);
		return true;
	case 'B':
		filter->bit_holes = number(argument);
		return true;
	case KEY_PADDING_GE:
		filter->padding_bytes = number(argument);
		return true;
	default:
		return false;
	}
}

static bool parse_filter(struct smelt_filter *filter, int key)
{
	switch (key) {
	case 'a':
		filter->anonymous = true;
		return true;
	case 'A':
		filter->all_anonymous = true;
		return true;
	case KEY_STRUCTS:
		filter->only_structs = true;
		return true;
	case KEY_UNIONS:
		filter->only_unions = true;
		return true;
	case 'P':
		filter->only_packable = true;
		return true;
	case KEY_PACKED:
		filter->only_packed = true;
		return true;
	case KEY_WITH_FLEXIBLE_ARRAY:
		filter->only_flexible = true;
		return true;
	case KEY_WITH_EMBEDDED_FLEXIBLE_ARRAY:
		filter->only_embedding_flexible = true;
		return true;
	default:
		return false;
	}
}

static bool parse_selection(struct pahole_show_options *options, int key, const char *argument)
{
	struct smelt_show_options *show = &options->show;

	switch (key) {
	case 'C':
		options->names = argument;
		if (show->selection == SMELT_SELECT_ALL)
			show->selection = SMELT_SELECT_NAMED;
		return true;
	case 'i':
		options->contained = argument;
		show->selection = SMELT_SELECT_CONTAINING;
		return true;
	case 'f':
		options->contained = argument;
		show->selection = SMELT_SELECT_POINTING;
		return true;
	case KEY_CONTAINS_ENUMERATOR:
		options->contained = argument;
		show->selection = SMELT_SELECT_ENUMERATOR;
		return true;
	case 'u':
		show->selection = SMELT_SELECT_DEFINING_UNIT;
		return true;
	case 'd':
		show->recursive = true;
		return true;
	default:
		return false;
	}
}

bool pahole_show_option_parse(struct pahole_show_options *options, int key, const char *argument)
{
	struct smelt_show_options *show = &options->show;
	uint32_t bit = style_bit(key);

	show->style |= bit;
	if (parse_listing(show, key)) {
		options->lists_names = false;
		return true;
	}
	if (bit || parse_filter(&show->filter, key) || parse_selection(options, key, argument) ||
	    parse_filter_text(&show->filter, key, argument))
		return true;
	switch (key) {
	case 'c':
		show->cacheline_size = number(argument);
		return true;
	case 't':
		show->separator = argument[0];
		return true;
	case 'z':
		show->filter.hole_bytes = number(argument);
		options->lists_names = true;
		return true;
	case 'R':
		show->reorganize = true;
		return true;
	case 'S':
		show->reorganize_steps = true;
		return true;
	case KEY_KEEP_CACHELINES:
		show->keep_cachelines = true;
		return true;
	case KEY_SORT:
		show->sort = true;
		return true;
	case KEY_COMPILE:
		show->compile = true;
		return true;
	case KEY_SKIP_EMITTING_ATOMIC_TYPEDEFS:
		show->no_atomic_typedefs = true;
		return true;
	case KEY_STATIC_ASSERTIONS:
		show->compile = show->assertions = true;
		return true;
	case KEY_SHOW_PRIVATE_CLASSES:
		show->filter.private_types = true;
		show->style |= SMELT_STYLE_DATA_ONLY;
		return true;
	case KEY_SKIP_MISSING: /* all names are looked for in any case */
		return true;
	default:
		return false;
	}
}

const char *pahole_show_options_names(const struct pahole_show_options *options)
{
	return options->contained ? options->contained : options->names;
}

void pahole_show_options_finish(struct pahole_show_options *options, bool verbose)
{
	options->show.counts = verbose;
	if (options->lists_names && !verbose)
		options->show.listing = SMELT_LIST_NAMES;
	if (options->show.filter.only_packable && !verbose &&
	    options->show.listing == SMELT_LIST_DEFINITIONS)
		options->show.listing = SMELT_LIST_PACKED_SIZES;
}
