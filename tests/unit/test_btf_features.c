/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Names of BTF features: scripts compare the printed list, so names and order are fixed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <smelt/encode.h>

static const struct {
	uint32_t bit;
	const char *name;
} features[] = {
	{ SMELT_BTF_ENCODE_FORCE, "encode_force" },
	{ SMELT_BTF_VAR, "var" },
	{ SMELT_BTF_FLOAT, "float" },
	{ SMELT_BTF_DECL_TAG, "decl_tag" },
	{ SMELT_BTF_TYPE_TAG, "type_tag" },
	{ SMELT_BTF_ENUM64, "enum64" },
	{ SMELT_BTF_OPTIMIZED_FUNC, "optimized_func" },
	{ SMELT_BTF_CONSISTENT_FUNC, "consistent_func" },
	{ SMELT_BTF_DECL_TAG_KFUNCS, "decl_tag_kfuncs" },
	{ SMELT_BTF_REPRODUCIBLE_BUILD, "reproducible_build" },
	{ SMELT_BTF_DISTILLED_BASE, "distilled_base" },
	{ SMELT_BTF_GLOBAL_VAR, "global_var" },
	{ SMELT_BTF_ATTRIBUTES, "attributes" },
	{ SMELT_BTF_TRUE_SIGNATURE, "true_signature" },
	{ SMELT_BTF_LAYOUT, "layout" },
};

enum { FEATURE_COUNT = sizeof(features) / sizeof(features[0]) };

static void every_bit_has_its_name(void **state)
{
	(void)state;
	assert_int_equal(FEATURE_COUNT, SMELT_BTF_FEATURE_COUNT);
	for (unsigned i = 0; i < FEATURE_COUNT; i++) {
		assert_int_equal(features[i].bit, 1u << i);
		assert_string_equal(smelt_btf_feature_name(i), features[i].name);
	}
}

/* `default` is the first nine; without any list four of them are on. */
static void standard_sets_are_the_documented_ones(void **state)
{
	uint32_t first_nine = 0;

	(void)state;
	for (unsigned i = 0; i < 9; i++)
		first_nine |= features[i].bit;
	assert_int_equal(SMELT_BTF_DEFAULT, first_nine);
	assert_int_equal(SMELT_BTF_PLAIN, SMELT_BTF_VAR | SMELT_BTF_DECL_TAG | SMELT_BTF_TYPE_TAG |
						  SMELT_BTF_ENUM64);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_bit_has_its_name),
		cmocka_unit_test(standard_sets_are_the_documented_ones),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
