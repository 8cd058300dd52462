/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
struct plain { int a; long b; } p;
struct with_atomic { _Atomic int count; _Atomic(long *) where; _Atomic struct { char q; } s; } wa;
int main(void) { return p.a; }
