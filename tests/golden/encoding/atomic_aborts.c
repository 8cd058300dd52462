/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * build: gcc-12 -g -c atomic_aborts.c -o atomic_aborts.o
 * encode: atomic_aborts.o  # differs: Q8
 * encode: atomic_aborts.o --btf_features=default  # differs: Q8
 *
 * dwarves: "Unsupported DW_TAG_atomic_type(0x47): type: 0x..." + "Error while encoding BTF.",
 *         no BTF at all (not even for the other types), exit status 0.
 */
_Atomic int a; int other;
