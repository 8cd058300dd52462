/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* What the files that make up a show need from each other. */
#ifndef PRINT_SHOW_PARTS_H
#define PRINT_SHOW_PARTS_H

#include "print/show.h"

/* show.c */

/*
 * Prints what the options want of a type, unless the same was printed before. `is_new` (may be NULL)
 * tells which.
 */
enum smelt_status show_type(struct smelt_show *show, struct show_run *run, uint32_t type,
			    bool *is_new, struct smelt_error *error);
/* The text goes out if there is much of it, or all of it. */
enum smelt_status show_flush(struct smelt_show *show, bool all, struct smelt_error *error);

/* lookup.c: types by name */

struct name_lookup;

/* NULL when out of memory. Names must outlive it. */
struct name_lookup *name_lookup_create(const char *const *names, size_t count);
void name_lookup_destroy(struct name_lookup *lookup); /* NULL is fine */
bool name_lookup_found(const struct name_lookup *lookup, size_t index);
enum smelt_status show_named(struct smelt_show *show, struct show_run *run,
			     struct smelt_error *error);

/* sort.c */

/* Orders show->entries: by name, then what else is seen of the types. */
void show_sort(struct smelt_show *show);

#endif
