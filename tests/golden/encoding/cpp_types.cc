/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * build: g++-12 -gdwarf-4 -c cpp_types.cc -o cpp_types.dw4.o
 * build: g++-12 -gdwarf-5 -c cpp_types.cc -o cpp_types.dw5.o
 * encode: cpp_types.dw4.o  # differs: Q26
 * encode: cpp_types.dw4.o --btf_features=default  # differs: Q26
 * encode: cpp_types.dw4.o --btf_features=default,global_var  # differs: Q26
 * encode: cpp_types.dw5.o
 * encode: cpp_types.dw5.o --btf_features=default
 * encode: cpp_types.dw5.o --btf_features=default,global_var
 *
 * dwarves: names are unqualified; types nested in a class or namespace get their ids before the enclosing class
 *         (In, Nest, NT before D); base-class subobjects are not members (D.d at bit 32, nothing at 0);
 *         DWARF 4: the static member 'sm' appears as a member of D at offset 0; DWARF 5: it does not, and
 *         VAR 'sm' is emitted; ns::nsvar (section offset 0, mangled symbol) is absent in both;
 *         only extern "C" functions are found in the symbol table (cfn).
 */
struct Base { int b; };
struct D : Base { int d; static int sm; enum In { X, Y } in; struct Nest { char c; } n; typedef long NT; NT nt; int meth(int q) { return q + d; } };
namespace ns { struct Q { short s; }; int nsvar = 3; namespace inner { Q iq; } void nsfn(int) {} }
int D::sm = 4;
D gd; ns::Q gq;
class Cls { int priv; public: int pub; } gc;
template<class T, int N> struct Tm { T a[N]; }; Tm<int,3> tm;
enum class EC : unsigned char { A, B } ec;
struct Empty {} emp;
extern "C" int cfn(int a, D *p) { return a; }
int use() { return gd.meth(4); }
