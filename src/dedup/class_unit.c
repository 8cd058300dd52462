/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Each name is looked up in the base once: what was found is kept by its dense index. Workers may look up the
 * same name at the same time and then find the same.
 */
#include "dedup/class_unit.h"

#include <string.h>

enum { CLASSES_PER_JOB = 512 };

struct translating {
	struct dedup *dedup;
	const struct base_types *base;
	struct model_unit *unit;
	_Atomic uint32_t *names; /* per dense index: its name in the base's words, or 0 */
};

static uint32_t look_up(const struct translating *translating, uint32_t name, uint32_t dense)
{
	const char *text = name_table_text(translating->dedup->names, name);
	uint32_t offset = text_index_find(translating->base->texts, text, strlen(text));

	return offset == TEXT_INDEX_NONE ? translating->base->text_end + dense : offset;
}

static uint32_t translate(const struct translating *translating, uint32_t name)
{
	uint32_t dense, translated;

	if (name == 0 || !translating->names)
		return name;
	dense = name_table_dense_index(translating->dedup->names, name);
	translated = atomic_load_explicit(&translating->names[dense], memory_order_relaxed);
	if (translated == 0) {
		translated = look_up(translating, name, dense);
		atomic_store_explicit(&translating->names[dense], translated, memory_order_relaxed);
	}
	return translated;
}

static void translate_class(const struct translating *translating, uint32_t index)
{
	const struct class_content *content =
		class_entry(translating->dedup->table, index)->content;
	struct model_type *type = &translating->unit->types[index];
	struct model_item *items = translating->unit->items + type->first_item;
	bool is_narrow = content->type.kind == TYPE_ENUM && !(content->type.flags & TYPE_WIDE);

	for (uint32_t i = 0; i < content->type.item_count; i++) {
		items[i] = content->items[i];
		items[i].name = translate(translating, content->items[i].name);
		if (is_narrow)
			items[i].value = (uint32_t)items[i].value;
	}
	type->name = translate(translating, content->type.name);
}

static void translate_job(void *argument, uint32_t job_index, struct worker *worker)
{
	const struct translating *translating = argument;
	uint32_t first = 1 + job_index * CLASSES_PER_JOB;

	(void)worker;
	for (uint32_t index = first;
	     index - first < CLASSES_PER_JOB && index < translating->unit->type_count; index++)
		translate_class(translating, index);
}

/* All but names and items. */
static bool lay_out(struct translating *translating)
{
	struct dedup *dedup = translating->dedup;
	struct model_unit *unit = translating->unit;
	uint64_t items = 0;

	unit->type_count = class_table_count(dedup->table) + 1;
	unit->types = arena_alloc(&dedup->arena, unit->type_count * sizeof(*unit->types));
	if (!unit->types)
		return false;
	unit->types[0] = (struct model_type){ 0 };
	for (uint32_t index = 1; index < unit->type_count; index++) {
		unit->types[index] = class_entry(dedup->table, index)->content->type;
		unit->types[index].first_item = (uint32_t)items;
		items += unit->types[index].item_count;
	}
	if (items > UINT32_MAX)
		return false;
	unit->item_count = (uint32_t)items;
	unit->items = arena_alloc(&dedup->arena, items * sizeof(*unit->items));
	return unit->items != NULL;
}

enum smelt_status class_unit_create(struct dedup *dedup, struct model_unit *unit,
				    struct smelt_error *error)
{
	struct translating translating = {
		.dedup = dedup,
		.base = &dedup->base->types,
		.unit = unit,
	};

	*unit = (struct model_unit){ 0 };
	if (!lay_out(&translating))
		return error_no_memory(error);
	if (translating.base->texts) {
		uint32_t name_count;

		if (!name_table_freeze(dedup->names))
			return error_no_memory(error);
		name_count = name_table_dense_count(dedup->names);
		if (name_count > UINT32_MAX - translating.base->text_end)
			return error_set(error, SMELT_UNSUPPORTED,
					 "the names take more than the 4 GiB that BTF can address");
		translating.names = arena_calloc(&dedup->arena, name_count, sizeof(uint32_t));
		if (!translating.names)
			return error_no_memory(error);
	}
	worker_pool_run(dedup->pool, translate_job, &translating,
			(unit->type_count + CLASSES_PER_JOB - 1) / CLASSES_PER_JOB);
	return SMELT_OK;
}
