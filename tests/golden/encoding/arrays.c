/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * build: gcc-12 -g -c arrays.c -o arrays.o
 * encode: arrays.o
 * encode: arrays.o --btf_features=default
 *
 * Expect: int[2][3] is one ARRAY with nelems 6; int[0], int[] and both VLAs have nelems 0 and are one
 *         ARRAY after dedup; 'nested' (array of a typedef'd array) is described by gcc as two dimensions, so it is
 *         the same nelems-6 ARRAY.
 *         index_type is the id of the first base type named exactly "int" (not the DWARF subrange type).
 */
int m[2][3]; int zero[0]; extern int ext[]; struct fl { int n; int x[]; } *pfl;
typedef int row_t[3]; row_t nested[2];
void vla(int n) { int z[n]; int y[n][3]; z[0] = y[0][0]; }
