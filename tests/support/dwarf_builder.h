/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * A small assembler of DWARF: entries as values in, an ELF file with .debug_info, .debug_abbrev
 * and .debug_str out. Encodings are written from the standard (DWARF 5, chapter 7), not with the
 * library's decoders. Runs out of memory by abort().
 *
 * An entry can be given a label, a small number from 1 up, which references name, also before the
 * entry is there. Abbreviations are found by the builder: entries of the same form share one.
 */
#ifndef TESTS_SUPPORT_DWARF_BUILDER_H
#define TESTS_SUPPORT_DWARF_BUILDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vector.h"
#include "dwarf/constants.h"
#include "support/elf_builder.h"

/* What all units of a file have in common. */
struct dwarf_shape {
	uint8_t version;
	uint8_t address_size;
	uint8_t offset_size;
	bool is_big_endian;
	uint16_t machine; /* 0: x86-64 */
	/*
	 * Each entry gets an attribute nobody knows, of a form whose size is in the data: no entry
	 * has a fixed layout then, so readers must take their long way.
	 */
	bool is_padded;
	uint64_t first_code; /* of the abbreviations, 0: 1 */
	uint8_t null_size;   /* bytes of the code that ends a list of children, 0: 1 */
};

/* An attribute of an entry: by form, which of the fields counts. */
struct dwarf_attribute_value {
	uint16_t attribute;
	uint16_t form;
	uint64_t number;   /* constants, indices, offsets; references: a label */
	const void *bytes; /* blocks; strings: the text */
	size_t size;       /* blocks */
};

struct byte_string {
	uint8_t *data;
	size_t size;
	size_t capacity;
};

void byte_string_add(struct byte_string *bytes, const void *data, size_t size);
void byte_string_u8(struct byte_string *bytes, uint8_t value);
/* A number of 1, 2, 3, 4 or 8 bytes. */
void byte_string_number(struct byte_string *bytes, uint64_t value, unsigned size,
			bool is_big_endian);
void byte_string_uleb128(struct byte_string *bytes, uint64_t value);
void byte_string_sleb128(struct byte_string *bytes, int64_t value);

struct dwarf_abbreviation {
	uint8_t *key; /* all of it but the code, as it is in the section */
	size_t size;
};

struct dwarf_fixup {
	size_t place; /* in info */
	uint32_t label;
	uint8_t size;
	bool is_global; /* counts from the section's start */
	size_t unit;    /* where the unit starts that holds it */
};

enum { DWARF_LABELS = 256 };

struct dwarf_builder {
	struct dwarf_shape shape;
	struct elf_builder elf; /* for symbols and more sections */
	struct byte_string info;
	struct byte_string types; /* .debug_types */
	struct byte_string *out;  /* the section of the open unit */
	struct byte_string str;
	VECTOR(struct dwarf_abbreviation) abbreviations;
	VECTOR(struct dwarf_fixup) fixups;
	size_t labels[DWARF_LABELS]; /* offset in the section; 0: not there */
	size_t unit;                 /* start of the open one */
	size_t type_offset_place;    /* 0: none */
};

void dwarf_builder_init(struct dwarf_builder *builder, const struct dwarf_shape *shape);
void dwarf_builder_deinit(struct dwarf_builder *builder);

/* The header of a unit; entries follow. */
void dwarf_unit_begin(struct dwarf_builder *builder, enum dwarf_unit_type type);
/* A type unit: in .debug_types up to DWARF 4. Its type is the entry with this label. */
void dwarf_type_unit_begin(struct dwarf_builder *builder, uint64_t signature, uint32_t label);
void dwarf_unit_end(struct dwarf_builder *builder);

/* Starts an entry with children, or writes one without. label 0: none. */
void dwarf_entry(struct dwarf_builder *builder, uint32_t label, unsigned tag, bool has_children,
		 const struct dwarf_attribute_value *attributes, size_t count);
/* Ends a list of children. */
void dwarf_close(struct dwarf_builder *builder);

/* Offset of a string in .debug_str, which it is added to. */
uint64_t dwarf_string(struct dwarf_builder *builder, const char *text);

/* Adds the sections to builder->elf and writes the file; test_file_remove() its path. */
char *dwarf_builder_write(struct dwarf_builder *builder);

#define DWARF_VALUES(...) ((const struct dwarf_attribute_value[]){ { 0 }, ##__VA_ARGS__ } + 1)
#define DWARF_COUNT(...)                                                          \
	(sizeof((const struct dwarf_attribute_value[]){ { 0 }, ##__VA_ARGS__ }) / \
		 sizeof(struct dwarf_attribute_value) -                           \
	 1)

/* OPEN(builder, label, tag, attributes ...) ... CLOSE(builder), and one without children. */
#define OPEN(builder, label, tag, ...)                                                 \
	dwarf_entry((builder), (label), DW_TAG_##tag, true, DWARF_VALUES(__VA_ARGS__), \
		    DWARF_COUNT(__VA_ARGS__))
#define LEAF(builder, label, tag, ...)                                                  \
	dwarf_entry((builder), (label), DW_TAG_##tag, false, DWARF_VALUES(__VA_ARGS__), \
		    DWARF_COUNT(__VA_ARGS__))
#define CLOSE(builder) dwarf_close(builder)

/* Attributes in the form compilers use most. */
#define VALUE(at, in_form, value)                                                               \
	{                                                                                       \
		.attribute = DW_AT_##at, .form = DW_FORM_##in_form, .number = (uint64_t)(value) \
	}
#define TEXT(at, in_form, text)                                                     \
	{                                                                           \
		.attribute = DW_AT_##at, .form = DW_FORM_##in_form, .bytes = (text) \
	}
#define BLOCK(at, in_form, string)                                                     \
	{                                                                              \
		.attribute = DW_AT_##at, .form = DW_FORM_##in_form, .bytes = (string), \
		.size = sizeof(string) - 1                                             \
	}
#define NAME(text) TEXT(name, strp, text)
#define NAME_IN_PLACE(text) TEXT(name, string, text)
#define TYPE(label) VALUE(type, ref4, label)
#define SIZE(bytes) VALUE(byte_size, data1, bytes)
#define AT_BYTE(offset) VALUE(data_member_location, data1, offset)
#define FLAG(at) VALUE(at, flag, 1)

#endif
