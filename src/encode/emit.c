/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Writes the records to their places. Every id, place and string is known, so the jobs need
 * nothing of each other.
 */
#include <assert.h>
#include <stdlib.h>

#include "btf/writer.h"
#include "encode/datasec.h"
#include "encode/functions.h"
#include "encode/run.h"
#include "encode/type_record.h"
#include "encode/variables.h"

enum {
	TYPES_PER_JOB = 1024,
	UNITS_PER_JOB = 64,
};

struct emission {
	struct encode_run *run;
	bool is_big_endian;
	uint32_t type_job_count;
	uint32_t unit_job_count;
	_Atomic bool has_overrun; /* a record did not end where its size said: a bug of ours */
	struct record_context records;
};

/* A writer over [offset, end) of the type section. */
static struct btf_writer writer_at(const struct emission *emission, uint32_t offset, uint32_t end)
{
	struct btf_writer writer;

	btf_writer_init_over(&writer, emission->run->blob.data + BTF_HEADER_BYTES + offset,
			     end - offset, emission->is_big_endian);
	return writer;
}

static void check_filled(struct emission *emission, const struct btf_writer *writer)
{
	if (writer->failed || writer->size != writer->capacity)
		atomic_store(&emission->has_overrun, true);
}

static uint32_t string_of(const struct emission *emission, uint32_t name)
{
	return string_table_offset(&emission->run->strings, name);
}

/* Types; behind the last type of a unit is a gap for its other records. */

static void emit_types(struct emission *emission, uint32_t job_index)
{
	const struct encode_run *run = emission->run;
	uint32_t type_count = dedup_type_count(run->dedup);
	uint32_t first = 1 + job_index * TYPES_PER_JOB;

	for (uint32_t n = first; n - first < TYPES_PER_JOB && n <= type_count; n++) {
		struct btf_writer writer;

		if (dedup_type(run->dedup, n)->base_id != 0)
			continue;
		writer = writer_at(emission, run->type_offsets[n], run->type_bytes);
		type_record_write(&writer, dedup_type(run->dedup, n), &emission->records);
		if (writer.failed)
			atomic_store(&emission->has_overrun, true);
	}
}

/* What units have beside types. */

static void emit_tags(struct emission *emission, struct btf_writer *writer,
		      const struct tag_list *list, uint32_t owner_id)
{
	for (uint32_t i = 0; list && i < list->count; i++)
		btf_writer_decl_tag(writer, string_of(emission, list->tags[i].value), owner_id,
				    list->tags[i].component);
}

static void emit_unit(struct emission *emission, uint32_t unit)
{
	const struct encode_run *run = emission->run;
	const struct unit_extras *extras = &run->extras[unit];
	uint32_t bytes = extras->record_count * btf_record_bytes(BTF_KIND_VAR, 0);
	struct btf_writer writer = writer_at(emission, extras->offset, extras->offset + bytes);
	uint32_t id = extras->first_id + extras->tag_count;

	for (uint32_t i = 0; i < extras->tag_count; i++) {
		const struct encoded_type_tag *tag = &run->type_tags[extras->first_tag + i];

		btf_writer_decl_tag(&writer, string_of(emission, tag->tag.value),
				    run->type_ids[tag->type], tag->tag.component);
	}
	for (uint32_t i = 0; i < extras->variable_count; i++) {
		const struct encoded_variable *variable = &extras->variables[i];

		btf_writer_variable(
			&writer, string_of(emission, variable->name), run->type_ids[variable->type],
			variable->is_external ? BTF_LINKAGE_GLOBAL : BTF_LINKAGE_STATIC);
		emit_tags(emission, &writer, variable->tags, id);
		id += 1 + (variable->tags ? variable->tags->count : 0);
	}
	check_filled(emission, &writer);
}

static void emit_units(struct emission *emission, uint32_t job_index)
{
	uint32_t first = job_index * UNITS_PER_JOB;

	for (uint32_t i = 0; i < UNITS_PER_JOB && first + i < emission->run->unit_count; i++) {
		if (emission->run->extras[first + i].record_count > 0)
			emit_unit(emission, first + i);
	}
}

/* Functions. */

static void emit_arena_pointers(struct emission *emission, struct btf_writer *writer,
				const struct encoded_function *function)
{
	const struct encode_run *run = emission->run;

	for (uint32_t i = 0; i < function->arena_count; i++) {
		const struct arena_pointer *pointer =
			&run->arena_pointers.items[function->first_arena + i];

		/* kind_flag: an attribute of the compiler's, not a btf_type_tag of the source. */
		if (pointer->tag_id >= run->first_id)
			btf_writer_record(writer, string_of(emission, run->text_arena),
					  btf_info(BTF_KIND_TYPE_TAG, true, 0),
					  run->type_ids[pointer->pointee]);
		if (pointer->pointer_id >= run->first_id)
			btf_writer_record(writer, 0, btf_info(BTF_KIND_PTR, false, 0),
					  pointer->tag_id);
	}
}

static void emit_prototype(struct emission *emission, struct btf_writer *writer,
			   const struct prototype *prototype)
{
	const struct encode_run *run = emission->run;

	btf_writer_record(writer, 0,
			  btf_info(BTF_KIND_FUNC_PROTO, false, prototype->parameter_count),
			  prototype_type_id(run, prototype->return_type));
	for (uint32_t i = 0; i < prototype->parameter_count; i++)
		btf_writer_pair(writer, string_of(emission, prototype->parameters[i].name),
				prototype_type_id(run, prototype->parameters[i].type));
}

/* Of the prototype that stands for those equal to it. */
static uint32_t prototype_id(const struct encode_run *run, uint32_t place)
{
	uint32_t order = prototype_table_first(run->prototypes, place);

	if (prototype_is_type(run->prototypes, order))
		return run->type_ids[order];
	return run->functions[prototype_function_of(run->prototypes, order)].prototype_id;
}

static void emit_function(struct emission *emission, struct btf_writer *writer, uint32_t number)
{
	const struct encode_run *run = emission->run;
	const struct encoded_function *function = &run->functions[number];
	uint32_t id = function->first_id + function->arena_records + function->has_own_prototype;

	if (function->base_id != 0)
		id = function->base_id;
	emit_arena_pointers(emission, writer, function);
	if (function->has_own_prototype)
		emit_prototype(emission, writer, function_prototype(run, number));
	/* Linkage is always static: symbols of a group need not agree, and readers expect it. */
	if (function->base_id == 0)
		btf_writer_record(writer, string_of(emission, function->name),
				  btf_info(BTF_KIND_FUNC, false, BTF_LINKAGE_STATIC),
				  prototype_id(run, function->place));
	emit_tags(emission, writer, function->tags, id);
}

static void emit_bucket(struct emission *emission, uint32_t bucket_index)
{
	const struct function_bucket *bucket = &emission->run->buckets[bucket_index];
	struct btf_writer writer =
		writer_at(emission, bucket->offset, bucket->offset + (uint32_t)bucket->bytes);

	for (uint32_t i = 0; i < bucket->function_count; i++) {
		if (emission->run->functions[bucket->first_function + i].name != 0)
			emit_function(emission, &writer, bucket->first_function + i);
	}
	check_filled(emission, &writer);
}

/* Sections. */

static void emit_datasec(struct emission *emission, uint32_t index, struct arena *scratch)
{
	struct encode_run *run = emission->run;
	const struct encoded_datasec *datasec = &run->datasecs[index];
	struct datasec_entry *entries = run->datasec_entries + datasec->first_entry;
	struct datasec_entry *spare = arena_alloc(scratch, datasec->entry_count * sizeof(*entries));
	uint32_t count = datasec->entry_count;
	struct btf_writer writer;

	if (!spare) {
		run_no_memory(run);
		return;
	}
	datasec_sort(entries, spare, count);
	if (count > BTF_VLEN_MAX)
		count = BTF_VLEN_MAX;
	writer = writer_at(emission, datasec->offset,
			   datasec->offset + btf_record_bytes(BTF_KIND_DATASEC, count));
	btf_writer_record(&writer, string_of(emission, datasec->name),
			  btf_info(BTF_KIND_DATASEC, false, count),
			  datasec_byte_size(entries, count));
	for (uint32_t i = 0; i < count; i++)
		btf_writer_triple(&writer, entries[i].variable_id, entries[i].offset,
				  entries[i].size);
	check_filled(emission, &writer);
}

/* Sections come first: a large one is the longest job. */
static void emit_job(void *argument, uint32_t job_index, struct worker *worker)
{
	struct emission *emission = argument;
	const struct encode_run *run = emission->run;

	arena_reset(&worker->scratch);
	if (job_index < run->datasec_count) {
		emit_datasec(emission, job_index, &worker->scratch);
		return;
	}
	job_index -= run->datasec_count;
	if (job_index < emission->type_job_count) {
		emit_types(emission, job_index);
		return;
	}
	job_index -= emission->type_job_count;
	if (job_index < emission->unit_job_count)
		emit_units(emission, job_index);
	else
		emit_bucket(emission, job_index - emission->unit_job_count);
}

static void emit_frame(struct emission *emission)
{
	struct encode_run *run = emission->run;
	struct btf_section_sizes sizes = {
		.types = run->type_bytes,
		.layout = run_layout_bytes(run),
		.strings = string_table_bytes(&run->strings),
	};
	struct btf_writer header;
	struct btf_writer layout = writer_at(emission, sizes.types, sizes.types + sizes.layout);

	btf_writer_init_over(&header, run->blob.data, BTF_HEADER_BYTES, emission->is_big_endian);
	btf_writer_header(&header, &sizes);
	if (sizes.layout)
		btf_writer_layout_section(&layout);
	check_filled(emission, &header);
	check_filled(emission, &layout);
}

enum smelt_status emit_records(struct encode_run *run, struct smelt_error *error)
{
	struct emission emission = {
		.run = run,
		.is_big_endian = run->is_big_endian,
		.type_job_count =
			(dedup_type_count(run->dedup) + TYPES_PER_JOB - 1) / TYPES_PER_JOB,
		.unit_job_count = (run->unit_count + UNITS_PER_JOB - 1) / UNITS_PER_JOB,
		.records = {
			.ids = run->type_ids,
			.strings = &run->strings,
			.index_type = run->index_type_id,
			.unnamed_name = run->text_unnamed,
		},
	};

	emit_frame(&emission);
	worker_pool_run(run->pool, emit_job, &emission,
			run->datasec_count + emission.type_job_count + emission.unit_job_count +
				run->bucket_count);
	if (atomic_load(&emission.has_overrun))
		return error_set(error, SMELT_BAD_DATA,
				 "internal error: a BTF record is not of the size planned for it");
	return run_pass_status(run, error);
}
