/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * build: clang-14 -g -c empty_decl_tag.c -o empty_decl_tag.o
 * encode: empty_decl_tag.o  # differs: Q30
 * encode: empty_decl_tag.o --btf_features=default  # differs: Q30
 *
 * dwarves: the error is printed, exit status 0, the BTF has only STRUCT 'S' and INT 'int': the functions and
 *         variables of this CU are silently dropped (fn is missing).
 */
struct __attribute__((btf_decl_tag(""))) S { int a; }; struct S s;
int fn(int x) { return x; }
