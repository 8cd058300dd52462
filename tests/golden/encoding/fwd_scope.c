/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * build: gcc-12 -g -c fwd_scope.c -o fwd_scope.o
 * encode: fwd_scope.o
 * encode: fwd_scope.o --btf_features=default
 *
 * Expect: only one STRUCT 'undefd': the file-scope incomplete 'struct undefd' (member p) is resolved to
 *         the unrelated function-local struct of the same name, because the name is unique in the BTF.
 */
struct outer { struct undefd *p; } go;
void f_scope(void) { struct undefd { int z; } loc; loc.z = 1; }
