/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * build: gcc-12 -g -c asm_functions.S -o asm_functions.o
 * encode: asm_functions.o
 * encode: asm_functions.o --btf_features=default
 * encode: asm_functions.o --lang_exclude=asm
 *
 * Expect: FUNC 'asmfn' and FUNC 'loc', both with FUNC_PROTO returning void and no parameters (gas describes
 *         functions with an unspecified return type).  Nothing with --lang_exclude=asm.
 */
	.text
	.globl asmfn
	.type asmfn,@function
asmfn:	ret
	.size asmfn,.-asmfn
	.type loc,@function
loc:	nop
	ret
	.size loc,.-loc
