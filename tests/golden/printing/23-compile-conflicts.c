/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * --compile: same names for different things, _Atomic, static functions'
 * types, two compilation units with different types of one name, packed.
 *
 * cc: gcc-12 $CF -DU=1 -c 23-compile-conflicts.c -o 1.o
 * cc: gcc-12 $CF -DU=2 -c 23-compile-conflicts.c -o 2.o
 * cc: gcc-12 -nostdlib -r 1.o 2.o -o t.o
 * cmd: pahole --compile t.o
 * cmd: pahole --compile --skip_emitting_atomic_typedefs 1.o | grep -n -i atomic
 * cmd: pahole --compile t.o > c.c; gcc-12 -fsyntax-only c.c
 */
#if U == 1
enum irte { IRTE_ENUM };
struct dup { int a; };
struct user1 { enum irte e; struct dup d; _Atomic int at; };
struct PKD { char c; int i; } __attribute__((__packed__));
struct holds_packed { char c; struct PKD p; };
struct user1 a; struct holds_packed b;
#else
struct irte { int a; };
union dup { long l; };
struct user2 { struct irte e; union dup d; };
struct al { char c; int i __attribute__((aligned(16))); };
struct user2 a2; struct al c2;
#endif
