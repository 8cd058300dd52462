/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Arrays: dimensions, zero length and flexible ones in each position,
 * vectors, --flat_arrays, and the same types from BTF.
 *
 * cc: gcc-12 $CF -c 03-arrays.c -o t.o
 * cmd: pahole t.o
 * cmd: pahole --flat_arrays -C dims,zero,vec t.o
 * cmd: pahole --with_flexible_array -s t.o
 * cmd: pahole --with_embedded_flexible_array -s t.o
 * cc: clang-14 -target bpf $CF -c 03-arrays.c -o bpf.o
 * cmd: pahole -F btf -C dims,zero,vec,flex,mid bpf.o
 */
#define N(n) n
struct dims { int a[2][3]; char b[4]; short c[1]; long d[2][3][4]; };
struct zero { int n; char z0[0]; char z1[0][6]; int m; char z2[3][0]; char z3[0]; };
struct lone { char only[0]; };
struct flex { unsigned n; int v[]; };
struct flex2 { unsigned n; int v[][4]; };
struct holed_flex { long l; char c; int v[]; };
struct in_union { int n; union { char a[0]; int b; }; union { int c; char d[0]; }; };
struct mid { struct flex f; int after; };
struct deep { int n; struct { struct flex f; int after; } g; int m; };
struct ends_in_flex { int n; struct flex f; };
typedef int v4si __attribute__((__vector_size__(16)));
typedef char v2c __attribute__((__vector_size__(2)));
struct vec { v4si a; v2c b; v4si c[2]; v4si *d; };

struct dims N(a); struct zero N(b); struct lone N(c); struct flex N(d);
struct flex2 N(e); struct holed_flex N(f); struct in_union N(g); struct mid N(h);
struct deep N(i); struct ends_in_flex N(j); struct vec N(k);
