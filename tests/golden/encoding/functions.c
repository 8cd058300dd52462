/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * build: gcc-12 -std=gnu2x -g -c functions.c -o functions.o
 * encode: functions.o
 * encode: functions.o --btf_features=default
 *
 * Expect FUNCs (all linkage 0, sorted by strcmp): aliased, impl, main, resolver, static_fn,
 *         unnamed_param, vararg, weakfn.
 *   - alias2 has no DWARF -> absent; ifn is STT_GNU_IFUNC -> absent; ext_decl is a declaration -> absent;
 *   - c2x has a parameter without a name -> absent;
 *   - vararg's FUNC_PROTO ends with a parameter (name_off 0, type 0).
 * Expect: FUNC_PROTOs are created right before their FUNC and shared by dedup when identical
 *         (same parameter names and types).
 */
extern int ext_decl(int a);
static __attribute__((noinline)) int static_fn(int a) { return a * 2; }
int vararg(const char *fmt, ...) { return ext_decl(fmt[0]); }
__attribute__((weak)) int weakfn(int w) { return w; }
int aliased(int al) { return al; }
int alias2(int al) __attribute__((alias("aliased")));
int unnamed_param(int, int);
int unnamed_param(int a, int b) { return a; }
int c2x(int, int z) { return z; }
static int impl(int a) { return a; }
static void *resolver(void) { return impl; }
int ifn(int) __attribute__((ifunc("resolver")));
int main(int argc, char **argv) { return static_fn(argc); }
