/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Two version numbers. Kernel builds turn the answer "vA.B" of --version into the
 * integer AB and choose options by it, so the programs answer with the version whose
 * behaviour they have; their own is a second line that has to be asked for.
 */
#ifndef CLI_VERSION_H
#define CLI_VERSION_H

#include <stdbool.h>

enum { CLI_COMPATIBLE_MAJOR = 1, CLI_COMPATIBLE_MINOR = 31 };

/* Prints "v1.31", and with `own` a second line "smelt X.Y.Z", on stdout. */
void cli_print_version(bool own);
/* Prints "131" on stdout. */
void cli_print_numeric_version(void);

#endif
