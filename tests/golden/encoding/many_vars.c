/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * build: gcc-12 -g -c many_vars.c -o many_vars.o
 * encode: many_vars.o
 * encode: many_vars.o --btf_features=default
 *
 * Expect: 70000 VARs, but DATASEC '.data' has vlen 4464 (70000 mod 65536) and size 4464: only the lowest 4464 entries.
 */
#define A(p) char p##0 = 1, p##1 = 1, p##2 = 1, p##3 = 1, p##4 = 1, p##5 = 1, p##6 = 1, p##7 = 1, p##8 = 1, p##9 = 1;
#define B(p) A(p##0) A(p##1) A(p##2) A(p##3) A(p##4) A(p##5) A(p##6) A(p##7) A(p##8) A(p##9)
#define C(p) B(p##0) B(p##1) B(p##2) B(p##3) B(p##4) B(p##5) B(p##6) B(p##7) B(p##8) B(p##9)
#define D(p) C(p##0) C(p##1) C(p##2) C(p##3) C(p##4) C(p##5) C(p##6) C(p##7) C(p##8) C(p##9)
D(v0) D(v1) D(v2) D(v3) D(v4) D(v5) D(v6)
