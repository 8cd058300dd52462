#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# OUT: where the results go; PYTHON: the interpreter.
for v in 4 5; do
	gcc-12 -gdwarf-$v -fdebug-types-section t.c -o "$OUT/c$v.out"
done
