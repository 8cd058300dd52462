/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Names with several meanings: decides what each means where. See ambiguity.c. */
#ifndef DEDUP_AMBIGUITY_H
#define DEDUP_AMBIGUITY_H

#include "dedup/dedup_internal.h"
#include "dedup/name_groups.h"
#include "dedup/residue.h"

struct ambiguity {
	struct dedup *dedup;
	struct name_groups *groups; /* gets primary, forward and is_pinned */
	struct residue residue;
	/*
	 * Per class, for those with residue nodes: where it stands outside of the residue,
	 * TYPE_POSITION_NONE if nowhere. Others are 0. NULL when there is no residue.
	 */
	type_position *moved;
};

enum smelt_status ambiguity_resolve(struct ambiguity *ambiguity, struct dedup *dedup,
				    struct name_groups *groups, dedup_reload_fn reload,
				    void *context, struct smelt_error *error);
void ambiguity_deinit(struct ambiguity *ambiguity);

#endif
