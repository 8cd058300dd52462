/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* What the files of a replay share; replay.c says what it is. */
#ifndef DEDUP_REPLAY_INTERNAL_H
#define DEDUP_REPLAY_INTERNAL_H

#include "base/vector.h"
#include "dedup/base_index.h"
#include "dedup/dedup_internal.h"
#include "dedup/type_words.h"

enum {
	REPLAY_UNSET = UINT32_MAX, /* of map and hypothesis */
	REPLAY_IN_PROGRESS = UINT32_MAX - 1,
};

/* Candidates with the same words, in the order in which they are tried. */
struct candidate_list {
	VECTOR(uint32_t) ids;
	uint32_t reversals;   /* of the table's, how many this list has had */
	uint32_t class_index; /* one with these words */
	bool has_base;        /* the base's candidates are in it */
};

/* The incumbent's hash table: see incumbent_table.h. */
struct candidate_table {
	uint32_t *list_of_class; /* per class that is no reference type: index into lists */
	VECTOR(struct candidate_list) lists;
	uint64_t entry_count;
	uint32_t reversals;
};

/* A comparison under way: of x with the candidate y, whose references from `next` on are to be looked at. */
struct replay_pair {
	uint32_t x;
	uint32_t y;
	uint32_t next;
};

/*
 * Types have ids: those of the base, then each slot of each unit in order. map[id] is the id that stands for
 * it so far.
 */
struct replay {
	struct dedup *dedup;
	const struct base_index *base;
	const struct model_unit *classes; /* contents by class, in the base's words */
	uint32_t base_count;              /* ids below are the base's; 0 is void */
	uint32_t id_count;
	uint32_t *first_id;        /* per unit, and the end: id of its slot 0 */
	uint32_t *class_of;        /* per id - base_count: 0 for what is no type */
	uint32_t *first_reference; /* per id - base_count, and the end */
	uint32_t *references;      /* ids */
	uint32_t index_type;       /* id of the type that counts the elements of arrays, or 0 */
	uint32_t *map;

	struct candidate_table table;

	/* Of the comparison under way. */
	uint32_t *hypothesis;     /* per id of a candidate: what it stands for */
	VECTOR(uint32_t) assumed; /* ids with a hypothesis, in order */
	VECTOR(struct replay_pair) stack;
	bool needs_other_base; /* equal only if a declaration of the base were the run's definition */
	uint32_t *equal_in_base; /* per class: a type of the base found to have its words, or 0 */
	uint64_t steps_left;     /* see replay_compare.c */
	bool is_out_of_memory;
};

static inline const struct model_unit *replay_unit_of(const struct replay *replay, uint32_t id)
{
	return id < replay->base_count ? &replay->base->types.unit : replay->classes;
}

static inline uint32_t replay_class_of(const struct replay *replay, uint32_t id)
{
	return replay->class_of[id - replay->base_count];
}

static inline const struct model_type *replay_type(const struct replay *replay, uint32_t id)
{
	return id < replay->base_count ? base_index_type(replay->base, id) :
					 &replay->classes->types[replay_class_of(replay, id)];
}

static inline struct type_in_unit replay_words(const struct replay *replay, uint32_t id)
{
	return (struct type_in_unit){ replay_unit_of(replay, id), replay_type(replay, id) };
}

static inline uint32_t replay_reference_count(const struct model_type *type)
{
	const uint32_t without = 1u << TYPE_VOID | 1u << TYPE_INT | 1u << TYPE_FLOAT |
				 1u << TYPE_ENUM | 1u << TYPE_STRUCT_FORWARD |
				 1u << TYPE_UNION_FORWARD | 1u << TYPE_ALIAS;

	return without >> type->kind & 1 ? 0 : 1 + type->item_count;
}

static inline uint32_t replay_reference(const struct replay *replay, uint32_t id, uint32_t number)
{
	const struct model_unit *base = &replay->base->types.unit;

	if (id < replay->base_count)
		return type_reference_at(base, &base->types[id], number);
	return replay->references[replay->first_reference[id - replay->base_count] + number];
}

static inline uint32_t replay_resolve(const struct replay *replay, uint32_t id)
{
	while (replay->map[id] < REPLAY_IN_PROGRESS && replay->map[id] != id)
		id = replay->map[id];
	return id;
}

static inline bool replay_is_mapped(const struct replay *replay, uint32_t id)
{
	return replay->map[id] < REPLAY_IN_PROGRESS;
}

/* A declaration of a struct or union. */
static inline bool replay_is_forward(const struct replay *replay, uint32_t id)
{
	const struct model_type *type = replay_type(replay, id);

	return type->kind == TYPE_STRUCT_FORWARD || type->kind == TYPE_UNION_FORWARD;
}

static inline bool replay_is_composite(const struct replay *replay, uint32_t id)
{
	const struct model_type *type = replay_type(replay, id);

	return type->kind == TYPE_STRUCT || type->kind == TYPE_UNION;
}

/* Takes a step of work; false when all are used up. */
static inline bool replay_step(struct replay *replay)
{
	if (replay->steps_left == 0)
		return false;
	replay->steps_left--;
	return true;
}

/* replay_graph.c: ids, class_of and references. */
enum smelt_status replay_load_graph(struct replay *replay, dedup_reload_fn reload, void *context,
				    struct smelt_error *error);

/* replay_candidates.c. False or NULL when out of memory. */
bool candidate_table_init(struct replay *replay);
void candidate_table_deinit(struct candidate_table *table);
/* Of the type's words, in the order of now. */
struct candidate_list *candidate_table_find(struct replay *replay, uint32_t id);
bool candidate_table_add(struct replay *replay, struct candidate_list *list, uint32_t id);

/* replay_compare.c */
bool replay_enums_are_compatible(const struct replay *replay, uint32_t x, uint32_t y);
/* Whether x and the candidate y are the same; assumptions made for that are left in `assumed`. */
bool replay_compare(struct replay *replay, uint32_t x, uint32_t y);
void replay_clear_assumptions(struct replay *replay);
/* Takes over what a comparison that succeeded has assumed. */
void replay_take_over(struct replay *replay);

/* replay_references.c: types that refer to one other, arrays, functions. False when out of memory. */
bool replay_unify_references(struct replay *replay);

/* replay_result.c */
enum smelt_status replay_finish(struct replay *replay, struct smelt_error *error);

#endif
