/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * --compile: what is emitted before what.  The last commands try the result.
 *
 * cc: gcc-12 $CF -c 22-compile.c -o t.o
 * cmd: pahole --compile -C top t.o
 * cmd: pahole --compile t.o
 * cmd: pahole --compile t.o > c.c; gcc-12 -fsyntax-only c.c && echo compiles
 * cmd: pahole --btf_encode_detached=t.btf t.o; pahole -F btf --compile t.btf > b.c; pahole --compile t.o | diff - b.c
 * cmd: pahole --compile -C td t.o
 * cmd: pahole --compile -q -C top t.o
 */
typedef unsigned int u32;
typedef u32 my_u32;
enum e { E_A, E_B };
typedef enum { TE_A = 5 } te_t;
struct by_ptr { int never_needed; };
struct by_value { char a; u32 b; };
union un { my_u32 a; char b; };
typedef union un un_t;
struct in_array { short s; };
typedef struct by_value td;
typedef struct { long l; } anon_t;
typedef struct opaque *handle;
typedef int (*cb_t)(struct by_ptr *, enum e, handle, un_t);
struct list { struct list *next; cb_t cb; };
struct top {
	my_u32 a;
	struct by_ptr *b;
	struct by_value c;
	const struct in_array d[2];
	un_t e;
	te_t f;
	anon_t g;
	handle h;
	cb_t i;
	enum e j;
	struct { struct by_value k; struct fwd *l; } m;
	struct list n;
	void (*o)(const struct by_ptr *, struct never_defined *);
	td *p;
	struct top *self;
	u32 q:3, r:5;
	volatile my_u32 *s;
	struct by_ptr **t;
};
struct top v; struct by_ptr w;
