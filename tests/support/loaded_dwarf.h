/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Files made with a dwarf_builder, loaded; and models as text, for comparison. */
#ifndef TESTS_SUPPORT_LOADED_DWARF_H
#define TESTS_SUPPORT_LOADED_DWARF_H

#include "load/dwarf_load.h"
#include "support/dwarf_builder.h"

struct loaded_dwarf {
	char *path;
	struct elf_file *file;
	struct worker_pool *pool;
	struct load_context *context;
	struct dwarf_loader *loader;
	struct symbol_groups *groups;
	struct worker worker;
	/* Of the unit loaded last. */
	struct model_unit types;
	struct unit_record record;
	enum smelt_status status;
	struct smelt_error error;
};

/* Writes the builder's file and creates a loader for it; `status` says how it went. */
void loaded_dwarf_open(struct loaded_dwarf *loaded, struct dwarf_builder *builder,
		       const struct dwarf_load_options *options);
/* Loads a unit as a run does: what shows that units must be merged has them merged. */
void loaded_dwarf_unit(struct loaded_dwarf *loaded, uint32_t unit);
void loaded_dwarf_close(struct loaded_dwarf *loaded);

/*
 * The types of the unit loaded last, a line each: "SLOT KIND NAME ...". From malloc().
 *
 *   1 int int 4 signed          2 pointer -> 1            3 array -> 1 x 12
 *   4 struct s 8 { a 1 @0, b 1 @32:3 }                     5 enum e 4 signed { A -1, B 2 }
 *   6 function -> 1 ( x 2, - 0 )                           7 tag user -> 1
 */
char *loaded_dwarf_text(const struct loaded_dwarf *loaded);

/* The recorded functions: "NAME -> TYPE ( x 2, - 0 ) FLAG ..." each, and their tags. From malloc(). */
char *loaded_dwarf_functions(const struct loaded_dwarf *loaded);

#endif
