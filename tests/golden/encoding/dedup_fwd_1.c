/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * build: gcc-12 -g -c dedup_fwd_1.c -o dedup_fwd_1.o
 * build: gcc-12 -g -c dedup_fwd_2.c -o dedup_fwd_2.o
 * build: gcc-12 -g -c dedup_fwd_3.c -o dedup_fwd_3.o
 * build: gcc-12 -g -c dedup_fwd_4.c -o dedup_fwd_4.o
 * build: gcc-12 -g -c dedup_fwd_5.c -o dedup_fwd_5.o
 * build: ld -r dedup_fwd_1.o dedup_fwd_2.o -o dedup_fwd.12.o
 * build: ld -r dedup_fwd_3.o dedup_fwd_2.o -o dedup_fwd.32.o
 * build: ld -r dedup_fwd_3.o dedup_fwd_2.o dedup_fwd_4.o -o dedup_fwd.324.o
 * build: ld -r dedup_fwd_3.o dedup_fwd_5.o -o dedup_fwd.35.o
 * encode: dedup_fwd_1.o
 * encode: dedup_fwd_1.o --btf_features=default
 * encode: dedup_fwd_2.o
 * encode: dedup_fwd_2.o --btf_features=default
 * encode: dedup_fwd_3.o
 * encode: dedup_fwd_3.o --btf_features=default
 * encode: dedup_fwd_4.o
 * encode: dedup_fwd_4.o --btf_features=default
 * encode: dedup_fwd_5.o
 * encode: dedup_fwd_5.o --btf_features=default
 * encode: dedup_fwd.12.o
 * encode: dedup_fwd.12.o --btf_features=default
 * encode: dedup_fwd.32.o
 * encode: dedup_fwd.32.o --btf_features=default
 * encode: dedup_fwd.324.o
 * encode: dedup_fwd.324.o --btf_features=default
 * encode: dedup_fwd.35.o
 * encode: dedup_fwd.35.o --btf_features=default
 *
 * Build: gcc-12 -g -c dedup_fwd_*.c
 * ld -r 1+2          : FWD foo of CU 1 resolved through 'holder' (graph equivalence) to CU 2's struct
 * ld -r 3+2          : FWD foo used only by a lone pointer resolved because the name is unique
 * ld -r 3+2+4        : two different struct foo -> the FWD stays
 * ld -r 3+5          : FWD struct vs union foo -> stays FWD struct
 * ld -r 2+4+pad+1w   : see dedup_fwd_parity.c
 */
struct foo; struct holder { struct foo *f; int n; }; struct holder h1;
