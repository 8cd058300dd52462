/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * build: g++-12 -g -c method_name_clash.cc -o method_name_clash.o
 * encode: method_name_clash.o
 * encode: method_name_clash.o --btf_features=default
 *
 * Expect (no options): one FUNC 'work' with parameter z.
 * Expect (--btf_features=default): no FUNC 'work': the method X::work is recorded under the same unqualified name, its
 *         parameter count differs (this, q), so the group is inconsistent.
 */
struct X { int a; int work(int q) { return a + q; } };
extern "C" int work(long z) { X x{1}; return x.work(z); }
