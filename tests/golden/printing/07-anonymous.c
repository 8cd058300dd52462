/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Nested anonymous structs, unions and enums: gcc puts them beside, clang
 * puts them inside the enclosing type, which changes the output.
 *
 * cc: gcc-12 $CF -c 07-anonymous.c -o t.o
 * cc: clang-14 $CF -c 07-anonymous.c -o c.o
 * cmd: pahole -C outer t.o
 * cmd: pahole -C outer c.o
 * cmd: pahole -M -C outer c.o
 * cmd: pahole t.o
 * cmd: pahole -a t.o
 * cmd: pahole -A t.o
 * cmd: pahole -a -A -s t.o
 */
struct outer {
	struct { int a; char b; };
	struct { int c; struct { char d; union { short e; char f; } g; } h; } i;
	union { int j; struct { char k, l; }; } m[3];
	enum { RED, GREEN } n;
	struct named { char o; long p; } q;
	enum ename { X = 5 } r;
	int a_very_long_name_for_a_member_of_an_anonymous_type_s;
	struct { int t; } a_very_long_name_for_a_member_of_an_anonymous_type_u;
};
typedef struct { int v; char w; } td_anon;
struct outer x; td_anon y; struct { int z; } aa;
