/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#include <stdlib.h>
#include <string.h>

#include "load/load_internal.h"

struct load_worker *load_worker_of(struct load_context *context, const struct worker *worker)
{
	struct load_worker *state = context->workers[worker->index];

	if (state == NULL) {
		state = calloc(1, sizeof(*state));
		if (state == NULL)
			return NULL;
		arena_init(&state->results);
		plan_pool_init(&state->plans);
		for (unsigned i = 0; i < ABBREV_TABLES; i++)
			abbrev_table_init(&state->abbrevs[i], &state->plans);
		context->workers[worker->index] = state;
	}
	return state;
}

/* Compiled abbreviations stay: another file's are likely to be the same. */
void load_worker_forget_file(struct load_worker *state)
{
	dwo_file_close(&state->dwo);
	elf_window_unmap(&state->window);
	state->window_section = NULL;
	state->list_sections = NULL;
	for (unsigned i = 0; i < ABBREV_TABLES; i++)
		state->abbrev_owner[i] = NULL;
}

static void worker_reset(struct load_worker *state)
{
	if (state == NULL)
		return;
	load_worker_forget_file(state);
	arena_reset(&state->results);
	memset(state->short_names, 0, sizeof(state->short_names)); /* numbers of the old table */
}

static void worker_destroy(struct load_worker *state)
{
	if (state == NULL)
		return;
	arena_deinit(&state->results);
	dwo_file_close(&state->dwo);
	elf_window_unmap(&state->window);
	vector_deinit(&state->unit_bytes);
	vector_deinit(&state->list_bytes);
	for (unsigned i = 0; i < ABBREV_TABLES; i++)
		abbrev_table_deinit(&state->abbrevs[i]);
	plan_pool_deinit(&state->plans);
	vector_deinit(&state->index.values);
	vector_deinit(&state->index.blocks);
	vector_deinit(&state->walked_units);
	vector_deinit(&state->types);
	vector_deinit(&state->items);
	vector_deinit(&state->spilt_items);
	vector_deinit(&state->parameters);
	vector_deinit(&state->open_parameters);
	vector_deinit(&state->functions);
	vector_deinit(&state->variables);
	vector_deinit(&state->aliases);
	vector_deinit(&state->tags);
	vector_deinit(&state->open_tags);
	vector_deinit(&state->type_tags);
	vector_deinit(&state->bitfields);
	vector_deinit(&state->pending_names);
	vector_deinit(&state->wide_enum_slots);
	vector_deinit(&state->member_pointer_slots);
	vector_deinit(&state->type_scopes);
	vector_deinit(&state->slot_scopes);
	vector_deinit(&state->function_names);
	vector_deinit(&state->packed_state);
	free(state);
}

enum smelt_status load_context_create(struct load_context **context, struct smelt_error *error)
{
	struct load_context *created = calloc(1, sizeof(*created));

	if (created == NULL)
		return error_no_memory(error);
	*context = created;
	return SMELT_OK;
}

void load_context_reset(struct load_context *context)
{
	name_table_destroy(context->names);
	context->names = NULL;
	for (unsigned i = 0; i < WORKER_POOL_MAX; i++)
		worker_reset(context->workers[i]);
}

void load_context_keep_names(struct load_context *context)
{
	for (unsigned i = 0; i < WORKER_POOL_MAX; i++) {
		worker_destroy(context->workers[i]);
		context->workers[i] = NULL;
	}
}

void load_context_destroy(struct load_context *context)
{
	if (context == NULL)
		return;
	name_table_destroy(context->names);
	for (unsigned i = 0; i < WORKER_POOL_MAX; i++)
		worker_destroy(context->workers[i]);
	free(context);
}
