/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Loading one unit, or all as one: see load_internal.h for the steps. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "dwarf/constants.h"
#include "load/load_internal.h"

static bool reset_worker(struct load_worker *state)
{
	die_index_reset(&state->index);
	state->walked_units.count = 0;
	state->types.count = 0;
	state->items.count = 0;
	state->spilt_items.count = 0;
	state->parameters.count = 0;
	state->open_parameters.count = 0;
	state->functions.count = 0;
	state->variables.count = 0;
	state->aliases.count = 0;
	state->tags.count = 0;
	state->open_tags.count = 0;
	state->type_tags.count = 0;
	state->bitfields.count = 0;
	state->pending_names.count = 0;
	state->wide_enum_slots.count = 0;
	state->member_pointer_slots.count = 0;
	state->type_scopes.count = 0;
	state->slot_scopes.count = 0;
	state->first_function_slot = 0;
	/* All three, so that nobody has to ask whether there is an array to point into. */
	if (!vector_reserve(&state->types, 1) || !vector_reserve(&state->items, 1) ||
	    !vector_reserve(&state->parameters, 1))
		return false;
	state->types.items[0] = (struct model_type){ .kind = TYPE_VOID };
	state->types.count = 1;
	return true;
}

static bool language_is_wanted(const struct dwarf_load_options *options, uint16_t language)
{
	bool listed = false;

	if (options->languages == NULL)
		return true;
	for (size_t i = 0; i < options->language_count; i++)
		listed |= options->languages[i] == language;
	return listed != options->languages_excluded;
}

static bool unit_is_wanted(struct unit_load *load, const struct die_values *values)
{
	const struct dwarf_load_options *options = &load->loader->options;
	const char *name = NULL;

	if (!language_is_wanted(options, load->language))
		return false;
	if (options->unit_exclude_prefix == NULL)
		return true;
	if (values_have(values, ATTR_NAME))
		name = load_text(load, &values->values[ATTR_NAME]);
	return name == NULL || strncmp(name, options->unit_exclude_prefix,
				       strlen(options->unit_exclude_prefix)) != 0;
}

static bool tag_is_unit(unsigned tag)
{
	return tag == DW_TAG_compile_unit || tag == DW_TAG_partial_unit ||
	       tag == DW_TAG_type_unit || tag == DW_TAG_skeleton_unit;
}

/* Reads the root DIE; *walk tells whether there is anything wanted below it. */
static enum smelt_status load_root(struct unit_load *load, bool is_first, bool *walk,
				   bool *excluded, struct smelt_error *error)
{
	const struct die_plan *plan = die_reader_next(&load->reader);
	struct die_values values;
	const char *producer;

	*walk = false;
	if (plan == NULL)
		return load->reader.fault ? unit_reader_error(load, error) : SMELT_OK;
	if (!tag_is_unit(plan->tag))
		return unit_error(load, error, SMELT_BAD_DATA, load->unit->header.header_size,
				  "the first entry is not a unit");
	die_reader_values(&load->reader, plan, &values);
	if (load->reader.fault)
		return unit_reader_error(load, error);
	unit_read_bases(load, &values);
	load->language = (uint16_t)load_number(&values, ATTR_LANGUAGE);
	if (is_first) {
		producer = values_have(&values, ATTR_PRODUCER) ?
				   load_text(load, &values.values[ATTR_PRODUCER]) :
				   NULL;
		load->is_clang = producer != NULL && strstr(producer, "clang") != NULL;
		load->address_size = load->unit->header.address_size;
	}
	if (load->unit->split != NULL && values_have(&values, ATTR_DWO_ID) &&
	    values.values[ATTR_DWO_ID].number != load->unit->split->id)
		return unit_error(
			load, error, SMELT_BAD_DATA, load->unit->header.header_size,
			"has another id than the program asks for: they are from different builds");
	if (values_have(&values, ATTR_DWO_NAME) && load->unit->split == NULL && !plan->has_children)
		split_note_skeleton(load, &values);
	*excluded = !unit_is_wanted(load, &values);
	*walk = plan->has_children && !*excluded;
	return load->reader.fault ? unit_reader_error(load, error) : SMELT_OK;
}

static void walk_unit(struct unit_load *load)
{
	struct walked_unit *walked = vector_push(&load->worker->walked_units);

	if (walked == NULL) {
		walk_no_memory(load);
		return;
	}
	*walked = (struct walked_unit){
		.unit = load->unit,
		.loclists_base = load->loclists_base,
		.lists_start = load->unit->split ? load->unit->split->lists_start : 0,
	};
	unit_walk(load);
}

/* Walks one unit of the file; *excluded when options filter it away. */
static enum smelt_status load_file_unit(struct unit_load *load, const struct file_unit *unit,
					bool is_first, bool *excluded, struct smelt_error *error)
{
	struct dwarf_loader *loader = load->loader;
	enum smelt_status status;
	bool walk = false;

	*excluded = false;
	status = unit_open(load, unit, error);
	if (status)
		return status;
	if (!die_index_extend(&load->worker->index, load->index_delta + unit->header.size))
		return error_no_memory(error);
	if (load->reader.abbrevs->crosses_units && !loader->is_merged) {
		atomic_store(&loader->needs_merge, true);
		return SMELT_OK;
	}
	status = load_root(load, is_first, &walk, excluded, error);
	if (status)
		return status;
	if (walk)
		walk_unit(load);
	load->die_count += load->reader.die_count;
	return load->reader.fault || load->out_of_memory ? unit_reader_error(load, error) :
							   SMELT_OK;
}

static enum smelt_status walk_units(struct unit_load *load, uint32_t unit_index,
				    struct unit_record *record, struct smelt_error *error)
{
	struct dwarf_loader *loader = load->loader;
	enum smelt_status status = SMELT_OK;
	bool excluded, all_excluded = true;

	if (!loader->is_merged)
		return load_file_unit(load, &loader->units.items[unit_index], true,
				      &record->is_excluded, error);
	for (uint32_t i = 0; i < loader->units.count && status == SMELT_OK; i++) {
		status = load_file_unit(load, &loader->units.items[i], i == 0, &excluded, error);
		all_excluded &= excluded;
	}
	record->is_excluded = all_excluded;
	return status;
}

static enum smelt_status finish_record(struct unit_load *load, struct unit_record *record,
				       struct smelt_error *error)
{
	struct load_worker *worker = load->worker;

	record->type_count = (uint32_t)worker->types.count;
	record->int_slot = load->int_slot;
	record->has_arrays = load->has_arrays;
	record->die_count = load->die_count;
	record->type_die_count = worker->types.count - 1;
	record->sanitized_count = load->sanitized_count;
	record->classes =
		arena_alloc(&worker->results, worker->types.count * sizeof(*record->classes));
	if (record->classes == NULL || (load->groups != NULL && !unit_copy_record(load, record)))
		return error_no_memory(error);
	return SMELT_OK;
}

enum smelt_status dwarf_loader_load_unit(struct dwarf_loader *loader, uint32_t unit_index,
					 const struct symbol_groups *groups, struct worker *worker,
					 struct model_unit *types, struct unit_record *record,
					 struct smelt_error *error)
{
	struct load_worker *state = load_worker_of(loader->context, worker);
	struct unit_load load = { .loader = loader,
				  .worker = state,
				  .scratch = &worker->scratch,
				  .groups = groups,
				  .unit_number = unit_index };
	enum smelt_status status;

	*record = (struct unit_record){ 0 };
	if (state == NULL || !reset_worker(state))
		return error_no_memory(error);
	if (state->loader != loader->number) {
		load_worker_forget_file(state);
		state->loader = loader->number;
	}
	if (!atomic_load_explicit(&loader->needs_merge, memory_order_relaxed) ||
	    loader->is_merged) {
		status = walk_units(&load, unit_index, record, error);
		if (status)
			return status;
	}
	die_index_close(&state->index);
	if (!unit_resolve_types(&load))
		return error_no_memory(error);
	if (load_has_functions(&load))
		unit_resolve_functions(&load);
	if (loader->options.functions)
		display_add_functions(&load);
	if (load.out_of_memory)
		return error_no_memory(error);
	*types = (struct model_unit){
		.names = loader->names,
		.types = state->types.items,
		.type_count = (uint32_t)state->types.count,
		.items = state->items.items,
		.item_count = (uint32_t)state->items.count,
	};
	return finish_record(&load, record, error);
}
