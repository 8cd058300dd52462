/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
struct foo; struct foo *standalone; enum far; struct s { enum far *a; } *x; union only_fwd; union only_fwd *u; struct amb; struct amb *am;
