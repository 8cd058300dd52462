/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Units assembled by hand and the types they mean, by docs/encoding.md, sections 1 to 3 and 6. Each
 * case is loaded in every shape of DWARF below: versions, byte orders, sizes, layouts that the
 * loader's short paths take and layouts that they must leave alone. The types must be the same.
 */
#ifndef TESTS_UNIT_UNIT_CASES_H
#define TESTS_UNIT_UNIT_CASES_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/loaded_dwarf.h"

#define LITTLE_5 .version = 5, .address_size = 8, .offset_size = 4
#define BIG_4 .version = 4, .address_size = 8, .offset_size = 4, .is_big_endian = true
static const struct dwarf_shape shapes[] = {
	{ LITTLE_5 },
	{ LITTLE_5, .is_padded = true },
	{ BIG_4 },
	{ BIG_4, .is_padded = true },
	{ .version = 3, .address_size = 4, .offset_size = 4, .is_big_endian = true },
	{ .version = 2, .address_size = 4, .offset_size = 4 },
	{ .version = 5, .address_size = 8, .offset_size = 8 },
	/* codes of one and two bytes, two and three, looked up by index and by search */
	{ LITTLE_5, .first_code = 126 },
	{ BIG_4, .first_code = 16382 },
	{ LITTLE_5, .first_code = 65534 },
	{ LITTLE_5, .first_code = UINT64_C(1) << 40 },
	/* null entries that an assembler padded */
	{ LITTLE_5, .null_size = 2 },
	{ BIG_4, .is_padded = true, .null_size = 3 },
};
enum { SHAPES = sizeof(shapes) / sizeof(shapes[0]) };

typedef void (*build_fn)(struct dwarf_builder *builder);

static const struct dwarf_load_options all_options = {
	.floats = true,
	.wide_enums = true,
	.type_tags = true,
	.decl_tags = true,
	.variables = true,
};

static inline void begin(struct dwarf_builder *b)
{
	dwarf_unit_begin(b, DW_UT_compile);
	OPEN(b, 0, compile_unit, NAME("unit.c"), VALUE(language, data1, 0x0c));
}

static inline void end(struct dwarf_builder *b)
{
	CLOSE(b);
	dwarf_unit_end(b);
}

static inline void add_int(struct dwarf_builder *b, uint32_t label)
{
	LEAF(b, label, base_type, NAME("int"), SIZE(4), VALUE(encoding, data1, DW_ATE_signed));
}

/* The content of one unit is built by `build`; begin() and end() are around it. */
static inline void check_in(const struct dwarf_shape *shape,
			    const struct dwarf_load_options *options, build_fn build,
			    const char *expected)
{
	struct dwarf_builder builder;
	struct loaded_dwarf loaded;
	char *text;

	dwarf_builder_init(&builder, shape);
	begin(&builder);
	build(&builder);
	end(&builder);
	loaded_dwarf_open(&loaded, &builder, options);
	loaded_dwarf_unit(&loaded, 0);
	if (loaded.status)
		fail_msg("%s", loaded.error.text);
	text = loaded_dwarf_text(&loaded);
	if (strcmp(text, expected) != 0)
		print_error("version %u, %s endian, padded %d, first code %" PRIu64 "\n",
			    shape->version, shape->is_big_endian ? "big" : "little",
			    shape->is_padded, shape->first_code);
	assert_string_equal(text, expected);
	free(text);
	loaded_dwarf_close(&loaded);
	dwarf_builder_deinit(&builder);
}

static inline void check_with(const struct dwarf_load_options *options, build_fn build,
			      const char *expected)
{
	for (size_t i = 0; i < SHAPES; i++)
		check_in(&shapes[i], options, build, expected);
}

static inline void check(build_fn build, const char *expected)
{
	check_with(&all_options, build, expected);
}

#endif
