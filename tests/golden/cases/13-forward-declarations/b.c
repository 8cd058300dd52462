/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
struct foo { int x; }; struct foo *with_def; enum far { BIGV = 0xfffffffffULL }; struct s { enum far *a; } *y; struct amb { int one; } am1;
