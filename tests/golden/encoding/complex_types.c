/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * build: gcc-12 -g -c complex_types.c -o complex_types.o
 * encode: complex_types.o
 * encode: complex_types.o --btf_features=default  # differs: Q8
 * encode: complex_types.o --btf_gen_floats  # differs: Q8
 *
 * dwarves (no float feature): INT 'complex float' size 8, INT 'complex double' size 16,
 *         INT '__SANITIZED_FAKE_INT__' size 4 (32-byte complex long double), INT 'complex int' size 8.
 * dwarves (--btf_gen_floats): "Complex, interval and imaginary float types are not supported",
 *         encoding aborted, no output file, exit status 0.
 */
float _Complex fc; double _Complex dc; long double _Complex ldc; int _Complex ic;
