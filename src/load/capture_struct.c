/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The bodies of structs, unions and classes: members, base classes, methods, types, variant parts. */
#include <stdlib.h>
#include <string.h>

#include "dwarf/constants.h"
#include "load/capture_internal.h"

static struct program_member *add_entry(struct capture_job *job, const struct die_values *values,
					enum member_kind kind)
{
	struct program_member *place = vector_push(&job->open_members);

	if (place == NULL) {
		capture_no_memory(job);
		return NULL;
	}
	*place = (struct program_member){ .kind = (uint8_t)kind };
	if (values_have(values, ATTR_ACCESSIBILITY))
		place->accessibility = (uint8_t)load_number(values, ATTR_ACCESSIBILITY);
	if (place->accessibility > ACCESS_PRIVATE)
		place->accessibility = ACCESS_NOT_RECORDED;
	if (capture_flag(values, ATTR_ARTIFICIAL))
		place->flags |= MEMBER_IS_ARTIFICIAL;
	return place;
}

/* Moves the entries from `first` on to where they stay. */
static uint32_t close_entries(struct capture_job *job, size_t first, uint32_t *first_member)
{
	struct capture *out = job->out;
	size_t count = job->open_members.count - first;

	*first_member = (uint32_t)out->members.count;
	job->open_members.count = first;
	if (!vector_reserve(&out->members, out->members.count + count)) {
		capture_no_memory(job);
		return 0;
	}
	if (count != 0)
		memcpy(out->members.items + out->members.count, job->open_members.items + first,
		       count * sizeof(*out->members.items));
	out->members.count += count;
	return (uint32_t)count;
}

static void capture_entries(struct capture_job *job, unsigned depth);

/* ---- Members ---- */

static void add_data_member(struct capture_job *job, const struct die_values *values,
			    enum member_kind kind)
{
	struct program_member *member = add_entry(job, values, kind);
	struct pending_bitfield pending;
	uint64_t value;

	if (member == NULL)
		return;
	member->type = capture_slot(job, values, ATTR_TYPE);
	member->alignment = capture_alignment(values);
	if (walk_member_place(&job->load, values, &value, &pending))
		value = unit_bitfield_value(&job->load, &pending, member->type, value);
	member->bit_offset = value >> 8;
	if ((value & 0xff) != 0)
		member->bit_size = (uint16_t)load_number(values, ATTR_BIT_SIZE);
	if (kind == MEMBER_DATA)
		member->name = capture_text(job, values, ATTR_NAME);
	else if (capture_flag(values, ATTR_VIRTUALITY))
		member->flags |= MEMBER_IS_VIRTUAL;
}

static void add_static_member(struct capture_job *job, const struct die_values *values)
{
	struct program_member *member = add_entry(job, values, MEMBER_STATIC);
	const struct die_value *value = &values->values[ATTR_CONST_VALUE];

	if (member == NULL)
		return;
	member->name = capture_text(job, values, ATTR_NAME);
	member->type = capture_slot(job, values, ATTR_TYPE);
	member->alignment = capture_alignment(values);
	if (!values_have(values, ATTR_CONST_VALUE) ||
	    (value->value_class != VALUE_UNSIGNED && value->value_class != VALUE_SIGNED))
		return;
	member->value = value->number;
	member->flags |= MEMBER_HAS_VALUE;
}

/* A type that is defined in the body, if it became one. */
static void add_nested_type(struct capture_job *job, const struct die_values *values,
			    uint64_t offset)
{
	uint32_t slot = unit_type_slot(&job->load, (uint32_t)(offset + job->load.index_delta));
	struct program_member *member = slot ? add_entry(job, values, MEMBER_TYPE) : NULL;

	if (member != NULL)
		member->type = slot;
}

/* ---- Methods ---- */

static void add_method(struct capture_job *job, const struct die_plan *plan,
		       const struct die_values *values, uint64_t offset)
{
	struct program_member *member;
	uint32_t index;

	if (!capture_function(job, plan, values, offset, &index))
		return;
	member = add_entry(job, values, MEMBER_METHOD);
	if (member != NULL)
		member->type = index;
}

/* ---- Variant parts ---- */

/* Which value of the discriminant stands for a variant; of several, the first. */
static uint64_t variant_value(const struct capture_job *job, const struct die_values *values,
			      bool *is_default)
{
	const struct die_value *list = &values->values[ATTR_DISCRIMINANT_LIST];
	struct byte_reader bytes;

	*is_default = false;
	if (values_have(values, ATTR_DISCRIMINANT_VALUE))
		return (uint64_t)load_number(values, ATTR_DISCRIMINANT_VALUE);
	*is_default = !values_have(values, ATTR_DISCRIMINANT_LIST) ||
		      list->value_class != VALUE_BLOCK || list->size < 2;
	if (*is_default)
		return 0;
	/* DWARF 5, 7.26: a label or the bounds of a range, each after a byte that says which. */
	bytes = byte_reader_over(job->load.reader.bytes + list->number + 1, list->size - 1,
				 job->load.reader.context.swap);
	return (uint64_t)byte_reader_sleb128(&bytes);
}

static void add_variant(struct capture_job *job, const struct die_plan *plan,
			const struct die_values *values, unsigned depth)
{
	size_t first = job->open_members.count;
	struct program_variant variant = { 0 };
	struct program_variant *place;

	variant.value = variant_value(job, values, &variant.is_default);
	if (plan->has_children)
		capture_entries(job, depth);
	variant.member_count = close_entries(job, first, &variant.first_member);
	place = vector_push(&job->open_variants);
	if (place == NULL)
		capture_no_memory(job);
	else
		*place = variant;
}

static void capture_variants(struct capture_job *job, unsigned depth)
{
	struct die_reader *reader = &job->load.reader;
	const struct die_plan *plan;
	struct die_values values;

	while ((plan = die_reader_next(reader)) != NULL) {
		if (plan->tag != DW_TAG_variant) {
			die_reader_skip_tree(reader, plan);
			continue;
		}
		die_reader_details(reader, plan, &values);
		if (reader->fault)
			return;
		add_variant(job, plan, &values, depth);
	}
}

/* Where the member is that decides, and what it is. */
static void find_discriminant(struct capture_job *job, const struct die_values *values,
			      struct program_variant_part *part)
{
	struct pending_bitfield pending;
	struct die_values member;
	uint64_t value;

	part->discriminant = capture_slot(job, values, ATTR_TYPE);
	if (!values_have(values, ATTR_DISCRIMINANT) ||
	    !capture_read_at(job, &values->values[ATTR_DISCRIMINANT], &member))
		return;
	part->discriminant = capture_slot(job, &member, ATTR_TYPE);
	if (walk_member_place(&job->load, &member, &value, &pending))
		value = unit_bitfield_value(&job->load, &pending, part->discriminant, value);
	part->bit_offset = value >> 8;
}

/* Moves the variants from `first` on to where they stay. */
static void close_variants(struct capture_job *job, size_t first, struct program_variant_part *part)
{
	struct capture *out = job->out;
	size_t count = job->open_variants.count - first;

	part->first_variant = (uint32_t)out->variants.count;
	part->variant_count = (uint32_t)count;
	job->open_variants.count = first;
	if (!vector_reserve(&out->variants, out->variants.count + count)) {
		capture_no_memory(job);
		return;
	}
	if (count != 0)
		memcpy(out->variants.items + out->variants.count, job->open_variants.items + first,
		       count * sizeof(*out->variants.items));
	out->variants.count += count;
}

static void add_variant_part(struct capture_job *job, const struct die_plan *plan,
			     const struct die_values *values, unsigned depth)
{
	size_t first = job->open_variants.count;
	struct program_variant_part part = { 0 };
	struct program_variant_part *place;
	struct program_member *member;

	find_discriminant(job, values, &part);
	if (plan->has_children)
		capture_variants(job, depth);
	close_variants(job, first, &part);
	place = vector_push(&job->out->variant_parts);
	member = add_entry(job, values, MEMBER_VARIANT_PART);
	if (place == NULL || member == NULL) {
		capture_no_memory(job);
		return;
	}
	*place = part;
	member->type = (uint32_t)job->out->variant_parts.count - 1;
}

/* ---- Bodies ---- */

static void capture_entry(struct capture_job *job, const struct die_plan *plan, uint64_t offset,
			  unsigned depth)
{
	struct die_values values;

	die_reader_details(&job->load.reader, plan, &values);
	if (job->load.reader.fault)
		return;
	switch (plan->tag) {
	case DW_TAG_member:
		/* DWARF up to 4 says so of a member of the class that is in no object. */
		if (values_have(&values, ATTR_EXTERNAL) || values_have(&values, ATTR_DECLARATION))
			add_static_member(job, &values);
		else
			add_data_member(job, &values, MEMBER_DATA);
		break;
	case DW_TAG_inheritance:
		add_data_member(job, &values, MEMBER_BASE);
		break;
	case DW_TAG_variable:
		add_static_member(job, &values);
		break;
	case DW_TAG_subprogram:
		add_method(job, plan, &values, offset);
		return; /* its children were read */
	case DW_TAG_variant_part:
		add_variant_part(job, plan, &values, depth + 1);
		return;
	case DW_TAG_structure_type:
	case DW_TAG_class_type:
	case DW_TAG_interface_type:
	case DW_TAG_union_type:
	case DW_TAG_enumeration_type:
	case DW_TAG_typedef:
		add_nested_type(job, &values, offset);
		break;
	default: /* annotations, arguments of templates, types that only members refer to */
		break;
	}
	capture_skip_children(job, plan, &values);
}

/* The entries up to the end of a list of children become open ones. */
static void capture_entries(struct capture_job *job, unsigned depth)
{
	struct die_reader *reader = &job->load.reader;

	if (walk_too_deep(&job->load, depth))
		return;
	for (;;) {
		uint64_t offset = die_reader_offset(reader);
		const struct die_plan *plan = die_reader_next(reader);

		if (plan == NULL)
			return;
		capture_entry(job, plan, offset, depth);
	}
}

/* A data member, to be put in order. */
struct placed_member {
	struct program_member member;
	size_t order;
};

static int compare_places(const void *left, const void *right)
{
	const struct placed_member *a = left, *b = right;

	if (a->member.bit_offset != b->member.bit_offset)
		return a->member.bit_offset < b->member.bit_offset ? -1 : 1;
	return a->order < b->order ? -1 : 1;
}

/* Rust puts members in an order of its own; layouts are read by offset. Other entries stay where they are. */
static void sort_by_offset(struct capture_job *job, struct program_member *members, size_t count)
{
	struct placed_member *sorted = arena_alloc(job->load.scratch, count * sizeof(*sorted));
	size_t sorted_count = 0, next = 0;

	if (sorted == NULL) {
		capture_no_memory(job);
		return;
	}
	for (size_t i = 0; i < count; i++) {
		if (members[i].kind == MEMBER_DATA)
			sorted[sorted_count++] = (struct placed_member){ members[i], i };
	}
	if (sorted_count > 1)
		qsort(sorted, sorted_count, sizeof(*sorted), compare_places);
	for (size_t i = 0; i < count; i++) {
		if (members[i].kind == MEMBER_DATA)
			members[i] = sorted[next++].member;
	}
}

void capture_struct_body(struct capture_job *job, struct program_type *type)
{
	size_t first = job->open_members.count;

	capture_entries(job, 0);
	if (job->load.language == DW_LANG_Rust)
		sort_by_offset(job, job->open_members.items + first,
			       job->open_members.count - first);
	type->item_count = close_entries(job, first, &type->first_item);
}
