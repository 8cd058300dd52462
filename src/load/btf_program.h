/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The types of a file with BTF in the form in which they are shown. */
#ifndef LOAD_BTF_PROGRAM_H
#define LOAD_BTF_PROGRAM_H

#include "base/error.h"
#include "load/btf_file.h"
#include "model/program.h"

/*
 * Types have the numbers that they have in the BTF, so those of the bases come first. Ids of what is no type
 * (functions, variables, tags on declarations) are void. The program takes `file` over, also on failure;
 * what the file was opened on must outlive it.
 */
enum smelt_status btf_program_load(struct btf_file *file, struct program **program,
				   struct smelt_error *error);

#endif
