/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * build: gcc-12 -g -O2 -flto asm_functions.S lto_filter.c -o lto_filter.out
 * encode: lto_filter.out
 * encode: lto_filter.out --btf_features=default
 * encode: lto_filter.out --lang_exclude=asm  # differs: Q24
 * encode: lto_filter.out --lang=c11  # differs: Q24
 * encode: lto_filter.out --lang=asm  # differs: Q24
 *
 * dwarves: FUNCs asmfn, loc, main (outer is a skipped optimised clone).  With --lang_exclude=asm, and also with --lang=c11: nothing is written, because
 *         the merged unit has the language of the first CU (assembler).  With --lang=asm everything is kept.
 */
struct sh { int a; struct sh *n; };
int __attribute__((noinline)) outer(struct sh *s) { return s->a; }
int main(int argc, char **argv) { struct sh s = { argc, 0 }; return outer(&s); }
