/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
struct file_like { int x; };
__attribute__((weak)) int hook(struct file_like *f, int flags) { return f->x + flags; }
int entry(struct file_like *f) { return hook(f, 3); }
static __attribute__((noinline)) int helper(int a, long b) { return a + b; } int fa(int x) { return helper(x, 2); }
int vf(const char *f, ...) { return *f; } int np() { return 1; }
