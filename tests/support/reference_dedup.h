/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The incumbent's deduplication, one type after the other, written down as plainly as
 * possible: what src/dedup must agree with. It follows the order in which candidates
 * are tried, down to the reversals that growing the incumbent's hash table causes.
 */
#ifndef TESTS_SUPPORT_REFERENCE_DEDUP_H
#define TESTS_SUPPORT_REFERENCE_DEDUP_H

#include <stdbool.h>
#include <stdint.h>

#include "model/unit.h"

struct reference_dedup {
	uint32_t unit_count;
	uint32_t *
		first_id; /* per unit: id of its slot 0 if it had one; [unit_count]: of the next unit */
	uint32_t *number; /* per id: the number of the type it became */
	uint32_t type_count;
	uint32_t *kept; /* per number: id of the representative */
	bool has_loop;  /* reference types that refer to themselves: the incumbent fails */
	bool has_guess; /* arrays were taken as equal without looking at their elements */

	uint32_t base_count; /* ids below are the base's, if there is one */
	uint32_t *stands;    /* per id: the id of the type that it became */
};

/* Aborts when out of memory. */
void reference_dedup_run(struct reference_dedup *result, const struct model_unit *units,
			 uint32_t unit_count);
/*
 * The same behind a base, which is units[0]: its types all stay, and are candidates from the start. Only types of other
 * units are numbered.
 */
void reference_dedup_run_on_base(struct reference_dedup *result, const struct model_unit *units,
				 uint32_t unit_count);
void reference_dedup_deinit(struct reference_dedup *result);

static inline uint32_t reference_dedup_number(const struct reference_dedup *result, uint32_t unit,
					      uint32_t slot)
{
	return slot == 0 ? 0 : result->number[result->first_id[unit] + slot];
}

/* The base's id that the type became, or 0. */
static inline uint32_t reference_dedup_base_id(const struct reference_dedup *result, uint32_t unit,
					       uint32_t slot)
{
	uint32_t id = slot == 0 ? 0 : result->stands[result->first_id[unit] + slot];

	return id < result->base_count ? id : 0;
}

#endif
