/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The order of records, hence ids and places in the type section:
 *
 *   for each unit   the types that it is the first to have
 *                   declaration tags of its structs, unions and typedefs
 *                   its variables, each followed by its tags
 *   for each function, by name    [arena pointers] [prototype] function, tags
 *   for each section              its variables
 *
 * Sizes are measured in parallel; what is serial here is a few additions per type and unit.
 */
#include <string.h>

#include "btf/format.h"
#include "encode/datasec.h"
#include "encode/functions.h"
#include "encode/run.h"
#include "encode/type_record.h"
#include "encode/variables.h"

enum { TYPES_PER_JOB = 2048 };

/* Records that a unit has beside types are all of one size. */
enum { EXTRA_RECORD_BYTES = BTF_RECORD_BYTES + 4 };

struct numbering {
	struct encode_run *run;
	struct issue_log *job_issues;
	uint64_t next_id;
	uint64_t offset; /* in the type section */
};

static void measure_job(void *argument, uint32_t job_index, struct worker *worker)
{
	struct numbering *numbering = argument;
	struct encode_run *run = numbering->run;
	struct record_options options = { .has_enum64 = run_has(run, SMELT_BTF_ENUM64) };
	uint32_t type_count = dedup_type_count(run->dedup);
	uint32_t first = 1 + job_index * TYPES_PER_JOB;

	(void)worker;
	for (uint32_t n = first; n - first < TYPES_PER_JOB && n <= type_count; n++) {
		const struct dedup_type *type = dedup_type(run->dedup, n);

		if (type->base_id == 0)
			run->type_offsets[n] = type_record_bytes(type, &options,
								 &numbering->job_issues[job_index]);
	}
}

/* Leaves the size of each type that is not in the base in run->type_offsets. */
static bool measure_types(struct numbering *numbering)
{
	struct encode_run *run = numbering->run;
	uint32_t type_count = dedup_type_count(run->dedup);
	uint32_t job_count = (type_count + TYPES_PER_JOB - 1) / TYPES_PER_JOB;

	numbering->job_issues = run_calloc(run, job_count, sizeof(*numbering->job_issues));
	if (!numbering->job_issues)
		return false;
	worker_pool_run(run->pool, measure_job, numbering, job_count);
	for (uint32_t i = 0; i < job_count; i++)
		issue_log_merge(&run->issues, &numbering->job_issues[i]);
	return true;
}

static void place_extras(struct numbering *numbering, uint32_t unit)
{
	struct unit_extras *extras = &numbering->run->extras[unit];

	extras->record_count = extras->tag_count + extras->variable_count;
	for (uint32_t i = 0; i < extras->variable_count; i++) {
		if (extras->variables[i].tags)
			extras->record_count += extras->variables[i].tags->count;
	}
	extras->string_use_count = extras->record_count;
	extras->first_id = (uint32_t)numbering->next_id;
	extras->offset = (uint32_t)numbering->offset;
	numbering->next_id += extras->record_count;
	numbering->offset += (uint64_t)extras->record_count * EXTRA_RECORD_BYTES;
}

static void place_units(struct numbering *numbering)
{
	struct encode_run *run = numbering->run;
	uint32_t type_count = dedup_type_count(run->dedup);
	uint32_t unit = 0;

	run->type_ids[0] = 0;
	for (uint32_t n = 1; n <= type_count; n++) {
		const struct dedup_type *type = dedup_type(run->dedup, n);
		uint32_t type_unit = (uint32_t)(type->position >> 32);
		uint32_t bytes = run->type_offsets[n];

		if (type->base_id != 0) {
			run->type_ids[n] = type->base_id;
			continue;
		}
		for (; unit < type_unit; unit++)
			place_extras(numbering, unit);
		run->type_ids[n] = (uint32_t)numbering->next_id++;
		run->type_offsets[n] = (uint32_t)numbering->offset;
		numbering->offset += bytes;
	}
	for (; unit < run->unit_count; unit++)
		place_extras(numbering, unit);
}

static void place_functions(struct numbering *numbering)
{
	struct encode_run *run = numbering->run;

	for (uint32_t i = 0; i < run->bucket_count; i++) {
		struct function_bucket *bucket = &run->buckets[i];

		bucket->first_id = (uint32_t)numbering->next_id;
		bucket->offset = (uint32_t)numbering->offset;
		numbering->next_id += bucket->record_count;
		numbering->offset += bucket->bytes;
	}
}

/* Ids within a bucket, in the order that emit.c writes. */
static void number_bucket_job(void *argument, uint32_t bucket_index, struct worker *worker)
{
	struct encode_run *run = argument;
	const struct function_bucket *bucket = &run->buckets[bucket_index];
	uint32_t id = bucket->first_id;

	(void)worker;
	for (uint32_t i = 0; i < bucket->function_count; i++) {
		struct encoded_function *function = &run->functions[bucket->first_function + i];

		if (function->name == 0)
			continue;
		function->first_id = id;
		for (uint32_t k = 0; k < function->arena_count; k++) {
			struct arena_pointer *pointer =
				&run->arena_pointers.items[function->first_arena + k];

			if (pointer->tag_id == 0)
				pointer->tag_id = id++;
			if (pointer->pointer_id == 0)
				pointer->pointer_id = id++;
		}
		if (function->has_own_prototype)
			function->prototype_id = id++;
		id += function->base_id ? 0 : 1;
		id += function->tags ? function->tags->count : 0;
	}
}

/* The section's list, whose entries go to those from first_entry on. */
static bool form_datasec(struct numbering *numbering, const struct run_input *input, uint32_t index,
			 uint32_t first_entry, uint32_t entry_count)
{
	struct encode_run *run = numbering->run;
	const char *name = elf_file_section(input->file, index)->name;
	struct encoded_datasec *datasec = &run->datasecs[run->datasec_count++];

	*datasec = (struct encoded_datasec){
		.name = name_table_intern(run->names, name, strlen(name)),
		.first_entry = first_entry,
		.entry_count = entry_count,
		.offset = (uint32_t)numbering->offset,
	};
	if (datasec->name == UINT32_MAX)
		return false;
	if (datasec->name == 0) {
		issue_add(&run->issues, ISSUE_TYPE_UNNAMED, 0);
		datasec->name = run->text_unnamed;
	}
	if (entry_count > BTF_VLEN_MAX) {
		issue_add(&run->issues, ISSUE_SECTION_TOO_LONG, datasec->name);
		entry_count = BTF_VLEN_MAX;
	}
	numbering->next_id++;
	numbering->offset += btf_record_bytes(BTF_KIND_DATASEC, entry_count);
	return true;
}

/* Hands out the places of each section's entries: section_ends[s] becomes where its first one goes. */
static bool form_datasecs(struct numbering *numbering, uint32_t *section_ends)
{
	struct encode_run *run = numbering->run;
	uint32_t first = 0;

	for (uint32_t i = 0; i < run->input_count; i++) {
		const struct run_input *input = &run->inputs[i];
		uint32_t *ends = section_ends + input->first_section;

		for (uint32_t s = 0; s < elf_file_section_count(input->file); s++) {
			uint32_t count = ends[s];

			ends[s] = first;
			if (count != 0 && !form_datasec(numbering, input, s, first, count))
				return false;
			first += count;
		}
	}
	return true;
}

static void fill_datasecs(struct encode_run *run, uint32_t *section_ends)
{
	for (uint32_t unit = 0; unit < run->unit_count; unit++) {
		const struct unit_extras *extras = &run->extras[unit];
		uint32_t id = extras->first_id + extras->tag_count;

		for (uint32_t i = 0; i < extras->variable_count; i++) {
			const struct encoded_variable *variable = &extras->variables[i];

			run->datasec_entries[section_ends[variable->section]++] =
				(struct datasec_entry){ id, variable->offset, variable->size };
			id += 1 + (variable->tags ? variable->tags->count : 0);
		}
	}
}

static bool place_datasecs(struct numbering *numbering)
{
	struct encode_run *run = numbering->run;
	uint32_t *section_ends = run_calloc(run, run->section_count, sizeof(*section_ends));

	for (uint32_t unit = 0; section_ends && unit < run->unit_count; unit++) {
		const struct unit_extras *extras = &run->extras[unit];

		run->datasec_entry_count += extras->variable_count;
		for (uint32_t i = 0; i < extras->variable_count; i++)
			section_ends[extras->variables[i].section]++;
	}
	run->report->variables = run->datasec_entry_count;
	run->datasecs = run_alloc(run, run->section_count, sizeof(*run->datasecs));
	run->datasec_entries =
		run_alloc(run, run->datasec_entry_count, sizeof(*run->datasec_entries));
	if (!section_ends || !run->datasecs || !run->datasec_entries ||
	    !form_datasecs(numbering, section_ends))
		return false;
	fill_datasecs(run, section_ends);
	return true;
}

static uint32_t index_type_id(const struct encode_run *run)
{
	if (run->index_class)
		return run->type_ids[dedup_number_of_class(run->dedup, run->index_class)];
	if (run->index_unit)
		return run->type_ids[dedup_number_of(run->dedup, run->index_unit, run->index_slot)];
	return 0;
}

enum smelt_status number_records(struct encode_run *run, struct smelt_error *error)
{
	size_t type_count = dedup_type_count(run->dedup) + 1ull;
	struct numbering numbering = { .run = run };

	run->first_id = run->base ? run->base->view->end_id : 1;
	numbering.next_id = run->first_id;

	run->type_ids = run_alloc(run, type_count, sizeof(*run->type_ids));
	run->type_offsets = run_alloc(run, type_count, sizeof(*run->type_offsets));
	if (!run->type_ids || !run->type_offsets || !measure_types(&numbering))
		return error_no_memory(error);

	place_units(&numbering);
	place_functions(&numbering);
	if (!place_datasecs(&numbering))
		return error_no_memory(error);
	if (numbering.next_id > INT32_MAX || numbering.offset > UINT32_MAX)
		return error_set(error, SMELT_UNSUPPORTED,
				 "the types take more than the 4 GiB that BTF can address");
	run->record_count = (uint32_t)numbering.next_id - run->first_id;
	run->type_bytes = (uint32_t)numbering.offset;
	/* Ids and places are final from here on. */
	worker_pool_run(run->pool, number_bucket_job, run, run->bucket_count);
	run->index_type_id = index_type_id(run);
	run->report->btf_types = run->record_count;
	return SMELT_OK;
}
