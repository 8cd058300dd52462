/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Checks and indexes a blob. In one pass over the records their kinds and sizes are checked and
 * their places noted; in a second one all they refer to. 107,000 types in 4.7 MB take
 * 3 ms.
 */
#include "btf/reader.h"

#include <byteswap.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "btf/reference_loops.h"

enum { WORD = sizeof(uint32_t) };

/* The header, native. Offsets count from its end. */
struct header {
	uint32_t header_bytes;
	uint32_t type_offset, type_bytes;
	uint32_t string_offset, string_bytes;
	uint32_t layout_offset, layout_bytes;
};

/* What is known of a blob while it is being checked. */
struct blob {
	const uint8_t *data;
	size_t size;
	bool is_swapped;
	struct header header;
};

static uint16_t load_half(const uint8_t *bytes, bool is_swapped)
{
	uint16_t value;

	memcpy(&value, bytes, sizeof(value));
	return is_swapped ? bswap_16(value) : value;
}

static uint32_t load_word(const uint8_t *bytes, bool is_swapped)
{
	uint32_t value;

	memcpy(&value, bytes, sizeof(value));
	return is_swapped ? bswap_32(value) : value;
}

bool btf_is_blob(const void *data, size_t size)
{
	return size >= 2 &&
	       (load_half(data, false) == BTF_MAGIC || load_half(data, true) == BTF_MAGIC);
}

/* A longer header is one of a later version, which is fine as long as it says nothing more. */
static enum smelt_status check_rest_of_header(const struct blob *blob, struct smelt_error *error)
{
	for (uint32_t i = BTF_HEADER_BYTES; i < blob->header.header_bytes; i++) {
		if (blob->data[i] != 0)
			return error_set(error, SMELT_UNSUPPORTED,
					 "offset 0x%x: the header has a field that is not known",
					 i);
	}
	return SMELT_OK;
}

static enum smelt_status read_header(struct blob *blob, struct smelt_error *error)
{
	struct header *header = &blob->header;
	const uint8_t *data = blob->data;
	bool swap;

	if (!btf_is_blob(data, blob->size))
		return error_set(error, SMELT_BAD_DATA, "offset 0x0: not BTF");
	swap = blob->is_swapped = load_half(data, false) != BTF_MAGIC;
	if (blob->size < BTF_SHORT_HEADER_BYTES)
		return error_set(error, SMELT_BAD_DATA,
				 "offset 0x0: %zu bytes, too short for a BTF header", blob->size);
	if (data[2] != BTF_VERSION)
		return error_set(error, SMELT_UNSUPPORTED,
				 "offset 0x2: version %u of BTF is not known", data[2]);
	if (data[3] != 0)
		return error_set(error, SMELT_UNSUPPORTED, "offset 0x3: flags 0x%x are not known",
				 data[3]);
	header->header_bytes = load_word(data + 4, swap);
	header->type_offset = load_word(data + 8, swap);
	header->type_bytes = load_word(data + 12, swap);
	header->string_offset = load_word(data + 16, swap);
	header->string_bytes = load_word(data + 20, swap);
	if (header->header_bytes != BTF_SHORT_HEADER_BYTES &&
	    (header->header_bytes < BTF_HEADER_BYTES || header->header_bytes > blob->size))
		return error_set(error, SMELT_BAD_DATA, "offset 0x4: a header of %" PRIu32 " bytes",
				 header->header_bytes);
	if (header->header_bytes == BTF_SHORT_HEADER_BYTES)
		return SMELT_OK;
	header->layout_offset = load_word(data + 24, swap);
	header->layout_bytes = load_word(data + 28, swap);
	return check_rest_of_header(blob, error);
}

struct section {
	const char *name;
	uint32_t field; /* offset of the header's field */
	uint64_t start, end;
};

static enum smelt_status check_sections(const struct blob *blob, struct smelt_error *error)
{
	const struct header *header = &blob->header;
	const struct section sections[] = {
		{ "types", 8, header->type_offset,
		  (uint64_t)header->type_offset + header->type_bytes },
		{ "strings", 16, header->string_offset,
		  (uint64_t)header->string_offset + header->string_bytes },
		{ "layouts", 24, header->layout_offset,
		  (uint64_t)header->layout_offset + header->layout_bytes },
	};
	enum { COUNT = sizeof(sections) / sizeof(sections[0]) };
	uint64_t available = blob->size - header->header_bytes;

	for (unsigned i = 0; i < COUNT; i++) {
		if (sections[i].end > available && sections[i].start != sections[i].end)
			return error_set(error, SMELT_BAD_DATA,
					 "offset 0x%x: the section of %s, 0x%" PRIx64
					 " to 0x%" PRIx64 ", exceeds the 0x%" PRIx64
					 " bytes after the header",
					 sections[i].field, sections[i].name, sections[i].start,
					 sections[i].end, available);
		for (unsigned k = 0; k < i; k++) {
			if (sections[i].start < sections[k].end &&
			    sections[k].start < sections[i].end)
				return error_set(error, SMELT_BAD_DATA,
						 "offset 0x%x: the sections of %s and %s overlap",
						 sections[i].field, sections[k].name,
						 sections[i].name);
		}
	}
	return SMELT_OK;
}

/* Where the blob's byte `at` words into the types is, for messages. */
static uint64_t blob_offset(const struct blob *blob, uint32_t type_offset)
{
	return (uint64_t)blob->header.header_bytes + blob->header.type_offset + type_offset;
}

static enum smelt_status set_strings(struct btf_view *view, const struct blob *blob,
				     struct smelt_error *error)
{
	uint64_t offset = (uint64_t)blob->header.header_bytes + blob->header.string_offset;
	uint32_t bytes = blob->header.string_bytes;
	const char *strings = (const char *)blob->data + offset;

	view->string_origin = view->base ? view->base->string_end : 0;
	if (__builtin_add_overflow(view->string_origin, bytes, &view->string_end))
		return error_set(error, SMELT_BAD_DATA,
				 "offset 0x14: with those of the base the strings exceed 4 GiB");
	if (bytes == 0 && view->base)
		return SMELT_OK;
	if (bytes == 0)
		return error_set(error, SMELT_BAD_DATA,
				 "offset 0x14: the section of strings is empty");
	if (strings[bytes - 1] != '\0')
		return error_set(error, SMELT_BAD_DATA,
				 "offset 0x%" PRIx64 ": the last string has no end",
				 offset + bytes - 1);
	if (!view->base && strings[0] != '\0')
		return error_set(
			error, SMELT_BAD_DATA,
			"offset 0x%" PRIx64
			": the first string is not empty; is this split BTF, which needs its base?",
			offset);
	view->strings = strings;
	return SMELT_OK;
}

/* Records must be aligned and in this machine's byte order: in place if they are, else in a copy. */
static enum smelt_status set_types(struct btf_view *view, const struct blob *blob,
				   struct smelt_error *error)
{
	const uint8_t *types = blob->data + blob->header.header_bytes + blob->header.type_offset;
	uint32_t bytes = blob->header.type_bytes;
	uint32_t *words;

	view->type_bytes = bytes;
	if (bytes % WORD != 0)
		return error_set(error, SMELT_BAD_DATA,
				 "offset 0xc: the section of types has 0x%" PRIx32
				 " bytes, no multiple of 4",
				 bytes);
	if (bytes == 0)
		return SMELT_OK;
	view->types = types;
	if (!blob->is_swapped && (uintptr_t)types % WORD == 0)
		return SMELT_OK;
	words = view->copied_types = malloc(bytes);
	if (!words)
		return error_no_memory(error);
	memcpy(words, types, bytes);
	if (blob->is_swapped) {
		for (uint32_t i = 0; i < bytes / WORD; i++)
			words[i] = bswap_32(words[i]);
	}
	view->types = (const uint8_t *)words;
	return SMELT_OK;
}

static enum smelt_status record_error(const struct btf_view *view, const struct blob *blob,
				      uint32_t offset, uint32_t id, struct smelt_error *error)
{
	const struct btf_record *record = (const void *)(view->types + offset);
	uint32_t left = view->type_bytes - offset;
	uint32_t kind;

	if (left < BTF_RECORD_BYTES)
		return error_set(error, SMELT_BAD_DATA,
				 "offset 0x%" PRIx64 ": type %" PRIu32
				 ": the section ends within it",
				 blob_offset(blob, offset), id);
	kind = btf_record_kind(record);
	if (kind == BTF_KIND_VOID || kind >= BTF_KIND_COUNT)
		return error_set(error, SMELT_UNSUPPORTED,
				 "offset 0x%" PRIx64 ": type %" PRIu32 ": kind %" PRIu32
				 " is not known",
				 blob_offset(blob, offset + WORD), id, kind);
	return error_set(error, SMELT_BAD_DATA,
			 "offset 0x%" PRIx64 ": type %" PRIu32 ": %" PRIu32
			 " parts exceed the section",
			 blob_offset(blob, offset + WORD), id, btf_record_vlen(record));
}

/* What is found out about the records on the way through them. */
struct census {
	uint8_t *kinds; /* per own record */
	uint32_t highest_name;
	uint32_t highest_type;
};

/* Size of the record at `offset`, or 0 if it is not a whole one. */
static inline uint32_t measure_record(const struct btf_view *view, uint32_t offset)
{
	const struct btf_record *record = (const void *)(view->types + offset);
	uint32_t left = view->type_bytes - offset;
	enum btf_kind kind;
	uint32_t bytes;

	if (left < BTF_RECORD_BYTES)
		return 0;
	kind = btf_record_kind(record);
	if (kind == BTF_KIND_VOID || kind >= BTF_KIND_COUNT)
		return 0;
	bytes = btf_record_bytes(kind,
				 btf_kind_layout(kind).part_bytes ? btf_record_vlen(record) : 0);
	return bytes <= left ? bytes : 0;
}

static inline uint32_t higher(uint32_t a, uint32_t b)
{
	return a > b ? a : b;
}

/* Parts of `stride` words that start with a name; then a type if has_types. */
static inline void count_parts(struct census *census, const struct btf_record *record,
			       uint32_t stride, bool has_types)
{
	const uint32_t *word = record->words, *end = word + btf_record_vlen(record) * stride;
	uint32_t name = census->highest_name, type = census->highest_type;

	for (; word < end; word += stride) {
		name = higher(name, word[0]);
		if (has_types)
			type = higher(type, word[1]);
	}
	census->highest_name = name;
	census->highest_type = type;
}

static inline void count_references(struct census *census, const struct btf_record *record,
				    enum btf_kind kind)
{
	census->highest_name = higher(census->highest_name, record->name);
	switch (kind) {
	case BTF_KIND_PTR:
	case BTF_KIND_TYPEDEF:
	case BTF_KIND_VOLATILE:
	case BTF_KIND_CONST:
	case BTF_KIND_RESTRICT:
	case BTF_KIND_FUNC:
	case BTF_KIND_VAR:
	case BTF_KIND_DECL_TAG:
	case BTF_KIND_TYPE_TAG:
		census->highest_type = higher(census->highest_type, record->size_or_type);
		break;
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
		count_parts(census, record, 3, true);
		break;
	case BTF_KIND_FUNC_PROTO:
		census->highest_type = higher(census->highest_type, record->size_or_type);
		count_parts(census, record, 2, true);
		break;
	case BTF_KIND_ENUM:
		count_parts(census, record, 2, false);
		break;
	case BTF_KIND_ENUM64:
		count_parts(census, record, 3, false);
		break;
	case BTF_KIND_ARRAY:
		census->highest_type =
			higher(census->highest_type, higher(record->words[0], record->words[1]));
		break;
	case BTF_KIND_DATASEC:
		for (uint32_t i = 0; i < btf_record_vlen(record); i++)
			census->highest_type =
				higher(census->highest_type, btf_record_places(record)[i].variable);
		break;
	case BTF_KIND_INT:
	case BTF_KIND_FLOAT:
	case BTF_KIND_FWD:
	case BTF_KIND_VOID:
	case BTF_KIND_COUNT:
		break;
	}
}

static enum smelt_status index_records(struct btf_view *view, const struct blob *blob,
				       struct census *census, struct smelt_error *error)
{
	/* For the smallest records there are; what larger ones leave over is never touched. */
	const size_t most = (size_t)view->type_bytes / BTF_RECORD_BYTES + 1;
	uint32_t *offsets = malloc(most * sizeof(*offsets));
	uint8_t *kinds = malloc(most);
	uint32_t count = 0;

	view->offsets = offsets;
	census->kinds = kinds;
	if (!offsets || !kinds)
		return error_no_memory(error);
	view->first_id = view->base ? view->base->end_id : 1;
	for (uint32_t offset = 0; offset < view->type_bytes;) {
		const struct btf_record *record = (const void *)(view->types + offset);
		uint32_t bytes = measure_record(view, offset);

		if (bytes == 0)
			return record_error(view, blob, offset, view->first_id + count, error);
		if (view->first_id + count == UINT32_MAX)
			return error_set(error, SMELT_BAD_DATA,
					 "offset 0x%" PRIx64 ": more than 2^32 types",
					 blob_offset(blob, offset));
		kinds[count] = (uint8_t)btf_record_kind(record);
		offsets[count++] = offset;
		count_references(census, record, btf_record_kind(record));
		offset += bytes;
	}
	view->end_id = view->first_id + count;
	return SMELT_OK;
}

static enum smelt_status range_error(const struct btf_view *view, const struct blob *blob,
				     uint32_t id, const struct btf_references *references,
				     uint32_t limit, const char *what, struct smelt_error *error)
{
	uint32_t offset = view->offsets[id - view->first_id];
	const uint32_t *words = (const void *)(view->types + offset);
	uint32_t i = 0, word;

	while (words[btf_reference_word(references, i)] < limit)
		i++;
	word = btf_reference_word(references, i);
	return error_set(error, SMELT_BAD_DATA,
			 "offset 0x%" PRIx64 ": type %" PRIu32 " refers to %s %" PRIu32
			 ", but there are %" PRIu32,
			 blob_offset(blob, offset + word * WORD), id, what, words[word], limit);
}

static bool all_are_below(const struct btf_record *record, const struct btf_references *references,
			  uint32_t limit)
{
	const uint32_t *words = (const uint32_t *)record;
	uint32_t i = 0;

	while (i < references->count && words[btf_reference_word(references, i)] < limit)
		i++;
	return i == references->count;
}

/* Says which the first reference to nothing is. */
static enum smelt_status report_reference(const struct btf_view *view, const struct blob *blob,
					  struct smelt_error *error)
{
	for (uint32_t id = view->first_id;; id++) {
		const struct btf_record *record = btf_view_own_record(view, id);
		struct btf_references types = btf_type_references(record);
		struct btf_references strings = btf_string_references(record);

		if (!all_are_below(record, &types, view->end_id))
			return range_error(view, blob, id, &types, view->end_id, "type", error);
		if (!all_are_below(record, &strings, view->string_end))
			return range_error(view, blob, id, &strings, view->string_end,
					   "the string at", error);
	}
}

static enum btf_kind kind_of(const struct btf_view *view, const struct census *census, uint32_t id)
{
	return id < view->first_id ? btf_view_kind(view, id) :
				     (enum btf_kind)census->kinds[id - view->first_id];
}

/* Of FUNC and DATASEC, whose targets have a kind to be. */
static enum smelt_status check_targets_of(const struct btf_view *view, const struct blob *blob,
					  const struct census *census, uint32_t id,
					  struct smelt_error *error)
{
	const struct btf_record *record = btf_view_own_record(view, id);
	struct btf_references types = btf_type_references(record);
	bool is_function = btf_record_kind(record) == BTF_KIND_FUNC;

	for (uint32_t i = 0; i < types.count; i++) {
		uint32_t word = btf_reference_word(&types, i);
		uint32_t target = ((const uint32_t *)record)[word];
		enum btf_kind kind = kind_of(view, census, target);

		if (is_function ? kind == BTF_KIND_FUNC_PROTO :
				  kind == BTF_KIND_VAR || kind == BTF_KIND_FUNC)
			continue;
		return error_set(
			error, SMELT_BAD_DATA,
			"offset 0x%" PRIx64 ": type %" PRIu32 " refers to type %" PRIu32
			", which is not a %s",
			blob_offset(blob, view->offsets[id - view->first_id] + word * WORD), id,
			target, is_function ? "FUNC_PROTO" : "VAR or FUNC");
	}
	return SMELT_OK;
}

static enum smelt_status check_targets(const struct btf_view *view, const struct blob *blob,
				       const struct census *census, struct smelt_error *error)
{
	enum smelt_status status = SMELT_OK;

	for (uint32_t id = view->first_id; id < view->end_id && !status; id++) {
		enum btf_kind kind = census->kinds[id - view->first_id];

		/* Nearly all that are looked at are functions, and sound. */
		if (kind == BTF_KIND_FUNC &&
		    kind_of(view, census, btf_view_own_record(view, id)->size_or_type) ==
			    BTF_KIND_FUNC_PROTO)
			continue;
		if (kind == BTF_KIND_FUNC || kind == BTF_KIND_DATASEC)
			status = check_targets_of(view, blob, census, id, error);
	}
	return status;
}

static enum smelt_status check_loops(const struct btf_view *view, const struct blob *blob,
				     const struct census *census, struct smelt_error *error)
{
	uint32_t id;
	enum smelt_status status = btf_find_loop(view, census->kinds, &id, error);

	if (status || id == 0)
		return status;
	return error_set(error, SMELT_BAD_DATA,
			 "offset 0x%" PRIx64 ": type %" PRIu32 " is defined by itself",
			 blob_offset(blob, view->offsets[id - view->first_id]), id);
}

static enum smelt_status fill_records(struct btf_view *view, const struct blob *blob,
				      struct census *census, struct smelt_error *error)
{
	enum smelt_status status = index_records(view, blob, census, error);

	if (!status &&
	    (census->highest_type >= view->end_id || census->highest_name >= view->string_end))
		status = report_reference(view, blob, error);
	if (!status)
		status = check_targets(view, blob, census, error);
	if (!status)
		status = check_loops(view, blob, census, error);
	return status;
}

static enum smelt_status view_fill(struct btf_view *view, struct blob *blob,
				   struct smelt_error *error)
{
	struct census census = { 0 };
	enum smelt_status status = read_header(blob, error);

	if (!status)
		status = check_sections(blob, error);
	if (!status)
		status = set_strings(view, blob, error);
	if (!status)
		status = set_types(view, blob, error);
	if (!status)
		status = fill_records(view, blob, &census, error);
	free(census.kinds);
	return status;
}

enum smelt_status btf_view_init(struct btf_view *view, const void *data, size_t size,
				const struct btf_view *base, struct smelt_error *error)
{
	struct blob blob = { .data = data, .size = size };
	struct btf_view made = { .base = base };
	enum smelt_status status = view_fill(&made, &blob, error);

	if (status) {
		btf_view_deinit(&made);
		return status;
	}
	made.is_big_endian = blob.is_swapped == (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__);
	*view = made;
	return SMELT_OK;
}

void btf_view_deinit(struct btf_view *view)
{
	if (!view)
		return;
	free(view->offsets);
	free(view->copied_types);
	*view = (struct btf_view){ 0 };
}
