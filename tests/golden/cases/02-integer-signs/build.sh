#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# OUT: where the results go; PYTHON: the interpreter.
gcc-12 -g types.c -o "$OUT/s.out"
gcc-12 -funsigned-char -g types.c -o "$OUT/u.out"
gcc-12 -m32 -g -c types.c -o "$OUT/m32.o"
