/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* See dedup_fwd_1.c */
struct foo; struct foo *only_ptr;
