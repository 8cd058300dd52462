/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* A show: chooses types of programs and prints them. <smelt/show.h> says what the options mean. */
#ifndef PRINT_SHOW_H
#define PRINT_SHOW_H

#include <smelt/show.h>

#include "base/error.h"
#include "base/vector.h"
#include "model/program.h"
#include "print/printer.h"
#include "print/seen.h"
#include "print/text.h"

/* A program while its types are looked at. */
struct show_run {
	const struct program *program;
	struct layouts layouts;
	struct printer printer;
};

/* A type that waits for the end. */
struct show_entry {
	struct show_run *run;
	uint32_t type;
	uint32_t number; /* in the order of arrival */
};

struct smelt_show {
	const struct smelt_show_options *options;
	struct print_style style;
	struct text text;    /* on its way out */
	struct text scratch; /* of a type that is looked at */
	struct seen_set seen;
	VECTOR(struct show_run *) runs; /* that must stay until the end */
	VECTOR(struct show_entry) entries;
	struct name_lookup *lookup; /* of options->names, or NULL */
};

enum smelt_status show_create(const struct smelt_show_options *options, struct smelt_show **show,
			      struct smelt_error *error);
void show_destroy(struct smelt_show *show);
enum smelt_status show_add(struct smelt_show *show, const struct program *program,
			   struct smelt_error *error);
enum smelt_status show_finish(struct smelt_show *show, struct smelt_error *error);
bool show_found(const struct smelt_show *show, size_t index);

#endif
