/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* What the files that make up a show need from each other. */
#ifndef PRINT_SHOW_PARTS_H
#define PRINT_SHOW_PARTS_H

#include "base/vector.h"
#include "print/compile.h"
#include "print/printer.h"
#include "print/seen.h"
#include "print/show.h"
#include "print/text.h"

/* A program while its types are looked at. */
struct show_run {
	const struct program *program;
	struct layouts layouts;
	struct printer printer; /* writes to the show's scratch */
	uint32_t *
		typedef_names; /* per type: the first typedef of a type without name; NULL: not asked yet */
	uint32_t *pointing; /* per type: parameters of functions that point to it; or NULL */
	struct source_layouts source; /* for reorganizing; layouts NULL: not needed yet */
	struct compile_run *compile;  /* or NULL */
};

/* A type that waits for the end. */
struct show_entry {
	struct show_run *run;
	uint32_t type;
	uint32_t number; /* in the order of arrival */
};

/* A line of a list that is printed at the end. */
struct show_tally {
	char *name;
	uint64_t count;
};

struct name_lookup;

struct smelt_show {
	const struct smelt_show_options *options;
	struct print_style style;
	struct text text;    /* on its way out */
	struct text scratch; /* of a type that is looked at */
	struct seen_set seen;
	VECTOR(struct show_run *) runs; /* that must stay until the end */
	VECTOR(struct show_entry) entries;
	VECTOR(struct show_tally) tallies; /* by the number of the text in `seen` */
	struct name_lookup *lookup;        /* of options->names, or NULL */
	struct compile_names compile_names;
	struct text compile_scratch;
	uint32_t program_count; /* added so far */
};

/* show.c */

/* Whether what is seen of a type is new; *number: of what is seen. */
enum smelt_status show_note(struct smelt_show *show, struct show_run *run, uint32_t type,
			    uint32_t *number, bool *is_new, struct smelt_error *error);
/* Prints what the options want of a type, unless the same was printed before. */
enum smelt_status show_type(struct smelt_show *show, struct show_run *run, uint32_t type,
			    struct smelt_error *error);
/* Now, or at the end if it has to be sorted. */
enum smelt_status show_type_or_defer(struct smelt_show *show, struct show_run *run, uint32_t type,
				     struct smelt_error *error);
/* The text goes out if there is much of it, or all of it. */
enum smelt_status show_flush(struct smelt_show *show, bool all, struct smelt_error *error);

/* filter.c */

/* Whether the filter of the options lets a type pass. */
bool show_filter_passes(struct smelt_show *show, struct show_run *run, uint32_t type);
/* The name, or that of its first typedef, or NULL. */
const char *show_name(struct show_run *run, uint32_t type);
/* The first typedef of a struct or union without a name, or 0. */
uint32_t show_typedef_of(struct show_run *run, uint32_t type);

/* listing.c */

/* A line for a type; lists that wait for the end count it under `number`. */
enum smelt_status show_list(struct smelt_show *show, struct show_run *run, uint32_t type,
			    uint32_t number, struct smelt_error *error);
enum smelt_status show_list_tallies(struct smelt_show *show, struct smelt_error *error);

/* lookup.c: types by name */

/* NULL when out of memory. Names must outlive it. */
struct name_lookup *name_lookup_create(const char *const *names, size_t count);
void name_lookup_destroy(struct name_lookup *lookup); /* NULL is fine */
bool name_lookup_found(const struct name_lookup *lookup, size_t index);

/* A type, or something of it, that has a wanted name. */
struct name_match {
	uint32_t name; /* index */
	uint32_t type;
};
typedef VECTOR(struct name_match) name_matches;

/* False: out of memory. Notes that the name was found. */
bool name_lookup_try(struct name_lookup *lookup, const char *name, uint32_t type,
		     name_matches *matches);
/* By name in the order wanted, then by type. */
void name_matches_sort(name_matches *matches);

/* references.c and lookup.c: a selection each */
enum smelt_status show_named(struct smelt_show *show, struct show_run *run,
			     struct smelt_error *error);
enum smelt_status show_enumerators(struct smelt_show *show, struct show_run *run,
				   struct smelt_error *error);
enum smelt_status show_units(struct smelt_show *show, struct show_run *run,
			     struct smelt_error *error);
enum smelt_status show_containing(struct smelt_show *show, struct show_run *run,
				  struct smelt_error *error);
/* Of all, those that parameters of functions point to, in the order of the functions. */
enum smelt_status show_pointed_to(struct smelt_show *show, struct show_run *run,
				  struct smelt_error *error);
enum smelt_status show_pointing(struct smelt_show *show, struct show_run *run,
				struct smelt_error *error);

/* reorganize.c */

/* A struct with its members in the order that makes it smallest; nothing of other types. */
enum smelt_status show_reorganized(struct smelt_show *show, struct show_run *run, uint32_t type,
				   struct smelt_error *error);
/* The size that it would have then; other types' own. */
enum smelt_status show_packed_size(struct smelt_show *show, struct show_run *run, uint32_t type,
				   uint64_t *size, struct smelt_error *error);

/* sort.c */

/* Orders show->entries: by name, then what else is seen of the types. */
void show_sort(struct smelt_show *show);

#endif
