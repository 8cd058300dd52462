/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#include "encode/type_record.h"

static uint32_t part_count(const struct model_type *type)
{
	return type->item_count <= BTF_VLEN_MAX ? type->item_count : BTF_VLEN_MAX;
}

/*
 * Offsets of members have 32 bits, or, in a struct with bit fields (kind_flag), 24 bits and
 * the width. A struct with bit fields and members beyond 2 MiB fits neither form: then the form
 * is taken that loses fewer members.
 */
struct member_form {
	bool kind_flag;
	uint32_t kept;
};

static bool member_fits(const struct model_item *member, bool is_union, bool kind_flag)
{
	uint64_t bit_offset = model_item_bit_offset(member);
	uint8_t bit_size = model_item_bit_size(member);

	if (is_union && bit_offset != 0)
		return false;
	if (bit_size == 0 && bit_offset % 8 == 0)
		return bit_offset <= (kind_flag ? BTF_BITFIELD_OFFSET_MAX : UINT32_MAX);
	return kind_flag && bit_size != 0 && bit_offset <= BTF_BITFIELD_OFFSET_MAX;
}

static uint32_t count_fitting(const struct dedup_type *type, bool kind_flag)
{
	bool is_union = type->type.kind == TYPE_UNION;
	uint32_t count = part_count(&type->type);
	uint32_t fitting = 0;

	for (uint32_t i = 0; i < count; i++)
		fitting += member_fits(&type->items[i], is_union, kind_flag);
	return fitting;
}

static struct member_form choose_member_form(const struct dedup_type *type)
{
	struct member_form form = { .kind_flag = type->type.flags & TYPE_BITFIELDS };

	form.kept = count_fitting(type, form.kind_flag);
	if (form.kind_flag && form.kept < part_count(&type->type)) {
		uint32_t without = count_fitting(type, false);

		if (without > form.kept)
			form = (struct member_form){ .kind_flag = false, .kept = without };
	}
	return form;
}

int64_t type_record_member_index(const struct dedup_type *type, uint32_t index)
{
	struct member_form form;
	uint32_t count = part_count(&type->type);
	uint32_t left_out = 0;

	if (type->type.kind != TYPE_STRUCT && type->type.kind != TYPE_UNION)
		return index;
	form = choose_member_form(type);
	if (form.kept == count)
		return index;
	for (uint32_t i = 0; i < count && i <= index; i++) {
		if (member_fits(&type->items[i], type->type.kind == TYPE_UNION, form.kind_flag))
			continue;
		if (i == index)
			return -1;
		left_out++;
	}
	return (int64_t)index - left_out;
}

/* BTF allows 1, 2, 4 and 8: the largest that is not above. */
static uint32_t enum_size(const struct model_type *type)
{
	if (type->size >= 8)
		return 8;
	if (type->size >= 4)
		return 4;
	return type->size >= 2 ? 2 : 1;
}

static bool enum_values_fit(const struct dedup_type *type)
{
	for (uint32_t i = 0; i < type->type.item_count; i++) {
		int64_t value = (int64_t)type->items[i].value;

		if (value < INT32_MIN || value > (int64_t)UINT32_MAX)
			return false;
	}
	return true;
}

static bool float_size_is_allowed(uint32_t size)
{
	return size == 2 || size == 4 || size == 8 || size == 12 || size == 16;
}

static bool needs_name(const struct model_type *type)
{
	switch ((enum type_kind)type->kind) {
	case TYPE_INT:
	case TYPE_FLOAT:
	case TYPE_TYPEDEF:
	case TYPE_TAG:
	case TYPE_STRUCT_FORWARD:
	case TYPE_UNION_FORWARD:
		return type->name == 0;
	case TYPE_VOID:
	case TYPE_POINTER:
	case TYPE_REFERENCE:
	case TYPE_RVALUE_REFERENCE:
	case TYPE_MEMBER_POINTER:
	case TYPE_CONST:
	case TYPE_VOLATILE:
	case TYPE_RESTRICT:
	case TYPE_ATOMIC:
	case TYPE_ARRAY:
	case TYPE_STRUCT:
	case TYPE_UNION:
	case TYPE_ENUM:
	case TYPE_FUNCTION:
	case TYPE_ALIAS:
	case TYPE_UNSPECIFIED:
	case TYPE_STRING:
	case TYPE_KIND_COUNT:
		break;
	}
	return false;
}

/*
 * Loaders replace what BTF has no kind for (references, _Atomic) before types are compared; the mapping
 * here only makes sure that every kind has a record.
 */
static enum btf_kind record_kind(const struct model_type *type)
{
	switch ((enum type_kind)type->kind) {
	case TYPE_INT:
		return BTF_KIND_INT;
	case TYPE_FLOAT:
		return float_size_is_allowed(type->size) ? BTF_KIND_FLOAT : BTF_KIND_STRUCT;
	case TYPE_POINTER:
	case TYPE_REFERENCE:
	case TYPE_RVALUE_REFERENCE:
	case TYPE_MEMBER_POINTER:
		return BTF_KIND_PTR;
	case TYPE_CONST:
		return BTF_KIND_CONST;
	case TYPE_VOLATILE:
	case TYPE_ATOMIC:
		return BTF_KIND_VOLATILE;
	case TYPE_RESTRICT:
		return BTF_KIND_RESTRICT;
	case TYPE_TYPEDEF:
		return BTF_KIND_TYPEDEF;
	case TYPE_TAG:
		return BTF_KIND_TYPE_TAG;
	case TYPE_ARRAY:
		return BTF_KIND_ARRAY;
	case TYPE_STRUCT:
		return BTF_KIND_STRUCT;
	case TYPE_UNION:
		return BTF_KIND_UNION;
	case TYPE_ENUM:
		return type->flags & TYPE_WIDE ? BTF_KIND_ENUM64 : BTF_KIND_ENUM;
	case TYPE_FUNCTION:
		return BTF_KIND_FUNC_PROTO;
	case TYPE_STRUCT_FORWARD:
	case TYPE_UNION_FORWARD:
		return BTF_KIND_FWD;
	case TYPE_VOID:
	case TYPE_ALIAS:
	case TYPE_UNSPECIFIED:
	case TYPE_STRING:
	case TYPE_KIND_COUNT:
		break;
	}
	return BTF_KIND_STRUCT; /* an empty one */
}

static uint32_t note_members(const struct dedup_type *type, struct issue_log *issues)
{
	uint32_t kept = choose_member_form(type).kept;

	if (kept < part_count(&type->type))
		issue_add(issues, ISSUE_MEMBER, type->type.name);
	return kept;
}

static void note_enum(const struct dedup_type *type, const struct record_options *options,
		      struct issue_log *issues)
{
	if (enum_size(&type->type) != type->type.size)
		issue_add(issues, ISSUE_ENUM_SIZE, type->type.name);
	if (options->has_enum64 && !(type->type.flags & TYPE_WIDE) && !enum_values_fit(type))
		issue_add(issues, ISSUE_ENUM_VALUE, type->type.name);
}

uint32_t type_record_bytes(const struct dedup_type *type, const struct record_options *options,
			   struct issue_log *issues)
{
	enum btf_kind kind = record_kind(&type->type);
	uint32_t vlen = part_count(&type->type);

	if (needs_name(&type->type))
		issue_add(issues, ISSUE_TYPE_UNNAMED, 0);
	if (vlen < type->type.item_count)
		issue_add(issues, ISSUE_TYPE_TOO_LONG, type->type.name);
	switch (type->type.kind) {
	case TYPE_STRUCT:
	case TYPE_UNION:
		vlen = note_members(type, issues);
		break;
	case TYPE_ENUM:
		note_enum(type, options, issues);
		break;
	case TYPE_FLOAT:
		if (kind != BTF_KIND_FLOAT)
			issue_add(issues, ISSUE_FLOAT_SIZE, type->type.name);
		break;
	default:
		break;
	}
	return btf_record_bytes(kind, vlen);
}

static void write_members(struct btf_writer *writer, const struct dedup_type *type,
			  const struct record_context *context, uint32_t name, enum btf_kind kind)
{
	struct member_form form = choose_member_form(type);
	uint32_t count = part_count(&type->type);

	btf_writer_record(writer, name, btf_info(kind, form.kind_flag, form.kept), type->type.size);
	for (uint32_t i = 0; i < count; i++) {
		const struct model_item *member = &type->items[i];
		uint32_t width = (uint32_t)model_item_bit_size(member) << BTF_BITFIELD_WIDTH_SHIFT;

		if (form.kept != count &&
		    !member_fits(member, kind == BTF_KIND_UNION, form.kind_flag))
			continue;
		btf_writer_triple(writer, string_table_offset(context->strings, member->name),
				  context->ids[member->type],
				  (uint32_t)model_item_bit_offset(member) | width);
	}
}

static void write_enum(struct btf_writer *writer, const struct dedup_type *type,
		       const struct record_context *context, uint32_t name, enum btf_kind kind)
{
	uint32_t count = part_count(&type->type);

	btf_writer_record(writer, name, btf_info(kind, type->type.flags & TYPE_SIGNED, count),
			  enum_size(&type->type));
	for (uint32_t i = 0; i < count; i++) {
		const struct model_item *item = &type->items[i];
		uint32_t item_name = string_table_offset(context->strings, item->name);

		if (kind == BTF_KIND_ENUM64)
			btf_writer_triple(writer, item_name, (uint32_t)item->value,
					  (uint32_t)(item->value >> 32));
		else
			btf_writer_pair(writer, item_name, (uint32_t)item->value);
	}
}

static void write_function(struct btf_writer *writer, const struct dedup_type *type,
			   const struct record_context *context)
{
	uint32_t count = part_count(&type->type);

	btf_writer_record(writer, 0, btf_info(BTF_KIND_FUNC_PROTO, false, count),
			  context->ids[type->type.type]);
	for (uint32_t i = 0; i < count; i++)
		btf_writer_pair(writer, string_table_offset(context->strings, type->items[i].name),
				context->ids[type->items[i].type]);
}

static uint32_t int_encoding(const struct model_type *type)
{
	if (type->flags & TYPE_BOOL)
		return BTF_INT_BOOL;
	return type->flags & TYPE_SIGNED ? BTF_INT_SIGNED : 0;
}

void type_record_write(struct btf_writer *writer, const struct dedup_type *type,
		       const struct record_context *context)
{
	enum btf_kind kind = record_kind(&type->type);
	uint32_t name = needs_name(&type->type) ? context->unnamed_name : type->type.name;
	uint32_t name_offset = string_table_offset(context->strings, name);
	uint32_t target = context->ids[type->type.type];

	switch (kind) {
	case BTF_KIND_INT:
		btf_writer_int(writer, name_offset, type->type.size, int_encoding(&type->type));
		break;
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
		write_members(writer, type, context, name_offset, kind);
		break;
	case BTF_KIND_ENUM:
	case BTF_KIND_ENUM64:
		write_enum(writer, type, context, name_offset, kind);
		break;
	case BTF_KIND_ARRAY:
		btf_writer_record(writer, 0, btf_info(kind, false, 0), 0);
		btf_writer_triple(writer, target, context->index_type, type->type.size);
		break;
	case BTF_KIND_FUNC_PROTO:
		write_function(writer, type, context);
		break;
	case BTF_KIND_FWD:
		btf_writer_record(writer, name_offset,
				  btf_info(kind, type->type.kind == TYPE_UNION_FORWARD, 0), 0);
		break;
	case BTF_KIND_FLOAT:
		btf_writer_record(writer, name_offset, btf_info(kind, false, 0), type->type.size);
		break;
	default: /* references */
		btf_writer_record(writer, name_offset, btf_info(kind, false, 0), target);
		break;
	}
}
