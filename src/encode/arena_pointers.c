/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#include "encode/arena_pointers.h"

#include <stdlib.h>

#include "base/vector.h"
#include "dedup/base_agreement.h"
#include "encode/functions.h"
#include "encode/kfuncs.h"

enum { ARENA_FLAGS = KFUNC_ARENA_RETURN | KFUNC_ARENA_FIRST | KFUNC_ARENA_SECOND };

void arena_pointers_deinit(struct arena_pointers *pointers)
{
	key_map_deinit(&pointers->by_pointee);
	vector_deinit(pointers);
}

/* What the base has of a pointer. */
static void find_in_base(const struct encode_run *run, struct arena_pointer *pointer)
{
	const struct smelt_btf_base *base = run->base;
	uint32_t pointee = base ? prototype_base_id(run, pointer->pointee) : BASE_NONE;
	struct model_type type = { .kind = TYPE_POINTER };
	struct model_unit unit = { .types = &type, .type_count = 1 };
	uint32_t text;

	if (pointee == BASE_NONE)
		return;
	text = run_base_name(run, run->text_arena);
	if (text == TEXT_INDEX_NONE)
		return;
	pointer->tag_id = base_records_attribute(&base->records, text, pointee);
	if (pointer->tag_id != 0)
		pointer->pointer_id = base_index_find(
			base->types, (struct type_in_unit){ &unit, &type }, &pointer->tag_id, 0);
}

/* Gives `type` to the function that needs it first, if it is an arena pointer. */
static bool note_type(struct encode_run *run, struct encoded_function *function, uint32_t type)
{
	struct arena_pointers *pointers = &run->arena_pointers;
	uint32_t pointee = type & ~(uint32_t)PROTOTYPE_ARENA_POINTER;
	struct arena_pointer *pointer;
	bool is_new;

	if (type == pointee)
		return true;
	if (key_map_add(&pointers->by_pointee, (struct map_key){ pointee, 0, 0 },
			(uint32_t)pointers->count, &is_new) == UINT32_MAX)
		return false;
	if (!is_new)
		return true;
	pointer = vector_push(pointers);
	if (!pointer)
		return false;
	*pointer = (struct arena_pointer){ .pointee = pointee };
	find_in_base(run, pointer);
	function->arena_count++;
	return true;
}

static bool note_function(struct encode_run *run, uint32_t number)
{
	struct arena_pointers *pointers = &run->arena_pointers;
	struct encoded_function *function = &run->functions[number];
	const struct prototype *prototype = function_prototype(run, number);

	if (!prototype)
		return true;
	function->first_arena = (uint32_t)pointers->count;
	if (!note_type(run, function, prototype->return_type))
		return false;
	for (uint32_t i = 0; i < 2 && i < prototype->parameter_count; i++) {
		if (!note_type(run, function, prototype->parameters[i].type))
			return false;
	}
	return true;
}

enum smelt_status number_arena_pointers(struct encode_run *run, struct smelt_error *error)
{
	for (uint32_t i = 0; i < run->function_count; i++) {
		if (run->kfuncs[run->function_groups[i]] & ARENA_FLAGS && !note_function(run, i))
			return error_no_memory(error);
	}
	return SMELT_OK;
}

uint32_t prototype_type_id(const struct encode_run *run, uint32_t type)
{
	uint32_t pointee = type & ~(uint32_t)PROTOTYPE_ARENA_POINTER;
	uint32_t index;

	if (type == pointee)
		return run->type_ids[type];
	index = key_map_find(&run->arena_pointers.by_pointee, (struct map_key){ pointee, 0, 0 });
	return run->arena_pointers.items[index].pointer_id;
}
