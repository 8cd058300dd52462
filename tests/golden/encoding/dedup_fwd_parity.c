/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * build: gcc-12 -g -c dedup_fwd_2.c -o dedup_fwd_2.o
 * build: gcc-12 -g -c dedup_fwd_4.c -o dedup_fwd_4.o
 * build: gcc-12 -g -DPAD -c dedup_fwd_parity.c -o dedup_fwd_pad.o
 * build: gcc-12 -g -DNOPAD -c dedup_fwd_parity.c -o dedup_fwd_nopad.o
 * build: gcc-12 -g -c dedup_fwd_parity.c -o dedup_fwd_use.o
 * build: ld -r dedup_fwd_2.o dedup_fwd_4.o dedup_fwd_pad.o dedup_fwd_use.o -o dedup_fwd_parity.pad.o
 * build: ld -r dedup_fwd_2.o dedup_fwd_4.o dedup_fwd_nopad.o dedup_fwd_use.o -o dedup_fwd_parity.nopad.o
 * build: ld -r dedup_fwd_2.o dedup_fwd_4.o dedup_fwd_use.o -o dedup_fwd_parity.nopadfile.o
 * encode: dedup_fwd_pad.o
 * encode: dedup_fwd_pad.o --btf_features=default
 * encode: dedup_fwd_nopad.o
 * encode: dedup_fwd_nopad.o --btf_features=default
 * encode: dedup_fwd_use.o
 * encode: dedup_fwd_use.o --btf_features=default
 * encode: dedup_fwd_parity.pad.o
 * encode: dedup_fwd_parity.pad.o --btf_features=default
 * encode: dedup_fwd_parity.nopad.o
 * encode: dedup_fwd_parity.nopad.o --btf_features=default
 * encode: dedup_fwd_parity.nopadfile.o
 * encode: dedup_fwd_parity.nopadfile.o --btf_features=default
 *
 * Build: gcc-12 -g -c dedup_fwd_2.c dedup_fwd_4.c; gcc-12 -g -DPAD -c dedup_fwd_parity.c -o pad.o
 *        (PAD gives 8 unrelated structs, PAD=0 variant: -DNOPAD gives none); gcc-12 -g -c dedup_fwd_parity.c -o use.o
 *        ld -r dedup_fwd_2.o dedup_fwd_4.o pad.o use.o -o p.o
 * Expect: only8.w points to struct foo {short q} without padding types and to struct foo {long z} with the 8
 *         unrelated structs: which of several compatible candidates is tried first depends on how often the
 *         candidate hash table has grown.
 */
#if defined(PAD)
struct pad0 { int m0; } v0; struct pad1 { int m1; } v1; struct pad2 { int m2; } v2; struct pad3 { int m3; } v3;
struct pad4 { int m4; } v4; struct pad5 { int m5; } v5; struct pad6 { int m6; } v6; struct pad7 { int m7; } v7;
#elif defined(NOPAD)
int nothing;
#else
struct foo; struct holder { struct foo *f; int n; }; struct only8 { struct foo *w; }; struct holder h8; struct only8 o8;
#endif
