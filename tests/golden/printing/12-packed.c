/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * When __packed__ is printed: it is inferred, not recorded.
 *
 * cc: gcc-12 $CF -c 12-packed.c -o t.o
 * cmd: pahole t.o
 * cmd: pahole --packed -s t.o
 * cmd: pahole --suppress_packed -C p1,holds t.o
 * cmd: pahole -C holds,p1 t.o
 * cmd: pahole --btf_encode_detached=t.btf t.o; pahole -F btf t.btf >b; pahole t.o | diff - b
 */
#define PK __attribute__((__packed__))
struct PK p1 { char a; int b; };
struct PK p2 { int a; char b; };
struct PK no_effect { int a; int b; };
struct PK chars { char a; char b[7]; };
struct PK with_hole { char a; int b __attribute__((aligned(4))); };
struct PK p_al { char a; int b; } __attribute__((aligned(4)));
struct PK size_odd { long a; int b; };
struct natural { char a; int b; };
struct PK inner_ok { int a; int b; };
struct holds { char c; struct inner_ok i; struct p1 j; char d[2]; };
struct holds_gap { char c; struct inner_ok i; long l; };
union PK up { char a[5]; struct inner_ok b; struct { int x; char y; } c; };
struct anon_p { int n; struct PK { char a; long b; }; struct PK { short c; int d; } e; };
struct PK bits { char a; unsigned b:7; unsigned c:20; };
struct PK arr { char a; int b[2]; };
struct PK ptrs { char a; void *p; };
struct p1 a; struct p2 b; struct no_effect c; struct chars d; struct with_hole e;
struct p_al f; struct size_odd g; struct natural h; struct holds i;
struct holds_gap j; union up k; struct anon_p l; struct bits m; struct arr n; struct ptrs o;
