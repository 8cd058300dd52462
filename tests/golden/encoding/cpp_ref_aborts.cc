/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * build: g++-12 -g -c cpp_ref_aborts.cc -o cpp_ref_aborts.o
 * encode: cpp_ref_aborts.o  # differs: Q8
 * encode: cpp_ref_aborts.o --btf_features=default  # differs: Q8
 *
 * dwarves: "Unsupported DW_TAG_reference_type(0x10)": no BTF, exit status 0.  The same happens with
 *         rvalue references (0x42) and pointers to member (0x1f).
 */
int &r(int &a) { return a; }
