/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/**
 * @file
 * Showing types as text.
 *
 * Open files as programs, make a show that says which types are wanted and how, add the programs, and
 * finish it. Text goes to a function of the caller's, in pieces of any size. It depends on programs and options
 * only. A show and its programs belong to one thread at a time.
 */
#ifndef SMELT_SHOW_H
#define SMELT_SHOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <smelt/error.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What type information is read from. */
enum smelt_format { SMELT_FORMAT_DWARF, SMELT_FORMAT_BTF };

struct smelt_program_options {
	size_t struct_size; /**< sizeof(struct smelt_program_options) */
	/** Tried in this order; the first that the file has is taken. */
	const enum smelt_format *formats;
	size_t format_count;
	const char *base_path;     /**< BTF that split BTF builds on, or NULL */
	const uint16_t *languages; /**< DWARF's codes, or NULL for all; BTF counts as C, 2 */
	size_t language_count;
	bool languages_excluded; /**< units in `languages` are dropped instead of kept */
	/** Drop units whose name starts so; or NULL. BTF is a unit called by its path. */
	const char *unit_exclude_prefix;
	/** Only types of these names will be shown, and what they hold; or NULL. Saves time. */
	const char *const *needed_names;
	size_t needed_name_count;
	bool needs_functions; /**< SMELT_LIST_METHODS will be asked for */
	bool needs_files;     /**< source files will be shown or are in the filter */
	bool needs_counts;    /**< SMELT_LIST_REPEATS will be; without, types of DWARF count once */
	unsigned jobs;        /**< threads that load DWARF; 0: one */
};

/** The types of a file. */
struct smelt_program;

/**
 * Reads the types of `path`.
 *
 * @param program  out; untouched on failure
 * @return SMELT_NO_DEBUG_INFO if the file has none of these formats
 */
enum smelt_status smelt_program_open(const char *path, const struct smelt_program_options *options,
				     struct smelt_program **program, struct smelt_error *error);
void smelt_program_close(struct smelt_program *program); /**< NULL is fine */

/**
 * A name of a type in `program` that differs from `name` in a few letters only, or NULL. Valid as
 * long as the program is open.
 */
const char *smelt_program_similar_name(const struct smelt_program *program, const char *name);

/** Which types are shown. */
enum smelt_selection {
	SMELT_SELECT_ALL,        /**< all structs and unions that pass the filter */
	SMELT_SELECT_NAMED,      /**< types of these names, of any kind; filters do not count */
	SMELT_SELECT_CONTAINING, /**< of all, those with a member of one of these types */
	SMELT_SELECT_POINTING, /**< of all, those with a pointer to one of these types, and the member */
	SMELT_SELECT_ENUMERATOR,    /**< enumerations with an enumerator of one of these names */
	SMELT_SELECT_DEFINING_UNIT, /**< the units that define types of these names */
};

/** What is printed of a type that is shown. */
enum smelt_listing {
	SMELT_LIST_DEFINITIONS,  /**< the type as source, with its layout in comments */
	SMELT_LIST_SIZES,        /**< a line: name, size, holes */
	SMELT_LIST_MEMBERS,      /**< a line: name, number of members */
	SMELT_LIST_NAME_LENGTHS, /**< a line: name, its length */
	SMELT_LIST_NAMES,        /**< a line: name */
	SMELT_LIST_PACKED_SIZES, /**< a line: name, size, smallest size, difference */
	SMELT_LIST_REPEATS,      /**< a line: name, how often it is defined; when finished */
	SMELT_LIST_METHODS, /**< a line: name, parameters of functions that point to it; when finished */
};

/** Which of all structs and unions are shown; zero: those with a name, declared outside of all others. */
struct smelt_filter {
	const char *exclude_prefix;      /**< not names that start so; or NULL */
	const char *name_prefix;         /**< only names that start so; or NULL */
	const char *exclude_file_prefix; /**< not from source files whose path starts so; or NULL */
	bool anonymous;                  /**< those that only a typedef names, too */
	bool all_anonymous;              /**< with `anonymous`: those without a typedef, too */
	bool private_types; /**< those inside of functions, classes and namespaces, too */
	bool only_structs;  /**< together with only_unions: both */
	bool only_unions;
	bool only_packable; /**< structs that are smaller with members in another order */
	bool only_packed;
	bool only_flexible;           /**< structs that end in a flexible array */
	bool only_embedding_flexible; /**< structs with such a struct inside */
	uint32_t holes;               /**< structs with at least so many holes */
	uint32_t bit_holes;
	uint32_t hole_bytes;    /**< structs with a hole of at least so many bytes */
	uint32_t padding_bytes; /**< structs with at least so much padding at the end */
};

/** How a type is shown as source; bits of smelt_show_options.style. */
enum smelt_style {
	SMELT_STYLE_EXPAND_TYPES = 1u << 0,    /**< types of members in place */
	SMELT_STYLE_EXPAND_POINTERS = 1u << 1, /**< types that members point to in place */
	SMELT_STYLE_RELATIVE = 1u << 2,        /**< offsets from the start of the inner struct */
	SMELT_STYLE_HEX = 1u << 3,             /**< offsets and sizes in hexadecimal */
	SMELT_STYLE_QUIET = 1u << 4,           /**< no comments */
	SMELT_STYLE_DATA_ONLY = 1u << 5,       /**< no methods, no nested types */
	SMELT_STYLE_BIGGEST = 1u << 6,         /**< name the first of the largest members */
	SMELT_STYLE_ORIGIN = 1u << 7,          /**< where each type is declared */
	SMELT_STYLE_CLASSES_AS_STRUCTS = 1u << 8,
	SMELT_STYLE_FLAT_ARRAYS = 1u << 9, /**< one dimension for every array */
	SMELT_STYLE_NO_ALIGNED = 1u << 10, /**< no attributes for alignment */
	SMELT_STYLE_NO_FORCED_PADDING = 1u << 11,
	SMELT_STYLE_NO_PACKED = 1u << 12,
	SMELT_STYLE_COLOUR = 1u << 13, /**< escape sequences of terminals */
};

/** Takes text; returns false to stop. */
typedef bool (*smelt_output_fn)(void *context, const char *text, size_t size);

struct smelt_show_options {
	size_t struct_size; /**< sizeof(struct smelt_show_options) */
	enum smelt_selection selection;
	const char *const *names; /**< NULL unless the selection is by names */
	size_t name_count;
	struct smelt_filter filter;
	bool recursive; /**< CONTAINING: then the types of members that contain it, too */
	bool counts;    /**< CONTAINING: with the number of such members */

	bool reorganize; /**< NAMED: structs with members in the order that makes them smallest */
	bool reorganize_steps; /**< and after each move */
	bool keep_cachelines; /**< members stay behind the forced cache line that they are behind */
	bool compile;         /**< definitions as source that compiles, with all that they need */
	bool assertions;      /**< with `compile`: then assertions about sizes and offsets */
	bool no_atomic_typedefs; /**< with `compile`: the base types of <stdatomic.h> are known */

	enum smelt_listing listing;
	uint32_t style;          /**< bits of enum smelt_style */
	uint32_t cacheline_size; /**< bytes; 0: 64 */
	bool sort;               /**< by name; programs must stay open until the show is finished */
	char separator;          /**< between the columns of lists; 0: TAB */

	smelt_output_fn output;
	void *context; /**< of output */
};

struct smelt_show;

/** Options and what they point to must outlive the show. */
enum smelt_status smelt_show_create(const struct smelt_show_options *options,
				    struct smelt_show **show, struct smelt_error *error);
void smelt_show_destroy(struct smelt_show *show); /**< NULL is fine */

/** Shows what is wanted of this program, unless that has to wait for the end. */
enum smelt_status smelt_show_add(struct smelt_show *show, struct smelt_program *program,
				 struct smelt_error *error);
/** Shows what had to wait for all programs. */
enum smelt_status smelt_show_finish(struct smelt_show *show, struct smelt_error *error);

/** Whether the n-th of options.names was found in any program. */
bool smelt_show_found(const struct smelt_show *show, size_t index);

#ifdef __cplusplus
}
#endif

#endif
