/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Attribute strings on types and declarations: btf_type_tag and btf_decl_tag. clang writes them as
 * children (DW_TAG_LLVM_annotation), gcc as children or as chains of DW_TAG_GNU_annotation.
 */
#include <string.h>

#include "dwarf/constants.h"
#include "load/load_internal.h"

/* A chain longer than this is a loop. */
enum { ANNOTATION_CHAIN_MAX = 4096 };

static enum annotation_kind read_annotation(struct unit_load *load, const struct die_values *values,
					    uint32_t *value)
{
	const char *name;

	if (!values_have(values, ATTR_NAME) || !values_have(values, ATTR_CONST_VALUE))
		return ANNOTATION_OTHER;
	name = load_text(load, &values->values[ATTR_NAME]);
	if (name == NULL)
		return ANNOTATION_OTHER;
	*value = load_name(load, &values->values[ATTR_CONST_VALUE]);
	if (strcmp(name, "btf_decl_tag") == 0)
		return ANNOTATION_DECL_TAG;
	return strcmp(name, "btf_type_tag") == 0 ? ANNOTATION_TYPE_TAG : ANNOTATION_OTHER;
}

enum annotation_kind walk_annotation(struct unit_load *load, const struct die_plan *plan,
				     uint32_t *value)
{
	enum annotation_kind kind;
	struct die_values values;

	die_reader_values(&load->reader, plan, &values);
	if (load->reader.fault)
		return ANNOTATION_OTHER;
	kind = read_annotation(load, &values, value);
	if (plan->has_children)
		die_reader_skip_children(&load->reader);
	return kind;
}

void walk_add_tag(struct unit_load *load, uint32_t value, int32_t component)
{
	struct decl_tag *tag;

	if (!load->loader->options.decl_tags)
		return;
	tag = vector_push(&load->worker->open_tags);
	if (tag == NULL)
		walk_no_memory(load);
	else
		*tag = (struct decl_tag){ .value = value, .component = component };
}

/*
 * Reads the annotation DIE that `reference` points to, somewhere in the same unit, and puts the reference to the next one
 * there. Leaves the position as it was.
 */
static enum annotation_kind read_chained(struct unit_load *load, struct die_value *reference,
					 uint32_t *value)
{
	struct die_reader *reader = &load->reader;
	const uint8_t *position = reader->position;
	enum annotation_kind kind = ANNOTATION_OTHER;
	const struct die_plan *plan;
	struct die_values values;
	uint64_t offset = reference->number;

	if (reference->value_class != VALUE_REFERENCE || offset < load->unit->header.header_size ||
	    offset >= (uint64_t)(reader->end - reader->bytes))
		return ANNOTATION_OTHER;
	reader->position = reader->bytes + offset;
	plan = die_reader_next(reader);
	reader->die_count -= plan != NULL;
	if (plan != NULL && plan->tag == DW_TAG_GNU_annotation) {
		die_reader_values(reader, plan, &values);
		if (reader->fault)
			return ANNOTATION_OTHER;
		kind = read_annotation(load, &values, value);
		reference->value_class = VALUE_NONE;
		if (values_have(&values, ATTR_GNU_ANNOTATION))
			*reference = values.values[ATTR_GNU_ANNOTATION];
	}
	if (reader->fault == DIE_OK)
		reader->position = position;
	return kind;
}

void walk_decl_tag_chain(struct unit_load *load, const struct die_value *reference,
			 int32_t component)
{
	struct die_value next = *reference;
	uint32_t value = 0;

	for (unsigned i = 0; i < ANNOTATION_CHAIN_MAX; i++) {
		enum annotation_kind kind = read_chained(load, &next, &value);

		if (kind == ANNOTATION_DECL_TAG)
			walk_add_tag(load, value, component);
		if (kind == ANNOTATION_OTHER || next.value_class == VALUE_NONE)
			return;
	}
}

uint32_t walk_type_tag_chain(struct unit_load *load, const struct die_value *reference,
			     uint32_t pointee, uint32_t *tag_slot)
{
	struct model_type tag = { .kind = TYPE_TAG };
	struct die_value next = *reference;
	uint32_t first = 0, last = 0, value = 0;

	for (unsigned i = 0; i < ANNOTATION_CHAIN_MAX; i++) {
		if (read_chained(load, &next, &value) != ANNOTATION_TYPE_TAG)
			break;
		if (value != 0) {
			tag.name = value;
			tag.type = pointee;
			last = walk_add_type(load, &tag);
			if (load->out_of_memory)
				return pointee;
			if (first == 0) {
				first = last;
			} else {
				load->worker->types.items[last - 1].type = last;
				load->worker->types.items[last - 1].flags = TYPE_TARGET_IS_SLOT;
			}
		}
		if (next.value_class == VALUE_NONE)
			break;
	}
	*tag_slot = first;
	return pointee;
}
