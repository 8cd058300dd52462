/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * build: gcc-12 -g -O2 -c ambiguous_a.c -o ambiguous_a.o
 * build: gcc-12 -g -O2 -c ambiguous_b.c -o ambiguous_b.o
 * build: gcc-12 ambiguous_a.o ambiguous_b.o -o ambiguous.x.out
 * build: ld -r ambiguous_a.o ambiguous_b.o -o ambiguous.r.o
 * encode: ambiguous_a.o
 * encode: ambiguous_a.o --btf_features=default
 * encode: ambiguous_b.o
 * encode: ambiguous_b.o --btf_features=default
 * encode: ambiguous.x.out
 * encode: ambiguous.x.out --btf_features=default
 * encode: ambiguous.x.out --skip_encoding_btf_inconsistent_proto
 * encode: ambiguous.r.o
 * encode: ambiguous.r.o --btf_features=default
 * encode: ambiguous.r.o --skip_encoding_btf_inconsistent_proto
 *
 * Expect (amb.x): dup_fn skipped ("ambiguous address", two addresses for one name);
 *                 zz_last is NOT skipped: the name that sorts last is never checked for ambiguity
 *                 (with --skip_encoding_btf_inconsistent_proto it is skipped for its prototype).
 * Expect (amb.o): dup_fn is encoded: a first address of 0 hides the ambiguity.
 */
static __attribute__((noinline)) int dup_fn(int a) { __asm__ volatile("" ::: "memory"); return a + 1; }
static __attribute__((noinline)) int zz_last(int a) { __asm__ volatile("" ::: "memory"); return a + 3; }
int use_a(int x) { return dup_fn(x) + zz_last(x); }
