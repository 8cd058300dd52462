/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* See ambiguous_a.c */
static __attribute__((noinline)) int dup_fn(int a) { __asm__ volatile("" ::: "memory"); return a + 2; }
static __attribute__((noinline)) int zz_last(long b) { __asm__ volatile("" ::: "memory"); return b + 4; }
int use_b(int x) { return dup_fn(x) + zz_last(x); }
int main(void) { return 0; }
