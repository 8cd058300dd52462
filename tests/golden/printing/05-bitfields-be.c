/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Bit fields of a big-endian target.
 *
 * cc: clang-14 -target s390x-linux-gnu $CF -c 05-bitfields-be.c -o t.o
 * cc: clang-14 -target s390x-linux-gnu $CF -gdwarf-4 -c 05-bitfields-be.c -o t4.o
 * cc: clang-14 -target i386-linux-gnu $CF -c 05-bitfields-be.c -o i.o
 * cmd: pahole t.o
 * cmd: pahole t4.o
 * cmd: pahole i.o
 */
struct bf { unsigned a:3; unsigned b:5; char c; long d:20; long e:9; void *p; };
struct bf v;
