/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * build: clang-14 -g -O1 -c decl_type_tags.c -o decl_type_tags.o
 * encode: decl_type_tags.o
 * encode: decl_type_tags.o --btf_features=default
 *
 * Expect type ids: TYPE_TAG 't1' -> int, TYPE_TAG 't2' -> previous, PTR -> 't2' (tags get consecutive ids in
 *         source order just before their PTR; the tag nearest '*' is outermost).
 * Expect DECL_TAG order per struct: member tags in member order (component_idx = member index), then the
 *         struct's own tags (component_idx -1); all struct/union/typedef tags follow the types of the CU.
 * Expect function tags after their FUNC: params (idx 0,0,1) then the function's (-1).
 * Expect VAR 'pv' is directly followed by its tags.
 */
#define DT(x) __attribute__((btf_decl_tag(x)))
#define TT(x) __attribute__((btf_type_tag(x)))
struct DT("s1") DT("s2") S { int a DT("m_a1") DT("m_a2"); int b; int c DT("m_c"); };
union DT("u1") U { int x DT("u_x"); };
typedef int td DT("td1") DT("td2");
int TT("t1") TT("t2") *gp;
int TT("p1") * TT("p2") *gpp;
struct T2 { int TT("mtag") *p; void TT("vt") *v; const int TT("ct") *cp; };
int pv __attribute__((section(".data..percpu"))) DT("v1") DT("v2");
int __attribute__((noinline)) DT("f1") DT("f2") fn(int a DT("pa1") DT("pa2"), int TT("ptag") *b DT("pb")) { return a + *b; }
struct S gs; union U gu; td gt; struct T2 gt2;
int main(void) { return fn(gs.a, gp) + pv + **gpp; }
