/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * A BTF blob as a list of types: a view of the caller's bytes, checked once, when it is made. From
 * then on records are plain memory in this machine's byte order (btf/record.h) and nothing
 * needs to be checked again.
 *
 * A view may continue another one, its base: ids and string offsets go on from there, and the
 * functions below take those of the whole chain. Kernel documentation, "BPF Type Format (BTF)"; split
 * BTF: "BTF_Type and String Encoding" and libbpf.
 *
 * Threads may share views, which do not change.
 */
#ifndef BTF_READER_H
#define BTF_READER_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "btf/record.h"

/*
 * Ids: 0 is void; base types, then [first_id, end_id) are this view's own.
 * Strings: offset 0 is the empty one; the base's, then [string_origin, string_end) are own.
 */
struct btf_view {
	const struct btf_view *base; /* or NULL */
	uint32_t first_id;
	uint32_t end_id;
	uint32_t string_origin;
	uint32_t string_end;
	const char *strings;  /* own, string_end - string_origin bytes, the last one a NUL */
	const uint8_t *types; /* own records, aligned to words */
	uint32_t type_bytes;
	uint32_t *offsets;      /* owned; of each own record, from `types` */
	uint32_t *copied_types; /* owned; NULL if `types` are in the blob */
	bool is_big_endian;     /* the blob, not `types` */
};

/*
 * Makes a view of a whole blob: header, types, strings. Bytes behind the last section are
 * ignored. The bytes and `base` (or NULL) must outlive the view and must not change. A blob of the
 * other byte order, or at an odd address, costs a copy of its types.
 *
 * What the view promises afterwards: kinds are known and records lie in their section; every
 * type id is below end_id; every string offset is below string_end and the string ends; a FUNC's
 * type is a FUNC_PROTO; what a DATASEC lists is a VAR or FUNC; following the target of pointers, qualifiers,
 * typedefs, type tags and elements of arrays comes to an end (like the kernel's), and no struct contains
 * itself. Chains can be as long as there are types, so do not recurse along them. Not promised:
 * that names are there or are identifiers, sizes and offsets of members make sense, the
 * component of a DECL_TAG exists.
 *
 * On SMELT_BAD_DATA, SMELT_UNSUPPORTED (another version, an unknown kind) the text starts
 * with "offset 0x...", counted from the blob's first byte: the caller adds file and section.
 */
enum smelt_status btf_view_init(struct btf_view *view, const void *data, size_t size,
				const struct btf_view *base, struct smelt_error *error);
void btf_view_deinit(struct btf_view *view);

/* Whether the bytes start like BTF of either byte order. */
bool btf_is_blob(const void *data, size_t size);

static inline uint32_t btf_view_own_count(const struct btf_view *view)
{
	return view->end_id - view->first_id;
}

/* first_id <= id < end_id */
static inline const struct btf_record *btf_view_own_record(const struct btf_view *view, uint32_t id)
{
	assert(id >= view->first_id && id < view->end_id);
	return (const struct btf_record *)(const void *)(view->types +
							 view->offsets[id - view->first_id]);
}

/* id < view->end_id. For 0 a record of BTF_KIND_VOID. */
static inline const struct btf_record *btf_view_record(const struct btf_view *view, uint32_t id)
{
	static const struct btf_record nothing = { 0 };

	assert(id < view->end_id);
	while (id < view->first_id) {
		if (id == 0)
			return &nothing;
		view = view->base;
	}
	return btf_view_own_record(view, id);
}

static inline enum btf_kind btf_view_kind(const struct btf_view *view, uint32_t id)
{
	return btf_record_kind(btf_view_record(view, id));
}

/* offset < view->string_end; "" for 0. Valid as long as the blob. */
static inline const char *btf_view_string(const struct btf_view *view, uint32_t offset)
{
	assert(offset < view->string_end || offset == 0);
	if (offset == 0)
		return "";
	while (offset < view->string_origin)
		view = view->base;
	return view->strings + (offset - view->string_origin);
}

/* The type's name, or "". */
static inline const char *btf_view_name(const struct btf_view *view, uint32_t id)
{
	return btf_view_string(view, btf_view_record(view, id)->name);
}

#endif
