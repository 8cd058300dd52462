/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* What somebody who asked for a type that is not there may have meant. */
#ifndef PRINT_SIMILAR_H
#define PRINT_SIMILAR_H

#include "model/program.h"

/* The name of a type that differs from `name` in a few letters only, the first of the nearest; or NULL. */
const char *similar_name(const struct program *program, const char *name);

#endif
