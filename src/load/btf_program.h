/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The types of a file with BTF in the form in which they are shown. */
#ifndef LOAD_BTF_PROGRAM_H
#define LOAD_BTF_PROGRAM_H

#include "base/error.h"
#include "load/btf_file.h"
#include "model/program.h"

/* What of a program will be looked at; the rest can be left out. */
struct program_needs {
	const char *const *
		names; /* of types: only members, enumerators and parameters that these hold; NULL: all */
	size_t name_count;
	bool functions;
};

/*
 * Types have the numbers that they have in the BTF, so those of the bases come first. Ids of what is no type
 * (functions, variables, tags on declarations) are void. The program takes `file` over, also on failure;
 * what the file was opened on must outlive it.
 */
enum smelt_status btf_program_load(struct btf_file *file, const struct program_needs *needs,
				   struct program **program, struct smelt_error *error);

#endif
