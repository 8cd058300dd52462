#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# OUT: where the results go; PYTHON: the interpreter.
gcc-12 -g complex.c -o "$OUT/complex.out"
gcc-12 -g atomic.c -o "$OUT/atomic.out" -latomic
