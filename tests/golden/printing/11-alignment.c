/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Forced alignment of members and of types, holes that it causes, forced
 * padding fields; the same from BTF, where alignment is guessed.
 *
 * cc: gcc-12 $CF -c 11-alignment.c -o t.o
 * cmd: pahole t.o
 * cmd: pahole --suppress_aligned_attribute -C al_mem,al_type t.o
 * cmd: pahole -q -C pad_nat,al_mem t.o
 * cmd: pahole --suppress_force_paddings -C pad_nat t.o
 * cmd: pahole --btf_encode_detached=t.btf t.o
 * cmd: pahole -F btf t.btf
 */
struct al_mem { char a; int b __attribute__((aligned(16))); char c __attribute__((aligned(2))); long d __attribute__((aligned(8))); };
struct al_first { int a __attribute__((aligned(64))); };
struct al_type { int a; char b; } __attribute__((aligned(32)));
struct holds_al { char c; struct al_type t; struct { int x; } __attribute__((aligned(16))) anon; struct { int y; } named __attribute__((aligned(128))); };
struct al_bits { int a:3 __attribute__((aligned(8))); int b:4; };
typedef int al_int __attribute__((aligned(64)));
struct al_td { char a; al_int b; };
struct pad_int { long a; int z __attribute__((aligned(64))); };
struct pad_long { char a[16] __attribute__((aligned(16))); long b; long c __attribute__((aligned(64))); long d; };
struct pad_odd { char a[3] __attribute__((aligned(32))); };
struct pad_nat { long double a; char b; };
struct pad_ptr { char a __attribute__((aligned(64))); void *p; };
struct pad_fn { char a __attribute__((aligned(64))); int (*p)(void); struct { int q; } r; };
struct al_mem a; struct al_first b; struct al_type c; struct holds_al d;
struct al_bits e; struct al_td f; struct pad_int g; struct pad_long h;
struct pad_odd i; struct pad_nat j; struct pad_ptr k; struct pad_fn l;
