/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#include "support/dwarf_builder.h"

#include <stdlib.h>
#include <string.h>

static void *must(void *memory)
{
	if (!memory)
		abort();
	return memory;
}

void byte_string_add(struct byte_string *bytes, const void *data, size_t size)
{
	if (bytes->data == NULL || bytes->capacity < bytes->size + size) {
		bytes->capacity = 2 * bytes->capacity + size + 64;
		bytes->data = must(realloc(bytes->data, bytes->capacity));
	}
	if (size != 0)
		memcpy(bytes->data + bytes->size, data, size);
	bytes->size += size;
}

void byte_string_u8(struct byte_string *bytes, uint8_t value)
{
	byte_string_add(bytes, &value, 1);
}

static void put_number(uint8_t *place, uint64_t value, unsigned size, bool is_big_endian)
{
	for (unsigned i = 0; i < size; i++)
		place[is_big_endian ? size - 1 - i : i] = (uint8_t)(value >> (8 * i));
}

void byte_string_number(struct byte_string *bytes, uint64_t value, unsigned size,
			bool is_big_endian)
{
	uint8_t raw[8];

	put_number(raw, value, size, is_big_endian);
	byte_string_add(bytes, raw, size);
}

/* DWARF 5, figure C.1 */
void byte_string_uleb128(struct byte_string *bytes, uint64_t value)
{
	do {
		uint8_t byte = value & 0x7f;

		value >>= 7;
		byte_string_u8(bytes, value != 0 ? byte | 0x80 : byte);
	} while (value != 0);
}

/* DWARF 5, figure C.2 */
void byte_string_sleb128(struct byte_string *bytes, int64_t value)
{
	for (bool more = true; more;) {
		uint8_t byte = (uint8_t)value & 0x7f;

		value >>= 7;
		more = !((value == 0 && !(byte & 0x40)) || (value == -1 && (byte & 0x40)));
		byte_string_u8(bytes, more ? byte | 0x80 : byte);
	}
}

void dwarf_builder_init(struct dwarf_builder *builder, const struct dwarf_shape *shape)
{
	*builder = (struct dwarf_builder){ .shape = *shape };
	if (builder->shape.machine == 0)
		builder->shape.machine = EM_X86_64;
	if (builder->shape.first_code == 0)
		builder->shape.first_code = 1;
	elf_builder_init(&builder->elf, shape->address_size == 8, shape->is_big_endian, ET_EXEC,
			 builder->shape.machine);
	byte_string_u8(&builder->str, 0);
}

void dwarf_builder_deinit(struct dwarf_builder *builder)
{
	for (size_t i = 0; i < builder->abbreviations.count; i++)
		free(builder->abbreviations.items[i].key);
	vector_deinit(&builder->abbreviations);
	vector_deinit(&builder->fixups);
	free(builder->info.data);
	free(builder->types.data);
	free(builder->str.data);
	elf_builder_deinit(&builder->elf);
}

static void add_number(struct dwarf_builder *builder, uint64_t value, unsigned size)
{
	byte_string_number(builder->out, value, size, builder->shape.is_big_endian);
}

static void add_offset(struct dwarf_builder *builder, uint64_t value)
{
	add_number(builder, value, builder->shape.offset_size);
}

/* DWARF 5, 7.5.1; DWARF 4, 7.5.1. The length is set when the unit ends. */
static void add_header(struct dwarf_builder *builder, enum dwarf_unit_type type)
{
	builder->unit = builder->out->size;
	builder->type_offset_place = 0;
	if (builder->shape.offset_size == 8)
		add_number(builder, 0xffffffff, 4);
	add_offset(builder, 0);
	add_number(builder, builder->shape.version, 2);
	if (builder->shape.version >= 5) {
		add_number(builder, type, 1);
		add_number(builder, builder->shape.address_size, 1);
		add_offset(builder, 0);
	} else {
		add_offset(builder, 0);
		add_number(builder, builder->shape.address_size, 1);
	}
}

void dwarf_unit_begin(struct dwarf_builder *builder, enum dwarf_unit_type type)
{
	builder->out = &builder->info;
	add_header(builder, type);
	if (builder->shape.version >= 5 && (type == DW_UT_skeleton || type == DW_UT_split_compile))
		add_number(builder, 0x1122334455667788, 8);
}

static void add_fixup(struct dwarf_builder *builder, uint32_t label, unsigned size, bool is_global)
{
	struct dwarf_fixup *fixup = must(vector_push(&builder->fixups));

	*fixup = (struct dwarf_fixup){
		.place = builder->out->size,
		.label = label,
		.size = (uint8_t)size,
		.is_global = is_global,
		.unit = builder->unit,
	};
	add_number(builder, 0, size);
}

void dwarf_type_unit_begin(struct dwarf_builder *builder, uint64_t signature, uint32_t label)
{
	builder->out = builder->shape.version >= 5 ? &builder->info : &builder->types;
	add_header(builder, DW_UT_type);
	add_number(builder, signature, 8);
	add_fixup(builder, label, builder->shape.offset_size, false);
}

/* References of the unit, which labels of later units cannot be in, are settled at once. */
void dwarf_unit_end(struct dwarf_builder *builder)
{
	unsigned length_size = builder->shape.offset_size == 8 ? 12 : 4;
	size_t kept = 0;

	put_number(builder->out->data + builder->unit + length_size - builder->shape.offset_size,
		   builder->out->size - builder->unit - length_size, builder->shape.offset_size,
		   builder->shape.is_big_endian);
	for (size_t i = 0; i < builder->fixups.count; i++) {
		const struct dwarf_fixup *fixup = &builder->fixups.items[i];

		if (fixup->is_global)
			builder->fixups.items[kept++] = *fixup;
		else
			put_number(builder->out->data + fixup->place,
				   builder->labels[fixup->label] - fixup->unit, fixup->size,
				   builder->shape.is_big_endian);
	}
	builder->fixups.count = kept;
}

uint64_t dwarf_string(struct dwarf_builder *builder, const char *text)
{
	for (size_t at = 0; at < builder->str.size;
	     at += strlen((const char *)builder->str.data + at) + 1) {
		if (strcmp((const char *)builder->str.data + at, text) == 0)
			return at;
	}
	byte_string_add(&builder->str, text, strlen(text) + 1);
	return builder->str.size - strlen(text) - 1;
}

/* DWARF 5, 7.5.5, 7.5.6 */
static void add_value(struct dwarf_builder *builder, const struct dwarf_attribute_value *value)
{
	static const uint8_t sizes[] = {
		[DW_FORM_data1] = 1,  [DW_FORM_data2] = 2,    [DW_FORM_data4] = 4,
		[DW_FORM_data8] = 8,  [DW_FORM_flag] = 1,     [DW_FORM_strx1] = 1,
		[DW_FORM_strx2] = 2,  [DW_FORM_strx3] = 3,    [DW_FORM_strx4] = 4,
		[DW_FORM_addrx1] = 1, [DW_FORM_addrx2] = 2,   [DW_FORM_addrx3] = 3,
		[DW_FORM_addrx4] = 4, [DW_FORM_ref_sig8] = 8,
	};
	const struct dwarf_shape *shape = &builder->shape;

	switch (value->form) {
	case DW_FORM_flag_present:
	case DW_FORM_implicit_const:
		break;
	case DW_FORM_addr:
		add_number(builder, value->number, shape->address_size);
		break;
	case DW_FORM_strp:
		add_offset(builder,
			   value->bytes ? dwarf_string(builder, value->bytes) : value->number);
		break;
	case DW_FORM_string:
		byte_string_add(builder->out, value->bytes, strlen(value->bytes) + 1);
		break;
	case DW_FORM_sec_offset:
	case DW_FORM_line_strp:
		add_offset(builder, value->number);
		break;
	case DW_FORM_ref1:
	case DW_FORM_ref2:
	case DW_FORM_ref4:
	case DW_FORM_ref8:
		add_fixup(builder, (uint32_t)value->number, 1u << (value->form - DW_FORM_ref1),
			  false);
		break;
	case DW_FORM_ref_addr:
		add_fixup(builder, (uint32_t)value->number,
			  shape->version == 2 ? shape->address_size : shape->offset_size, true);
		break;
	case DW_FORM_udata:
	case DW_FORM_ref_udata: /* the offset itself */
	case DW_FORM_strx:
	case DW_FORM_addrx:
	case DW_FORM_loclistx:
		byte_string_uleb128(builder->out, value->number);
		break;
	case DW_FORM_sdata:
		byte_string_sleb128(builder->out, (int64_t)value->number);
		break;
	case DW_FORM_exprloc:
	case DW_FORM_block:
		byte_string_uleb128(builder->out, value->size);
		byte_string_add(builder->out, value->bytes, value->size);
		break;
	case DW_FORM_block1:
	case DW_FORM_block2:
	case DW_FORM_block4:
		add_number(builder, value->size,
			   value->form == DW_FORM_block1 ? 1 :
			   value->form == DW_FORM_block2 ? 2 :
							   4);
		byte_string_add(builder->out, value->bytes, value->size);
		break;
	default:
		if (value->form >= sizeof(sizes) || sizes[value->form] == 0)
			abort();
		add_number(builder, value->number, sizes[value->form]);
	}
}

/* The code of the abbreviation with this content, made if need be. */
static uint64_t abbreviation_code(struct dwarf_builder *builder, struct byte_string *key)
{
	struct dwarf_abbreviation *abbreviation;

	for (size_t i = 0; i < builder->abbreviations.count; i++) {
		abbreviation = &builder->abbreviations.items[i];
		if (abbreviation->size == key->size &&
		    memcmp(abbreviation->key, key->data, key->size) == 0) {
			free(key->data);
			return builder->shape.first_code + i;
		}
	}
	abbreviation = must(vector_push(&builder->abbreviations));
	*abbreviation = (struct dwarf_abbreviation){ .key = key->data, .size = key->size };
	return builder->shape.first_code + builder->abbreviations.count - 1;
}

enum { UNKNOWN_ATTRIBUTE = 0x3f00 };

void dwarf_entry(struct dwarf_builder *builder, uint32_t label, unsigned tag, bool has_children,
		 const struct dwarf_attribute_value *attributes, size_t count)
{
	struct byte_string key = { 0 };

	if (label >= DWARF_LABELS)
		abort();
	builder->labels[label] = builder->out->size;
	byte_string_uleb128(&key, tag);
	byte_string_u8(&key, has_children);
	if (builder->shape.is_padded) {
		byte_string_uleb128(&key, UNKNOWN_ATTRIBUTE);
		byte_string_uleb128(&key, DW_FORM_udata);
	}
	for (size_t i = 0; i < count; i++) {
		byte_string_uleb128(&key, attributes[i].attribute);
		byte_string_uleb128(&key, attributes[i].form);
		if (attributes[i].form == DW_FORM_implicit_const)
			byte_string_sleb128(&key, (int64_t)attributes[i].number);
	}
	byte_string_add(&key, "\0", 2);
	byte_string_uleb128(builder->out, abbreviation_code(builder, &key));
	if (builder->shape.is_padded)
		byte_string_uleb128(builder->out, 300);
	for (size_t i = 0; i < count; i++)
		add_value(builder, &attributes[i]);
}

void dwarf_close(struct dwarf_builder *builder)
{
	for (unsigned size = builder->shape.null_size; size > 1; size--)
		byte_string_u8(builder->out, 0x80);
	byte_string_u8(builder->out, 0);
}

static void add_abbreviations(struct dwarf_builder *builder)
{
	struct byte_string bytes = { 0 };

	for (size_t i = 0; i < builder->abbreviations.count; i++) {
		byte_string_uleb128(&bytes, builder->shape.first_code + i);
		byte_string_add(&bytes, builder->abbreviations.items[i].key,
				builder->abbreviations.items[i].size);
	}
	byte_string_u8(&bytes, 0);
	elf_builder_add_data(&builder->elf, ".debug_abbrev", bytes.data, bytes.size);
	free(bytes.data);
}

char *dwarf_builder_write(struct dwarf_builder *builder)
{
	for (size_t i = 0; i < builder->fixups.count; i++) {
		const struct dwarf_fixup *fixup = &builder->fixups.items[i];

		put_number(builder->info.data + fixup->place, builder->labels[fixup->label],
			   fixup->size, builder->shape.is_big_endian);
	}
	add_abbreviations(builder);
	elf_builder_add_data(&builder->elf, ".debug_info", builder->info.data, builder->info.size);
	if (builder->types.size != 0)
		elf_builder_add_data(&builder->elf, ".debug_types", builder->types.data,
				     builder->types.size);
	elf_builder_add_data(&builder->elf, ".debug_str", builder->str.data, builder->str.size);
	return elf_builder_write(&builder->elf);
}
