/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
void (*first_hook)(void);
struct first_unit { long x; } first_obj;
int main(void) { return (int)first_obj.x; }
