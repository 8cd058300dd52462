/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * build: gcc-12 -g -O2 -c packed_params.c -o packed_params.gcc12.o
 * build: clang-14 -g -O2 -c packed_params.c -o packed_params.clang14.o
 * encode: packed_params.gcc12.o
 * encode: packed_params.gcc12.o --btf_features=default
 * encode: packed_params.clang14.o
 * encode: packed_params.clang14.o --btf_features=default
 *
 * Expect skipped ("uncertain parameter location"): six, six_al, six_sz.
 * Expect kept: five (index 5 is still a register slot), six_same (not detectable as packed), six_hole,
 *         six_td (typedef), six_const (const) - the type is looked at directly, not through typedef/const -
 *         six_ptr, seven_first (packed struct at index 0).
 */
struct __attribute__((packed)) pk { char a; int b; long c; };
struct __attribute__((packed)) pk_al { int a; long b; };
struct __attribute__((packed)) pk_same { int a; int b; };
struct __attribute__((packed)) pk_sz { int a; int b; char c; };
struct hole { char a; long b; };
typedef struct pk tpk;
int six(int a, int b, int c, int d, int e, int f, struct pk g) { return g.b; }
int six_al(int a, int b, int c, int d, int e, int f, struct pk_al g) { return g.b; }
int six_same(int a, int b, int c, int d, int e, int f, struct pk_same g) { return g.b; }
int six_sz(int a, int b, int c, int d, int e, int f, struct pk_sz g) { return g.b; }
int six_hole(int a, int b, int c, int d, int e, int f, struct hole g) { return g.b; }
int six_td(int a, int b, int c, int d, int e, int f, tpk g) { return g.b; }
int six_const(int a, int b, int c, int d, int e, int f, const struct pk g) { return g.b; }
int six_ptr(int a, int b, int c, int d, int e, int f, struct pk *g) { return g->b; }
int five(int a, int b, int c, int d, int e, struct pk g) { return g.b; }
int seven_first(struct pk g, int a, int b, int c, int d, int e, int f) { return g.b; }
