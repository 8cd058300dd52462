/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
char c; signed char sc; unsigned char uc; _Bool b; short s; unsigned long ul;
float f; double d; long double ld;
#ifdef __SIZEOF_INT128__
__int128 i128; unsigned __int128 u128;
#endif
int main(void) { return 0; }
