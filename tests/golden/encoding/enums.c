/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * build: gcc-12 -g -c enums.c -o enums.o
 * encode: enums.o
 * encode: enums.o --btf_features=default
 * encode: enums.o --skip_encoding_btf_enum64
 * encode: enums.o --btf_gen_all  # differs: Q12
 *
 * dwarves: size<=4 -> ENUM, kind_flag set only when some value is negative ('neg', 'pkn');
 *         size 8 -> ENUM64, kind_flag = signedness of DW_AT_type ('bigneg' 1, 'big'/'bigu' 0).
 *         'opaque' -> ENUM size 4 vlen 0 (never FWD).
 *         With --skip_encoding_btf_enum64 every enum is ENUM, values are value mod 2^32,
 *         kind_flag is always 0 (so N0 = 4294967295), sizes stay 8 for the wide ones.
 */
enum pos { P0, P1 = 255, P2 = 256, P3 = 0x7fffffff } p;
enum neg { N0 = -1, N1 = 1 } n;
enum uns { U0 = 0xffffffffu } u;
enum big { B0 = 0x100000000ULL, B1 = 1 } b;
enum bigneg { G0 = -0x100000000LL, G1 = 1 } g;
enum bigu { H0 = 0xffffffffffffffffULL } h;
enum __attribute__((packed)) pk { K0, K1 } k;
enum __attribute__((packed)) pkn { KN0 = -5, KN1 = 100 } kn;
enum { ANON0, ANON1 } an;
enum opaque *op;
