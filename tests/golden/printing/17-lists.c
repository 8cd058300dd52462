/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * One-line-a-type listings -s -n -N -m -T, -t, several compilation units,
 * what counts as the same type in two of them.
 *
 * cc: gcc-12 $CF -DU=1 -c 17-lists.c -o 1.o
 * cc: gcc-12 $CF -DU=2 -c 17-lists.c -o 2.o
 * cc: gcc-12 -nostdlib -r 1.o 2.o -o t.o
 * cmd: pahole -s t.o
 * cmd: pahole -n t.o
 * cmd: pahole -N t.o
 * cmd: pahole -m t.o
 * cmd: pahole -T t.o
 * cmd: pahole -s -t : t.o
 * cmd: pahole -n -t ', ' t.o
 * cmd: pahole -m -C same t.o
 * cmd: pahole -T -s t.o
 * cmd: pahole t.o
 * cmd: pahole --sort t.o
 * cmd: pahole --sort -s t.o
 * cmd: pahole -z 1 t.o
 * cmd: pahole -V -z 1 t.o
 * cmd: pahole --first_obj_only -s t.o
 * cmd: pahole -u -C same t.o
 * cmd: pahole -C differs t.o
 * cmd: pahole 1.o 2.o -s
 */
struct same { int a; char b; };
union same_u { int a; long b; };
struct type_only {
#if U == 1
	int a;
#else
	unsigned a;
#endif
};
struct name_only {
#if U == 1
	int a, b;
#else
	int a, c;
#endif
};
struct differs {
	int a;
#if U == 2
	int b;
#endif
};
struct fwd_in_1;
#if U == 2
struct fwd_in_1 { char c; long l; };
#endif
#if U == 1
struct only_1 { char c; int i; };
void f1(struct same *s, struct only_1 *o, struct same *t) { }
#else
struct a_late { short s; };
void f2(struct same *s, union same_u *u, struct fwd_in_1 *f, struct a_late *a) { }
#endif
#define V_(n, u) n##u
#define V(n, u) V_(n, u)
struct same V(a, U); union same_u V(b, U); struct type_only V(c, U);
struct name_only V(d, U); struct differs V(e, U); struct fwd_in_1 *V(ff, U);
#if U == 1
struct only_1 g;
#else
struct a_late h;
#endif
