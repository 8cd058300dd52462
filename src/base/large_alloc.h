/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef BASE_LARGE_ALLOC_H
#define BASE_LARGE_ALLOC_H

#include <stddef.h>

/*
 * Uninitialised memory for free(), in huge pages where the system grants them to those who ask: for memory of
 * some megabytes that will be used to its end soon. NULL when there is none.
 */
void *large_alloc(size_t size);

#endif
