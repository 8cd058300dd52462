/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
struct plain { int a; long b; } p;
struct with_complex { char tag; _Complex double z; } wz;
int main(void) { return p.a; }
