/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Types without a name of their own that refer to others are the same when their words are and they refer to the
 * same. Each waits for those that it refers to, and of equal ones the one finished first stays. Most
 * are what the last one of their class became.
 */
#include <stdlib.h>

#include "dedup/replay_internal.h"

struct kept_place {
	uint64_t key;
	uint32_t id; /* 0: free */
};

struct unifying {
	struct replay *replay;
	uint32_t *last_of_class;   /* id that the last type of the class became, 0: none yet */
	uint32_t *references;      /* resolved ones of the type at hand */
	struct kept_place *places; /* by key: types of the run that stay */
	uint64_t place_count;      /* power of two */
	uint64_t kept_count;
};

/* Whether `id`, which stays, refers to references[]. The base's types do not follow declarations. */
static bool refers_to(const struct unifying *unifying, uint32_t id)
{
	const struct replay *replay = unifying->replay;
	const uint32_t count = replay_reference_count(replay_type(replay, id));

	for (uint32_t i = 0; i < count; i++) {
		uint32_t reference = replay_reference(replay, id, i);

		if (id >= replay->base_count)
			reference = replay_resolve(replay, reference);
		if (reference != unifying->references[i])
			return false;
	}
	return true;
}

static bool is_equal(const struct unifying *unifying, uint32_t id, uint32_t other)
{
	return type_words_are_equal(replay_words(unifying->replay, id),
				    replay_words(unifying->replay, other)) &&
	       refers_to(unifying, other);
}

/* The base's type that `id`, whose references are in references[], is equal to; or 0. */
static uint32_t find_in_base(const struct unifying *unifying, uint32_t id)
{
	const struct replay *replay = unifying->replay;
	const struct base_index *base = replay->base;

	if (replay_type(replay, id)->kind == TYPE_ARRAY &&
	    replay_resolve(replay, replay->index_type) != base->types.index_type)
		return 0;
	return base_index_find(base, replay_words(replay, id), unifying->references, 0);
}

static struct kept_place *free_place(const struct unifying *unifying, uint64_t key)
{
	uint64_t i = key;

	while (unifying->places[i & (unifying->place_count - 1)].id != 0)
		i++;
	return &unifying->places[i & (unifying->place_count - 1)];
}

static bool grow(struct unifying *unifying)
{
	struct kept_place *old = unifying->places;
	uint64_t old_count = unifying->place_count;

	unifying->place_count = old_count ? old_count * 2 : 1024;
	unifying->places = calloc(unifying->place_count, sizeof(*unifying->places));
	if (!unifying->places) {
		unifying->places = old;
		return false;
	}
	for (uint64_t i = 0; i < old_count; i++) {
		if (old[i].id != 0)
			*free_place(unifying, old[i].key) = old[i];
	}
	free(old);
	return true;
}

/* What `id`, whose references are in references[], becomes. */
static uint32_t find_or_keep(struct unifying *unifying, uint32_t id)
{
	const struct replay *replay = unifying->replay;
	uint64_t key =
		base_index_key(replay->classes, replay_type(replay, id), unifying->references);
	uint32_t found = find_in_base(unifying, id);

	for (uint64_t i = key; found == 0; i++) {
		struct kept_place *place = &unifying->places[i & (unifying->place_count - 1)];

		if (place->id == 0) {
			*place = (struct kept_place){ .key = key, .id = id };
			unifying->kept_count++;
			found = id;
		} else if (place->key == key && is_equal(unifying, id, place->id)) {
			found = place->id;
		}
	}
	return found;
}

static void unify(struct unifying *unifying, uint32_t id)
{
	struct replay *replay = unifying->replay;
	const uint32_t count = replay_reference_count(replay_type(replay, id));
	uint32_t *last = &unifying->last_of_class[replay_class_of(replay, id)];

	for (uint32_t i = 0; i < count; i++)
		unifying->references[i] = replay_resolve(replay, replay_reference(replay, id, i));
	/* While it is in progress it resolves to itself, which ends loops. */
	if (*last == 0 || !refers_to(unifying, *last))
		*last = find_or_keep(unifying, id);
	replay->map[id] = *last;
}

static bool unify_from(struct unifying *unifying, uint32_t start)
{
	struct replay *replay = unifying->replay;

	replay->stack.count = 0;
	for (uint32_t id = start;;) {
		struct replay_pair *top = vector_push(&replay->stack);
		uint32_t target = 0;

		if (!top)
			return false;
		*top = (struct replay_pair){ .x = id };
		replay->map[id] = REPLAY_IN_PROGRESS;
		while (target == 0 && replay->stack.count > 0) {
			top = &replay->stack.items[replay->stack.count - 1];
			if (top->next == replay_reference_count(replay_type(replay, top->x))) {
				if (unifying->kept_count >= unifying->place_count / 2 &&
				    !grow(unifying))
					return false;
				unify(unifying, top->x);
				replay->stack.count--;
				continue;
			}
			target = replay_reference(replay, top->x, top->next++);
			if (replay->map[target] != REPLAY_UNSET)
				target = 0;
		}
		if (target == 0)
			return true;
		id = target;
	}
}

static uint32_t most_references(const struct model_unit *unit)
{
	uint32_t most = 1;

	for (uint32_t index = 1; index < unit->type_count; index++) {
		if (most < replay_reference_count(&unit->types[index]))
			most = replay_reference_count(&unit->types[index]);
	}
	return most;
}

static bool unify_all(struct unifying *unifying)
{
	struct replay *replay = unifying->replay;

	for (uint32_t id = replay->base_count; id < replay->id_count; id++) {
		if (replay->map[id] == REPLAY_UNSET && !unify_from(unifying, id))
			return false;
	}
	return true;
}

bool replay_unify_references(struct replay *replay)
{
	const struct model_unit *classes = replay->classes;
	struct unifying unifying = {
		.replay = replay,
		.last_of_class = calloc(classes->type_count, sizeof(*unifying.last_of_class)),
		.references = malloc(most_references(classes) * sizeof(*unifying.references)),
	};
	bool done;

	done = unifying.last_of_class && unifying.references && unify_all(&unifying);
	free(unifying.last_of_class);
	free(unifying.references);
	free(unifying.places);
	return done;
}
