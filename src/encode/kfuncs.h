/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Kernel functions that BPF programs may call: listed in section .BTF_ids as pairs (id, flags) in
 * sets, where symbols say which function each pair is about:
 *
 *   __BTF_ID__set8__NAME         a set: count, flags, then pairs
 *   __BTF_ID__func__NAME__ANY    a pair
 *
 * linux/btf_ids.h and linux/btf.h (KF_* flags).
 */
#ifndef ENCODE_KFUNCS_H
#define ENCODE_KFUNCS_H

#include <stdbool.h>
#include <stdint.h>

#include "elf/elf_file.h"
#include "encode/symbol_scan.h"

enum {
	KFUNC_IS_ONE = 1, /* ours: the group is a kfunc */
	KFUNC_FASTCALL = 1 << 12,
	KFUNC_ARENA_RETURN = 1 << 13,
	KFUNC_ARENA_FIRST = 1 << 14,
	KFUNC_ARENA_SECOND = 1 << 15,
	KFUNC_FLAGS = KFUNC_FASTCALL | KFUNC_ARENA_RETURN | KFUNC_ARENA_FIRST | KFUNC_ARENA_SECOND,
};

/* The section as it is in the file. */
struct kfunc_section {
	struct elf_bytes bytes;
	uint64_t address;
	bool is_big_endian;
};

/* Start and size of NAME in the name of a pair's symbol; false if it is something else. */
bool kfunc_name(const char *symbol_name, const char **name, size_t *size);

/*
 * Goes through the symbols that `scan` listed. `found` is called for each pair in a set of kfuncs, in table
 * order; flags are those of KFUNC_FLAGS. False when out of memory.
 */
bool kfuncs_visit(const struct symbol_scan *scan, const struct kfunc_section *section,
		  void (*found)(void *context, const char *name, size_t size, uint32_t flags),
		  void *context);

#endif
