/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * build: gcc-12 -g -c kfuncs.c -o kfuncs.o
 * build: gcc-12 -g -DBAD -c kfuncs.c -o kfuncs.bad.o
 * encode: kfuncs.o
 * encode: kfuncs.o --btf_features=default
 * encode: kfuncs.o --btf_features=default,attributes
 * encode: kfuncs.bad.o
 * encode: kfuncs.bad.o --btf_features=default
 * encode: kfuncs.bad.o --btf_features=default,attributes  # differs: a kfunc with an arena flag where there is no pointer
 *
 * Build: gcc-12 -g -c kfuncs.c
 * Encode: pahole --btf_features=default          -> DECL_TAG 'bpf_kfunc' on kf_plain, kf_fast, kf_arena_ret,
 *           kf_arena_args; kf_fast also 'bpf_fastcall'; none on kf_noflag_set (set flag 0) or not_kf (no set).
 *         pahole --btf_features=default,attributes -> kf_arena_ret returns, and kf_arena_args takes twice,
 *           PTR -> TYPE_TAG 'address_space(1)' kind_flag=1 -> void.
 *         pahole --btf_features=default,attributes with -DBAD -> exit status 1 (arena flag on a non-pointer).
 */
#define SETB(name, fl) __asm__(".pushsection .BTF_ids,\"a\"\n.local __BTF_ID__set8__" #name "\n.type __BTF_ID__set8__" #name ", @object\n__BTF_ID__set8__" #name ":\n.zero 4\n.long " #fl "\n.popsection");
#define SETE(name) __asm__(".pushsection .BTF_ids,\"a\"\n.size __BTF_ID__set8__" #name ", .-__BTF_ID__set8__" #name "\n.popsection");
#define ID(fn, n, fl) __asm__(".pushsection .BTF_ids,\"a\"\n.local __BTF_ID__func__" #fn "__" #n "\n.type __BTF_ID__func__" #fn "__" #n ", @object\n.size __BTF_ID__func__" #fn "__" #n ", 4\n__BTF_ID__func__" #fn "__" #n ":\n.zero 4\n.long " #fl "\n.popsection");
struct task { int a; };
void *kf_plain(struct task *t) { return t; }
void *kf_fast(int x) { return 0; }
void *kf_arena_ret(void *p, unsigned long sz) { return p; }
void kf_arena_args(void *p, void *ptr2, int n) { }
int not_kf(int z) { return z; }
int kf_noflag_set(int z) { return z; }
int kf_arena_bad(int z) { return z; }
SETB(good, 1)
ID(kf_plain, 1, 0)
ID(kf_fast, 2, 0x1000)
ID(kf_arena_ret, 3, 0x2000)
ID(kf_arena_args, 4, 0xc000)
ID(missing_fn, 5, 0)
#ifdef BAD
ID(kf_arena_bad, 9, 0x4000)
#endif
SETE(good)
SETB(noflag, 0)
ID(kf_noflag_set, 6, 0)
SETE(noflag)
ID(not_kf, 7, 0)
