/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * What the passes of one run share. Each pass reads what earlier ones left and adds its own part;
 * encode.c calls them in order. Within a pass a job writes only its own slots.
 */
#ifndef ENCODE_RUN_H
#define ENCODE_RUN_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <smelt/encode.h>

#include "base/arena.h"
#include "base/worker_pool.h"
#include "btf/string_table.h"
#include "btf/writer.h"
#include "dedup/dedup.h"
#include "encode/arena_pointers.h"
#include "encode/base.h"
#include "encode/inputs.h"
#include "encode/issues.h"
#include "encode/session.h"
#include "encode/symbol_scan.h"
#include "model/unit.h"

/* A unit's variables that are encoded, and the records that need no other unit. */
struct unit_extras {
	struct encoded_variable *variables;
	uint32_t variable_count;
	uint32_t
		unconfirmed_count; /* variables at the start of a section, until symbols are checked */
	uint32_t first_tag;        /* declaration tags of types: in run->type_tags */
	uint32_t tag_count;
	uint32_t record_count;     /* those tags, the variables and their tags */
	uint32_t string_use_count; /* at most */
	uint32_t first_id;
	uint32_t offset; /* in the type section */
};

/* A declaration tag of a struct, union or typedef. */
struct encoded_type_tag {
	uint32_t type; /* number of the set */
	struct decl_tag tag;
};

/* A stretch of functions by name; one job. */
struct function_bucket {
	uint32_t first_function;
	uint32_t function_count;
	uint32_t first_state; /* in run->states */
	uint32_t state_count;
	uint32_t record_count;
	uint32_t string_use_count; /* at most */
	uint64_t bytes;
	uint32_t first_id;
	uint32_t offset; /* in the type section */
	struct smelt_function_counts counts;
	struct issue_log issues;
};

struct state_reference {
	uint32_t unit;
	uint32_t index; /* in the unit's functions */
	uint32_t function;
};

struct encode_run {
	const struct smelt_encode_options *options;
	struct smelt_encode_report *report;
	/* The session's. */
	struct worker_pool *pool;
	struct run_worker *workers;
	struct load_context *loading;
	struct arena *arena;

	_Atomic bool out_of_memory; /* set by jobs, looked at after each pass */
	struct issue_log issues;

	const struct smelt_btf_base *base; /* or NULL */
	struct run_input *inputs;
	uint32_t input_count;
	uint32_t group_count;
	uint32_t section_count;
	bool is_big_endian;
	struct name_table *names;
	struct dedup *dedup;

	/* By unit number; these start at 1. Groups in it are numbers of the run. */
	struct unit_record *units;
	struct unit_extras *extras;
	uint32_t unit_count;

	/* Of the type that counts the elements of arrays; unit 0: no unit has arrays or an `int`. */
	uint32_t index_unit;
	uint32_t index_slot;
	uint32_t index_class; /* of the `int` that was added for it, or 0 */

	/* variables.c */
	struct section_starts starts; /* until symbols are checked */

	/* type_tags.c */
	struct encoded_type_tag *type_tags;

	/* check_symbols.c: per group, 0 or KFUNC_IS_ONE and flags */
	uint32_t *kfuncs;

	/* function_order.c: symbol groups whose name a unit uses, by name; "a function" is an index here */
	uint32_t *function_groups;
	uint32_t function_count;
	uint32_t *group_functions; /* per group: the function, or UINT32_MAX */

	/* functions.c */
	struct function_bucket *buckets;
	uint32_t bucket_count;
	struct state_reference *states;     /* by bucket, then unit and order within the unit */
	struct encoded_function *functions; /* per function */
	struct prototype_table *prototypes;
	struct arena_pointers arena_pointers;

	/* numbering.c */
	uint32_t *type_ids;     /* per number of the set */
	uint32_t *type_offsets; /* and where its record is in the type section */
	uint32_t index_type_id;
	uint32_t first_id; /* of the run's own records */
	uint32_t record_count;
	uint32_t type_bytes;
	struct encoded_datasec *datasecs;
	uint32_t datasec_count;
	struct datasec_entry *datasec_entries;
	uint32_t datasec_entry_count;

	/* strings.c */
	struct string_table strings;
	struct smelt_btf_blob blob; /* of its final size; with the strings in place */
	uint32_t text_unnamed;      /* names of texts that are not in the input */
	uint32_t text_kfunc;
	uint32_t text_fastcall;
	uint32_t text_arena;
};

static inline bool run_has(const struct encode_run *run, uint32_t feature)
{
	return run->options->features & feature;
}

/* Readers of split BTF know its kinds from the base. */
static inline uint32_t run_layout_bytes(const struct encode_run *run)
{
	return run_has(run, SMELT_BTF_LAYOUT) && !run->base ? btf_layout_section_bytes() : 0;
}

static inline void run_no_memory(struct encode_run *run)
{
	atomic_store_explicit(&run->out_of_memory, true, memory_order_relaxed);
}

/* Memory that lives as long as the run, NULL when out of it. Between passes only. */
void *run_alloc(struct encode_run *run, uint64_t count, size_t size);
void *run_calloc(struct encode_run *run, uint64_t count, size_t size);

/* Status at the end of a pass. */
enum smelt_status run_pass_status(const struct encode_run *run, struct smelt_error *error);

/* Offset of a name's text in the strings of the base, or TEXT_INDEX_NONE. */
uint32_t run_base_name(const struct encode_run *run, uint32_t name);

/* The base's tag with these words on its record `owner`, or 0. */
uint32_t base_decl_tag(const struct encode_run *run, const struct decl_tag *tag, uint32_t owner);

/* Passes, in order. */

/* load_units.c: all units into the model and the deduplicator; chooses the index type. */
enum smelt_status load_units(struct encode_run *run, struct smelt_error *error);
enum smelt_status create_dedup(struct encode_run *run, struct smelt_error *error);
enum smelt_status settle_types(struct encode_run *run, struct smelt_error *error);

/* variables.c */
enum smelt_status choose_variables(struct encode_run *run, struct smelt_error *error);

/* check_symbols.c: drops variables that no symbol confirms, finds kfuncs. */
enum smelt_status check_symbols(struct encode_run *run, struct smelt_error *error);
void drop_absent_variables(struct encode_run *run);

/* function_order.c */
enum smelt_status order_functions(struct encode_run *run, struct smelt_error *error);

/* functions.c */
enum smelt_status choose_functions(struct encode_run *run, struct smelt_error *error);

/* repeated_functions.c, arena_pointers.c; called by choose_functions() */
enum smelt_status join_repeated_functions(struct encode_run *run, struct smelt_error *error);
enum smelt_status number_arena_pointers(struct encode_run *run, struct smelt_error *error);

/* type_tags.c */
enum smelt_status collect_type_tags(struct encode_run *run, struct smelt_error *error);

/* numbering.c: ids and places of all records; both are final afterwards. */
enum smelt_status number_records(struct encode_run *run, struct smelt_error *error);

/* strings.c: the order of strings; makes the blob. */
enum smelt_status collect_strings(struct encode_run *run, struct smelt_error *error);

/* emit.c: writes everything else to the blob. */
enum smelt_status emit_records(struct encode_run *run, struct smelt_error *error);

/* distilled_base.c: puts the blob on a base of its own instead of the run's. */
enum smelt_status distill_base(struct encode_run *run, struct smelt_error *error);

#endif
