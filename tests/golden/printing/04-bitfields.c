/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Bit fields: position and size columns, bit holes, zero width and unnamed
 * fields, storage-unit sharing, padding.  DWARF 5, DWARF 4 and BTF agree.
 *
 * cc: gcc-12 $CF -c 04-bitfields.c -o t.o
 * cc: gcc-12 $CF -gdwarf-4 -c 04-bitfields.c -o t4.o
 * cmd: pahole t.o
 * cmd: pahole t4.o > 4; pahole t.o | diff - 4 && echo same
 * cmd: pahole -q -C bf2,bf3,bf5,bf18 t.o
 * cmd: pahole --hex -C bf1,bf6 t.o
 * cmd: pahole --fixup_silly_bitfields -C bf12 t.o
 * cmd: pahole --btf_encode_detached=t.btf t.o; pahole -F btf t.btf > b; pahole t.o | diff - b
 */
typedef unsigned int u32;
enum en { EA, EB };
struct bf1 { int a:3; unsigned b:5; u32 c:7; int d; };
struct bf2 { char x; int a:3; int b:2; char y; };
struct bf3 { int a:20; int b:20; long c:40; long d:40; };
struct bf4 { unsigned a:1; unsigned :0; unsigned b:1; };
struct bf5 { unsigned a:1; unsigned :4; unsigned b:1; };
struct bf6 { enum en a:2; enum en b:3; _Bool c:1; unsigned long long d:33; };
struct bf7 { unsigned char a:4, b:4; unsigned short c:12; };
struct bf8 { unsigned char a; unsigned int b:24; };
struct bf9 { unsigned int a:31; } ;
struct bf10 { long a; unsigned char b:1; };
struct bf11 { long a; unsigned int b:1; };
struct bf12 { int a; int b:32; int c:16; short d:16; };
struct bf13 { unsigned char a:1; long b; unsigned c:2; long d; };
struct __attribute__((packed)) bf14 { unsigned char a; unsigned b:12; unsigned c:20; unsigned short d:9; unsigned long e:40; };
struct bf15 { const unsigned a:3; volatile unsigned b:4; const volatile u32 c:5; };
struct bf16 { int a:1; int z[0]; int b:1; };
struct bf17 { short a; int b:8; int c:8; short d:4; long e:9; char f; };
struct bf18 { unsigned :5; unsigned a:3; };
struct bf19 { long :8; long a:8; long :8; long b:8; char c; };
union bfu { int a:3; unsigned b:30; char c; };
struct bf20 { union { int a:3; int b:5; }; int c:7; struct { int d:3; int e:4; }; };
struct bf21 { char a[15]; char b:3; };
struct bf1 v1; struct bf2 v2; struct bf3 v3; struct bf4 v4; struct bf5 v5;
struct bf6 v6; struct bf7 v7; struct bf8 v8; struct bf9 v9; struct bf10 v10;
struct bf11 v11; struct bf12 v12; struct bf13 v13; struct bf14 v14;
struct bf15 v15; struct bf16 v16; struct bf17 v17; struct bf18 v18;
struct bf19 v19; union bfu vu; struct bf20 v20; struct bf21 v21;
