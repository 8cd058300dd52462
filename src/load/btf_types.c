/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Two passes over stretches of ids: count what they have, then fill it in at its place. */
#include "load/btf_types.h"

enum { TYPES_PER_JOB = 4096 };

/* Before the counts are summed up: of a stretch; afterwards: of all before it. */
struct stretch {
	uint32_t item_count;
	uint32_t data_count;
	uint32_t index_type; /* of its first array, or 0 */
};

struct loading {
	const struct btf_view *view;
	struct btf_types *types;
	struct stretch *stretches;
};

static inline uint32_t item_count(const struct btf_record *record)
{
	enum {
		WITH_ITEMS = 1 << BTF_KIND_STRUCT | 1 << BTF_KIND_UNION | 1 << BTF_KIND_ENUM |
			     1 << BTF_KIND_ENUM64 | 1 << BTF_KIND_FUNC_PROTO
	};

	return WITH_ITEMS >> btf_record_kind(record) & 1 ? btf_record_vlen(record) : 0;
}

static inline bool is_data(const struct btf_record *record)
{
	enum { DATA = 1 << BTF_KIND_VAR | 1 << BTF_KIND_DATASEC };

	return DATA >> btf_record_kind(record) & 1;
}

static uint32_t stretch_end(const struct loading *loading, uint32_t first)
{
	uint32_t end = loading->view->end_id;

	return end - first < TYPES_PER_JOB ? end : first + TYPES_PER_JOB;
}

static void count_job(void *argument, uint32_t job_index, struct worker *worker)
{
	struct loading *loading = argument;
	struct stretch *stretch = &loading->stretches[job_index];
	uint32_t first = job_index * TYPES_PER_JOB, end = stretch_end(loading, first);

	(void)worker;
	for (uint32_t id = first; id < end; id++) {
		const struct btf_record *record = btf_view_record(loading->view, id);

		stretch->item_count += item_count(record);
		stretch->data_count += is_data(record);
		if (btf_record_kind(record) == BTF_KIND_ARRAY && stretch->index_type == 0)
			stretch->index_type = btf_record_array(record)->index_type;
	}
}

/* ---- kinds ---- */

static void fill_int(const struct btf_record *record, struct model_type *type)
{
	uint32_t encoding = record->words[0] >> 24, layout = record->words[0] & 0xffffff;

	/* Anything but all of its bytes is a way of writing bit fields that is no longer used. */
	if (layout != record->size_or_type * 8 ||
	    (encoding != 0 && encoding != BTF_INT_SIGNED && encoding != BTF_INT_BOOL))
		return;
	type->kind = TYPE_INT;
	type->size = record->size_or_type;
	type->flags = encoding == BTF_INT_SIGNED ? TYPE_SIGNED :
		      encoding == BTF_INT_BOOL   ? TYPE_BOOL :
						   0;
}

static void fill_members(const struct btf_record *record, struct model_type *type,
			 struct model_item *items)
{
	const struct btf_member_part *members = btf_record_members(record);
	bool has_widths = btf_record_flag(record);

	type->kind = btf_record_kind(record) == BTF_KIND_UNION ? TYPE_UNION : TYPE_STRUCT;
	type->size = record->size_or_type;
	type->flags = has_widths ? TYPE_BITFIELDS : 0;
	type->item_count = btf_record_vlen(record);
	for (uint32_t i = 0; i < type->item_count; i++) {
		uint64_t offset = members[i].place, width = 0;

		if (has_widths) {
			width = offset >> BTF_BITFIELD_WIDTH_SHIFT;
			offset &= BTF_BITFIELD_OFFSET_MAX;
		}
		items[i] = (struct model_item){
			.name = members[i].name,
			.type = members[i].type,
			.value = offset << 8 | width,
		};
	}
}

static void fill_enumerators(const struct btf_record *record, struct model_type *type,
			     struct model_item *items)
{
	bool is_wide = btf_record_kind(record) == BTF_KIND_ENUM64;

	type->kind = TYPE_ENUM;
	type->size = record->size_or_type;
	type->flags =
		(uint8_t)((btf_record_flag(record) ? TYPE_SIGNED : 0) | (is_wide ? TYPE_WIDE : 0));
	type->item_count = btf_record_vlen(record);
	for (uint32_t i = 0; i < type->item_count; i++) {
		if (is_wide) {
			const struct btf_enumerator64_part *part =
				&btf_record_enumerators64(record)[i];

			items[i] = (struct model_item){
				.name = part->name,
				.value = (uint64_t)part->high << 32 | part->low,
			};
		} else {
			const struct btf_enumerator_part *part = &btf_record_enumerators(record)[i];

			items[i] = (struct model_item){ .name = part->name, .value = part->value };
		}
	}
}

static void fill_parameters(const struct btf_record *record, struct model_type *type,
			    struct model_item *items)
{
	const struct btf_parameter_part *parameters = btf_record_parameters(record);

	type->kind = TYPE_FUNCTION;
	type->type = record->size_or_type;
	type->item_count = btf_record_vlen(record);
	for (uint32_t i = 0; i < type->item_count; i++)
		items[i] = (struct model_item){
			.name = parameters[i].name,
			.type = parameters[i].type,
		};
}

static void fill_reference(const struct btf_record *record, struct model_type *type,
			   enum type_kind kind)
{
	type->kind = (uint8_t)kind;
	type->type = record->size_or_type;
}

static void fill_type(const struct loading *loading, const struct btf_record *record,
		      struct model_type *type, struct model_item *items)
{
	*type = (struct model_type){ .kind = TYPE_ALIAS, .name = record->name };
	switch (btf_record_kind(record)) {
	case BTF_KIND_INT:
		fill_int(record, type);
		break;
	case BTF_KIND_PTR:
		fill_reference(record, type, TYPE_POINTER);
		break;
	case BTF_KIND_ARRAY:
		if (btf_record_array(record)->index_type != loading->types->index_type)
			break;
		type->kind = TYPE_ARRAY;
		type->type = btf_record_array(record)->element;
		type->size = btf_record_array(record)->count;
		break;
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
		fill_members(record, type, items);
		break;
	case BTF_KIND_ENUM:
	case BTF_KIND_ENUM64:
		fill_enumerators(record, type, items);
		break;
	case BTF_KIND_FWD:
		type->kind = btf_record_flag(record) ? TYPE_UNION_FORWARD : TYPE_STRUCT_FORWARD;
		break;
	case BTF_KIND_TYPEDEF:
		fill_reference(record, type, TYPE_TYPEDEF);
		break;
	case BTF_KIND_VOLATILE:
		fill_reference(record, type, TYPE_VOLATILE);
		break;
	case BTF_KIND_CONST:
		fill_reference(record, type, TYPE_CONST);
		break;
	case BTF_KIND_RESTRICT:
		fill_reference(record, type, TYPE_RESTRICT);
		break;
	case BTF_KIND_TYPE_TAG:
		if (!btf_record_flag(record))
			fill_reference(record, type, TYPE_TAG);
		break;
	case BTF_KIND_FUNC_PROTO:
		fill_parameters(record, type, items);
		break;
	case BTF_KIND_FLOAT:
		type->kind = TYPE_FLOAT;
		type->size = record->size_or_type;
		break;
	case BTF_KIND_VOID:
	case BTF_KIND_FUNC:
	case BTF_KIND_VAR:
	case BTF_KIND_DATASEC:
	case BTF_KIND_DECL_TAG:
	case BTF_KIND_COUNT:
		break;
	}
}

static void fill_job(void *argument, uint32_t job_index, struct worker *worker)
{
	struct loading *loading = argument;
	struct btf_types *types = loading->types;
	struct stretch stretch = loading->stretches[job_index];
	uint32_t first = job_index * TYPES_PER_JOB, end = stretch_end(loading, first);

	(void)worker;
	for (uint32_t id = first; id < end; id++) {
		const struct btf_record *record = btf_view_record(loading->view, id);
		struct model_type *type = &types->unit.types[id];

		fill_type(loading, record, type, types->unit.items + stretch.item_count);
		if (type->item_count > 0)
			type->first_item = stretch.item_count;
		stretch.item_count += type->item_count;
		if (is_data(record))
			types->data_ids[stretch.data_count++] = id;
	}
	if (first == 0)
		types->unit.types[0] = (struct model_type){ 0 };
}

/* ---- all ---- */

static void sum_up(struct loading *loading, uint32_t stretch_count)
{
	struct btf_types *types = loading->types;

	for (uint32_t i = 0; i < stretch_count; i++) {
		struct stretch *stretch = &loading->stretches[i];
		struct stretch own = *stretch;

		/* Sums fit: a part takes 8 bytes of a blob below 4 GiB. */
		stretch->item_count = types->unit.item_count;
		stretch->data_count = types->data_count;
		types->unit.item_count += own.item_count;
		types->data_count += own.data_count;
		if (types->index_type == 0)
			types->index_type = own.index_type;
	}
}

enum smelt_status btf_types_load(struct btf_types *types, const struct btf_view *view,
				 struct worker_pool *pool, struct arena *arena,
				 struct smelt_error *error)
{
	uint32_t jobs = (view->end_id + TYPES_PER_JOB - 1) / TYPES_PER_JOB;
	struct loading loading = {
		.view = view,
		.types = types,
		.stretches = arena_calloc(arena, jobs, sizeof(*loading.stretches)),
	};
	struct model_unit *unit = &types->unit;

	*types = (struct btf_types){ .unit.type_count = view->end_id };
	if (!loading.stretches)
		return error_no_memory(error);
	worker_pool_run(pool, count_job, &loading, jobs);
	sum_up(&loading, jobs);
	unit->types = arena_alloc(arena, (size_t)unit->type_count * sizeof(*unit->types));
	unit->items = arena_alloc(arena, (size_t)unit->item_count * sizeof(*unit->items));
	types->data_ids = arena_alloc(arena, (size_t)types->data_count * sizeof(*types->data_ids));
	if (!unit->types || !unit->items || !types->data_ids)
		return error_no_memory(error);
	worker_pool_run(pool, fill_job, &loading, jobs);
	return SMELT_OK;
}
