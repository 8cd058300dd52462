/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * A name with several definitions means its primary one nearly everywhere. This file chooses
 * which that is, finds the instances for which something else holds (the residue) and what
 * declarations stand for, until all of it fits together:
 *
 *   1. choose primaries by the number of instances; other definitions are seeds
 *   2. build the residue: what reaches a seed in its own unit
 *   3. tell versions apart; pin names that turn out to have one version only; repeat
 *   4. bind declarations of names that have several types, one comparison of the incumbent
 *      after the other; if they become something else than the primary one they are seeds as
 *      well, and all starts again at 2
 *   5. find new representatives for classes whose representative is residue (moved_classes.c)
 */
#include "dedup/ambiguity.h"

#include <stdlib.h>
#include <string.h>

#include "dedup/enum_binding.h"
#include "dedup/forward_binding.h"
#include "dedup/moved_classes.h"
#include "dedup/type_family.h"

/* A pass binds at least one name; of input made to need more, the rest stays undecided. */
enum { BINDING_PASSES_MAX = 32, REOPENINGS_MAX = 2 };

struct resolving {
	struct dedup *dedup;
	struct name_groups *groups;
	struct residue *residue;
	uint32_t class_count;
	struct forward_binder binder;
	struct class_scan scan;
	uint8_t *wanted;          /* per class: has to be in the scan */
	uint8_t *is_seed;         /* per class */
	uint32_t *node_counts;    /* per class: active nodes */
	uint32_t *version_counts; /* per group: versions of its definitions */
};

static struct name_group *group_at(struct resolving *resolving, size_t index)
{
	return &resolving->groups->groups.items[index];
}

static const struct model_type *class_type(struct resolving *resolving, uint32_t index)
{
	return &class_entry(resolving->dedup->table, index)->content->type;
}

static type_position lowest_position(struct resolving *resolving, uint32_t index)
{
	return atomic_load_explicit(class_position(resolving->dedup->table, index),
				    memory_order_relaxed);
}

/* The union group of a struct's name, the struct group of a union's, or group 0. */
static const struct name_group *other_family(const struct name_groups *groups,
					     const struct name_group *group)
{
	uint32_t other = 0;

	if (group->family == FAMILY_STRUCT)
		other = name_groups_find(groups, FAMILY_UNION, group->name);
	else if (group->family == FAMILY_UNION)
		other = name_groups_find(groups, FAMILY_STRUCT, group->name);
	return &groups->groups.items[other];
}

/* Whether it takes more than the name to know what a declaration stands for. */
static bool forward_is_open(const struct name_groups *groups, const struct name_group *group)
{
	return group->forward_count > 0 && group->definition_count > 0 &&
	       group->definition_count + other_family(groups, group)->definition_count > 1;
}

/* Has the next scan find the group's classes and what is needed to bind its declarations. */
static bool want_group(struct resolving *resolving, const struct name_group *group)
{
	struct class_list found = { 0 };
	bool done = true;

	for (uint32_t index = group->first_class; index != 0;
	     index = resolving->groups->next[index])
		resolving->wanted[index] = 1;
	if (group->forward_count > 0 && group->family != FAMILY_ENUM)
		done = class_referrers_of(&resolving->binder.referrers, group, &found);
	for (size_t i = 0; i < found.classes.count; i++)
		resolving->wanted[found.classes.items[i]] = 1;
	vector_deinit(&found.classes);
	return done;
}

static bool rescan(struct resolving *resolving)
{
	class_scan_deinit(&resolving->scan);
	return class_scan_init(&resolving->scan, resolving->dedup, resolving->wanted);
}

/* ---- 1: primaries ---- */

/* Any choice gives the same result; the one with most instances leaves least to do. */
static void choose_primary(struct resolving *resolving, struct name_group *group)
{
	uint32_t best_places = 0;

	for (uint32_t index = group->first_class; index != 0;
	     index = resolving->groups->next[index]) {
		uint32_t places = class_scan_count(&resolving->scan, index);

		if (type_is_forward(class_type(resolving, index)) || places < best_places ||
		    (places == best_places && lowest_position(resolving, index) >
						      lowest_position(resolving, group->primary)))
			continue;
		best_places = places;
		group->primary = index;
	}
}

static bool needs_primary(const struct resolving *resolving, const struct name_group *group)
{
	return group->definition_count > 1 || forward_is_open(resolving->groups, group);
}

static bool choose_primaries(struct resolving *resolving)
{
	const size_t count = resolving->groups->groups.count;

	for (size_t i = 1; i < count; i++) {
		if (needs_primary(resolving, group_at(resolving, i)) &&
		    !want_group(resolving, group_at(resolving, i)))
			return false;
	}
	if (!rescan(resolving))
		return false;
	for (size_t i = 1; i < count; i++) {
		if (needs_primary(resolving, group_at(resolving, i)))
			choose_primary(resolving, group_at(resolving, i));
	}
	return true;
}

/* ---- 2 and 3: residue ---- */

static void mark_seeds(struct resolving *resolving)
{
	memset(resolving->is_seed, 0, (size_t)resolving->class_count + 1);
	for (size_t i = 1; i < resolving->groups->groups.count; i++) {
		struct name_group *group = group_at(resolving, i);

		group->is_pinned = false;
		if (group->definition_count == 0)
			continue;
		for (uint32_t index = group->first_class; index != 0;
		     index = resolving->groups->next[index]) {
			bool is_forward = type_is_forward(class_type(resolving, index));

			resolving->is_seed[index] = is_forward ? group->forward != FORWARD_PRIMARY :
								 index != group->primary;
		}
	}
}

/* Counts nodes per class and versions per name; what has any is wanted in the next scan. */
static void count_residue(struct resolving *resolving)
{
	const struct residue *residue = resolving->residue;

	memset(resolving->node_counts, 0, ((size_t)resolving->class_count + 1) * sizeof(uint32_t));
	memset(resolving->version_counts, 0, resolving->groups->groups.count * sizeof(uint32_t));
	for (uint32_t i = 0; i < residue->unit_count; i++) {
		const struct residue_unit *graph = &residue->units[i];

		for (uint32_t node = 0; node < graph->node_count; node++) {
			if (graph->is_active[node])
				resolving->node_counts[residue_class(residue, graph, node)]++;
		}
	}
	for (size_t i = 0; i < residue->versions.count; i++) {
		const struct type_version *version = &residue->versions.items[i];

		if (version->has_representative &&
		    !type_is_forward(class_type(resolving, version->class_index)))
			resolving->version_counts[resolving->groups
							  ->of_class[version->class_index]]++;
	}
	for (uint32_t index = 1; index <= resolving->class_count; index++)
		resolving->wanted[index] |= resolving->node_counts[index] > 0;
}

static bool has_primary_instance(const struct resolving *resolving, uint32_t index)
{
	return resolving->node_counts[index] == 0 ||
	       class_scan_count(&resolving->scan, index) > resolving->node_counts[index];
}

/* Types that a struct's or union's name has so far, declarations aside. */
static uint32_t type_count_of(struct resolving *resolving, const struct name_group *group)
{
	size_t number = (size_t)(group - resolving->groups->groups.items);

	if (group->definition_count == 0)
		return 0;
	return resolving->version_counts[number] + has_primary_instance(resolving, group->primary);
}

static bool pin_names(struct resolving *resolving)
{
	bool is_new = false;

	for (size_t i = 1; i < resolving->groups->groups.count; i++) {
		struct name_group *group = group_at(resolving, i);

		if (group->is_pinned || group->definition_count != 1 ||
		    resolving->version_counts[i] != 1 || group->forward != FORWARD_PRIMARY ||
		    has_primary_instance(resolving, group->primary))
			continue;
		if (group->forward_count > 0 &&
		    other_family(resolving->groups, group)->definition_count > 0)
			continue;
		group->is_pinned = true;
		is_new = true;
	}
	return is_new;
}

static enum smelt_status build_residue(struct resolving *resolving, dedup_reload_fn reload,
				       void *context, struct smelt_error *error)
{
	enum smelt_status status;
	bool is_first = true;

	mark_seeds(resolving);
	status = residue_build(resolving->residue, resolving->dedup, resolving->groups,
			       resolving->is_seed, &resolving->scan, reload, context, error);
	if (status)
		return status;
	do {
		if (!residue_refine(resolving->residue, resolving->is_seed))
			return error_no_memory(error);
		count_residue(resolving);
		/* Pinning only takes classes out of the residue, so one scan serves all rounds. */
		if (is_first && !rescan(resolving))
			return error_no_memory(error);
		is_first = false;
	} while (pin_names(resolving));
	return SMELT_OK;
}

/* ---- 4: declarations ---- */

/* Whether there is now more than one type that a declaration could stand for. */
static bool forward_is_open_now(struct resolving *resolving, const struct name_group *group)
{
	return group->forward_count > 0 && group->definition_count > 0 &&
	       type_count_of(resolving, group) +
			       type_count_of(resolving, other_family(resolving->groups, group)) >
		       1;
}

/*
 * Fits what was decided to the residue as it is now. Returns whether the seeds have to change:
 * a name has no longer several types, or the definition it is bound to went into the residue.
 */
static bool revise_names(struct resolving *resolving)
{
	bool is_changed = false;

	for (size_t i = 1; i < resolving->groups->groups.count; i++) {
		struct name_group *group = group_at(resolving, i);
		enum forward_meaning before = group->forward;

		if (!group->is_decided)
			continue;
		if (!forward_is_open_now(resolving, group)) {
			/* Names can open and close each other for ever. */
			if (group->reopenings == REOPENINGS_MAX)
				continue;
			group->reopenings++;
			group->is_decided = false;
			group->forward = FORWARD_PRIMARY;
		} else if (group->bound_to != TYPE_POSITION_NONE &&
			   residue_has(resolving->residue, group->bound_to)) {
			group->forward = FORWARD_BOUND;
		}
		is_changed |= group->forward != before;
	}
	return is_changed;
}

static bool list_open_names(struct resolving *resolving, struct open_names *open)
{
	for (size_t i = 1; i < resolving->groups->groups.count; i++) {
		struct name_group *group = group_at(resolving, i);
		struct open_name *name;

		if (group->is_decided || !forward_is_open_now(resolving, group))
			continue;
		name = vector_push(&open->names);
		if (!name || !want_group(resolving, group))
			return false;
		*name = (struct open_name){ .group = group, .definition = TYPE_POSITION_NONE };
	}
	return true;
}

/* Binds enumerations: not by comparisons, but when the incumbent first sees them. */
static bool find_enums(struct resolving *resolving, struct open_names *open, bool *is_found)
{
	*is_found = false;
	for (size_t i = 0; i < open->names.count; i++) {
		struct open_name *name = &open->names.items[i];
		uint32_t index;

		if (name->group->family != FAMILY_ENUM)
			continue;
		index = enum_binding_find(&resolving->binder.table, resolving->dedup->table,
					  resolving->groups, name->group, &resolving->scan);
		if (index == 0)
			return false;
		name->definition = lowest_position(resolving, index);
		*is_found = true;
	}
	return true;
}

/* Binds enumerations, or else what the next comparison binds. */
static bool find_definitions(struct resolving *resolving, struct open_names *open)
{
	bool has_enum, done;

	if (!incumbent_table_fill(&resolving->binder.table, resolving->residue, resolving->groups,
				  &resolving->scan) ||
	    !find_enums(resolving, open, &has_enum))
		return false;
	if (has_enum)
		return true;
	for (size_t i = 0; i < open->names.count; i++)
		open->names.items[i].group->is_pinned = true;
	done = residue_refine(resolving->residue, resolving->is_seed) &&
	       forward_binder_next(&resolving->binder, open, &resolving->scan);
	for (size_t i = 0; i < open->names.count; i++)
		open->names.items[i].group->is_pinned = false;
	return done && residue_refine(resolving->residue, resolving->is_seed);
}

/* Makes the definition primary if that leaves less residue than making seeds of declarations. */
static void prefer_definition(struct resolving *resolving, struct name_group *group, uint32_t index)
{
	uint32_t places = class_scan_count(&resolving->scan, index);

	for (uint32_t i = group->first_class; i != 0; i = resolving->groups->next[i]) {
		if (type_is_forward(class_type(resolving, i)))
			places += class_scan_count(&resolving->scan, i);
	}
	if (places > class_scan_count(&resolving->scan, group->primary))
		group->primary = index;
}

/* Sets what declarations of the name stand for. Returns whether that changes seeds. */
static bool decide_name(struct resolving *resolving, struct name_group *group,
			type_position definition)
{
	const uint32_t primary = group->primary;
	uint32_t index;

	group->is_decided = true;
	group->bound_to = definition;
	if (definition == TYPE_POSITION_NONE) {
		group->forward = FORWARD_ITSELF;
		return true;
	}
	index = resolving->dedup->units[type_position_unit(definition)]
			.classes[type_position_slot(definition)];
	if (index != group->primary)
		prefer_definition(resolving, group, index);
	/* Should the primary definition become residue later, revise_names sees to it. */
	group->forward = index == group->primary && !residue_has(resolving->residue, definition) ?
				 FORWARD_PRIMARY :
				 FORWARD_BOUND;
	return group->forward == FORWARD_BOUND || group->primary != primary;
}

static bool decide_names(struct resolving *resolving, const struct open_names *open)
{
	bool is_bound = false, is_changed = false;

	for (size_t i = 0; i < open->names.count; i++)
		is_bound |= open->names.items[i].definition != TYPE_POSITION_NONE;
	for (size_t i = 0; i < open->names.count; i++) {
		const struct open_name *name = &open->names.items[i];

		if (is_bound && name->definition == TYPE_POSITION_NONE)
			continue;
		is_changed |= decide_name(resolving, name->group, name->definition);
	}
	return is_changed;
}

/* Decides names until that changes seeds (*is_changed) or all are decided. */
static bool bind_forwards(struct resolving *resolving, bool *is_changed)
{
	bool done = true, is_scanned = false, is_last = false;

	*is_changed = revise_names(resolving);
	while (done && !*is_changed && !is_last) {
		struct open_names open = { 0 };

		done = list_open_names(resolving, &open);
		is_last = open.names.count == 0;
		if (done && !is_last) {
			done = (is_scanned || rescan(resolving)) &&
			       find_definitions(resolving, &open);
			is_scanned = true;
			*is_changed = done && decide_names(resolving, &open);
		}
		vector_deinit(&open.names);
	}
	return done;
}

/* ---- all ---- */

static bool resolving_init(struct resolving *resolving, struct ambiguity *ambiguity)
{
	size_t count = (size_t)class_table_count(ambiguity->dedup->table) + 1;

	*resolving = (struct resolving){
		.dedup = ambiguity->dedup,
		.groups = ambiguity->groups,
		.residue = &ambiguity->residue,
		.class_count = (uint32_t)count - 1,
		.wanted = calloc(count, sizeof(*resolving->wanted)),
		.is_seed = calloc(count, sizeof(*resolving->is_seed)),
		.node_counts = calloc(count, sizeof(*resolving->node_counts)),
		.version_counts =
			calloc(ambiguity->groups->groups.count, sizeof(*resolving->version_counts)),
	};
	forward_binder_init(&resolving->binder, ambiguity->dedup, ambiguity->groups,
			    &ambiguity->residue);
	return resolving->wanted && resolving->is_seed && resolving->node_counts &&
	       resolving->version_counts;
}

static void resolving_deinit(struct resolving *resolving)
{
	forward_binder_deinit(&resolving->binder);
	class_scan_deinit(&resolving->scan);
	free(resolving->wanted);
	free(resolving->is_seed);
	free(resolving->node_counts);
	free(resolving->version_counts);
}

static enum smelt_status resolve(struct resolving *resolving, struct ambiguity *ambiguity,
				 dedup_reload_fn reload, void *context, struct smelt_error *error)
{
	if (!choose_primaries(resolving))
		return error_no_memory(error);
	for (int pass = 1;; pass++) {
		enum smelt_status status = build_residue(resolving, reload, context, error);
		bool is_changed;

		if (status)
			return status;
		if (pass == BINDING_PASSES_MAX)
			break;
		if (!bind_forwards(resolving, &is_changed))
			return error_no_memory(error);
		if (!is_changed)
			break;
	}
	return moved_classes_find(&ambiguity->moved, &ambiguity->residue, &resolving->scan,
				  resolving->node_counts, reload, context, error);
}

static bool has_ambiguity(const struct name_groups *groups)
{
	for (size_t i = 1; i < groups->groups.count; i++) {
		const struct name_group *group = &groups->groups.items[i];

		if (group->definition_count > 1 || forward_is_open(groups, group))
			return true;
	}
	return false;
}

enum smelt_status ambiguity_resolve(struct ambiguity *ambiguity, struct dedup *dedup,
				    struct name_groups *groups, dedup_reload_fn reload,
				    void *context, struct smelt_error *error)
{
	struct resolving resolving;
	enum smelt_status status;

	*ambiguity = (struct ambiguity){ .dedup = dedup, .groups = groups };
	if (!has_ambiguity(groups))
		return SMELT_OK;
	if (resolving_init(&resolving, ambiguity))
		status = resolve(&resolving, ambiguity, reload, context, error);
	else
		status = error_no_memory(error);
	resolving_deinit(&resolving);
	return status;
}

void ambiguity_deinit(struct ambiguity *ambiguity)
{
	residue_deinit(&ambiguity->residue);
	free(ambiguity->moved);
	*ambiguity = (struct ambiguity){ 0 };
}
