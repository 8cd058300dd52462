/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
struct file_like; int entry(struct file_like *); int fa(int); char *fb(char *); int vf(const char *, ...); int np();
int main(void) { return entry(0) + fa(1) + (fb("x") != 0) + vf("a", 1) + np(); }
