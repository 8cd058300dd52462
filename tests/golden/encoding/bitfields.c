/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * build: gcc-12 -gdwarf-2 -c bitfields.c -o bitfields.gcc12-dw2.o
 * build: clang-14 -gdwarf-2 -c bitfields.c -o bitfields.clang14-dw2.o
 * build: gcc-12 -gdwarf-3 -c bitfields.c -o bitfields.gcc12-dw3.o
 * build: clang-14 -gdwarf-3 -c bitfields.c -o bitfields.clang14-dw3.o
 * build: gcc-12 -gdwarf-4 -c bitfields.c -o bitfields.gcc12-dw4.o
 * build: clang-14 -gdwarf-4 -c bitfields.c -o bitfields.clang14-dw4.o
 * build: gcc-12 -gdwarf-5 -c bitfields.c -o bitfields.gcc12-dw5.o
 * build: clang-14 -gdwarf-5 -c bitfields.c -o bitfields.clang14-dw5.o
 * build: clang-14 --target=s390x-linux-gnu -gdwarf-4 -c bitfields.c -o bitfields.s390x.o
 * encode: bitfields.gcc12-dw2.o
 * encode: bitfields.gcc12-dw2.o --btf_features=default
 * encode: bitfields.clang14-dw2.o
 * encode: bitfields.clang14-dw2.o --btf_features=default
 * encode: bitfields.gcc12-dw3.o
 * encode: bitfields.gcc12-dw3.o --btf_features=default
 * encode: bitfields.clang14-dw3.o
 * encode: bitfields.clang14-dw3.o --btf_features=default
 * encode: bitfields.gcc12-dw4.o
 * encode: bitfields.gcc12-dw4.o --btf_features=default
 * encode: bitfields.clang14-dw4.o
 * encode: bitfields.clang14-dw4.o --btf_features=default
 * encode: bitfields.gcc12-dw5.o
 * encode: bitfields.gcc12-dw5.o --btf_features=default
 * encode: bitfields.clang14-dw5.o
 * encode: bitfields.clang14-dw5.o --btf_features=default
 * encode: bitfields.s390x.o
 * encode: bitfields.s390x.o --btf_features=default
 *
 * Expect: the same member offsets for every DWARF version: DW_AT_bit_offset (big-endian style) is
 *         converted, DW_AT_data_bit_offset is taken as is.  kind_flag = 1 on any struct/union with a
 *         bitfield.  b4: x/y/z at 16/28/40 although y and z straddle storage units.
 *         gcc emits a bit size for 'w:32' (bitfield_size=32), clang does not (bitfield_size=0).
 */
struct b1 { int a:3; int b:29; unsigned c:5; long d:40; char e:2; _Bool f:1; };
enum E { E0, E1 };
struct b2 { char pre; enum E e:2; unsigned int :0; unsigned int x:7; } __attribute__((packed));
struct b3 { unsigned long long a:33; unsigned long long b:31; int n; unsigned char z; };
union u1 { int a:5; unsigned b:9; int c; };
struct b4 { short pad; int x:12; int y:12; int z:12; } __attribute__((packed));
typedef unsigned int u32t;
struct b5 { const volatile u32t q:4; u32t r:28; u32t w:32; };
struct b1 v1; struct b2 v2; struct b3 v3; union u1 v4; struct b4 v7; struct b5 v8;
