/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Which of several things of one name a lookup finds; structs and unions of
 * one name and shape; a struct and its typedef.
 *
 * cc: gcc-12 $CF -c 36-lookup.c -o t.o
 * cc: gcc-12 $CF -DTD_FIRST -c 36-lookup.c -o f.o
 * cc: gcc-12 $CF -DU=1 -c 36-lookup.c -o 1.o
 * cc: gcc-12 $CF -DU=2 -c 36-lookup.c -o 2.o
 * cc: gcc-12 -nostdlib -r 1.o 2.o -o m.o
 * cmd: pahole -C node t.o
 * cmd: pahole -C node f.o
 * cmd: pahole t.o
 * cmd: pahole f.o
 * cmd: pahole --sort -C node f.o
 * cmd: pahole m.o
 * cmd: pahole -T m.o
 * cmd: pahole -C kind m.o
 * cmd: pahole -C gap,inner t.o
 * cmd: pahole -C inner t.o
 */
#ifndef U
#ifdef TD_FIRST
typedef struct node node;
node *first;
#endif
struct node { struct node *next; int v; };
typedef struct node node;
struct __attribute__((packed)) inner { int a, b; };
struct gap { char c; struct inner i; long l; };
node n; struct gap g; struct node *sn;
#elif U == 1
struct kind { int a; };
enum both { BOTH };
struct kind k; enum both b;
#else
union kind { int a; };
struct both { int z; };
union kind k2; struct both b2;
#endif
