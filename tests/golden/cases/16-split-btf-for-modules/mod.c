/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#include "common.h"
struct only_fwd_in_base { int now_defined; struct dev d; }; struct only_fwd_in_base mine;
struct modonly { struct dev *d; atomic_t a; const u32 *k; struct only_fwd_in_base *o; }; struct modonly mo;
int mod_fn(struct modonly *m, struct dev *d) { return m->a.counter + d->ref.counter; }
