/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * build: gcc-12 -g -c base_types.c -o base_types.o
 * encode: base_types.o
 * encode: base_types.o --btf_features=default
 * encode: base_types.o --btf_gen_floats
 *
 * Expect: INT encoding is 1 (SIGNED) only for DW_ATE_signed / DW_ATE_signed_char, 4 (BOOL) for
 *         DW_ATE_boolean, 0 otherwise; CHAR (2) is never set.  Floats are INT enc=0 without
 *         --btf_gen_floats and FLOAT with it; _DecimalN stay INT enc=0 in both cases.
 *         Type ids follow DIE order; nothing is sorted.
 */
_Bool b1; char c; signed char sc; unsigned char uc; short s; unsigned short us;
int i; unsigned u; long l; unsigned long ul; long long ll; unsigned long long ull;
__int128 i128; unsigned __int128 u128; float f; double d; long double ld; _Float128 f128;
_Float16 f16; _Decimal32 d32; _Decimal64 d64; _Decimal128 d128;
