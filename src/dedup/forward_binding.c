/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The incumbent goes through all structs, unions and typedefs in order and compares each with
 * the candidates it has kept of that content. The first successful comparison in which one side
 * has a declaration of a name where the other has a definition binds the name, for the whole
 * run. So for each class that refers to unbound names we replay its instances, of which two
 * things matter: what these names mean in their units, and which version they are when that is
 * left aside (the caller has the residue refined so). The earliest event of all classes is
 * right; what it binds may change everything after it, so the caller asks again. If there is no
 * event, the declarations stay types of their own.
 *
 * When a declaration comes after several definitions, the first candidate of the list wins,
 * see incumbent_table.h.
 *
 * Left out: names that a class reaches only through other named types count by version alone.
 */
#include "dedup/forward_binding.h"

#include <stdlib.h>
#include <string.h>

#include "dedup/position_sort.h"
#include "dedup/type_family.h"

static const struct model_type *class_type(struct dedup *dedup, uint32_t index)
{
	return &class_entry(dedup->table, index)->content->type;
}

/* ---- what a name means in each unit ---- */

/* Tells types apart: a class, or in the residue a version. */
typedef uint64_t type_identity;

enum { IDENTITY_ABSENT = 0, IDENTITY_DECLARATION = UINT32_MAX };

struct meaning {
	type_position position;
	type_identity identity;
};

/* In order of position. */
struct meanings {
	struct meaning *items;
	uint32_t count;
};

static type_identity identity_of(const struct forward_binder *binder, uint32_t index,
				 type_position position)
{
	uint32_t version;

	if (type_is_forward(class_type(binder->dedup, index)))
		return IDENTITY_DECLARATION;
	version = residue_version_at(binder->residue, position);
	return version != 0 ? (uint64_t)version << 32 : index;
}

/* Everything the name means. False when out of memory. */
static bool list_meanings(struct forward_binder *binder, const struct name_group *group,
			  const struct class_scan *scan, struct meanings *meanings)
{
	struct positioned *places;
	uint32_t total = 0, count = 0;

	for (uint32_t index = group->first_class; index != 0; index = binder->groups->next[index])
		total += class_scan_count(scan, index);
	places = malloc(((size_t)total + 1) * 2 * sizeof(*places));
	meanings->items = malloc(((size_t)total + 1) * sizeof(*meanings->items));
	if (!places || !meanings->items) {
		free(places);
		return false;
	}
	for (uint32_t index = group->first_class; index != 0; index = binder->groups->next[index]) {
		for (uint32_t i = 0; i < class_scan_count(scan, index); i++)
			places[count++] = (struct positioned){
				.position = class_scan_places(scan, index)[i],
				.index = index,
			};
	}
	position_sort(places, places + total + 1, total);
	meanings->count = total;
	for (uint32_t i = 0; i < total; i++)
		meanings->items[i] = (struct meaning){
			.position = places[i].position,
			.identity = identity_of(binder, places[i].index, places[i].position),
		};
	free(places);
	return true;
}

/* The first meaning in `unit`, a definition if there is one; *next is where to go on. */
static struct meaning meaning_in_unit(const struct meanings *meanings, uint32_t unit,
				      uint32_t *next)
{
	struct meaning found = { TYPE_POSITION_NONE, IDENTITY_ABSENT };

	while (*next < meanings->count &&
	       type_position_unit(meanings->items[*next].position) < unit)
		++*next;
	for (uint32_t i = *next;
	     i < meanings->count && type_position_unit(meanings->items[i].position) == unit; i++) {
		if (found.identity == IDENTITY_ABSENT || found.identity == IDENTITY_DECLARATION)
			found = meanings->items[i];
	}
	return found;
}

/* ---- replay ---- */

/*
 * Names that one class refers to; if it refers to more, those are left out. With more open names
 * than the other limit, all that is bound is taken at once: what one comparison changes for
 * later ones is neglected then.
 */
enum { NAMES_MAX = 8, SINGLE_NAMES_MAX = 16 };

struct candidate {
	type_identity type; /* these names left aside */
	struct meaning names[NAMES_MAX];
};

/* Candidates of one content, newest first until reversed. */
struct candidate_list {
	VECTOR(struct candidate) entries;
	uint32_t reversals;
};

/* A class and the open names it refers to. */
struct replay {
	struct forward_binder *binder;
	const struct meanings *meanings; /* per open name */
	uint32_t class_index;
	uint32_t name_count;
	uint32_t names[NAMES_MAX];
	struct candidate_list list;
	struct open_name *open; /* gets what is bound, and where the comparison is */
	bool is_single;         /* only the earliest comparison of all classes is wanted */
	type_position earliest;
};

static void catch_up_reversals(struct candidate_list *list, uint32_t reversals)
{
	size_t count = list->entries.count;

	if ((reversals - list->reversals) % 2) {
		for (size_t i = 0; i < count / 2; i++) {
			struct candidate swapped = list->entries.items[i];

			list->entries.items[i] = list->entries.items[count - 1 - i];
			list->entries.items[count - 1 - i] = swapped;
		}
	}
	list->reversals = reversals;
}

static bool is_declaration(struct meaning meaning)
{
	return meaning.identity == IDENTITY_DECLARATION;
}

/* Whether they are the same but for declarations, of which *differ tells if there are any. */
static bool candidates_agree(const struct replay *replay, const struct candidate *x,
			     const struct candidate *y, bool *differ)
{
	*differ = false;
	if (x->type != y->type)
		return false;
	for (uint32_t i = 0; i < replay->name_count; i++) {
		if (x->names[i].identity == y->names[i].identity)
			continue;
		if (!is_declaration(x->names[i]) && !is_declaration(y->names[i]))
			return false;
		*differ = true;
	}
	return true;
}

/* The comparison of x, at `position`, with y binds names, unless an earlier one does. */
static void note_event(struct replay *replay, const struct candidate *x, const struct candidate *y,
		       type_position position)
{
	if (position < replay->earliest)
		replay->earliest = position;
	for (uint32_t i = 0; i < replay->name_count; i++) {
		struct open_name *name = &replay->open[replay->names[i]];

		if (x->names[i].identity == y->names[i].identity || position >= name->event)
			continue;
		name->event = position;
		name->definition = is_declaration(x->names[i]) ? y->names[i].position :
								 x->names[i].position;
	}
}

enum replay_result { REPLAY_GOES_ON, REPLAY_BOUND, REPLAY_NO_MEMORY };

/* One instance, at `position`. */
static enum replay_result replay_instance(struct replay *replay, type_position position,
					  const struct candidate *instance)
{
	struct candidate_list *list = &replay->list;
	const struct candidate *newest;
	uint64_t entries;
	bool differ;

	/* Nearly all instances are like the only candidate, in whatever order it is. */
	if (list->entries.count == 1 &&
	    candidates_agree(replay, instance, &list->entries.items[0], &differ) && !differ)
		return REPLAY_GOES_ON;
	entries = incumbent_table_at_composite(&replay->binder->table, position);
	catch_up_reversals(list, incumbent_table_reversals(entries));
	for (size_t i = 0; i < list->entries.count; i++) {
		if (!candidates_agree(replay, instance, &list->entries.items[i], &differ))
			continue;
		if (!differ)
			return REPLAY_GOES_ON;
		note_event(replay, instance, &list->entries.items[i], position);
		return REPLAY_BOUND;
	}
	catch_up_reversals(list, incumbent_table_reversals(entries + 1));
	newest = vector_push(&list->entries);
	if (!newest)
		return REPLAY_NO_MEMORY;
	memmove(list->entries.items + 1, list->entries.items,
		(list->entries.count - 1) * sizeof(*list->entries.items));
	list->entries.items[0] = *instance;
	return REPLAY_GOES_ON;
}

/* All instances of the class that come before the earliest event known. */
static enum replay_result replay_class(struct replay *replay, const struct class_scan *scan)
{
	const type_position *places = class_scan_places(scan, replay->class_index);
	uint32_t next[NAMES_MAX] = { 0 };

	replay->list.entries.count = 0;
	replay->list.reversals = 0;
	for (uint32_t i = 0; i < class_scan_count(scan, replay->class_index); i++) {
		struct candidate instance = {
			.type = identity_of(replay->binder, replay->class_index, places[i]),
		};
		enum replay_result result;

		if (replay->is_single && places[i] >= replay->earliest)
			break;
		for (uint32_t k = 0; k < replay->name_count; k++)
			instance.names[k] = meaning_in_unit(&replay->meanings[replay->names[k]],
							    type_position_unit(places[i]),
							    &next[k]);
		result = replay_instance(replay, places[i], &instance);
		if (result != REPLAY_GOES_ON)
			return result;
	}
	return REPLAY_GOES_ON;
}

/* ---- all classes ---- */

struct class_name {
	uint32_t class_index;
	uint32_t name; /* index of an open name that the class refers to */
};

struct class_names {
	VECTOR(struct class_name) pairs;
};

static int compare_class_name(const void *left, const void *right)
{
	const struct class_name *x = left, *y = right;

	if (x->class_index != y->class_index)
		return x->class_index < y->class_index ? -1 : 1;
	return (x->name > y->name) - (x->name < y->name);
}

static bool list_class_names(struct forward_binder *binder, const struct open_names *open,
			     struct class_names *pairs)
{
	struct class_list found = { 0 };
	bool done = true;

	for (uint32_t name = 0; done && name < open->names.count; name++) {
		found.classes.count = 0;
		done = class_referrers_of(&binder->referrers, open->names.items[name].group,
					  &found);
		for (size_t i = 0; done && i < found.classes.count; i++) {
			struct class_name *pair = vector_push(&pairs->pairs);

			if (pair)
				*pair = (struct class_name){ found.classes.items[i], name };
			done = pair != NULL;
		}
	}
	if (done && pairs->pairs.count > 1)
		qsort(pairs->pairs.items, pairs->pairs.count, sizeof(*pairs->pairs.items),
		      compare_class_name);
	vector_deinit(&found.classes);
	return done;
}

static bool replay_all(struct replay *replay, const struct class_names *pairs,
		       const struct class_scan *scan)
{
	size_t i = 0;

	while (i < pairs->pairs.count) {
		replay->class_index = pairs->pairs.items[i].class_index;
		replay->name_count = 0;
		for (; i < pairs->pairs.count &&
		       pairs->pairs.items[i].class_index == replay->class_index;
		     i++) {
			if (replay->name_count < NAMES_MAX)
				replay->names[replay->name_count++] = pairs->pairs.items[i].name;
		}
		if (replay_class(replay, scan) == REPLAY_NO_MEMORY)
			return false;
	}
	return true;
}

/* Forgets what later comparisons bind: the earliest may change it. */
static void keep_earliest(struct open_names *open, type_position earliest)
{
	for (size_t i = 0; i < open->names.count; i++) {
		if (open->names.items[i].event != earliest)
			open->names.items[i].definition = TYPE_POSITION_NONE;
	}
}

bool forward_binder_next(struct forward_binder *binder, struct open_names *open,
			 const struct class_scan *scan)
{
	struct meanings *meanings = calloc(open->names.count + 1, sizeof(*meanings));
	struct class_names pairs = { 0 };
	struct replay replay = {
		.binder = binder,
		.meanings = meanings,
		.open = open->names.items,
		.is_single = open->names.count <= SINGLE_NAMES_MAX,
		.earliest = TYPE_POSITION_NONE,
	};
	bool done = meanings && list_class_names(binder, open, &pairs);

	for (size_t i = 0; i < open->names.count; i++) {
		open->names.items[i].event = TYPE_POSITION_NONE;
		open->names.items[i].definition = TYPE_POSITION_NONE;
	}
	for (size_t i = 0; done && i < open->names.count; i++)
		done = list_meanings(binder, open->names.items[i].group, scan, &meanings[i]);
	done = done && replay_all(&replay, &pairs, scan);
	if (replay.is_single)
		keep_earliest(open, replay.earliest);

	for (size_t i = 0; meanings && i < open->names.count; i++)
		free(meanings[i].items);
	free(meanings);
	vector_deinit(&pairs.pairs);
	vector_deinit(&replay.list.entries);
	return done;
}

/* ---- life ---- */

void forward_binder_init(struct forward_binder *binder, struct dedup *dedup,
			 const struct name_groups *groups, const struct residue *residue)
{
	*binder = (struct forward_binder){
		.dedup = dedup,
		.groups = groups,
		.residue = residue,
	};
	class_referrers_init(&binder->referrers, dedup->table, groups);
}

void forward_binder_deinit(struct forward_binder *binder)
{
	class_referrers_deinit(&binder->referrers);
	incumbent_table_deinit(&binder->table);
}
