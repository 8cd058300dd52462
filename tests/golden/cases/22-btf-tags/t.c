/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#define tt(x) __attribute__((btf_type_tag(#x)))
#define dt(x) __attribute__((btf_decl_tag(#x)))
int tt(t1) * tt(t1) tt(t2) *g __attribute__((section(".data..percpu")));
struct foo { int tt(t1) *a dt(mem); int b; } fo;
typedef struct { int z; } tdt dt(onT); tdt tv;
dt(fa) dt(fb) int fun(int x, int y dt(par)) { return x + y + fo.b + tv.z; }
