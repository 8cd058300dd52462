/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The types of a file with DWARF in the form in which they are shown.
 *
 * All units are loaded and deduplicated as for encoding (load/, dedup/); the few types that are new are captured when they
 * are met (load/capture.h). So showing costs little more time than encoding, and what is kept is
 * what is shown.
 */
#ifndef PROGRAM_DWARF_PROGRAM_H
#define PROGRAM_DWARF_PROGRAM_H

#include "base/error.h"
#include "base/jobserver.h"
#include "elf/elf_file.h"
#include "model/program.h"

struct dwarf_program_options {
	unsigned jobs;
	struct smelt_jobserver *jobserver; /* or NULL */
	uint64_t shuffle_seed;             /* for tests: 0: units in their order */
	unsigned hash_bits;                /* for tests: 0: all */
	bool fixup_silly_bitfields;
	bool has_functions;         /* else of functions there are only methods in classes */
	bool has_file_names;        /* else nobody knows where types are declared */
	bool has_definition_counts; /* else each type counts once */
	const uint16_t *languages;  /* units in these, or in all but these; NULL: all */
	size_t language_count;
	bool languages_excluded;
	const char *unit_exclude_prefix;
	const char *kabi_prefix;
};

struct dwarf_program_report {
	uint32_t missing_units; /* their .dwo files are not there */
	struct smelt_error missing_cause;
};

/*
 * The program takes `file` over, also on failure. SMELT_NO_DEBUG_INFO when there is no DWARF. Structs that mean the
 * same are one type (see dedup/dedup.h); what compilers repeat with less or more said about it (a line, an
 * accessibility, a method) is shown as it is said first.
 */
enum smelt_status dwarf_program_load(struct elf_file *file,
				     const struct dwarf_program_options *options,
				     struct program **program, struct dwarf_program_report *report,
				     struct smelt_error *error);

#endif
