/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * build: gcc-12 -g -c silly_bitfields.c -o silly_bitfields.o
 * encode: silly_bitfields.o
 * encode: silly_bitfields.o --btf_features=default
 * encode: silly_bitfields.o --fixup_silly_bitfields  # differs: Q14
 *
 * dwarves (--fixup_silly_bitfields): 'full:32' keeps bitfield size 32, while 'one:1' of an 8-byte type loses
 *         its bitfield size (byte size is compared with 8 * bit size).
 */
struct s { unsigned int full:32; long one:1; char c; } v;
