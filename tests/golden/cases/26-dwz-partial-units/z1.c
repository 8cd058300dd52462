/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#include "z.h"
struct shared_b gb; union shared_u gu; int use2(struct shared_b *); int main(void) { return use2(&gb); }
