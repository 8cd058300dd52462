/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The BTF format in numbers: header, kinds, record sizes.
 * Kernel documentation, "BPF Type Format (BTF)", sections "BTF Type and String
 * Encoding" and "Type Encoding"; linux/btf.h for the header and the kind layout section.
 *
 * A type section is a sequence of records, numbered from 1: three words (name, info,
 * size or type), for some kinds one fixed part, and vlen parts of one size.
 */
#ifndef BTF_FORMAT_H
#define BTF_FORMAT_H

#include <stdbool.h>
#include <stdint.h>

enum {
	BTF_MAGIC = 0xeb9f,
	BTF_VERSION = 1,
	BTF_HEADER_BYTES = 32,
	BTF_SHORT_HEADER_BYTES = 24, /* without the place of a layout section */
	BTF_RECORD_BYTES = 12,       /* the three words every record starts with */
	BTF_LAYOUT_ENTRY_BYTES = 4,
	BTF_VLEN_MAX = 0xffffff,
	BTF_KIND_SHIFT = 24,
	BTF_KIND_MASK = 0x7f,
	BTF_KIND_FLAG_SHIFT = 31,
};

enum btf_kind {
	BTF_KIND_VOID,
	BTF_KIND_INT,
	BTF_KIND_PTR,
	BTF_KIND_ARRAY,
	BTF_KIND_STRUCT,
	BTF_KIND_UNION,
	BTF_KIND_ENUM,
	BTF_KIND_FWD,
	BTF_KIND_TYPEDEF,
	BTF_KIND_VOLATILE,
	BTF_KIND_CONST,
	BTF_KIND_RESTRICT,
	BTF_KIND_FUNC,
	BTF_KIND_FUNC_PROTO,
	BTF_KIND_VAR,
	BTF_KIND_DATASEC,
	BTF_KIND_FLOAT,
	BTF_KIND_DECL_TAG,
	BTF_KIND_TYPE_TAG,
	BTF_KIND_ENUM64,
	BTF_KIND_COUNT
};

enum btf_int_encoding {
	BTF_INT_SIGNED = 1,
	BTF_INT_CHAR = 2,
	BTF_INT_BOOL = 4,
};

enum btf_linkage {
	BTF_LINKAGE_STATIC = 0,
	BTF_LINKAGE_GLOBAL = 1,
};

/* A member's offset word in a struct whose kind_flag is set: width << 24 | bit offset. */
enum {
	BTF_BITFIELD_WIDTH_SHIFT = 24,
	BTF_BITFIELD_OFFSET_MAX = 0xffffff,
};

/* Bytes a kind adds to BTF_RECORD_BYTES: once, and for each of its vlen parts. */
struct btf_kind_layout {
	uint8_t fixed_bytes;
	uint8_t part_bytes;
};

/* kind < BTF_KIND_COUNT */
static inline struct btf_kind_layout btf_kind_layout(enum btf_kind kind)
{
	static const struct btf_kind_layout layouts[BTF_KIND_COUNT] = {
		[BTF_KIND_INT] = { 4, 0 },      [BTF_KIND_ARRAY] = { 12, 0 },
		[BTF_KIND_STRUCT] = { 0, 12 },  [BTF_KIND_UNION] = { 0, 12 },
		[BTF_KIND_ENUM] = { 0, 8 },     [BTF_KIND_FUNC_PROTO] = { 0, 8 },
		[BTF_KIND_VAR] = { 4, 0 },      [BTF_KIND_DATASEC] = { 0, 12 },
		[BTF_KIND_DECL_TAG] = { 4, 0 }, [BTF_KIND_ENUM64] = { 0, 12 },
	};

	return layouts[kind];
}

/* vlen <= BTF_VLEN_MAX, so the result fits: at most 192 MiB. */
static inline uint32_t btf_record_bytes(enum btf_kind kind, uint32_t vlen)
{
	struct btf_kind_layout layout = btf_kind_layout(kind);

	return BTF_RECORD_BYTES + layout.fixed_bytes + layout.part_bytes * vlen;
}

static inline uint32_t btf_info(enum btf_kind kind, bool kind_flag, uint32_t vlen)
{
	return (uint32_t)kind_flag << BTF_KIND_FLAG_SHIFT | (uint32_t)kind << BTF_KIND_SHIFT |
	       (vlen & BTF_VLEN_MAX);
}

#endif
