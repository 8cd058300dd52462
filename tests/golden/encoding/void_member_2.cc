/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* See void_member_1.c */
struct S { decltype(nullptr) p; int a; }; S s;
