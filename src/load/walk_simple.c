/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Types without a list below them: base types, pointers, qualifiers, typedefs, and what BTF has no word for. */
#include "load/walk_internal.h"

/* Of base types that become opaque structs; compilers' longest is "complex _Float128" and its like. */
enum { OPAQUE_NAME_MAX = 64 };

/* docs/encoding.md, 2.4. Sizes of integers BTF cannot express are kept in `reserved` for the analysis of parameters. */
static void settle_base_type(struct unit_load *load, struct model_type *type, uint64_t encoding)
{
	uint32_t bits = (type->size * 8) & 0xffff;
	uint32_t bytes = (bits + 7) / 8;
	bool floats = load->loader->options.floats;

	type->kind = TYPE_INT;
	if (encoding == DW_ATE_signed || encoding == DW_ATE_signed_char)
		type->flags = TYPE_SIGNED;
	else if (encoding == DW_ATE_boolean)
		type->flags = TYPE_BOOL;
	if (floats && encoding == DW_ATE_float &&
	    (bytes == 2 || bytes == 4 || bytes == 8 || bytes == 12 || bytes == 16)) {
		type->kind = TYPE_FLOAT;
		type->size = bytes;
		return;
	}
	if (floats && (encoding == DW_ATE_float || encoding == DW_ATE_complex_float ||
		       encoding == DW_ATE_imaginary_float)) {
		type->kind = TYPE_STRUCT; /* without members: an opaque type of the right size */
		type->flags = 0;
		load->sanitized_count++;
		return;
	}
	type->reserved = (uint16_t)bytes;
	if (bytes == 0 || bytes > 16 || (bytes & (bytes - 1)) != 0 || type->name == 0) {
		type->name = load->loader->fake_int_name;
		type->size = 4;
		return;
	}
	type->size = bytes;
}

/*
 * A name that a struct may have: the kernel refuses a file with "complex double" in it. Characters no
 * identifier has become underscores.
 */
static uint32_t identifier_name(struct unit_load *load, uint32_t name)
{
	const char *text = name_table_text(load->loader->names, name);
	char identifier[OPAQUE_NAME_MAX] = "";
	size_t size = strnlen(text, sizeof(identifier));

	for (size_t i = 0; i < size; i++) {
		bool fits = (text[i] >= 'a' && text[i] <= 'z') ||
			    (text[i] >= 'A' && text[i] <= 'Z') ||
			    (text[i] >= '0' && text[i] <= '9');

		identifier[i] = fits ? text[i] : '_';
	}
	return load_short_name(load, identifier, size);
}

void walk_base_type(struct unit_load *load, const struct die_plan *plan, uint32_t offset)
{
	struct model_type type = { 0 };
	uint32_t entity = enter(load, offset);
	struct die_values values;
	uint32_t slot;
	bool is_int;

	die_reader_values(&load->reader, plan, &values);
	if (load->reader.fault)
		return;
	type.name = load_settled_name(load, value_name(load, &values));
	type.size = (uint32_t)load_number(&values, ATTR_BYTE_SIZE);
	is_int = type.name != 0 && type.name == load->loader->int_name;
	if (load->loader->options.display)
		display_base_type(&type, (uint64_t)load_number(&values, ATTR_ENCODING));
	else
		settle_base_type(load, &type, (uint64_t)load_number(&values, ATTR_ENCODING));
	if (type.kind == TYPE_STRUCT)
		type.name = identifier_name(load, type.name);
	if (plan->has_children)
		die_reader_skip_children(&load->reader);
	slot = finish_type(load, entity, &type);
	if (is_int && load->int_slot == 0)
		load->int_slot = slot;
}

/* A pointer with annotations: its type tags stand between it and what it points to. docs/encoding.md, 6. */
static void walk_pointer_children(struct unit_load *load, const struct die_plan *plan,
				  const struct die_values *values, struct model_type *type,
				  uint32_t *tag_slot)
{
	struct model_type tag = { .kind = TYPE_TAG };
	const struct die_plan *child;
	uint32_t value;

	while (plan->has_children && (child = die_reader_next(&load->reader)) != NULL) {
		if (child->tag != DW_TAG_LLVM_annotation && child->tag != DW_TAG_GNU_annotation) {
			die_reader_skip_tree(&load->reader, child);
			continue;
		}
		if (walk_annotation(load, child, &value) != ANNOTATION_TYPE_TAG || value == 0 ||
		    !load->loader->options.type_tags)
			continue;
		/* The first refers to the pointee, later ones to the tag before. */
		tag.name = value;
		tag.type = *tag_slot ? *tag_slot : type->type;
		tag.flags = *tag_slot ? TYPE_TARGET_IS_SLOT : 0;
		*tag_slot = walk_add_type(load, &tag);
	}
	if (*tag_slot == 0 && load->loader->options.type_tags &&
	    values_have(values, ATTR_GNU_ANNOTATION))
		type->type = walk_type_tag_chain(load, &values->values[ATTR_GNU_ANNOTATION],
						 type->type, tag_slot);
}

void walk_modifier(struct unit_load *load, const struct die_plan *plan, uint32_t offset)
{
	struct model_type type = { .kind = (uint8_t)modifier_kind(plan->tag) };
	uint32_t entity = enter(load, offset);
	struct die_values values;
	uint32_t tag_slot = 0;

	read_basics(load, plan, &values, &type, &type.type);
	if (load->reader.fault)
		return;
	type.name = 0;
	type.size = 0;
	if (plan->tag == DW_TAG_pointer_type &&
	    (plan->has_children || values_have(&values, ATTR_GNU_ANNOTATION)))
		walk_pointer_children(load, plan, &values, &type, &tag_slot);
	else if (plan->has_children)
		die_reader_skip_children(&load->reader);
	if (load->reader.fault)
		return;
	if (plan->tag == DW_TAG_reference_type || plan->tag == DW_TAG_rvalue_reference_type)
		load->sanitized_count++;
	if (tag_slot != 0) {
		type.type = tag_slot;
		type.flags = TYPE_TARGET_IS_SLOT;
	}
	finish_type(load, entity, &type);
}

void walk_typedef(struct unit_load *load, const struct die_plan *plan, uint32_t offset)
{
	struct model_type type = { .kind = TYPE_TYPEDEF };
	size_t first_tag = load->worker->open_tags.count;
	uint32_t entity = enter(load, offset);
	const struct die_plan *child;
	struct die_values values;
	uint32_t value;

	read_basics(load, plan, &values, &type, &type.type);
	while (plan->has_children && (child = die_reader_next(&load->reader)) != NULL) {
		if (child->tag != DW_TAG_LLVM_annotation && child->tag != DW_TAG_GNU_annotation)
			die_reader_skip_tree(&load->reader, child);
		else if (walk_annotation(load, child, &value) == ANNOTATION_DECL_TAG)
			walk_add_tag(load, value, -1);
	}
	if (load->reader.fault)
		return;
	type.size = 0;
	if (type.name == 0) {
		load->worker->open_tags.count = first_tag;
		finish_alias(load, entity, type.type);
		return;
	}
	close_type_tags(load, first_tag, finish_type(load, entity, &type), true);
}

/* A type BTF has no word for that stands for the one it refers to: _Atomic and the like. */
void walk_transparent(struct unit_load *load, const struct die_plan *plan, uint32_t offset)
{
	struct model_type type = { 0 };
	uint32_t entity = enter(load, offset);
	struct die_values values;
	uint32_t reference = 0;

	read_basics(load, plan, &values, &type, &reference);
	if (load->reader.fault)
		return;
	if (plan->has_children)
		die_reader_skip_children(&load->reader);
	load->sanitized_count++;
	finish_alias(load, entity, reference);
}

/* Pointers to members and strings: nothing in BTF, so a struct without members, of their size. */
void walk_opaque(struct unit_load *load, const struct die_plan *plan, uint32_t offset)
{
	struct model_type type = { 0 };
	uint32_t entity = enter(load, offset);
	struct die_values values;
	uint32_t reference = 0;

	read_basics(load, plan, &values, &type, &reference);
	if (load->reader.fault)
		return;
	if (plan->has_children)
		die_reader_skip_children(&load->reader);
	load->sanitized_count++;
	type.kind = TYPE_STRUCT;
	if (plan->tag == DW_TAG_ptr_to_member_type) {
		uint32_t *place = vector_push(&load->worker->member_pointer_slots);

		type.kind = TYPE_MEMBER_POINTER;
		type.type = reference;
		if (place == NULL) {
			walk_no_memory(load);
			return;
		}
		*place = (uint32_t)load->worker->types.count;
	}
	type.name = 0;
	finish_type(load, entity, &type);
}

/* decltype(nullptr) has a size and a value; other unspecified types are void. */
void walk_unspecified(struct unit_load *load, const struct die_plan *plan, uint32_t offset)
{
	struct model_type type = { .kind = TYPE_POINTER };
	uint32_t entity = enter(load, offset);
	struct die_values values;
	const char *name = NULL;

	die_reader_values(&load->reader, plan, &values);
	if (load->reader.fault)
		return;
	if (values_have(&values, ATTR_NAME))
		name = load_text(load, &values.values[ATTR_NAME]);
	if (plan->has_children)
		die_reader_skip_children(&load->reader);
	if (name != NULL && strstr(name, "nullptr") != NULL) {
		load->sanitized_count++;
		finish_type(load, entity, &type);
	} else {
		finish_alias(load, entity, 0);
	}
}
