/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
struct amb { long two; } am2; int main(void) { return 0; }
