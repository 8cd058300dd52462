/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Nine of ten modules say of each type that the kernel has, too, exactly what the kernel says. Then classes
 * are all it takes: a class is a type of the base if its words are the same and what it refers to are the
 * base's types, and nothing that a unit declares can mean two things.
 *
 *   1. by names    each name of the run that the base has: which of the base's types it is
 *   2. by content  types without a name, once what they refer to is known
 *   3. check       that named types refer to what the base's refer to
 *
 * Wherever there is more than one thing that a name could mean, or something else than in the base, the run
 * disagrees, and the incumbent's comparisons have to be replayed (replay.c).
 */
#include "dedup/base_agreement.h"

#include "dedup/type_words.h"

enum { CLASSES_PER_JOB = 1024 };

/* Values of states[]. */
enum { STATE_OPEN = 0, STATE_IN_PROGRESS, STATE_DONE };

struct agreeing {
	struct dedup *dedup;
	const struct base_index *base;
	const struct name_groups *groups;
	const struct model_unit *unit; /* the classes */
	bool arrays_agree;             /* in the type that counts their elements */
	uint32_t *ids;
	uint8_t *states;
	uint32_t *references; /* ids: room for those of the class with the most */
	_Atomic bool disagrees;
};

static void disagree(struct agreeing *agreeing)
{
	atomic_store_explicit(&agreeing->disagrees, true, memory_order_relaxed);
}

static bool words_are_equal(const struct agreeing *agreeing, const struct model_type *type,
			    uint32_t id)
{
	const struct base_index *base = agreeing->base;

	return type_words_are_equal(
		(struct type_in_unit){ agreeing->unit, type },
		(struct type_in_unit){ &base->types.unit, base_index_type(base, id) });
}

/* ---- 1: names ---- */

/* What the base has of a name. */
struct base_name {
	uint32_t definitions; /* of the family */
	uint32_t forwards;
	uint32_t others; /* definitions: unions for a struct, structs for a union */
	uint32_t first_definition;
	uint32_t first_forward;
	uint32_t equal; /* definitions with the words of the run's definition */
	uint32_t first_equal;
};

static enum type_family other_family(enum type_family family)
{
	if (family == FAMILY_STRUCT)
		return FAMILY_UNION;
	return family == FAMILY_UNION ? FAMILY_STRUCT : FAMILY_NONE;
}

/* definition: of the run, NULL: it has none. */
static void look_up_name(const struct agreeing *agreeing, enum type_family family, uint32_t name,
			 const struct model_type *definition, struct base_name *found)
{
	const struct base_index *base = agreeing->base;

	*found = (struct base_name){ 0 };
	for (uint32_t id = base_index_first(base, base_index_name_key(name)); id != 0;
	     id = base_index_next(base, id)) {
		const struct model_type *type = base_index_type(base, id);
		enum type_family type_family = type_family_of(type);

		if (type->name != name)
			continue;
		if (type_family == family && type_is_forward(type)) {
			if (found->forwards++ == 0)
				found->first_forward = id;
		} else if (type_family == family) {
			if (found->definitions++ == 0)
				found->first_definition = id;
			if (definition && words_are_equal(agreeing, definition, id) &&
			    found->equal++ == 0)
				found->first_equal = id;
		} else if (type_family == other_family(family) && type_family != FAMILY_NONE) {
			found->others += !type_is_forward(type);
		}
	}
}

/* A definition of the run: the base must have the very same, or nothing of the name. */
static void agree_on_definition(struct agreeing *agreeing, uint32_t index,
				const struct base_name *found)
{
	if (found->forwards > 0) {
		disagree(agreeing);
	} else if (found->definitions > 0 && found->equal == 1) {
		agreeing->ids[index] = found->first_equal;
	} else if (found->definitions > 0) {
		/* What typedefs stand for may tell them apart. */
		if (found->equal == 0 || agreeing->unit->types[index].kind != TYPE_TYPEDEF)
			disagree(agreeing);
		else
			agreeing->states[index] = STATE_OPEN;
	}
}

/* Declarations of a name that only the base can define. */
static void agree_on_declaration(struct agreeing *agreeing, uint32_t index, uint32_t others,
				 const struct base_name *found)
{
	if (found->forwards > 0)
		agreeing->ids[index] = found->first_forward;
	else if (found->definitions > 0)
		agreeing->ids[index] = found->first_definition;
	if (found->definitions > 0 && found->forwards + found->definitions + others > 1)
		disagree(agreeing);
}

static void agree_on_group(struct agreeing *agreeing, const struct name_group *group)
{
	const struct name_groups *groups = agreeing->groups;
	uint32_t definition = group->lowest_definition;
	const struct model_type *type = &agreeing->unit->types[definition];
	uint32_t others = 0;
	struct base_name found;

	if (group->definition_count > 1) {
		disagree(agreeing);
		return;
	}
	if (other_family(group->family) != FAMILY_NONE)
		others = groups->groups
				 .items[name_groups_find(groups, other_family(group->family),
							 group->name)]
				 .definition_count;
	look_up_name(agreeing, group->family, agreeing->unit->types[group->first_class].name,
		     definition ? type : NULL, &found);
	if (others < found.others)
		others = found.others;
	for (uint32_t index = group->first_class; index != 0; index = groups->next[index])
		agreeing->states[index] = STATE_DONE;
	if (definition == 0) {
		agree_on_declaration(agreeing, group->primary, others, &found);
		return;
	}
	/* Which definition do declarations stand for? */
	if (group->forward_count > 0 &&
	    others + (found.definitions > 0 ? found.definitions : 1) > 1)
		disagree(agreeing);
	agree_on_definition(agreeing, definition, &found);
}

/* ---- 2: contents ---- */

/* The class that a reference to `index` means. */
static uint32_t meant_class(const struct agreeing *agreeing, uint32_t index)
{
	uint32_t group = agreeing->groups->of_class[index];

	return group ? agreeing->groups->groups.items[group].primary : index;
}

/* Whether the ids of all that the class refers to are known, which are left in references[]. */
static bool references_are_known(struct agreeing *agreeing, const struct model_type *type)
{
	for (uint32_t i = 0; i < type_reference_count(type); i++) {
		uint32_t target = type_reference_at(agreeing->unit, type, i);

		agreeing->references[i] = agreeing->ids[meant_class(agreeing, target)];
		if (agreeing->references[i] == BASE_NONE)
			return false;
	}
	return true;
}

static void find_content(struct agreeing *agreeing, uint32_t index)
{
	const struct base_index *base = agreeing->base;
	const struct type_in_unit type = { agreeing->unit, &agreeing->unit->types[index] };
	uint32_t found = 0;

	agreeing->states[index] = STATE_DONE;
	if (type.type->kind == TYPE_ARRAY && !agreeing->arrays_agree)
		return;
	if (type.type->kind == TYPE_ENUM || references_are_known(agreeing, type.type))
		found = base_index_find(base, type, agreeing->references, 0);
	if (found != 0)
		agreeing->ids[index] = found;
	else if (type.type->kind == TYPE_TYPEDEF)
		disagree(agreeing);
	/* Two types that only what they refer to tells apart, and that by no more than a name. */
	if (found != 0 && base_index_find(base, type, agreeing->references, found) != 0)
		disagree(agreeing);
}

struct pending {
	uint32_t index;
	uint32_t next_reference;
};

/* Depth first, with a stack of its own. What waits for itself is in no base. */
static void find_with_references(struct agreeing *agreeing, struct pending *stack, uint32_t start)
{
	uint32_t depth = 1;

	stack[0] = (struct pending){ .index = start };
	agreeing->states[start] = STATE_IN_PROGRESS;
	while (depth > 0) {
		struct pending *top = &stack[depth - 1];
		const struct model_type *type = &agreeing->unit->types[top->index];
		uint32_t target;

		if (type->kind == TYPE_ENUM || top->next_reference == type_reference_count(type)) {
			find_content(agreeing, top->index);
			depth--;
			continue;
		}
		target = meant_class(
			agreeing, type_reference_at(agreeing->unit, type, top->next_reference++));
		if (agreeing->states[target] != STATE_OPEN)
			continue;
		agreeing->states[target] = STATE_IN_PROGRESS;
		stack[depth++] = (struct pending){ .index = target };
	}
}

static void find_contents(struct agreeing *agreeing, struct pending *stack, uint32_t index_class)
{
	if (agreeing->states[index_class] == STATE_OPEN)
		find_with_references(agreeing, stack, index_class);
	agreeing->arrays_agree = agreeing->ids[index_class] == agreeing->base->types.index_type;
	for (uint32_t index = 1; index < agreeing->unit->type_count; index++) {
		if (agreeing->states[index] == STATE_OPEN)
			find_with_references(agreeing, stack, index);
	}
}

/* ---- 3: check ---- */

static bool refers_like(const struct agreeing *agreeing, uint32_t index)
{
	const struct model_unit *base = &agreeing->base->types.unit;
	const struct model_type *type = &agreeing->unit->types[index];
	const struct model_type *other = &base->types[agreeing->ids[index]];

	if (type_is_forward(type) || type->kind == TYPE_ENUM)
		return true;
	for (uint32_t i = 0; i < type_reference_count(type); i++) {
		uint32_t target = meant_class(agreeing, type_reference_at(agreeing->unit, type, i));

		if (agreeing->ids[target] != type_reference_at(base, other, i))
			return false;
	}
	return true;
}

static void check_job(void *argument, uint32_t job_index, struct worker *worker)
{
	struct agreeing *agreeing = argument;
	uint32_t first = 1 + job_index * CLASSES_PER_JOB;

	(void)worker;
	for (uint32_t index = first;
	     index - first < CLASSES_PER_JOB && index < agreeing->unit->type_count; index++) {
		if (agreeing->ids[index] != BASE_NONE && !refers_like(agreeing, index))
			disagree(agreeing);
	}
}

/* ---- all ---- */

static uint32_t most_references(const struct model_unit *unit)
{
	uint32_t most = 1;

	for (uint32_t index = 1; index < unit->type_count; index++) {
		if (most < type_reference_count(&unit->types[index]))
			most = type_reference_count(&unit->types[index]);
	}
	return most;
}

enum smelt_status base_agreement_find(struct dedup *dedup, const struct name_groups *groups,
				      const struct model_unit *classes, uint32_t index_class,
				      uint32_t *ids, bool *agrees, struct smelt_error *error)
{
	const uint32_t count = classes->type_count;
	struct agreeing agreeing = {
		.dedup = dedup,
		.base = dedup->base,
		.groups = groups,
		.unit = classes,
		.ids = ids,
		.states = arena_calloc(&dedup->arena, count, sizeof(*agreeing.states)),
		.references = arena_alloc(&dedup->arena,
					  most_references(classes) * sizeof(*agreeing.references)),
	};
	struct pending *stack = arena_alloc(&dedup->arena, count * sizeof(*stack));

	if (!agreeing.states || !agreeing.references || !stack)
		return error_no_memory(error);
	ids[0] = 0;
	agreeing.states[0] = STATE_DONE;
	for (uint32_t index = 1; index < count; index++)
		ids[index] = BASE_NONE;
	for (size_t i = 1; i < groups->groups.count && !agreeing.disagrees; i++)
		agree_on_group(&agreeing, &groups->groups.items[i]);
	if (!agreeing.disagrees)
		find_contents(&agreeing, stack, index_class);
	if (!agreeing.disagrees)
		worker_pool_run(dedup->pool, check_job, &agreeing,
				(count + CLASSES_PER_JOB - 1) / CLASSES_PER_JOB);
	*agrees = !agreeing.disagrees;
	return SMELT_OK;
}
