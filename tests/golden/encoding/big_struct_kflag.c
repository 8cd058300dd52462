/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * build: gcc-12 -g -c big_struct_kflag.c -o big_struct_kflag.o
 * build: gcc-12 -g -DBF_LATE -c big_struct_kflag.c -o big_struct_kflag.late.o
 * encode: big_struct_kflag.o  # differs: Q13
 * encode: big_struct_kflag.o --btf_features=default  # differs: Q13
 * encode: big_struct_kflag.late.o  # differs: Q13
 * encode: big_struct_kflag.late.o --btf_features=default  # differs: Q13
 *
 * dwarves: struct big has kind_flag 1 and 'after' at bit 25165856 is written as offset 8388640 with
 *         bitfield size 1 (offset overflows the 24-bit field); big2 (kind_flag 0) is correct.
 *         With -DBF_LATE the bitfield itself is beyond bit 0xffffff: the encoding is aborted, exit status 0.
 */
struct big { int f:3; char pad[3*1024*1024]; int after; } v;
struct big2 { char pad[3*1024*1024]; int after; } v2;
#ifdef BF_LATE
struct big3 { char pad[3*1024*1024]; int f:3; } v3;
#endif
