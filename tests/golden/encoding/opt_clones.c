/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * build: gcc-12 -g -O2 -fno-ipa-icf opt_clones.c -o opt_clones.x.out
 * build: gcc-12 -g -O2 -fno-ipa-icf -c opt_clones.c -o opt_clones.o
 * encode: opt_clones.x.out
 * encode: opt_clones.x.out --btf_features=default
 * encode: opt_clones.x.out --btf_features=default,true_signature
 * encode: opt_clones.o
 * encode: opt_clones.o --btf_features=default
 * encode: opt_clones.o --btf_features=default,true_signature
 *
 * Expect (linked): skipped as "optimized parameters": cp_only, isra_drop, isra_fn.
 *                  kept: byval (with the full struct parameter although only one half is passed),
 *                  ret_dropped (parameter unchanged), first_fn, caller, main.
 * Expect (relocatable): cp_only is kept (symbol values and DWARF addresses never agree in ET_REL, so the
 *                  suffix of the symbol is not noticed); isra_drop and isra_fn skipped as "reordered parameters".
 * Expect (linked, +true_signature): FUNC names are the full symbol names: 'cp_only.constprop.0' (still with the
 *                  constant parameter 'unused'), 'byval.isra.0', 'ret_dropped.isra.0'; isra_drop and isra_fn stay
 *                  skipped (registers unexpected in the abstract instance).
 * Expect: 'dead', 'live', 'n', 'unused' stay in the string table even though unused.
 */
volatile int sink;
struct two { long a; long b; };
int first_fn(int x) { return x + 1; }
static __attribute__((noinline)) int cp_only(int a, int unused) { sink = a; return a * 2; }
static __attribute__((noinline)) int isra_fn(struct two *t, int n) { sink = n; return t->b + n; }
static __attribute__((noinline)) int isra_drop(int dead, int live) { sink = live; return live; }
static __attribute__((noinline)) int byval(struct two t) { sink = t.b; return t.b; }
static __attribute__((noinline)) int ret_dropped(int a) { sink = a; return a; }
int caller(int q, struct two *t)
{
	ret_dropped(q);
	return cp_only(q, 3) + cp_only(q + 1, 3) + isra_fn(t, q) + isra_drop(q, q + 4) + byval(*t);
}
int main(int argc, char **argv) { struct two t = { argc, argc }; return caller(argc, &t); }
