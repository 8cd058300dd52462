/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * build: clang-14 -g -c empty_decl_tag_func.c -o empty_decl_tag_func.o
 * encode: empty_decl_tag_func.o  # differs: Q30
 * encode: empty_decl_tag_func.o --btf_features=default  # differs: Q30
 *
 * dwarves: unlike a struct, an empty tag on a function fails the whole encoding: exit status 1, no output.
 */
int fn(int x) __attribute__((btf_decl_tag(""))); int fn(int x) { return x; }
