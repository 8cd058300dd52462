/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * build: gcc-12 -g -c incomplete_array_var.c -o incomplete_array_var.o
 * encode: incomplete_array_var.o
 * encode: incomplete_array_var.o --btf_features=default
 * encode: incomplete_array_var.o --btf_features=default,global_var
 *
 * Expect: no VAR for 'tbl': the defining DIE has DW_AT_specification, and the type of the specification
 *         (int[], size 0) is used instead of the definition's int[5].  'plain' is present.
 */
extern int tbl[]; int tbl[5]; int plain = 1;
