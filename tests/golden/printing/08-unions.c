/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Unions as top-level types: name column two narrower, no statistics.
 *
 * cc: gcc-12 $CF -c 08-unions.c -o t.o
 * cmd: pahole t.o
 * cmd: pahole -q t.o
 * cmd: pahole --unions t.o
 * cmd: pahole --structs -s t.o
 * cmd: pahole -s t.o
 */
struct s { char a; int b; };
union u { int a; char b[5]; struct s c; struct { short d; long e; }; union { int f; float g; } h; unsigned i:3; struct { char a; int b; } j; enum { Q } k; };
union empty_u { };
union __attribute__((aligned(64))) al { int a; char b; };
union __attribute__((packed)) pk { int a; char b[5]; };
struct has { union u x; union al y; };
union u a; union empty_u b; union al c; union pk d; struct has e;
