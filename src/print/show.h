/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* A show: chooses types of programs and prints them. <smelt/show.h> says what the options mean. */
#ifndef PRINT_SHOW_H
#define PRINT_SHOW_H

#include <smelt/show.h>

#include "base/error.h"
#include "model/program.h"

enum smelt_status show_create(const struct smelt_show_options *options, struct smelt_show **show,
			      struct smelt_error *error);
void show_destroy(struct smelt_show *show);
enum smelt_status show_add(struct smelt_show *show, const struct program *program,
			   struct smelt_error *error);
enum smelt_status show_finish(struct smelt_show *show, struct smelt_error *error);
bool show_found(const struct smelt_show *show, size_t index);

#endif
