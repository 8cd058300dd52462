/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#include "common.h"
struct dev root; struct only_fwd_in_base *ofb; const u32 *cu;
int base_fn(struct dev *d, u32 k) { return d->ref.counter + k; }
int main(void) { return base_fn(&root, *cu); }
