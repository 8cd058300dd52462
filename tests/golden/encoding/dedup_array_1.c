/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * build: gcc-12 -g -c dedup_array_1.c -o dedup_array_1.o
 * build: gcc-12 -g -c dedup_array_2.c -o dedup_array_2.o
 * build: ld -r dedup_array_1.o dedup_array_2.o -o dedup_array.d12.o
 * build: ld -r dedup_array_2.o dedup_array_1.o -o dedup_array.d21.o
 * encode: dedup_array_1.o
 * encode: dedup_array_1.o --btf_features=default
 * encode: dedup_array_2.o
 * encode: dedup_array_2.o --btf_features=default
 * encode: dedup_array.d12.o  # differs: Q2
 * encode: dedup_array.d12.o --btf_features=default  # differs: Q2
 * encode: dedup_array.d21.o
 * encode: dedup_array.d21.o --btf_features=default
 *
 * dwarves (d12.o): ONE struct s, whose b is int[4]: the unsigned int[4] of the second CU is lost (arrays are
 *         compared by element count only once a hypothetical mapping conflicts).
 * dwarves (d21.o): two struct s.
 */
struct s { int a[4]; int b[4]; }; struct s x1;
