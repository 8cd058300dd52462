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

bool pahole_show_option_parse(struct pahole_show_options *options, int key, const char *argument)
{
	uint32_t bit = style_bit(key);

	options->show.style |= bit;
	if (bit)
		return true;
	switch (key) {
	case 'C':
		options->names = argument;
		return true;
	case 'c':
		options->show.cacheline_size = number(argument);
		return true;
	case KEY_SORT:
		options->show.sort = true;
		return true;
	default:
		return false;
	}
}
