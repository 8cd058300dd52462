#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# OUT: where the results go; PYTHON: the interpreter.
gcc-12 -g -O0 -ffreestanding -nostdlib -static -fno-pic -no-pie -Wl,-T,kernel.lds \
	-Wl,--build-id=none pcpu.c -o "$OUT/x86.out"
gcc-12 -g -O0 -c pcpu.c -o "$OUT/mod.o"
clang-14 --target=s390x-linux-gnu -g -ffreestanding -c pcpu.c -o "$OUT/s390.o"
