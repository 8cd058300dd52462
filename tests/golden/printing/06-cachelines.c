/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Cacheline boundary comments, -c SIZE, unions going back to the cacheline
 * they start in, nested structs that span lines, zero-size members.
 *
 * cc: gcc-12 $CF -c 06-cachelines.c -o t.o
 * cmd: pahole t.o
 * cmd: pahole -c 32 -C lines,big_union t.o
 * cmd: pahole -c 128 -C lines t.o
 * cmd: pahole -E -C nest t.o
 */
struct lines { char a[63]; char b; char c; long d; char e[200]; char f; };
struct one { char a[65]; char b; };
union big_union {
	struct { char a[60]; char b[10]; char c; } x;
	struct { char d[100]; char e; } y;
	char z[300];
};
struct holds_union {
	char pad[60];
	union {
		struct { char a[10]; char b[70]; char c; };
		struct { char d[100]; char e; };
	};
	char last;
};
struct in { char a[40]; char b[40]; };
struct nest { char h[50]; struct in i; struct in j[2]; char t; };
struct empty { };
struct zmark { char a[64]; struct empty m[0]; char b[64]; struct empty e; char c; };
struct lines a; struct one b; union big_union c; struct holds_union d;
struct nest e; struct zmark f;
