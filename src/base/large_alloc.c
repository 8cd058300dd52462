/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#include "base/large_alloc.h"

#include <stdlib.h>
#include <sys/mman.h>

enum { HUGE_PAGE_BYTES = 2 * 1024 * 1024 };

void *large_alloc(size_t size)
{
	void *memory;

	if (size < HUGE_PAGE_BYTES)
		return malloc(size ? size : 1);
	if (posix_memalign(&memory, HUGE_PAGE_BYTES, size) != 0)
		return NULL;
	/* Whole huge pages only: the rest would be cleared for nothing. */
	(void)madvise(memory, size & ~(size_t)(HUGE_PAGE_BYTES - 1), MADV_HUGEPAGE);
	return memory;
}
