/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * build: gcc-12 -gdwarf-4 -fdebug-types-section type_units.c -o type_units.tu4.out
 * build: gcc-12 -gdwarf-5 -fdebug-types-section type_units.c -o type_units.tu5.out
 * encode: type_units.tu4.out  # differs: Q39
 * encode: type_units.tu4.out --btf_features=default  # differs: Q39
 * encode: type_units.tu5.out  # differs: Q39
 * encode: type_units.tu5.out --btf_features=default  # differs: Q39
 *
 * dwarves (tu4.x): upstream crashes while encoding.
 * dwarves (tu5.x): STRUCT 's' is encoded from the type unit, but parameter y of 'add' points to STRUCT '' size 0 vlen 0
 *         (the stub DIE with DW_AT_signature).
 */
struct s { int a; char *p; unsigned char b[4]; };
struct s g;
int add(int x, struct s *y) { return x + y->a; }
int main(int argc, char **argv) { return add(argc, &g); }
