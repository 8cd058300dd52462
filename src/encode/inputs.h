/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The files of a run. Their units, symbol groups and sections are numbered through, file by file; each file's
 * functions are judged by its own symbols, and its variables lie in its own sections.
 */
#ifndef ENCODE_INPUTS_H
#define ENCODE_INPUTS_H

#include <stdint.h>

#include <smelt/encode.h>

#include "elf/elf_file.h"
#include "encode/section_map.h"
#include "load/dwarf_load.h"
#include "load/symbol_groups.h"

struct run_input {
	const char *path;
	struct elf_file *file;
	struct elf_file *symbol_file; /* its symbols are in this one: itself or its debug file */
	struct dwarf_loader *loader;
	struct symbol_groups *groups;
	struct section_map sections; /* those whose variables are encoded */
	/* What is number 0 to the file has this number in the run. */
	uint32_t first_unit;
	uint32_t first_group;
	uint32_t first_section;
};

struct encode_run;

/* Opens the files, in order. The first one decides the byte order; a file with another one is refused. */
enum smelt_status open_inputs(struct encode_run *run, const char *const *paths, uint32_t count,
			      struct smelt_error *error);
/* Creates the loaders, and with the first one the run's names. */
enum smelt_status index_inputs(struct encode_run *run, struct smelt_error *error);
/* Numbers the units; again when a loader's units have been merged. */
enum smelt_status number_inputs(struct encode_run *run, struct smelt_error *error);
enum smelt_status group_symbols(struct encode_run *run, struct smelt_error *error);
void close_inputs(struct encode_run *run);

/* The file of a unit, of a symbol group. */
struct run_input *input_of_unit(const struct encode_run *run, uint32_t unit);
struct run_input *input_of_group(const struct encode_run *run, uint32_t group);

#endif
