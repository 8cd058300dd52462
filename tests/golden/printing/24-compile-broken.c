/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * --compile output that no compiler takes, or that is another type than the
 * one compiled.  Each variant is one type; the first command shows the text,
 * the second how many errors gcc counts in it, the third its size if accepted.
 *
 * cc: for v in 1 2 3 4 5 6 7 8 9 10 11 12; do gcc-12 $CF -DV=$v -c 24-compile-broken.c -o $v.o || exit 1; done
 * cc: for v in 1 2 3 4 5 6 7 8 9 10 11 12; do clang-14 $CF -DV=$v -c 24-compile-broken.c -o c$v.o || exit 1; done
 * cc: clang-14 -target bpf $CF -DV=11 -c 24-compile-broken.c -o bpf.o
 * cmd: for v in 1 2 3 4 5 6 7 8 9 10 11 12; do pahole -q --compile $v.o; done
 * cmd: pahole -q -F btf --compile bpf.o
 * cmd: for v in 1 2 3 4 5 6 7 8 9 10 11 12; do pahole --compile $v.o > $v.c; echo $v: $(gcc-12 -fsyntax-only $v.c 2>&1 | grep -c error); done
 * cmd: for v in 1 2 3 4 5 6 7 8 9 10 11 12; do pahole --compile c$v.o > c$v.c; echo $v: $(gcc-12 -fsyntax-only c$v.c 2>&1 | grep -c error); done
 * cmd: for v in 5 8 9 10; do echo $v: $(pahole -s -C t $v.o) / $(echo 'struct t v;' | cat $v.c - | gcc-12 -g -x c -c - -o x.o 2>/dev/null && pahole -s -C t x.o); done
 */
#if V == 1		/* array of pointers to functions */
struct t { int (*a[4])(void); };
#elif V == 2		/* function pointer that returns one */
struct t { int (*(*a)(int))(char); };
#elif V == 3		/* qualified anonymous struct: the member's name is lost */
struct t { const struct { int q; } a; int b; };
#elif V == 4		/* pointer to pointer to anonymous struct */
struct t { struct { int q; } **a; };
#elif V == 5		/* pointer to array: the array is lost */
struct t { int (*a)[4]; char b; };
#elif V == 6		/* pointer to a pointer to a function */
struct t { void (**a)(int); };
#elif V == 7		/* anonymous enum inside: with clang its constants are defined twice */
struct t { enum { A, B } a; };
#elif V == 8		/* packed and aligned: packed is lost */
struct t { char a; int b; } __attribute__((packed, aligned(4)));
struct u { struct t t; };
#elif V == 9		/* 64-bit enumeration is shown as packed */
enum e { A = 1, B = 0x100000000ULL };
struct t { enum e a; char b; };
#elif V == 10		/* type with an alignment of its own used by value */
typedef int al __attribute__((aligned(16)));
struct t { char a; al b; };
#elif V == 11		/* types behind restrict, and in BTF behind type tags, are not emitted */
#ifdef __bpf__
#define QUAL(p) __attribute__((btf_type_tag("user"))) p
#else
#define QUAL(p) p restrict
#endif
typedef struct { int a; } td;
struct t { td QUAL(*)a; };
#elif V == 12		/* struct behind a typedef of a qualified struct */
struct hidden { int a; };
typedef const struct hidden td;
struct t { td a; };
#endif
struct t v;
#if V == 8
struct u v2;
#endif
