#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# OUT: where the results go; PYTHON: the interpreter.
"$PYTHON" loop.py >"$OUT/l.s"
as "$OUT/l.s" -o "$OUT/loop.o"
"$PYTHON" deep.py >"$OUT/d.s"
as "$OUT/d.s" -o "$OUT/deep.o"
gcc-12 -g t.c -o "$OUT/t.out"
head -c 9000 "$OUT/t.out" >"$OUT/cut.out"
: >"$OUT/empty"
printf xxxxxxxx >"$OUT/x"
objcopy --add-section .BTF="$OUT/x" "$OUT/t.out" "$OUT/nb"
objcopy --only-keep-debug "$OUT/nb" "$OUT/nobits.debug"
