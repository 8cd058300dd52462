/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
struct __attribute__((packed)) straddle { char x1:1; char x2:3; char x3:3; int y1:7; int y2:20; unsigned long z:37; } s1;
struct weird { short :4; short a:4; int x; int :10; int y:4; short zz; short zzz:4; long z; short :4; } s2;
struct full { unsigned cycles:32; unsigned hle:1, rtm:1; } s3;
struct hw { long unused:62; int hw_stopped; long unused2:55; } s4;
typedef const volatile unsigned cvu; struct quals { volatile unsigned tx:1; cvu rx:1; _Bool f:1; const enum { QA, QB, QC } e:2; void *p; } s5;
struct big { unsigned long long a:64; unsigned __int128 w:100; long long b:1; } s6;
struct zero { char a; int :0; char b; long :0; char c; } s8;
union u { int a:5; unsigned long b:50; char c; } s9;
int main(void) { return 0; }
