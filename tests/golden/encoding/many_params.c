/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * build: gcc-12 -g -c many_params.c -o many_params.o
 * build: gcc-12 -g -DUSE2 -c many_params.c -o many_params.use2.o
 * build: ld -r many_params.o many_params.use2.o -o many_params.both.o
 * encode: many_params.o  # differs: Q4
 * encode: many_params.o --btf_features=default  # differs: Q4
 * encode: many_params.use2.o  # differs: Q4
 * encode: many_params.use2.o --btf_features=default  # differs: Q4
 * encode: many_params.both.o  # differs: Q4
 * encode: many_params.both.o --btf_features=default  # differs: Q4
 *
 * Build: gcc-12 -g -c many_params.c                      -> one FUNC 'many' with 260 parameters
 *        gcc-12 -g -DUSE2 -c many_params.c -o mp2.o; ld -r many_params.o mp2.o -o both.o
 * dwarves: FUNC_PROTO of 'many': parameters 256..259 overwrite positions 0..3, the last 4 entries are (no name,
 *         type 0).  Encoding both.o never terminates (8-bit loop counter, two states to compare).
 */
#define P4(x) int x##0, int x##1, int x##2, int x##3
#define P20(x) P4(x##a), P4(x##b), P4(x##c), P4(x##d), P4(x##e)
#define P100(x) P20(x##a), P20(x##b), P20(x##c), P20(x##d), P20(x##e)
static int many(P100(x), P100(y), P20(z), P20(w), P20(v)) { return xaa0; }
#ifdef USE2
void *p2 = (void *)many;
#else
void *p1 = (void *)many;
#endif
