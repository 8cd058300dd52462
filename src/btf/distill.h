/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The distilled base: from split BTF and its base a small base with just enough to find the same types
 * again in another build of that base, and the split BTF on top of it. What a kernel's module brings
 * along in .BTF.base, so that it can be loaded into a kernel whose type ids are not those
 * it was built with. libbpf, btf__distill_base(); the kernel relocates it in btf_relocate().
 *
 * The base has what can be recognised by name: base types, FWDs, and structs, unions and enums without
 * their content. All else that the split BTF uses goes to the end of the split BTF.
 */
#ifndef BTF_DISTILL_H
#define BTF_DISTILL_H

#include "btf/reader.h"

struct btf_distilled {
	uint8_t *base;
	size_t base_size;
	uint8_t *split;
	size_t split_size;
};

/*
 * split: has a base. *distilled: both in the byte order of `split`, owned by the caller (free()),
 * untouched on failure, which is SMELT_NO_MEMORY.
 */
enum smelt_status btf_distill(const struct btf_view *split, struct btf_distilled *distilled,
			      struct smelt_error *error);

#endif
