/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
struct hold { char a; long b; short c; int bf:5; struct { int x, y; } in; };
struct hold g; int f(struct hold *h) { return h->in.x + g.c; }
int main(void) { return f(&g); }
