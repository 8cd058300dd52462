/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * build: as -o no_int_index.o no_int_index.s
 * encode: no_int_index.o
 * encode: no_int_index.o --btf_features=default
 *
 * Expect: CU 1 has arrays but no base type named int: INT 'int' size 4 signed is appended after the CU's last type and
 * used as index type; array without subrange: nelems 1; upper bound -1: 0; count 0x100000005: 5; 65536*65537: 65536.
 */
.text
.globl f
.type f,@function
f: ret
.size f,1
.section .debug_info,"",@progbits
Lcu0:
.long Le0-Ls0
Ls0:
.short 5
.byte 1,8
.long Lab0
.uleb128 1
.string "a.c"
.string "x"
.sleb128 12
Lc:
.uleb128 2
.string "char"
.sleb128 1
.sleb128 6
La:
.uleb128 3
.long Lc-Lcu0
.uleb128 4
.sleb128 3
.byte 0
.uleb128 5
.string "noarr2"
.long La-Lcu0
Lnd:
.uleb128 6
.long Lc-Lcu0
.uleb128 7
.string "nodim"
.long Lnd-Lcu0
Lnu:
.uleb128 8
.long Lc-Lcu0
.uleb128 9
.sleb128 -1
.byte 0
.uleb128 10
.string "um1"
.long Lnu-Lcu0
Lbig:
.uleb128 11
.long Lc-Lcu0
.uleb128 12
.sleb128 4294967301
.byte 0
.uleb128 13
.string "big"
.long Lbig-Lcu0
Lm:
.uleb128 14
.long Lc-Lcu0
.uleb128 15
.sleb128 65536
.uleb128 16
.sleb128 65537
.byte 0
.uleb128 17
.string "mul"
.long Lm-Lcu0
.byte 0
Le0:
.section .debug_abbrev,"",@progbits
Lab0:
.uleb128 1
.uleb128 0x11
.byte 1
.uleb128 0x3
.uleb128 0x8
.uleb128 0x25
.uleb128 0x8
.uleb128 0x13
.uleb128 0xd
.byte 0,0
.uleb128 2
.uleb128 0x24
.byte 0
.uleb128 0x3
.uleb128 0x8
.uleb128 0xb
.uleb128 0xd
.uleb128 0x3e
.uleb128 0xd
.byte 0,0
.uleb128 3
.uleb128 0x1
.byte 1
.uleb128 0x49
.uleb128 0x13
.byte 0,0
.uleb128 4
.uleb128 0x21
.byte 0
.uleb128 0x2f
.uleb128 0xd
.byte 0,0
.uleb128 5
.uleb128 0x16
.byte 0
.uleb128 0x3
.uleb128 0x8
.uleb128 0x49
.uleb128 0x13
.byte 0,0
.uleb128 6
.uleb128 0x1
.byte 0
.uleb128 0x49
.uleb128 0x13
.byte 0,0
.uleb128 7
.uleb128 0x16
.byte 0
.uleb128 0x3
.uleb128 0x8
.uleb128 0x49
.uleb128 0x13
.byte 0,0
.uleb128 8
.uleb128 0x1
.byte 1
.uleb128 0x49
.uleb128 0x13
.byte 0,0
.uleb128 9
.uleb128 0x21
.byte 0
.uleb128 0x2f
.uleb128 0xd
.byte 0,0
.uleb128 10
.uleb128 0x16
.byte 0
.uleb128 0x3
.uleb128 0x8
.uleb128 0x49
.uleb128 0x13
.byte 0,0
.uleb128 11
.uleb128 0x1
.byte 1
.uleb128 0x49
.uleb128 0x13
.byte 0,0
.uleb128 12
.uleb128 0x21
.byte 0
.uleb128 0x37
.uleb128 0xd
.byte 0,0
.uleb128 13
.uleb128 0x16
.byte 0
.uleb128 0x3
.uleb128 0x8
.uleb128 0x49
.uleb128 0x13
.byte 0,0
.uleb128 14
.uleb128 0x1
.byte 1
.uleb128 0x49
.uleb128 0x13
.byte 0,0
.uleb128 15
.uleb128 0x21
.byte 0
.uleb128 0x37
.uleb128 0xd
.byte 0,0
.uleb128 16
.uleb128 0x21
.byte 0
.uleb128 0x37
.uleb128 0xd
.byte 0,0
.uleb128 17
.uleb128 0x16
.byte 0
.uleb128 0x3
.uleb128 0x8
.uleb128 0x49
.uleb128 0x13
.byte 0,0
.byte 0
.section .debug_info,"",@progbits
Lcu1:
.long Le1-Ls1
Ls1:
.short 5
.byte 1,8
.long Lab1
.uleb128 1
.string "b.c"
.string "x"
.sleb128 12
Li:
.uleb128 2
.string "int"
.sleb128 4
.sleb128 5
.uleb128 3
.long Li-Lcu1
.uleb128 4
.sleb128 7
.byte 0
.byte 0
Le1:
.section .debug_abbrev,"",@progbits
Lab1:
.uleb128 1
.uleb128 0x11
.byte 1
.uleb128 0x3
.uleb128 0x8
.uleb128 0x25
.uleb128 0x8
.uleb128 0x13
.uleb128 0xd
.byte 0,0
.uleb128 2
.uleb128 0x24
.byte 0
.uleb128 0x3
.uleb128 0x8
.uleb128 0xb
.uleb128 0xd
.uleb128 0x3e
.uleb128 0xd
.byte 0,0
.uleb128 3
.uleb128 0x1
.byte 1
.uleb128 0x49
.uleb128 0x13
.byte 0,0
.uleb128 4
.uleb128 0x21
.byte 0
.uleb128 0x2f
.uleb128 0xd
.byte 0,0
.byte 0
