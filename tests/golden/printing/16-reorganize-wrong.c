/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * -R results that cannot be: sizes that are not a multiple of the alignment,
 * negative savings, alignment attributes not obeyed.
 *
 * cc: gcc-12 $CF -c 16-reorganize-wrong.c -o t.o
 * cmd: for c in odd_end minus al; do pahole -R -C $c t.o; done
 * cmd: pahole -P t.o
 */
struct odd_end { long a[6]; int b[7]; char c; };
struct minus { short a; char b; char c; char *d[6]; };
struct al { char a; int b __attribute__((aligned(32))); char c; long d; };
struct odd_end a; struct minus b; struct al c;
