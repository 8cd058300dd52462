/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
struct shared_a { int i1, i2, i3, i4, i5, i6, i7, i8, i9, i10; struct shared_b *nx; };
struct shared_b { struct shared_a a; char name[32]; long l1, l2, l3, l4; enum kind { K1, K2, K3 } k; };
union shared_u { struct shared_a a; struct shared_b b; double d; };
