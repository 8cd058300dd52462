/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * build: gcc-12 -g -O0 -c nested_types.c -o nested_types.O0.o
 * build: gcc-12 -g -O2 -c nested_types.c -o nested_types.O2.o
 * encode: nested_types.O0.o
 * encode: nested_types.O0.o --btf_features=default
 * encode: nested_types.O2.o
 * encode: nested_types.O2.o --btf_features=default
 *
 * Expect: types local to function bodies, to lexical blocks and to inlined functions are encoded:
 *         STRUCT 'local', anonymous ENUM {LA,LB}, TYPEDEF 'blockt', UNION 'blk', STRUCT 'in_inl'.
 *         FUNCs come after all types, sorted by name: main, nested_types.
 */
static inline __attribute__((always_inline)) int inl(int q) { struct in_inl { int z; } v = { q }; return v.z; }
int nested_types(int p)
{
	struct local { int a; enum { LA, LB } e; } l = { p, LA };
	{ typedef short blockt; blockt x = p; union blk { int u; } bu; bu.u = x; return l.a + bu.u; }
}
int main(int argc, char **argv) { return inl(argc) + nested_types(2); }
