/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The incumbent's comparisons, one after the other, for runs whose names mean something else than in their
 * base, or several things. See replay.c.
 */
#ifndef DEDUP_REPLAY_H
#define DEDUP_REPLAY_H

#include "dedup/dedup_internal.h"

/*
 * classes: class_unit_create. Fills the dedup's types, type_count and class_numbers, and enters into the class
 * arrays of all units what dedup_number_of expects.
 */
enum smelt_status replay_run(struct dedup *dedup, const struct model_unit *classes,
			     const struct dedup_input *input, struct smelt_error *error);

#endif
