#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# OUT: where the results go; PYTHON: the interpreter.
gcc-12 -g -O1 base.c -o "$OUT/base.out"
gcc-12 -g -O1 -c mod.c -o "$OUT/mod.ko"
