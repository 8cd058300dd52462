/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * DWARF to model, a unit at a time, from many threads.
 */
#ifndef LOAD_DWARF_LOAD_H
#define LOAD_DWARF_LOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/name_table.h"
#include "base/worker_pool.h"
#include "elf/elf_file.h"
#include "load/symbol_groups.h"
#include "model/unit.h"

/* What the consumer can express and wants. */
struct dwarf_load_options {
	bool floats;     /* floating point types stay apart from integers */
	bool wide_enums; /* 64-bit enumerators and the sign of enumerations are known */
	bool type_tags;
	bool decl_tags;
	bool variables;
	bool true_signatures;
	bool fixup_silly_bitfields;
	/*
	 * Types are for people to read, not for BTF: see walk_display.c for what is different then. The options
	 * above but the last do not count, and no functions are recorded.
	 */
	bool display;
	bool functions; /* with display: each description of a function is a type behind those of its unit */
	bool file_names; /* with display: of the source files that types are declared in */
	const uint16_t *languages;
	size_t language_count;
	bool languages_excluded;
	const char *unit_exclude_prefix;
	const char *kabi_prefix;
};

/*
 * What the loaders of one run share: the table of names, the workers' buffers, and the memory of what
 * units leave behind. It outlives them.
 */
struct load_context;

enum smelt_status load_context_create(struct load_context **context, struct smelt_error *error);
void load_context_destroy(struct load_context *context);
/* For the next run: nothing of the last one is left but buffers, so that they need not grow again. */
void load_context_reset(struct load_context *context);
/* When nothing will be loaded any more: frees all but the names. */
void load_context_keep_names(struct load_context *context);

struct dwarf_loader;

/*
 * Finds the DWARF of `file` (or of its separate debug file, which the loader then owns), indexes its
 * units. SMELT_NO_DEBUG_INFO if there is none. `file` must outlive the loader. Loaders of one context are
 * created one after the other.
 */
enum smelt_status dwarf_loader_create(struct load_context *context, struct elf_file *file,
				      const struct dwarf_load_options *options,
				      struct dwarf_loader **loader, struct smelt_error *error);
void dwarf_loader_destroy(struct dwarf_loader *loader);

/* The context's. It is made by the first loader, over the strings of its file, which must outlive it. */
struct name_table *dwarf_loader_names(struct dwarf_loader *loader);

/* The file that holds the DWARF: the given one or its debug file, as long as the loader. */
struct elf_file *dwarf_loader_file(struct dwarf_loader *loader);

/* Of the target; 0 if there are no units. */
uint8_t dwarf_loader_address_size(const struct dwarf_loader *loader);
bool dwarf_loader_is_big_endian(const struct dwarf_loader *loader);

/* Units to load; in merged mode (references between units) one that stands for all. */
uint32_t dwarf_loader_unit_count(const struct dwarf_loader *loader);
/* Units in the file. */
uint32_t dwarf_loader_file_unit_count(const struct dwarf_loader *loader);

/*
 * Three things show only when units are loaded: that they refer to each other (DW_FORM_ref_addr, type units, partial units) and
 * have to be loaded as one, that they are skeletons of units in other files, and (when they are given to the deduplicator) that
 * some of their names are empty texts, which are no names. Nothing that was loaded before is of use
 * then: as long as a pass over all units ends with needs_reload, call prepare_reload and load all again
 * (unit_count may be another one). No file for any of the units is an error.
 */
bool dwarf_loader_needs_reload(const struct dwarf_loader *loader);
enum smelt_status dwarf_loader_prepare_reload(struct dwarf_loader *loader,
					      struct smelt_error *error);

/* Units whose .dwo file is not there, and why the first of them is not. Final when no reload is needed. */
uint32_t dwarf_loader_missing_units(const struct dwarf_loader *loader, const char **cause);

/*
 * Loads one unit: types into the worker's scratch (valid until its next job), the rest into
 * `record` with memory of the context, classes allocated but not filled. Thread-safe for different
 * workers. groups: functions without a group are not recorded; NULL: no functions at all (types only, for reloading).
 */
enum smelt_status dwarf_loader_load_unit(struct dwarf_loader *loader, uint32_t unit_index,
					 const struct symbol_groups *groups, struct worker *worker,
					 struct model_unit *types, struct unit_record *record,
					 struct smelt_error *error);

#endif
