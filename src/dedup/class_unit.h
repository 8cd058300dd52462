/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* All classes of a run in the words of its base, so that the two can be compared. */
#ifndef DEDUP_CLASS_UNIT_H
#define DEDUP_CLASS_UNIT_H

#include "dedup/base_index.h"
#include "dedup/dedup_internal.h"

/*
 * A unit whose slots are the classes, [0] is void, and whose references are class indices. A name is its
 * offset in the base, or some number from the base's text_end on. The values of enumerators that are not
 * wide are cut to 32 bits.
 */
enum smelt_status class_unit_create(struct dedup *dedup, struct model_unit *unit,
				    struct smelt_error *error);

#endif
