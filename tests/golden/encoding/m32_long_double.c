/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * build: gcc-12 -m32 -g -c m32_long_double.c -o m32_long_double.o
 * encode: m32_long_double.o
 * encode: m32_long_double.o --btf_features=default
 * encode: m32_long_double.o --btf_gen_floats
 *
 * Expect: the 12-byte long double becomes INT '__SANITIZED_FAKE_INT__' size 4 without the float
 *         feature, FLOAT 'long double' size 12 with it; member offsets are unaffected.
 */
long double ld;
struct S { long double x; long long y; } sv;
