/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#include <assert.h>

#include <smelt/encode.h>

const char *smelt_btf_feature_name(unsigned index)
{
	/* In bit order; scripts compare the printed list, so the order is part of the interface. */
	static const char *const names[] = {
		"encode_force",    "var",
		"float",           "decl_tag",
		"type_tag",        "enum64",
		"optimized_func",  "consistent_func",
		"decl_tag_kfuncs", "reproducible_build",
		"distilled_base",  "global_var",
		"attributes",      "true_signature",
		"layout",
	};

	_Static_assert(sizeof(names) / sizeof(names[0]) == SMELT_BTF_FEATURE_COUNT,
		       "one name for each feature bit");
	assert(index < SMELT_BTF_FEATURE_COUNT);
	return names[index];
}
