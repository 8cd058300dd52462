/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * build: clang-14 -g -O2 -S -emit-llvm signature_changed.c -o sc.ll
 * build: python3 nocall.py sc.ll sc2.ll
 * build: clang-14 -O2 -c sc2.ll -o signature_changed.nocall.o
 * build: clang-14 signature_changed.nocall.o -o signature_changed.out
 * build: clang-19 -g -O2 signature_changed.c -o signature_changed.clang19.out
 * encode: signature_changed.out
 * encode: signature_changed.out --btf_features=default
 * encode: signature_changed.out --btf_features=default,true_signature
 * encode: signature_changed.clang19.out
 * encode: signature_changed.clang19.out --btf_features=default
 * encode: signature_changed.clang19.out --btf_features=default,true_signature
 *
 * Build: clang-14 -g -O2 -S -emit-llvm; give every static function its own DISubroutineType with
 *        "cc: DW_CC_nocall" (newer clang does this itself when it changes a signature); clang-14 -O2 -c; link.
 * Expect (default features): dead_first, dead_mid, konst, bigval skipped; half, both, promo, retdead kept unchanged.
 * Expect (+true_signature): dead_first(live, p); dead_mid(a, b); half(s__b, n) [member of the struct really passed];
 *         both(s, n); bigval(b, n) [memory argument kept]; konst(n) [constant dropped]; promo(p, n).
 */
struct pair { long a; long b; };
struct big { long x[4]; };
volatile long sink;
static __attribute__((noinline)) long dead_first(int dead, long live, char *p) { sink = live; return live + *p; }
static __attribute__((noinline)) long dead_mid(long a, int dead, long b) { sink = a; return a * b; }
static __attribute__((noinline)) long half(struct pair s, long n) { sink = s.b; return s.b + n; }
static __attribute__((noinline)) long both(struct pair s, long n) { sink = s.b; return s.b + n + s.a; }
static __attribute__((noinline)) long promo(struct pair *p, long n) { sink = n; return p->b + n; }
static __attribute__((noinline)) long bigval(struct big b, int dead, long n) { sink = n; return b.x[2] + n; }
static __attribute__((noinline)) void retdead(long n) { sink = n; }
static __attribute__((noinline)) long konst(long n, long k) { sink = n; return n * k; }
int main(int argc, char **argv)
{
	struct pair p = { argc, argc + 2 }; struct big b = {{ argc, 1, argc, 3 }};
	retdead(argc);
	return dead_first(1, argc, argv[0]) + dead_mid(argc, 3, 4 + argc) + half(p, argc) + both(p, argc) +
	       promo(&p, argc) + bigval(b, 4, argc) + konst(argc, 5) + konst(argc + 1, 5);
}
