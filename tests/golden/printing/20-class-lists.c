/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * -C: several names, file://, order, repeats, missing names, a bare name,
 * exit status, and the order of processing in two compilation units.
 *
 * cc: gcc-12 $CF -DU=1 -c 20-class-lists.c -o 1.o
 * cc: gcc-12 $CF -DU=2 -c 20-class-lists.c -o 2.o
 * cc: gcc-12 -nostdlib -r 1.o 2.o -o t.o
 * cc: printf 'second\nfirst\n' > list; printf 'second\nfirst' > list_nonl; printf 'second\n\nfirst\n' > list_blank
 * cmd: pahole -s -C second,first t.o
 * cmd: pahole -s -C first,first t.o
 * cmd: pahole -s -C first, t.o
 * cmd: pahole -s -C ,first t.o
 * cmd: pahole -s -C 'first, second' t.o
 * cmd: pahole -s -C nope t.o
 * cmd: pahole -s -C first,nope,second t.o
 * cmd: pahole -s -C nope,first t.o
 * cmd: pahole -s --skip_missing -C nope,first,nope2,second t.o
 * cmd: pahole -s -C in_two,first t.o
 * cmd: pahole -s -C first,in_two t.o
 * cmd: pahole -s -C in_two,in_one t.o
 * cmd: pahole -s -C file://list t.o
 * cmd: pahole -s -C file://list_nonl t.o
 * cmd: pahole -s -C file://list_blank t.o
 * cmd: pahole -s -C file://no_such_file t.o
 * cmd: pahole -s -C file://list,in_two t.o
 * cmd: pahole -C e,td,u,first t.o
 * cmd: pahole -u -C first,in_two t.o
 * cmd: pahole -u -C in_two t.o
 * cmd: pahole -s -C first -C second t.o
 * cmd: pahole -s no_such_file.o
 * cmd: pahole -s -C first no_such_file.o
 * cmd: pahole -s list
 * cmd: pahole -F btf -s t.o
 * cmd: pahole -F nosuchformat -s t.o
 * cmd: pahole -F btf,dwarf -s -C first t.o
 * cmd: pahole -s t.o first
 * cmd: pahole --nosuchoption t.o
 * cmd: pahole -C
 */
struct first { int a; };
struct second { int a, b; };
#if U == 1
struct in_one { int a, b, c; };
struct in_one x;
#else
struct in_two { int a, b, c, d; };
struct in_two y;
#endif
enum e { E };
typedef struct first td;
union u { int a; };
#define V_(n, u) n##u
#define V(n, u) V_(n, u)
struct first V(va, U); struct second V(vb, U); enum e V(vc, U); td V(vd, U); union u V(vf, U);
