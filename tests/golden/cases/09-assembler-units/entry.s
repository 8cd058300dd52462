/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
	.text
	.globl asm_entry
	.type asm_entry,@function
asm_entry:
	nop
	ret
	.size asm_entry, .-asm_entry
	.section .note.GNU-stack,"",@progbits
