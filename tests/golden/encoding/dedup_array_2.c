/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* See dedup_array_1.c */
struct s { int a[4]; unsigned int b[4]; }; struct s x2;
