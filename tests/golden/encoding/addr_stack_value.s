/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * build: as -o addr_stack_value.o addr_stack_value.s
 * encode: addr_stack_value.o
 * encode: addr_stack_value.o --btf_features=default
 * encode: addr_stack_value.o --btf_features=global_var  # differs: Q16
 *
 * dwarves: 'optimised' (DW_OP_addr v; DW_OP_stack_value) is placed at v's offset; 'plus' (DW_OP_addr v; DW_OP_plus_uconst 4)
 * at offset+4; the void-typed 'voidv' prints an error and ends the variables of the CU, exit status 0.
 */
.text
.globl f
.type f,@function
f: ret
.size f,1
.data
.long 7
.globl v
.type v,@object
v: .long 0,0,0
.size v,4
v2: .long 3
.text
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
.string "real"
.long Li-Lcu0
.byte 9,3
.quad v
.uleb128 4
.string "optimised"
.long Li-Lcu0
.byte 10,3
.quad v
.byte 0x9f
.uleb128 5
.string "plus"
.long Li-Lcu0
.byte 11,3
.quad v
.byte 0x23,4
.uleb128 6
.string "voidv"
.byte 9,3
.quad v2
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
.uleb128 0x2
.uleb128 0x18
.byte 0,0
.uleb128 5
.uleb128 0x34
.byte 0
.uleb128 0x3
.uleb128 0x8
.uleb128 0x49
.uleb128 0x13
.uleb128 0x2
.uleb128 0x18
.byte 0,0
.uleb128 6
.uleb128 0x34
.byte 0
.uleb128 0x3
.uleb128 0x8
.uleb128 0x2
.uleb128 0x18
.byte 0,0
.byte 0
