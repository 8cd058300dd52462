/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
struct after { int x; struct after *n; } after_obj; void asm_entry(void);
int fn(struct after *a) { return a->x; }
int main(void) { asm_entry(); return fn(&after_obj); }
