/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* See dedup_enum_fwd_1.c */
enum en { A2 = 1, B2 } e2v;
