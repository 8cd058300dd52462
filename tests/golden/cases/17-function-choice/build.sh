#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# OUT: where the results go; PYTHON: the interpreter.
for f in w s m; do
	gcc-12 -O1 -fno-ipa-sra -fno-ipa-cp -g -c $f.c -o "$OUT/$f.o"
done
cd "$OUT" || exit
gcc-12 w.o s.o m.o -o ws.out
gcc-12 s.o w.o m.o -o sw.out
