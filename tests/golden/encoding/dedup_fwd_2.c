/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* See dedup_fwd_1.c */
struct foo { long z; }; struct holder { struct foo *f; int n; }; struct holder h2;
