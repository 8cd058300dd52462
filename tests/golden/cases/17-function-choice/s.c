/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
struct file_like { int x; };
int hook(struct file_like *f__nullable, int flags) { return f__nullable ? f__nullable->x * flags : 0; }
static __attribute__((noinline)) void *helper(char *s) { return s + 1; } char *fb(char *x) { return helper(x); }
