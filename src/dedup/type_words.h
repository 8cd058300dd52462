/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Comparing types by all that they say except what they refer to. */
#ifndef DEDUP_TYPE_WORDS_H
#define DEDUP_TYPE_WORDS_H

#include <stdbool.h>
#include <stdint.h>

#include "dedup/fingerprint.h"
#include "model/unit.h"

/* The unit is where the items are. */
struct type_in_unit {
	const struct model_unit *unit;
	const struct model_type *type;
};

static inline bool type_heads_are_equal(const struct model_type *x, const struct model_type *y)
{
	return x->kind == y->kind && x->name == y->name && x->item_count == y->item_count &&
	       x->size == y->size && ((x->flags ^ y->flags) & FINGERPRINT_FLAGS) == 0;
}

static inline bool type_words_are_equal(struct type_in_unit x, struct type_in_unit y)
{
	const struct model_item *a = x.unit->items + x.type->first_item;
	const struct model_item *b = y.unit->items + y.type->first_item;

	if (!type_heads_are_equal(x.type, y.type))
		return false;
	for (uint32_t i = 0; i < x.type->item_count; i++) {
		if (a[i].name != b[i].name || a[i].value != b[i].value)
			return false;
	}
	return true;
}

#endif
