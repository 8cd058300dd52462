#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# OUT: where the results go; PYTHON: the interpreter.
as -g -gdwarf-5 entry.s -o "$OUT/e.o"
gcc-12 -g -c c.c -o "$OUT/c.o"
gcc-12 "$OUT/e.o" "$OUT/c.o" -o "$OUT/a.out"
gcc-12 "$OUT/c.o" "$OUT/e.o" -o "$OUT/b.out"
