/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Where the types that are wanted are, and the way to each; what is read there is in the other capture_*.c. */
#include "load/capture.h"

#include <stdlib.h>
#include <string.h>

#include "dwarf/constants.h"
#include "load/capture_internal.h"

void capture_deinit(struct capture *capture)
{
	vector_deinit(&capture->types);
	vector_deinit(&capture->members);
	vector_deinit(&capture->enumerators);
	vector_deinit(&capture->parameters);
	vector_deinit(&capture->dimensions);
	vector_deinit(&capture->variant_parts);
	vector_deinit(&capture->variants);
	vector_deinit(&capture->functions);
	vector_deinit(&capture->scopes);
	vector_deinit(&capture->units);
}

void capture_no_memory(struct capture_job *job)
{
	walk_no_memory(&job->load);
}

/* ---- Scopes ---- */

/* Outer scopes first, so that a scope's parent is lower. Their depth is that of DIEs, which is limited. */
static uint32_t scope_number(struct capture_job *job, uint32_t scope)
{
	const struct type_scope *scopes = job->load.worker->type_scopes.items;
	struct captured_scope *place;
	uint32_t parent;

	if (scope == 0)
		return 0;
	if (job->scope_numbers[scope - 1] != 0)
		return job->scope_numbers[scope - 1];
	parent = scope_number(job, scopes[scope - 1].parent);
	place = vector_push(&job->out->scopes);
	if (place == NULL) {
		capture_no_memory(job);
		return 0;
	}
	*place = (struct captured_scope){ .parent = parent,
					  .name = scopes[scope - 1].name,
					  .kind = scopes[scope - 1].kind };
	job->scope_numbers[scope - 1] = (uint32_t)job->out->scopes.count - 1;
	return job->scope_numbers[scope - 1];
}

uint32_t capture_scope(struct capture_job *job, uint32_t slot)
{
	const struct load_worker *worker = job->load.worker;

	return slot < worker->slot_scopes.count ?
		       scope_number(job, worker->slot_scopes.items[slot]) :
		       0;
}

static bool prepare_scopes(struct capture_job *job)
{
	size_t count = job->load.worker->type_scopes.count;

	if (job->out->scopes.count == 0) {
		struct captured_scope *unit = vector_push(&job->out->scopes);

		if (unit == NULL)
			return false;
		*unit = (struct captured_scope){ .kind = SCOPE_UNIT };
	}
	job->scope_numbers = arena_calloc(job->load.scratch, count, sizeof(*job->scope_numbers));
	return job->scope_numbers != NULL;
}

/* ---- Units of the file ---- */

/* Of the skeleton, whose texts live as long as its loading. */
static const char *split_folder(struct capture_job *job)
{
	struct name_table *names = job->load.loader->names;
	const char *folder = job->load.unit->split ? job->load.unit->split->folder : NULL;
	uint32_t name = folder ? name_table_intern(names, folder, strlen(folder)) : 0;

	if (name == UINT32_MAX) {
		capture_no_memory(job);
		return NULL;
	}
	return name ? name_table_text(names, name) : NULL;
}

static enum smelt_status note_unit(struct capture_job *job, const struct die_values *root,
				   struct smelt_error *error)
{
	struct captured_unit *place = vector_push(&job->out->units);

	if (place == NULL)
		return error_no_memory(error);
	*place = (struct captured_unit){
		.number = job->file_unit,
		.unit = { .name = capture_text(job, root, ATTR_NAME),
			  .folder = capture_text(job, root, ATTR_COMP_DIR),
			  .language = job->load.language },
	};
	if (place->unit.folder == NULL)
		place->unit.folder = split_folder(job);
	return SMELT_OK;
}

static enum smelt_status open_unit(struct capture_job *job, uint32_t number,
				   struct smelt_error *error)
{
	const struct dwarf_loader *loader = job->load.loader;
	struct unit_load *load = &job->load;
	enum smelt_status status = unit_open(load, &loader->units.items[number], error);
	const struct die_plan *plan;
	struct die_values root;

	if (status)
		return status;
	job->file_unit = number;
	plan = die_reader_next(&load->reader);
	if (plan == NULL)
		return unit_reader_error(load, error);
	die_reader_details(&load->reader, plan, &root);
	if (load->reader.fault)
		return unit_reader_error(load, error);
	unit_read_bases(load, &root);
	load->language = (uint16_t)load_number(&root, ATTR_LANGUAGE);
	load->address_size = load->unit->header.address_size;
	status = note_unit(job, &root, error);
	if (!status && (load->reader.fault || load->out_of_memory))
		status = unit_reader_error(load, error);
	return status ?
		       status :
		       capture_open_files(
			       job, &root,
			       job->out->units.items[job->out->units.count - 1].unit.folder, error);
}

/* Whether an offset of the DIE index is in a unit of the file. */
static bool unit_holds(const struct dwarf_loader *loader, uint32_t number, uint32_t offset)
{
	const struct file_unit *unit = &loader->units.items[number];
	uint64_t start = loader->info_sections.items[unit->section].base + unit->header.offset;

	return offset >= start && offset < start + unit->header.size;
}

/* Opens the unit that holds `offset`. Units are looked through in the order in which their DIEs were entered. */
static enum smelt_status reach_unit(struct capture_job *job, uint32_t offset,
				    struct smelt_error *error)
{
	const struct dwarf_loader *loader = job->load.loader;
	uint32_t number = job->load.unit != NULL ? job->file_unit : 0;

	if (!loader->is_merged)
		return job->load.unit != NULL ? SMELT_OK : open_unit(job, job->unit_index, error);
	if (job->load.unit != NULL && unit_holds(loader, number, offset))
		return SMELT_OK;
	while (number + 1 < loader->units.count && !unit_holds(loader, number, offset))
		number++;
	return open_unit(job, number, error);
}

/* ---- All ---- */

static struct die_index_place *find_places(struct capture_job *job, const uint32_t *slots,
					   uint32_t count)
{
	const struct load_worker *worker = job->load.worker;
	struct arena *scratch = job->load.scratch;
	struct die_index_place *places = arena_alloc(scratch, count * sizeof(*places));
	uint64_t *wanted = arena_calloc(scratch, worker->types.count / 64 + 1, sizeof(*wanted));

	if (places == NULL || wanted == NULL)
		return NULL;
	for (uint32_t i = 0; i < count; i++)
		wanted[slots[i] / 64] |= UINT64_C(1) << slots[i] % 64;
	count = (uint32_t)die_index_places(&worker->index, wanted, worker->first_function_slot,
					   places);
	return places;
}

static enum smelt_status capture_places(struct capture_job *job,
					const struct die_index_place *places, uint32_t count,
					struct smelt_error *error)
{
	struct unit_load *load = &job->load;

	for (uint32_t i = 0; i < count; i++) {
		enum smelt_status status = reach_unit(job, places[i].offset, error);

		if (status)
			return status;
		load->reader.position = load->reader.bytes + (places[i].offset - load->index_delta);
		if (load->worker->first_function_slot != 0 &&
		    places[i].slot >= load->worker->first_function_slot)
			capture_described_function(job, places[i].slot);
		else
			capture_type(job, places[i].slot);
		if (load->reader.fault || load->out_of_memory)
			return unit_reader_error(load, error);
	}
	return SMELT_OK;
}

enum smelt_status dwarf_loader_capture(struct dwarf_loader *loader, uint32_t unit_index,
				       const uint32_t *slots, uint32_t slot_count,
				       struct worker *worker, struct capture *capture,
				       struct smelt_error *error)
{
	struct capture_job job = {
		.load = { .loader = loader,
			  .worker = load_worker_of(loader->context, worker),
			  .scratch = &worker->scratch,
			  .unit_number = unit_index },
		.out = capture,
		.unit_index = unit_index,
	};
	struct die_index_place *places;
	enum smelt_status status;

	if (slot_count == 0)
		return SMELT_OK;
	places = find_places(&job, slots, slot_count);
	if (places == NULL || !prepare_scopes(&job))
		return error_no_memory(error);
	status = capture_places(&job, places, slot_count, error);
	vector_deinit(&job.open_members);
	vector_deinit(&job.open_variants);
	line_header_deinit(&job.lines);
	return status;
}
