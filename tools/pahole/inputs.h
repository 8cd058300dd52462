/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Which files are meant when the command line does not name one that is there. */
#ifndef PAHOLE_INPUTS_H
#define PAHOLE_INPUTS_H

#include <stdbool.h>

/*
 * Whether an argument can only be names of types: no such file, and it looks like names, not like
 * a path.
 */
bool input_is_type_names(const char *argument);

/* The BTF of the running kernel: that of PAHOLE_VMLINUX_BTF_FILENAME, or the kernel's own; NULL: none. */
const char *input_kernel_btf(void);

/* For a split BTF below /sys/kernel/btf/ what it is split on; else NULL. */
const char *input_implied_base(const char *path);

#endif
