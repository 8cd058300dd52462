/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * build: gcc-12 -g rerun_executable.c -o rerun_executable.out
 * encode: rerun_executable.out
 * encode: rerun_executable.out --btf_features=default
 * encode: rerun_executable.out --btf_features=default,global_var
 *
 * Build: gcc-12 -g rerun_executable.c -o re.x
 * Encode twice: pahole -J re.x ; pahole -J --btf_features=default,global_var re.x
 * Expect: after the first run the program still works; after the second run (section .BTF replaced in place) the file is
 *         laid out anew without its program headers being adjusted, and running it crashes.
 */
struct s { int a; char *p; } g;
int main(int argc, char **argv) { return g.a; }
