/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* See dedup_fwd_1.c */
union foo { char other; }; union foo inst6;
