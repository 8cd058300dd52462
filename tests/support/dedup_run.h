/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Runs the deduplicator over units built by hand. */
#ifndef TESTS_SUPPORT_DEDUP_RUN_H
#define TESTS_SUPPORT_DEDUP_RUN_H

#include <stdint.h>

#include "dedup/base_index.h"
#include "dedup/dedup.h"
#include "support/type_builder.h"

struct dedup_run {
	const struct type_builder *builders;
	uint32_t unit_count;
	struct worker_pool *pool;
	struct dedup *dedup;
	struct unit_record *records;
	/* Per unit what dedup_lowest_slots() said after it was added. */
	uint32_t **lowest;
	uint32_t *lowest_counts;
};

struct dedup_run_options {
	unsigned workers;      /* 0: 1 */
	unsigned hash_bits;    /* 0: all */
	uint64_t shuffle_seed; /* 0: natural order of units */
	const struct base_index *base;
};

/* Aborts when anything fails. builders must outlive the run. */
void dedup_run_init(struct dedup_run *run, const struct type_builder *builders, uint32_t unit_count,
		    struct dedup_run_options options);
/* Only adds the units. */
void dedup_run_add(struct dedup_run *run, const struct type_builder *builders, uint32_t unit_count,
		   struct dedup_run_options options);
void dedup_run_deinit(struct dedup_run *run);

uint32_t dedup_run_number(const struct dedup_run *run, uint32_t unit, uint32_t slot);

#endif
