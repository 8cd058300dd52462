/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Two searches, because a pointer may close a loop of structs but not one of pointers: along
 * targets, of which a type has at most one, and depth first along what types contain. No loop leaves the view's
 * own types: its base does not know them.
 */
#include "btf/reference_loops.h"

#include <stdlib.h>

#include "base/vector.h"

/* A byte for each own type: what it is, and how far the searches are with it. */
enum {
	LEADS_ON = 1, /* pointer, qualifier, typedef, type tag, array */
	CONTAINS = 2, /* struct, union, and those of LEADS_ON but pointers */
	ON_PATH = 4,
	CHAIN_DONE = 8,
	CONTENT_DONE = 16,
};

/* A type whose content is being looked at. */
struct frame {
	uint32_t id;
	uint32_t left; /* references to go */
	const uint32_t *next;
	uint32_t stride;
};

struct search {
	const struct btf_view *view;
	uint8_t *marks; /* kinds at first */
	VECTOR(struct frame) path;
	uint32_t found; /* a type on a loop, or 0 */
};

static inline uint8_t kind_marks(enum btf_kind kind)
{
	static const uint8_t marks[BTF_KIND_COUNT] = {
		[BTF_KIND_PTR] = LEADS_ON,
		[BTF_KIND_CONST] = LEADS_ON | CONTAINS,
		[BTF_KIND_VOLATILE] = LEADS_ON | CONTAINS,
		[BTF_KIND_RESTRICT] = LEADS_ON | CONTAINS,
		[BTF_KIND_TYPEDEF] = LEADS_ON | CONTAINS,
		[BTF_KIND_TYPE_TAG] = LEADS_ON | CONTAINS,
		[BTF_KIND_ARRAY] = LEADS_ON | CONTAINS,
		[BTF_KIND_STRUCT] = CONTAINS,
		[BTF_KIND_UNION] = CONTAINS,
	};

	return marks[kind];
}

static inline uint8_t marks_of(const struct search *search, uint32_t id)
{
	return id < search->view->first_id ? 0 : search->marks[id - search->view->first_id];
}

static inline void set_marks(struct search *search, uint32_t id, uint8_t marks)
{
	search->marks[id - search->view->first_id] = marks;
}

static uint32_t chain_target(const struct search *search, uint32_t id)
{
	const struct btf_record *record = btf_view_own_record(search->view, id);

	return btf_record_kind(record) == BTF_KIND_ARRAY ? btf_record_array(record)->element :
							   record->size_or_type;
}

/* Follows targets to the end or to where another chain went on. */
static void follow_chain(struct search *search, uint32_t start)
{
	uint32_t id = start;
	uint8_t marks;

	while ((marks = marks_of(search, id)) & LEADS_ON && !(marks & (ON_PATH | CHAIN_DONE))) {
		set_marks(search, id, marks | ON_PATH);
		id = chain_target(search, id);
	}
	if (marks & ON_PATH) {
		search->found = id;
		return;
	}
	for (id = start; (marks = marks_of(search, id)) & ON_PATH; id = chain_target(search, id))
		set_marks(search, id, (marks & ~ON_PATH) | CHAIN_DONE);
}

static bool enter(struct search *search, uint32_t id)
{
	const struct btf_record *record = btf_view_own_record(search->view, id);
	struct btf_references references = btf_type_references(record);
	struct frame *frame = vector_push(&search->path);

	if (!frame)
		return false;
	set_marks(search, id, marks_of(search, id) | ON_PATH);
	*frame = (struct frame){
		.id = id,
		.left = references.count,
		.next = (const uint32_t *)record +
			(references.has_head ? references.head : references.first),
		.stride = references.stride,
	};
	if (btf_record_kind(record) == BTF_KIND_ARRAY)
		frame->left = 1; /* it does not contain its index type */
	return true;
}

/* The next contained type of the last one on the path that needs a look, or 0. */
static uint32_t next_content(struct search *search)
{
	struct frame *frame = &search->path.items[search->path.count - 1];

	while (frame->left > 0) {
		uint32_t id = *frame->next;
		uint8_t marks = marks_of(search, id);

		frame->left--;
		frame->next += frame->stride;
		if ((marks & (CONTAINS | CONTENT_DONE)) == CONTAINS)
			return id;
	}
	return 0;
}

/* Whether the type contains itself or one that comes after it. */
static bool contains_later(const struct search *search, uint32_t id)
{
	const struct btf_record *record = btf_view_own_record(search->view, id);
	const struct btf_member_part *members = btf_record_members(record);
	uint32_t count = btf_record_vlen(record);

	if (marks_of(search, id) & LEADS_ON)
		return chain_target(search, id) >= id;
	for (uint32_t i = 0; i < count; i++) {
		if (members[i].type >= id && marks_of(search, members[i].type) & CONTAINS)
			return true;
	}
	return false;
}

static bool search_content(struct search *search, uint32_t start)
{
	bool has_memory = enter(search, start);

	while (has_memory && search->path.count > 0) {
		uint32_t id = next_content(search);

		if (id == 0) {
			id = search->path.items[--search->path.count].id;
			set_marks(search, id, (marks_of(search, id) & ~ON_PATH) | CONTENT_DONE);
		} else if (marks_of(search, id) & ON_PATH) {
			search->found = id;
			return true;
		} else {
			has_memory = enter(search, id);
		}
	}
	return has_memory;
}

static enum smelt_status run(struct search *search, struct smelt_error *error)
{
	const struct btf_view *view = search->view;

	for (uint32_t i = 0; i < btf_view_own_count(view); i++)
		search->marks[i] = kind_marks((enum btf_kind)search->marks[i]);
	/* Any loop has a step that does not go down. */
	for (uint32_t id = view->first_id; id < view->end_id && !search->found; id++) {
		if ((marks_of(search, id) & (LEADS_ON | CHAIN_DONE)) == LEADS_ON &&
		    chain_target(search, id) >= id)
			follow_chain(search, id);
	}
	/* So has one of contents. */
	for (uint32_t id = view->first_id; id < view->end_id && !search->found; id++) {
		if ((marks_of(search, id) & (CONTAINS | CONTENT_DONE)) == CONTAINS &&
		    contains_later(search, id) && !search_content(search, id))
			return error_no_memory(error);
	}
	return SMELT_OK;
}

enum smelt_status btf_find_loop(const struct btf_view *view, uint8_t *kinds, uint32_t *id,
				struct smelt_error *error)
{
	struct search search = { .view = view, .marks = kinds };
	enum smelt_status status = run(&search, error);

	free(search.path.items);
	*id = search.found;
	return status;
}
