/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#define PCPU __attribute__((section(".data..percpu"), used))
extern int first_var; PCPU int first_var = 1;
struct empty_lock {}; PCPU struct empty_lock zero_sized;
PCPU long second_var = 2; PCPU struct { int a; char b; } third_var = {1}; PCPU const int *cptr_var = 0;
static PCPU unsigned short stat_var = 7;
__attribute__((section(".discard.x"), used)) char __pcpu_unique_first_var;
__attribute__((section(".discard.x"), used)) int (*__gendwarfksyms_ptr_first_var)(int);
int plain_global = 3;
int _start(void) { return first_var + (int)second_var + stat_var; }
