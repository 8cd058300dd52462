/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * build: as -o abs_address.o abs_address.s
 * build: gcc-12 abs_address.o -o abs_address.x.out
 * encode: abs_address.o
 * encode: abs_address.o --btf_features=default
 * encode: abs_address.o --btf_features=global_var  # differs: Q17
 * encode: abs_address.x.out
 * encode: abs_address.x.out --btf_features=default
 * encode: abs_address.x.out --btf_features=global_var  # differs: Q17
 *
 * dwarves: VAR 'ghost' (address 16) lands in DATASEC '.comment': unallocated sections at address 0 are searched too.
 */
.text
.globl main
.type main,@function
main: xor %eax,%eax
ret
.size main,3
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
Li:
.uleb128 2
.string "int"
.sleb128 4
.sleb128 5
.uleb128 3
.string "ghost"
.long Li-Lcu0
.byte 9,3
.quad 16
.uleb128 4
.string "ghost0"
.long Li-Lcu0
.byte 9,3
.quad 0
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
.uleb128 0x34
.byte 0
.uleb128 0x3
.uleb128 0x8
.uleb128 0x49
.uleb128 0x13
.uleb128 0x3f
.uleb128 0x19
.uleb128 0x2
.uleb128 0x18
.byte 0,0
.uleb128 4
.uleb128 0x34
.byte 0
.uleb128 0x3
.uleb128 0x8
.uleb128 0x49
.uleb128 0x13
.uleb128 0x3f
.uleb128 0x19
.uleb128 0x2
.uleb128 0x18
.byte 0,0
.byte 0
