#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# OUT: where the results go; PYTHON: the interpreter.
"$PYTHON" gen.py >"$OUT/a.s"
as "$OUT/a.s" -o "$OUT/a.o"
