/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#include "z.h"
struct shared_b gb2; union shared_u gu2; int use2(struct shared_b *p) { return p->a.i3 + gu2.a.i1; }
