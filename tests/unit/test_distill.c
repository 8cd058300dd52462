/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "btf/distill.h"
#include "support/btf_sample.h"

#define INFO(kind, vlen) ((uint32_t)BTF_KIND_##kind << 24 | (vlen))
#define FLAG 0x80000000u

static void add_base(struct btf_writer *writer)
{
	btf_writer_int(writer, 1, 4, BTF_INT_SIGNED);             /* 1: int */
	btf_writer_record(writer, 5, INFO(STRUCT, 2) | FLAG, 16); /* 2: node */
	btf_writer_triple(writer, 10, 3, 0);                      /* next */
	btf_writer_triple(writer, 15, 1, 64);                     /* value */
	btf_writer_record(writer, 0, INFO(PTR, 0), 2);            /* 3 */
	btf_writer_record(writer, 0, INFO(STRUCT, 1), 4);         /* 4 */
	btf_writer_triple(writer, 21, 1, 0);                      /* a */
	btf_writer_record(writer, 0, INFO(CONST, 0), 4);          /* 5 */
	btf_writer_record(writer, 23, INFO(ENUM64, 1) | FLAG, 8); /* 6: big */
	btf_writer_triple(writer, 27, 1, 0);                      /* ONE */
	btf_writer_record(writer, 31, INFO(TYPEDEF, 0), 2);       /* 7: node_t */
	btf_writer_record(writer, 0, INFO(FUNC_PROTO, 1), 0);     /* 8 */
	btf_writer_pair(writer, 38, 7);                           /* p */
	btf_writer_record(writer, 40, INFO(FUNC, 1), 8);          /* 9: run */
	btf_writer_record(writer, 44, INFO(FWD, 0) | FLAG, 0);    /* 10: hidden */
	btf_writer_record(writer, 51, INFO(FLOAT, 0), 8);         /* 11: double, not used */
	btf_writer_record(writer, 0, INFO(PTR, 0), 0);            /* 12 */
}

/* Strings of the base end at 58. */
static void add_module(struct btf_writer *writer)
{
	btf_writer_record(writer, 58, INFO(STRUCT, 6), 48); /* 13: own */
	btf_writer_triple(writer, 38, 3, 0);                /* p, a name of the base */
	btf_writer_triple(writer, 62, 5, 64);               /* c */
	btf_writer_triple(writer, 64, 6, 128);              /* b */
	btf_writer_triple(writer, 1, 10, 192);              /* int, a name that stays in the base */
	btf_writer_triple(writer, 0, 12, 256);
	btf_writer_triple(writer, 66, 0, 320);          /* v */
	btf_writer_decl_tag(writer, 68, 9, -1);         /* 14: kfunc */
	btf_writer_record(writer, 0, INFO(PTR, 0), 13); /* 15 */
}

static const struct btf_sample base_sample = {
	STRINGS("\0int\0node\0next\0value\0a\0big\0ONE\0node_t\0p\0run\0hidden\0double"),
	.add_types = add_base,
};

static const struct btf_sample module_sample = {
	STRINGS("own\0c\0b\0v\0kfunc"),
	.add_types = add_module,
};

/* The same blobs through libbpf 1.8's btf__distill_base(), but for the tag and the function (13). */
static const uint32_t new_base[] = {
	1,  INFO(INT, 0),        4,  1u << 24 | 32, /* 1: int */
	5,  INFO(STRUCT, 0),     16,                /* 2: node */
	10, INFO(ENUM, 0),       8,                 /* 3: big */
	14, INFO(FWD, 0) | FLAG, 0,                 /* 4: hidden */
};
static const char new_base_strings[] = "\0int\0node\0big\0hidden";

static const uint32_t new_module[] = {
	21,  INFO(STRUCT, 6),
	48, /* 5: own */
	25,  8,
	0,   27,
	10,  64,
	29,  3,
	128, 1,
	4,   192,
	0,   14,
	256, 31,
	0,   320,
	33,  INFO(DECL_TAG, 0),
	13,  UINT32_MAX, /* 6: kfunc */
	0,   INFO(PTR, 0),
	5, /* 7 */
	0,   INFO(PTR, 0),
	2, /* 8, was 3 */
	0,   INFO(STRUCT, 1),
	4,   39,
	1,   0, /* 9, was 4 */
	0,   INFO(CONST, 0),
	9, /* 10, was 5 */
	41,  INFO(TYPEDEF, 0),
	2, /* 11: node_t, was 7 */
	0,   INFO(FUNC_PROTO, 1),
	0,   25,
	11, /* 12, was 8 */
	48,  INFO(FUNC, 1),
	12, /* 13: run, was 9 */
	0,   INFO(PTR, 0),
	0, /* 14, was 12 */
};
static const char new_module_strings[] = "own\0p\0c\0b\0v\0kfunc\0a\0node_t\0run";

static void check_view(const struct btf_view *view, const uint32_t *words, size_t bytes,
		       const char *strings, size_t string_bytes)
{
	assert_int_equal(view->type_bytes, bytes);
	assert_memory_equal(view->types, words, bytes);
	assert_int_equal(view->string_end - view->string_origin, string_bytes);
	assert_memory_equal(view->strings, strings, string_bytes);
}

static void the_base_keeps_names_and_the_rest_moves(void **state)
{
	(void)state;
	for (unsigned is_big_endian = 0; is_big_endian < 2; is_big_endian++) {
		struct btf_sample base = base_sample, module = module_sample;
		struct btf_distilled distilled;
		struct btf_view views[2], results[2];
		uint8_t *data[2];
		size_t size;

		base.is_big_endian = module.is_big_endian = is_big_endian;
		size = btf_sample_build(&base, &data[0]);
		assert_int_equal(btf_view_init(&views[0], data[0], size, NULL, NULL), SMELT_OK);
		size = btf_sample_build(&module, &data[1]);
		assert_int_equal(btf_view_init(&views[1], data[1], size, &views[0], NULL),
				 SMELT_OK);

		assert_int_equal(btf_distill(&views[1], &distilled, NULL), SMELT_OK);
		assert_int_equal(
			btf_view_init(&results[0], distilled.base, distilled.base_size, NULL, NULL),
			SMELT_OK);
		assert_int_equal(btf_view_init(&results[1], distilled.split, distilled.split_size,
					       &results[0], NULL),
				 SMELT_OK);
		assert_int_equal(results[0].is_big_endian, is_big_endian);
		assert_int_equal(results[1].is_big_endian, is_big_endian);
		check_view(&results[0], new_base, sizeof(new_base), new_base_strings,
			   sizeof(new_base_strings));
		check_view(&results[1], new_module, sizeof(new_module), new_module_strings,
			   sizeof(new_module_strings));

		for (unsigned i = 0; i < 2; i++) {
			btf_view_deinit(&results[i]);
			btf_view_deinit(&views[i]);
			free(data[i]);
		}
		free(distilled.base);
		free(distilled.split);
	}
}

static void add_nameless(struct btf_writer *writer)
{
	btf_writer_record(writer, 0, INFO(PTR, 0), 0);
	btf_writer_record(writer, 0, INFO(CONST, 0), 1);
}

static void add_user(struct btf_writer *writer)
{
	btf_writer_record(writer, 1, INFO(TYPEDEF, 0), 2);
}

/* Distills two types on two nameless ones, or none. */
static void distill_nameless(bool is_used, struct btf_distilled *distilled)
{
	const struct btf_sample base = { STRINGS(""), .add_types = add_nameless };
	struct btf_sample module = { STRINGS("t"), .add_types = add_user };
	struct btf_view views[2];
	uint8_t *data[2];
	size_t size;

	if (!is_used)
		module = (struct btf_sample){ 0 };
	size = btf_sample_build(&base, &data[0]);
	assert_int_equal(btf_view_init(&views[0], data[0], size, NULL, NULL), SMELT_OK);
	size = btf_sample_build(&module, &data[1]);
	assert_int_equal(btf_view_init(&views[1], data[1], size, &views[0], NULL), SMELT_OK);
	assert_int_equal(btf_distill(&views[1], distilled, NULL), SMELT_OK);
	for (unsigned i = 0; i < 2; i++) {
		btf_view_deinit(&views[i]);
		free(data[i]);
	}
}

/* libbpf 1.8 takes the module for a base then and loses the types that it should get. */
static void a_base_without_types_is_a_base(void **state)
{
	static const uint8_t expected[] = {
		0,   0, 0, 0, 0, 0, 0, 2,  0, 0, 0, 0, /* 2: PTR */
		0,   0, 0, 0, 0, 0, 0, 10, 2, 0, 0, 0, /* 3: CONST */
		't', 0,
	};
	struct btf_distilled distilled;

	(void)state;
	distill_nameless(true, &distilled);
	assert_int_equal(distilled.base_size, BTF_HEADER_BYTES + 1);
	assert_int_equal(distilled.split_size, BTF_HEADER_BYTES + 12 + sizeof(expected));
	assert_memory_equal(distilled.split + BTF_HEADER_BYTES + 12, expected, sizeof(expected));
	free(distilled.base);
	free(distilled.split);
}

/* As the incumbent writes both. */
static void nothing_gives_two_headers(void **state)
{
	struct btf_distilled distilled;

	(void)state;
	distill_nameless(false, &distilled);
	assert_int_equal(distilled.base_size, BTF_HEADER_BYTES + 1);
	assert_int_equal(distilled.split_size, BTF_HEADER_BYTES);
	free(distilled.base);
	free(distilled.split);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_base_keeps_names_and_the_rest_moves),
		cmocka_unit_test(a_base_without_types_is_a_base),
		cmocka_unit_test(nothing_gives_two_headers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
