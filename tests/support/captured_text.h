/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Types as they are shown, as text, for comparison. */
#ifndef TESTS_SUPPORT_CAPTURED_TEXT_H
#define TESTS_SUPPORT_CAPTURED_TEXT_H

#include "load/capture.h"
#include "model/program.h"

/*
 * The captured types by slot, a line each: "SLOT KIND NAME SIZE -> TYPE FLAG ...", what is 0 or not there is left
 * out, and what is in them:
 *
 *   3 struct s 8 align 8 line 4 in ns::f { public a 1 @0:3, static b 1 = 5, base 2 @32, method m/_Zm() -> 1 slot 2 ( x 1 ) }
 *   4 enum e 4 -> 1 signed { A -1, B 2 }       5 array -> 1 [2][3]       6 function -> 1 ( x 2, ... )
 *
 * From malloc().
 */
char *captured_text(const struct capture *capture, struct name_table *names);

/* The same of all types of a program. */
char *program_text(const struct program *program);

#endif
