/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * malloc() that takes huge pages for large sizes where they can be had: a page fault costs 1 to 2 us,
 * filling a page with numbers much less. For memory that will be used to its end.
 */
#ifndef BASE_LARGE_ALLOC_H
#define BASE_LARGE_ALLOC_H

#include <stddef.h>

/* Uninitialised; NULL when out of memory. Released with free(). */
void *large_alloc(size_t size);

#endif
