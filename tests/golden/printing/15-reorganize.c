/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * -R, -S, -P: packing by moving members.
 *
 * cc: gcc-12 $CF -c 15-reorganize.c -o t.o
 * cmd: pahole -P t.o
 * cmd: pahole -P -t , t.o
 * cmd: for c in simple tail two nothing bits nested big arr al lone; do pahole -R -C $c t.o; done
 * cmd: pahole -R -S -C simple t.o
 * cmd: pahole -R -V -C two t.o
 * cmd: pahole -S -C simple t.o
 * cmd: pahole -R t.o | head -5
 * cmd: pahole -R -q -C tail t.o
 * cmd: pahole -P -V -C simple t.o
 * cmd: pahole -R -C a_union,an_enum,a_td,simple t.o
 */
struct simple { char a; long b; char c; int d; };
struct tail { long a; char b; int c; char d; };
struct two { char a; long b; short c; long d; int e; long f; char g; };
struct nothing { char a; int b; };
struct bits { char a; long b; unsigned c:3; long d; unsigned e:4; char f; };
struct in { char x; int y; };
struct nested { char a; struct in b; char c; struct in d; short e; };
struct big { char a; char b[63]; long c; char d; long e; char f[7]; int g; char h; long i; };
struct arr { char a; int b[3]; char c[3]; long d; char e; };
struct al { char a; int b __attribute__((aligned(32))); char c; long d; };
struct lone { int a; };
union a_union { int a; char b; };
enum an_enum { AN_A };
typedef struct simple a_td;
struct simple a; struct tail b; struct two c; struct nothing d; struct bits e;
struct nested f; struct big g; struct arr h; struct al i; struct lone j;
union a_union k; enum an_enum l; a_td m;
