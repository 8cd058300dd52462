#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# OUT: where the results go; PYTHON: the interpreter.
for v in 4 5; do
	gcc-12 -gdwarf-$v z1.c z2.c -o "$OUT/p$v.out"
	dwz -o "$OUT/d$v.out" "$OUT/p$v.out"
done
cd "$OUT" || exit
if command -v dwz; then
	cp p4.out ma.out
	cp p4.out mb.out
	dwz -m common.dbg ma.out mb.out
fi
