/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * A BTF record in memory, in this machine's byte order, and where in it other types and strings are
 * referred to. Kernel documentation, "BPF Type Format (BTF)", "Type Encoding".
 *
 * Everything in a record is a word, so that a place in it is the index of a word: 0 is the name,
 * 1 the info, 2 the size or type, 3 the first word of what the kind adds.
 */
#ifndef BTF_RECORD_H
#define BTF_RECORD_H

#include "btf/format.h"

enum { BTF_RECORD_WORDS = BTF_RECORD_BYTES / 4 };

struct btf_record {
	uint32_t name; /* offset of a string; 0: none */
	uint32_t info;
	uint32_t size_or_type;
	uint32_t words[]; /* what the kind adds, see below */
};

static inline enum btf_kind btf_record_kind(const struct btf_record *record)
{
	return (enum btf_kind)(record->info >> BTF_KIND_SHIFT & BTF_KIND_MASK);
}

/* Number of parts. FUNC: an enum btf_linkage. */
static inline uint32_t btf_record_vlen(const struct btf_record *record)
{
	return record->info & BTF_VLEN_MAX;
}

/*
 * STRUCT, UNION: members have a width, see BTF_BITFIELD_WIDTH_SHIFT. FWD: a union. ENUM, ENUM64: signed. TYPE_TAG,
 * DECL_TAG: an attribute of the compiler's.
 */
static inline bool btf_record_flag(const struct btf_record *record)
{
	return record->info >> BTF_KIND_FLAG_SHIFT;
}

/* All of it, in words. */
static inline uint32_t btf_record_word_count(const struct btf_record *record)
{
	return btf_record_bytes(btf_record_kind(record), btf_record_vlen(record)) / 4;
}

/*
 * What the kinds add. The fixed part is `words` itself: INT has one word (encoding << 24 | bit
 * offset << 16 | bits), VAR one (its linkage), DECL_TAG one (component, -1: the whole).
 */

struct btf_array_part {
	uint32_t element;
	uint32_t index_type;
	uint32_t count;
};

/* STRUCT, UNION */
struct btf_member_part {
	uint32_t name;
	uint32_t type;
	uint32_t place; /* bit offset; with the record's flag: width << 24 | bit offset */
};

/* ENUM */
struct btf_enumerator_part {
	uint32_t name;
	uint32_t value;
};

/* ENUM64 */
struct btf_enumerator64_part {
	uint32_t name;
	uint32_t low;
	uint32_t high;
};

/* FUNC_PROTO; both 0 in the last one: "..." */
struct btf_parameter_part {
	uint32_t name;
	uint32_t type;
};

/* DATASEC */
struct btf_place_part {
	uint32_t variable; /* VAR, or FUNC in the .ksyms of BPF programs */
	uint32_t byte_offset;
	uint32_t byte_size;
};

static inline const struct btf_array_part *btf_record_array(const struct btf_record *record)
{
	return (const struct btf_array_part *)record->words;
}

/* The following have btf_record_vlen() elements. */
static inline const struct btf_member_part *btf_record_members(const struct btf_record *record)
{
	return (const struct btf_member_part *)record->words;
}

static inline const struct btf_enumerator_part *
btf_record_enumerators(const struct btf_record *record)
{
	return (const struct btf_enumerator_part *)record->words;
}

static inline const struct btf_enumerator64_part *
btf_record_enumerators64(const struct btf_record *record)
{
	return (const struct btf_enumerator64_part *)record->words;
}

static inline const struct btf_parameter_part *
btf_record_parameters(const struct btf_record *record)
{
	return (const struct btf_parameter_part *)record->words;
}

static inline const struct btf_place_part *btf_record_places(const struct btf_record *record)
{
	return (const struct btf_place_part *)record->words;
}

/*
 * Places of one sort of reference in a record: perhaps one word, then words at one distance.
 *
 *   struct btf_references types = btf_type_references(record);
 *
 *   for (uint32_t i = 0; i < types.count; i++)
 *           use(((const uint32_t *)record)[btf_reference_word(&types, i)]);
 */
struct btf_references {
	uint32_t count;
	uint32_t has_head; /* 0 or 1 */
	uint32_t head;
	uint32_t first; /* of the others */
	uint32_t stride;
};

static inline uint32_t btf_reference_word(const struct btf_references *references, uint32_t i)
{
	return i < references->has_head ?
		       references->head :
		       references->first + (i - references->has_head) * references->stride;
}

/* The same for a kind, whose records all have `fixed` of the others, or one in each part. */
struct btf_reference_layout {
	uint8_t has_head;
	uint8_t head;
	uint8_t first;
	uint8_t stride;
	uint8_t fixed;
	bool is_in_parts;
};

static inline struct btf_references btf_references_of(const struct btf_record *record,
						      const struct btf_reference_layout *layout)
{
	uint32_t parts = layout->is_in_parts ? btf_record_vlen(record) : 0;

	return (struct btf_references){
		.count = layout->has_head + layout->fixed + parts,
		.has_head = layout->has_head,
		.head = layout->head,
		.first = layout->first,
		.stride = layout->stride,
	};
}

/* Types by id, in the order of the words. */
static inline struct btf_references btf_type_references(const struct btf_record *record)
{
	static const struct btf_reference_layout layouts[BTF_KIND_COUNT] = {
		[BTF_KIND_PTR] = { 1, 2, 0, 0, 0, false },
		[BTF_KIND_ARRAY] = { 0, 0, 3, 1, 2, false },
		[BTF_KIND_STRUCT] = { 0, 0, 4, 3, 0, true },
		[BTF_KIND_UNION] = { 0, 0, 4, 3, 0, true },
		[BTF_KIND_TYPEDEF] = { 1, 2, 0, 0, 0, false },
		[BTF_KIND_VOLATILE] = { 1, 2, 0, 0, 0, false },
		[BTF_KIND_CONST] = { 1, 2, 0, 0, 0, false },
		[BTF_KIND_RESTRICT] = { 1, 2, 0, 0, 0, false },
		[BTF_KIND_FUNC] = { 1, 2, 0, 0, 0, false },
		[BTF_KIND_FUNC_PROTO] = { 1, 2, 4, 2, 0, true },
		[BTF_KIND_VAR] = { 1, 2, 0, 0, 0, false },
		[BTF_KIND_DATASEC] = { 0, 0, 3, 3, 0, true },
		[BTF_KIND_DECL_TAG] = { 1, 2, 0, 0, 0, false },
		[BTF_KIND_TYPE_TAG] = { 1, 2, 0, 0, 0, false },
	};

	return btf_references_of(record, &layouts[btf_record_kind(record)]);
}

/* Strings by offset, in the order of the words: the record's name, then those of its parts. */
static inline struct btf_references btf_string_references(const struct btf_record *record)
{
	static const struct btf_reference_layout parts[BTF_KIND_COUNT] = {
		[BTF_KIND_STRUCT] = { 0, 0, 3, 3, 0, true },
		[BTF_KIND_UNION] = { 0, 0, 3, 3, 0, true },
		[BTF_KIND_ENUM] = { 0, 0, 3, 2, 0, true },
		[BTF_KIND_FUNC_PROTO] = { 0, 0, 3, 2, 0, true },
		[BTF_KIND_ENUM64] = { 0, 0, 3, 3, 0, true },
	};
	struct btf_references references =
		btf_references_of(record, &parts[btf_record_kind(record)]);

	references.has_head = 1;
	references.count++;
	return references;
}

#endif
