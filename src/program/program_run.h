/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* What the passes that load a program share; dwarf_program.c calls them in order. */
#ifndef PROGRAM_PROGRAM_RUN_H
#define PROGRAM_PROGRAM_RUN_H

#include "base/worker_pool.h"
#include "dedup/dedup.h"
#include "load/capture.h"
#include "program/dwarf_program.h"

/* On cache lines of its own. */
struct run_capture {
	_Alignas(64) struct capture capture;
};

/* What was captured of a type. */
struct chosen_type {
	const struct captured_type *captured; /* NULL: nothing */
	unsigned worker;                      /* in whose capture it is */
};

/* What a program needs as long as it lives: its texts are in there. */
struct program_backing {
	struct elf_file *file;
	struct load_context *loading;
	struct dwarf_loader *loader;
};

struct program_run {
	const struct dwarf_program_options *options;
	struct worker_pool *pool;
	struct program_backing *backing; /* becomes the program's */
	struct dedup *dedup;
	struct arena arena;
	struct unit_record *units; /* as loaded */
	uint32_t unit_count;
	struct run_capture *captures; /* per worker */
	struct chosen_type *chosen;   /* per number of the deduplicated set */
};

/* load_types.c: all units; what is distinct is captured, as far as that is known by then. */
enum smelt_status load_types(struct program_run *run, struct smelt_error *error);

/* choose_types.c: after that: all types have what was captured of them. */
enum smelt_status choose_types(struct program_run *run, struct smelt_error *error);

/* assemble.c */
enum smelt_status assemble_program(struct program_run *run, struct program *program,
				   struct smelt_error *error);

#endif
