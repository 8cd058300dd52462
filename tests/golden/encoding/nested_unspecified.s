/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * build: as -o nested_unspecified.o nested_unspecified.s
 * encode: nested_unspecified.o  # differs: Q7
 * encode: nested_unspecified.o --btf_features=default  # differs: Q7
 *
 * dwarves: an unspecified type inside a namespace takes an id slot but emits nothing: all later references of the CU
 * are one too high; here dedup fails, exit status 1.
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
.string "a.cc"
.string "x"
.sleb128 4
.uleb128 2
.string "ns"
Lu:
.uleb128 3
.string "np"
.byte 0
Li:
.uleb128 4
.string "int"
.sleb128 4
.sleb128 5
Lp:
.uleb128 5
.sleb128 8
.long Li-Lcu0
Lt:
.uleb128 6
.string "T"
.long Lp-Lcu0
Lpu:
.uleb128 7
.long Lu-Lcu0
.uleb128 8
.long Lt-Lcu0
.uleb128 9
.sleb128 3
.byte 0
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
.uleb128 0x39
.byte 1
.uleb128 0x3
.uleb128 0x8
.byte 0,0
.uleb128 3
.uleb128 0x3b
.byte 0
.uleb128 0x3
.uleb128 0x8
.byte 0,0
.uleb128 4
.uleb128 0x24
.byte 0
.uleb128 0x3
.uleb128 0x8
.uleb128 0xb
.uleb128 0xd
.uleb128 0x3e
.uleb128 0xd
.byte 0,0
.uleb128 5
.uleb128 0xf
.byte 0
.uleb128 0xb
.uleb128 0xd
.uleb128 0x49
.uleb128 0x13
.byte 0,0
.uleb128 6
.uleb128 0x16
.byte 0
.uleb128 0x3
.uleb128 0x8
.uleb128 0x49
.uleb128 0x13
.byte 0,0
.uleb128 7
.uleb128 0xf
.byte 0
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
Lc:
.uleb128 2
.string "char"
.sleb128 1
.sleb128 6
.uleb128 3
.long Lc-Lcu1
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
.uleb128 0xf
.byte 0
.uleb128 0x49
.uleb128 0x13
.byte 0,0
.byte 0
