/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * build: gcc-12 -g -DBASE -c split_same_func.c -o split_same_func.base.o
 * build: gcc-12 -g -c split_same_func.c -o split_same_func.mod.o
 * encode: split_same_func.base.o
 * encode: split_same_func.base.o --btf_features=default
 * encode: split_same_func.mod.o
 * encode: split_same_func.mod.o --btf_features=default
 * encode: split_same_func.mod.o --btf_base=split_same_func.base.btf
 * encode: split_same_func.mod.o --btf_base=split_same_func.base.btf --btf_features=default,layout
 * encode: split_same_func.base.o --btf_base=split_same_func.base.btf
 * encode: split_same_func.mod.o --btf_base=split_same_func.base.btf --btf_features=default,distilled_base
 * encode: split_same_func.base.o --btf_base=split_same_func.base.btf --btf_features=default,distilled_base
 *
 * Build: gcc-12 -g -DBASE -c split_same_func.c -o base.o; gcc-12 -g -c split_same_func.c -o mod.o
 *        pahole --btf_encode_detached=base.btf base.o; pahole --btf_base=base.btf --btf_encode_detached=mod.btf mod.o
 * Expect: mod.btf has no FUNC 'fa' (identical FUNC in the base), it has STRUCT 'newc' (id 6 = first split id),
 *         INT 'char', PTR, FUNC_PROTO and FUNC 'g'; strings already in the base keep their base offsets. The base split on
 *         itself is empty.
 */
struct A { int a; }; struct A ga; int fa(struct A *p) { return p->a; }
#ifndef BASE
struct newc { struct A *p; struct A em; char c; } nc; int g(struct newc *n) { return 0; }
#endif
