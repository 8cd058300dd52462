/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
struct hold { char a; long b; short c; int bf:5; unsigned bg:11; struct { int x, y; } in; long long ll; void *p; enum { NEG = -1, P = 5 } e; };
struct hold g; int f(struct hold *h) { return h->in.x + g.c; }
