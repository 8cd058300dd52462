/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Whether a run means the same as its base wherever both use a name. See base_agreement.c. */
#ifndef DEDUP_BASE_AGREEMENT_H
#define DEDUP_BASE_AGREEMENT_H

#include "dedup/dedup_internal.h"
#include "dedup/name_groups.h"

/*
 * classes: class_unit_create. index_class: of the type that counts the elements of arrays, or 0.
 * *agrees is set; if it is true, ids[class] is the base's type that all instances of the class are, or
 * BASE_NONE. ids has an entry for each class, and 0 for class 0.
 */
enum smelt_status base_agreement_find(struct dedup *dedup, const struct name_groups *groups,
				      const struct model_unit *classes, uint32_t index_class,
				      uint32_t *ids, bool *agrees, struct smelt_error *error);

#endif
