/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * build: gcc-12 -g -c multi_file_1.c -o multi_file_1.o
 * build: gcc-12 -g -c multi_file_2.c -o multi_file_2.o
 * encode: multi_file_1.o
 * encode: multi_file_1.o --btf_features=default
 * encode: multi_file_1.o --btf_features=default,global_var
 * encode: multi_file_2.o
 * encode: multi_file_2.o --btf_features=default
 * encode: multi_file_2.o --btf_features=default,global_var
 * encode: multi_file_1.o multi_file_2.o --btf_features=default
 * encode: multi_file_1.o multi_file_2.o --btf_features=default,global_var # differs: Q28
 * encode: multi_file_2.o multi_file_1.o --btf_features=default
 *
 * Build: gcc-12 -g -c multi_file_1.c multi_file_2.c
 * Encode: pahole -J --btf_features=default,global_var multi_file_1.o multi_file_2.o
 * Expect: one BTF with the types and functions of both files, stored in multi_file_1.o only; multi_file_2.o unchanged.
 *         Variables of the second file are looked up in the first file's sections: 'second' (in .data of file 2) has an
 *         address that belongs to .rodata of file 1 and is listed there (offset 32, overlapping 'first'); the DATASEC
 *         size is 64 (end of its last entry) although 'first' is 256 bytes long.  'pad' is dropped.
 *         If the second file has no debug information, nothing is written at all (exit status 0).
 */
const int first[64] = { 1 };
int fa(int a) { return a + first[3]; }
