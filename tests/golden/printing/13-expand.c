/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * -E: typedef chains, structs, unions, enums and arrays of them expanded in
 * place; -r, --hex with it; footer of expanded members.
 *
 * cc: gcc-12 $CF -c 13-expand.c -o t.o
 * cmd: pahole -E -C top t.o
 * cmd: pahole -E -r -C top t.o
 * cmd: pahole -r -C top t.o
 * cmd: pahole -E --hex -C top t.o
 * cmd: pahole -E -q -C top t.o
 * cmd: pahole -E -C un t.o
 * cmd: pahole -E t.o | grep -n '^[^	 ]'
 */
typedef unsigned int u32;
typedef u32 my_u32;
typedef int (*cb_t)(u32);
struct leaf { char a; short b; };
typedef struct leaf leaf_t;
typedef leaf_t leaf_tt;
typedef struct { long c; char d; } anon_t;
union un { u32 a; char b[6]; struct leaf c; };
typedef union un un_t;
enum en { E1, E2 };
typedef enum en en_t;
struct mid { leaf_t x; struct leaf y[2]; leaf_tt z; };
struct top {
	char first;
	my_u32 a;
	struct mid b;
	anon_t c;
	un_t d;
	en_t e;
	cb_t f;
	struct leaf *g;
	leaf_t *h;
	leaf_t i[3];
	const leaf_t j;
	struct { leaf_t k; union { struct leaf l; u32 m; }; } n;
	volatile u32 o;
	u32 p:4;
	my_u32 q[2];
	struct top *self;
};
struct top v; union un w;
