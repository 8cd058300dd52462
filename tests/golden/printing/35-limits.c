/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Counters and buffers that overflow: holes over 255, padding over 65535,
 * structs over 512 MiB, names over 127 characters, wide bit fields.
 *
 * cc: gcc-12 $CF -c 35-limits.c -o t.o
 * cmd: pahole -C many_holes t.o | tail -7
 * cmd: pahole -s t.o
 * cmd: pahole -C big_pad t.o
 * cmd: pahole -C huge t.o
 * cmd: pahole -C long_names t.o
 * cmd: pahole -C wide_bits t.o
 * cmd: pahole --fixup_silly_bitfields -C silly t.o
 * cmd: pahole -C deep t.o
 * cmd: pfunct -f takes_long t.o
 */
#define H(n) char c##n; int i##n;
#define H10(n) H(n##0) H(n##1) H(n##2) H(n##3) H(n##4) H(n##5) H(n##6) H(n##7) H(n##8) H(n##9)
#define H100(n) H10(n##0) H10(n##1) H10(n##2) H10(n##3) H10(n##4) H10(n##5) H10(n##6) H10(n##7) H10(n##8) H10(n##9)
struct many_holes { H100(1) H100(2) H100(3) };
struct big_pad { char a; } __attribute__((aligned(131072)));
struct huge { char a[600000000]; int b; char c; long d; };
#define N100 a123456789b123456789c123456789d123456789e123456789f123456789g123456789h123456789i123456789j123456789
#define CAT_(a, b) a##b
#define CAT(a, b) CAT_(a, b)
#define N150 CAT(N100, k123456789l123456789m123456789n123456789o123456789)
struct N150 { int x; };
typedef struct N150 CAT(td_, N150);
struct long_names {
	struct N150 *p; struct N150 v; CAT(td_, N150) t; const struct N150 *cp; int CAT(m_, N150);
	void (*fn)(struct N150 *, CAT(td_, N150) *);
};
struct wide_bits { unsigned __int128 a:100, b:20; __int128 c:128; };
struct silly { long one:1; int all:32; long l64:64; char c8:8; };
struct deep { struct { struct { struct { struct { struct { struct { struct { struct { struct { int i; } a; } b; } c; } d; } e; } f; } g; } h; } j; };
struct many_holes *a; struct big_pad *b; struct huge *c; struct long_names d; struct wide_bits e; struct silly f; struct deep g;
struct many_holes aa; struct big_pad bb; extern struct huge cc; struct huge *use(void) { return &cc; }
void takes_long(struct N150 *p, CAT(td_, N150) v, const struct N150 *q) { }
