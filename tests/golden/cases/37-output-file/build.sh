#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# OUT: where the results go; PYTHON: the interpreter.
gcc-12 -g t.c -o "$OUT/a.out"
strip -o "$OUT/nodebug.out" "$OUT/a.out"
