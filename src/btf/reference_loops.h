/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Types that no program can declare, because they are made of nothing but themselves: a chain of
 * pointers, qualifiers, typedefs, tags and arrays that comes back to its start, or a struct
 * that is, perhaps within others, a member of itself. The kernel's verifier refuses both.
 */
#ifndef BTF_REFERENCE_LOOPS_H
#define BTF_REFERENCE_LOOPS_H

#include "btf/reader.h"

/*
 * *id is an own type on a loop, always the same one, or 0 if there is none. References must have
 * been checked. kinds: of each own record; is used up. Takes time and memory in proportion to the size of
 * the view.
 */
enum smelt_status btf_find_loop(const struct btf_view *view, uint8_t *kinds, uint32_t *id,
				struct smelt_error *error);

#endif
