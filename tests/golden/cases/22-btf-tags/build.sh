#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# OUT: where the results go; PYTHON: the interpreter.
clang-14 -O1 -g -c t.c -o "$OUT/c.o"
"$PYTHON" gen.py >"$OUT/g.s"
as "$OUT/g.s" -o "$OUT/g.o"
