/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * build: clang-14 -g -c empty_decl_tag_var.c -o empty_decl_tag_var.o
 * encode: empty_decl_tag_var.o  # differs: Q30
 * encode: empty_decl_tag_var.o --btf_features=default  # differs: Q30
 *
 * dwarves: unlike a type, an empty tag on an encoded variable aborts the run: nothing written, exit status 0.
 */
int pv __attribute__((section(".data..percpu"))) __attribute__((btf_decl_tag("")));
int f(int z) { return z + pv; }
