/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Options that select which types are shown.
 *
 * cc: gcc-12 $CF -c 18-filters.c -o t.o
 * cmd: pahole -s t.o
 * cmd: pahole -s -x foo t.o
 * cmd: pahole -s -y foo t.o
 * cmd: pahole -s -x foo_b -y foo t.o
 * cmd: pahole -s -H 2 t.o
 * cmd: pahole -s -B 1 t.o
 * cmd: pahole -s -z 4 t.o
 * cmd: pahole -s --padding_ge 4 t.o
 * cmd: pahole -s --padding 4 t.o
 * cmd: pahole -s --padding=7 t.o
 * cmd: pahole -s --packed t.o
 * cmd: pahole -s --unions t.o
 * cmd: pahole -s --structs t.o
 * cmd: pahole -s --unions --structs t.o
 * cmd: pahole -s --with_flexible_array t.o
 * cmd: pahole -s -D 18 t.o
 * cmd: pahole -s -D /src t.o
 * cmd: pahole -s -X 18 t.o
 * cmd: pahole -s -X nope t.o
 * cmd: pahole -s --lang c11 t.o
 * cmd: pahole -s --lang C99,rust t.o
 * cmd: pahole -s --lang_exclude c11,c++ t.o
 * cmd: pahole -s --lang nolang t.o
 * cmd: pahole -V -s --lang c++ t.o
 * cmd: PAHOLE_LANG_EXCLUDE=c11 pahole -s t.o
 * cmd: pahole -s -a -y foo t.o
 * cmd: pahole -s -H 1 -B 1 t.o
 * cmd: pahole -s -n -N t.o
 * cmd: pahole -s --show_private_classes t.o
 * cmd: pahole --show_private_classes -C in_func t.o
 * cmd: pahole -C in_func t.o
 * cmd: pahole -s -H1 -C foo_a,bar t.o
 * cmd: pahole -s -x foo -C foo_a t.o
 */
#define PK __attribute__((__packed__))
struct foo_a { char a; int b; char c; long d; };
struct foo_b { long a; int b; };
struct PK foo_c { char a; int b; };
struct bar { char c; long l; unsigned b:3; char t; };
struct pad7 { long a; char b; };
struct flexy { int n; char z[]; };
union foo_u { char a; int b; };
typedef struct { char a; long b; } foo_anon;
struct fwd;
struct foo_a a; struct foo_b b; struct foo_c c; struct bar d; struct pad7 e;
struct flexy f; union foo_u g; foo_anon h; struct fwd *i;
int func(void) { struct in_func { char a; short b; } x = { 1, 2 }; union u_in_func { int a; char b; } y = { 3 }; return x.b + y.a; }
