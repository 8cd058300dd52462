#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# OUT: where the results go; PYTHON: the interpreter.
for t in s390x mips; do
	clang-14 --target=$t-linux-gnu -g -c x.c -o "$OUT/$t.o"
done
