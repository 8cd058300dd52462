/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Functions that the base has, too: inlined from a header, or of the same name by chance. A function is the base's if
 * its prototype is and its name; then its tags may be there as well.
 */
#include "encode/functions.h"

uint32_t prototype_base_id(const struct encode_run *run, uint32_t type)
{
	uint32_t id;

	if (type == 0)
		return 0;
	if (type & (uint32_t)PROTOTYPE_ARENA_POINTER)
		id = prototype_type_id(run, type);
	else
		id = dedup_type(run->dedup, type)->base_id;
	return id != 0 && id < run->base->view->end_id ? id : BASE_NONE;
}

/* Name and type of a parameter in the base's words. */
static bool translate_parameter(const struct encode_run *run,
				const struct function_parameter *parameter, struct model_item *item,
				uint32_t *reference)
{
	*reference = prototype_base_id(run, parameter->type);
	*item = (struct model_item){ 0 };
	if (*reference == BASE_NONE)
		return false;
	if (parameter->name != 0)
		item->name = run_base_name(run, parameter->name);
	return item->name != TEXT_INDEX_NONE;
}

/* *id: 0: it is not there. False when out of memory. */
static bool find_prototype(const struct encode_run *run, const struct prototype *prototype,
			   struct arena *scratch, uint32_t *id)
{
	const uint32_t count = prototype->parameter_count;
	struct model_type type = { .kind = TYPE_FUNCTION, .item_count = count };
	struct model_unit unit = {
		.types = &type,
		.type_count = 1,
		.items = arena_alloc(scratch, count * sizeof(*unit.items)),
		.item_count = count,
	};
	uint32_t *references = arena_alloc(scratch, (count + 1ull) * sizeof(*references));

	*id = 0;
	if (!unit.items || !references)
		return false;
	references[0] = prototype_base_id(run, prototype->return_type);
	if (references[0] == BASE_NONE)
		return true;
	for (uint32_t i = 0; i < count; i++) {
		if (!translate_parameter(run, &prototype->parameters[i], &unit.items[i],
					 &references[i + 1]))
			return true;
	}
	*id = base_index_find(run->base->types, (struct type_in_unit){ &unit, &type }, references,
			      0);
	return true;
}

/* Takes the tags that the base's function has out of the list. */
static void drop_known_tags(const struct encode_run *run, uint32_t function, struct tag_list *list)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < list->count; i++) {
		if (base_decl_tag(run, &list->tags[i], function) == 0)
			list->tags[kept++] = list->tags[i];
	}
	list->count = kept;
}

uint32_t base_decl_tag(const struct encode_run *run, const struct decl_tag *tag, uint32_t owner)
{
	uint32_t value = run_base_name(run, tag->value);

	if (value == TEXT_INDEX_NONE)
		return 0;
	return base_records_decl_tag(&run->base->records, value, owner, tag->component);
}

bool find_function_in_base(struct encode_run *run, uint32_t number, uint32_t order,
			   struct arena *scratch)
{
	struct encoded_function *function = &run->functions[number];
	uint32_t prototype_id = 0, name;

	if (prototype_is_type(run->prototypes, order))
		prototype_id = dedup_type(run->dedup, order)->base_id;
	else if (!find_prototype(run, function_prototype(run, number), scratch, &prototype_id))
		return false;
	if (prototype_id == 0)
		return true;
	function->prototype_id = prototype_id;
	name = run_base_name(run, function->name);
	if (name == TEXT_INDEX_NONE)
		return true;
	function->base_id = base_records_function(&run->base->records, name, prototype_id);
	if (function->base_id != 0 && function->tags)
		drop_known_tags(run, function->base_id, function->tags);
	return true;
}
