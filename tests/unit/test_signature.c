/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "encode/signature.h"

/* Names, as numbers. */
enum { NONE, INT, LONG, S, T, E, TD, OTHER };

/* Types, by number. */
enum {
	VOID,
	INT_TYPE,
	UNSIGNED_INT,
	INT_OF_8,
	FLOAT_TYPE,
	DOUBLE_TYPE,
	STRUCT_S,
	STRUCT_S_AGAIN,
	STRUCT_T,
	FORWARD_S,
	UNION_S,
	FORWARD_UNION_S,
	ENUM_E,
	WIDE_ENUM_E,
	TYPEDEF_INT,
	TYPEDEF_S,
	CONST_INT,
	CONST_S,
	VOLATILE_INT,
	PTR_INT,
	PTR_CONST_INT,
	CONST_PTR_INT,
	PTR_FORWARD_S,
	PTR_STRUCT_S,
	PTR_VOID,
	ARRAY_2,
	ARRAY_3,
	ARRAY_2_CONST,
	TAGGED_INT,
	TAGGED_CONST_INT,
	ANON_1,
	ANON_2,
	FUN_INT_S,
	FUN_INT_FORWARD_S,
	FUN_INT_T,
	FUN_INT_S_VARIADIC,
	FUN_VOID_S,
	REFERENCE_INT,
	LOOP_1,
	LOOP_2,
	TYPE_COUNT
};

static const struct model_item parameter_s[] = { { OTHER, PTR_STRUCT_S, 0 }, { NONE, VOID, 0 } };
static const struct model_item parameter_forward_s[] = { { NONE, PTR_FORWARD_S, 0 } };
static const struct model_item parameter_t[] = { { NONE, STRUCT_T, 0 } };
static const struct model_item parameter_loop_1[] = { { NONE, LOOP_1, 0 }, { NONE, LOOP_1, 0 } };
static const struct model_item parameter_loop_2[] = { { NONE, LOOP_2, 0 }, { NONE, LOOP_2, 0 } };

#define TYPE(number, ...) [number - 1] = { .type = { __VA_ARGS__ } }
#define FUNCTION(number, parameters, count, ...)                                              \
	[number - 1] = { .type = { .kind = TYPE_FUNCTION, .item_count = count, __VA_ARGS__ }, \
			 .items = parameters }

static const struct dedup_type types[TYPE_COUNT - 1] = {
	TYPE(INT_TYPE, .kind = TYPE_INT, .name = INT, .size = 4, .flags = TYPE_SIGNED),
	TYPE(UNSIGNED_INT, .kind = TYPE_INT, .name = INT, .size = 4),
	TYPE(INT_OF_8, .kind = TYPE_INT, .name = INT, .size = 8, .flags = TYPE_SIGNED),
	TYPE(FLOAT_TYPE, .kind = TYPE_FLOAT, .name = LONG, .size = 4),
	TYPE(DOUBLE_TYPE, .kind = TYPE_FLOAT, .name = LONG, .size = 8),
	TYPE(STRUCT_S, .kind = TYPE_STRUCT, .name = S, .size = 8),
	TYPE(STRUCT_S_AGAIN, .kind = TYPE_STRUCT, .name = S, .size = 16),
	TYPE(STRUCT_T, .kind = TYPE_STRUCT, .name = T, .size = 8),
	TYPE(FORWARD_S, .kind = TYPE_STRUCT_FORWARD, .name = S),
	TYPE(UNION_S, .kind = TYPE_UNION, .name = S, .size = 8),
	TYPE(FORWARD_UNION_S, .kind = TYPE_UNION_FORWARD, .name = S),
	TYPE(ENUM_E, .kind = TYPE_ENUM, .name = E, .size = 4),
	TYPE(WIDE_ENUM_E, .kind = TYPE_ENUM, .name = E, .size = 8, .flags = TYPE_WIDE),
	TYPE(TYPEDEF_INT, .kind = TYPE_TYPEDEF, .name = TD, .type = INT_TYPE),
	TYPE(TYPEDEF_S, .kind = TYPE_TYPEDEF, .name = TD, .type = STRUCT_S),
	TYPE(CONST_INT, .kind = TYPE_CONST, .type = INT_TYPE),
	TYPE(CONST_S, .kind = TYPE_CONST, .type = STRUCT_S),
	TYPE(VOLATILE_INT, .kind = TYPE_VOLATILE, .type = INT_TYPE),
	TYPE(PTR_INT, .kind = TYPE_POINTER, .type = INT_TYPE),
	TYPE(PTR_CONST_INT, .kind = TYPE_POINTER, .type = CONST_INT),
	TYPE(CONST_PTR_INT, .kind = TYPE_CONST, .type = PTR_INT),
	TYPE(PTR_FORWARD_S, .kind = TYPE_POINTER, .type = FORWARD_S),
	TYPE(PTR_STRUCT_S, .kind = TYPE_POINTER, .type = STRUCT_S),
	TYPE(PTR_VOID, .kind = TYPE_POINTER, .type = VOID),
	TYPE(ARRAY_2, .kind = TYPE_ARRAY, .size = 2, .type = INT_TYPE),
	TYPE(ARRAY_3, .kind = TYPE_ARRAY, .size = 3, .type = INT_TYPE),
	TYPE(ARRAY_2_CONST, .kind = TYPE_ARRAY, .size = 2, .type = CONST_INT),
	TYPE(TAGGED_INT, .kind = TYPE_TAG, .name = T, .type = INT_TYPE),
	TYPE(TAGGED_CONST_INT, .kind = TYPE_TAG, .name = S, .type = CONST_INT),
	TYPE(ANON_1, .kind = TYPE_STRUCT, .size = 4),
	TYPE(ANON_2, .kind = TYPE_STRUCT, .size = 8),
	FUNCTION(FUN_INT_S, parameter_s, 1, .type = INT_TYPE),
	FUNCTION(FUN_INT_FORWARD_S, parameter_forward_s, 1, .type = INT_TYPE),
	FUNCTION(FUN_INT_T, parameter_t, 1, .type = INT_TYPE),
	FUNCTION(FUN_INT_S_VARIADIC, parameter_s, 2, .type = INT_TYPE),
	FUNCTION(FUN_VOID_S, parameter_s, 1, .type = VOID),
	TYPE(REFERENCE_INT, .kind = TYPE_REFERENCE, .type = INT_TYPE),
	/* Functions that take themselves: no compiler writes that. */
	FUNCTION(LOOP_1, parameter_loop_1, 2, .type = LOOP_1),
	FUNCTION(LOOP_2, parameter_loop_2, 2, .type = LOOP_2),
};

static void types_match_as_far_as_callers_care(void **state)
{
	static const struct {
		uint32_t a;
		uint32_t b;
		bool match;
	} cases[] = {
		{ VOID, VOID, true },
		{ VOID, INT_TYPE, false },
		{ INT_TYPE, INT_TYPE, true },
		{ INT_TYPE, UNSIGNED_INT, false },
		{ INT_TYPE, INT_OF_8, false },
		{ FLOAT_TYPE, DOUBLE_TYPE, false },
		{ INT_TYPE, FLOAT_TYPE, false },
		/* What has a name is compared by name only. */
		{ STRUCT_S, STRUCT_S_AGAIN, true },
		{ STRUCT_S, STRUCT_T, false },
		{ STRUCT_S, UNION_S, false },
		{ TYPEDEF_INT, TYPEDEF_S, true },
		{ TYPEDEF_INT, INT_TYPE, false },
		{ ENUM_E, WIDE_ENUM_E, false }, /* two kinds in BTF */
		/* Having no name is a name, too. */
		{ ANON_1, ANON_2, true },
		{ ANON_1, STRUCT_S, false },
		/* A declaration is what it declares. */
		{ STRUCT_S, FORWARD_S, true },
		{ UNION_S, FORWARD_UNION_S, true },
		{ UNION_S, FORWARD_S, false },
		{ PTR_STRUCT_S, PTR_FORWARD_S, true },
		/* const does not matter where the other side has another kind. */
		{ CONST_INT, INT_TYPE, true },
		{ CONST_S, FORWARD_S, true },
		{ CONST_INT, VOLATILE_INT, false },
		{ VOLATILE_INT, INT_TYPE, false },
		{ PTR_CONST_INT, PTR_INT, true },
		{ CONST_PTR_INT, PTR_CONST_INT, true },
		{ CONST_INT, CONST_S, false },
		{ PTR_VOID, PTR_INT, false },
		{ ARRAY_2, ARRAY_3, false },
		{ ARRAY_2, ARRAY_2_CONST, true },
		{ ARRAY_2, PTR_INT, false },
		/* Texts of tags do not matter. */
		{ TAGGED_INT, TAGGED_CONST_INT, true },
		{ TAGGED_INT, INT_TYPE, false },
		/* Names of parameters do not matter, their number does. */
		{ FUN_INT_S, FUN_INT_FORWARD_S, true },
		{ FUN_INT_S, FUN_INT_T, false },
		{ FUN_INT_S, FUN_INT_S_VARIADIC, false },
		{ FUN_INT_S, FUN_VOID_S, false },
		{ REFERENCE_INT, PTR_INT, true },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		if (signature_types_match(types, cases[i].a, cases[i].b) != cases[i].match ||
		    signature_types_match(types, cases[i].b, cases[i].a) != cases[i].match)
			fail_msg("case %zu: types %u and %u", i, cases[i].a, cases[i].b);
	}
}

static void endless_types_end(void **state)
{
	(void)state;
	assert_false(signature_types_match(types, LOOP_1, LOOP_2));
	assert_true(signature_types_match(types, LOOP_1, LOOP_1));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(types_match_as_far_as_callers_care),
		cmocka_unit_test(endless_types_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
