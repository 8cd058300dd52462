/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* What the files that capture types share. */
#ifndef LOAD_CAPTURE_INTERNAL_H
#define LOAD_CAPTURE_INTERNAL_H

#include "dwarf/line_header.h"
#include "load/capture.h"
#include "load/load_internal.h"

struct capture_job {
	struct unit_load load; /* of the unit of the file that is being read */
	struct capture *out;
	uint32_t unit_index; /* as loaded */
	uint32_t file_unit;  /* number of the unit of the file that is being read */
	/* Of that unit, if files are wanted. */
	struct line_header lines;
	uint64_t line_offset;
	const char *folder;      /* where the compiler ran, or NULL */
	const char **paths;      /* per file, NULL: not made yet; or NULL */
	uint32_t *scope_numbers; /* per scope as loaded: index in out->scopes, 0: not there yet */
	/* Of structs that are being read, innermost last. */
	VECTOR(struct program_member) open_members;
	VECTOR(struct program_variant) open_variants;
};

/* ---- Of a DIE whose attributes were read ---- */

const char *capture_text(struct capture_job *job, const struct die_values *values,
			 enum die_attr attr); /* NULL: none */
/* Slot of the type that an attribute refers to, or 0. */
uint32_t capture_slot(struct capture_job *job, const struct die_values *values, enum die_attr attr);
bool capture_flag(const struct die_values *values, enum die_attr attr);
uint32_t capture_alignment(const struct die_values *values);
/* offset: of the DIE, from the unit's header. */
void capture_origin(struct capture_job *job, const struct die_values *values, uint64_t offset,
		    struct program_origin *origin);
/* Reads the DIE that an attribute refers to, if it is in the same unit of the file; the position stays. */
bool capture_read_at(struct capture_job *job, const struct die_value *reference,
		     struct die_values *values);
/* Moves past its children. */
void capture_skip_children(struct capture_job *job, const struct die_plan *plan,
			   const struct die_values *values);

/* capture_files.c */
/* root: of the unit that was opened. */
enum smelt_status capture_open_files(struct capture_job *job, const struct die_values *root,
				     const char *folder, struct smelt_error *error);
/* The path of a file as DW_AT_decl_file numbers them, NULL: not known. */
const char *capture_file(struct capture_job *job, uint64_t file);

/* ---- The rest ---- */

/* The scope of a slot's type: an index into the capture's. */
uint32_t capture_scope(struct capture_job *job, uint32_t slot);
/* The type at the position. A fault sticks in the job's reader. */
void capture_type(struct capture_job *job, uint32_t slot);
/* The text of a name that may be provisional; NULL: none. */
const char *capture_name(struct capture_job *job, uint32_t name);
void capture_add_parameter(struct capture_job *job, const char *name, uint32_t type);
/* The function whose attributes were read, with its parameters: its index in the capture. False: out of memory. */
bool capture_function(struct capture_job *job, const struct die_plan *plan,
		      const struct die_values *values, uint64_t offset, uint32_t *index);
/* The function at the position, which is a type of the unit as loaded. */
void capture_described_function(struct capture_job *job, uint32_t slot);
/* Parameters from the position on, with the end of the list; how many. */
uint32_t capture_parameters(struct capture_job *job);
/* The children of a struct or union, from the position on. */
void capture_struct_body(struct capture_job *job, struct program_type *type);
void capture_no_memory(struct capture_job *job);

#endif
