/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Versions: which residue nodes of one class are the same type.
 *
 * Two nodes are one type when their classes are equal and their references lead to equal types.
 * That is bisimilarity, computed by partition refinement: a node's colour starts as its class and
 * then absorbs the colours of what it refers to, all nodes at once, until a round makes no new
 * colours. To need few rounds the first colour already has the set of seeds that the node
 * reaches.
 *
 * A node that is not in the residue needs no colour: by construction it reaches only what its
 * class reaches everywhere else.
 *
 * Pinned names. A unit may have a struct A that reaches another definition of B than the rest of
 * the input, and be the only one that defines A. Other units that declare A mean this A: the name
 * has one meaning, although its type is in the residue. Such a name is pinned; what refers to it
 * is not residue on its account.
 */
#include "dedup/residue.h"

#include <stdlib.h>
#include <string.h>

#include "dedup/fingerprint_internal.h"
#include "dedup/type_family.h"

/* Seeds are looked for 64 at a time; with more than this in one unit it would take too long. */
enum { REACH_SEEDS_MAX = 4096, REACH_BITS = 64 };

/* A declaration and the definition it stands for, as index into residue.units and node. */
struct bound_node {
	uint32_t unit, node;
	uint32_t target_unit, target_node;
};

struct refining {
	struct residue *residue;
	const uint8_t *is_seed;
	bool uses_reach;
	_Atomic bool failed;
	VECTOR(struct bound_node) bound;
	uint32_t *table; /* of colours: version index + 1 */
	uint64_t table_mask;
};

/* Edges of a unit, from target to node. */
struct reverse_edges {
	uint32_t *first;
	uint32_t *nodes;
};

static bool reverse_edges_init(struct reverse_edges *reverse, const struct residue_unit *graph,
			       struct arena *scratch)
{
	reverse->first = arena_calloc(scratch, (size_t)graph->node_count + 2, sizeof(uint32_t));
	reverse->nodes = arena_alloc(scratch, (size_t)graph->edge_count * sizeof(uint32_t));
	if (!reverse->first || !reverse->nodes)
		return false;
	for (uint32_t i = 0; i < graph->edge_count; i++)
		reverse->first[graph->edges[i].target + 1]++;
	for (uint32_t node = 0; node < graph->node_count; node++)
		reverse->first[node + 1] += reverse->first[node];
	for (uint32_t node = 0; node < graph->node_count; node++) {
		for (uint32_t i = graph->first_edge[node]; i < graph->first_edge[node + 1]; i++)
			reverse->nodes[reverse->first[graph->edges[i].target]++] = node;
	}
	memmove(reverse->first + 1, reverse->first, graph->node_count * sizeof(uint32_t));
	reverse->first[0] = 0;
	return true;
}

static bool is_pinned(const struct residue *residue, const struct residue_unit *graph,
		      uint32_t node)
{
	uint32_t class_index = residue_class(residue, graph, node);

	return residue->groups->groups.items[residue->groups->of_class[class_index]].is_pinned;
}

/* What a reference from one active node to another contributes. */
static bool edge_counts(const struct residue *residue, const struct residue_unit *graph,
			const struct residue_edge *edge)
{
	return graph->is_active[edge->target] && !is_pinned(residue, graph, edge->target);
}

/* Declarations that stand for a definition are no seeds themselves. */
static bool is_seed_class(const struct refining *refining, uint32_t class_index)
{
	return refining->is_seed[class_index] && !residue_is_bound(refining->residue, class_index);
}

/* Value of is_active for a declaration that stands for an active definition. */
enum { NODE_FOLLOWS = 2 };

static void activate_job(void *argument, uint32_t index, struct worker *worker)
{
	struct refining *refining = argument;
	struct residue *residue = refining->residue;
	struct residue_unit *graph = &residue->units[index];
	const uint32_t type_count = residue->dedup->units[graph->unit].type_count;
	struct reverse_edges reverse;
	uint32_t *stack;
	uint32_t depth = 0;

	arena_reset(&worker->scratch);
	stack = arena_alloc(&worker->scratch, graph->node_count * sizeof(*stack));
	if (!stack || !reverse_edges_init(&reverse, graph, &worker->scratch)) {
		refining->failed = true;
		return;
	}
	for (uint32_t node = 0; node < graph->node_count; node++) {
		uint32_t class_index = residue_class(residue, graph, node);

		if (graph->is_active[node] != NODE_FOLLOWS)
			graph->is_active[node] = is_seed_class(refining, class_index);
		if (graph->is_active[node])
			stack[depth++] = node;
	}
	graph->seed_count = depth;
	graph->active_count = 0;
	memset(graph->active_slots, 0, ((size_t)type_count / 64 + 1) * sizeof(uint64_t));
	while (depth > 0) {
		uint32_t node = stack[--depth];
		uint32_t slot = graph->slots[node];

		graph->active_count++;
		graph->active_slots[slot / 64] |= (uint64_t)1 << slot % 64;
		if (is_pinned(residue, graph, node))
			continue;
		for (uint32_t i = reverse.first[node]; i < reverse.first[node + 1]; i++) {
			if (graph->is_active[reverse.nodes[i]])
				continue;
			graph->is_active[reverse.nodes[i]] = 1;
			stack[depth++] = reverse.nodes[i];
		}
	}
}

/*
 * Activates what reaches a seed. A declaration that stands for a definition refers to that, though
 * in another unit, so this goes on until no further declaration is activated.
 */
static void activate(struct refining *refining)
{
	struct residue *residue = refining->residue;
	bool goes_on = true;

	for (uint32_t i = 0; i < residue->unit_count; i++)
		memset(residue->units[i].is_active, 0, residue->units[i].node_count);
	while (goes_on) {
		worker_pool_run(residue->dedup->pool, activate_job, refining, residue->unit_count);
		goes_on = false;
		for (size_t i = 0; i < refining->bound.count; i++) {
			const struct bound_node *bound = &refining->bound.items[i];
			uint8_t *is_active = &residue->units[bound->unit].is_active[bound->node];

			if (*is_active == NODE_FOLLOWS ||
			    !residue->units[bound->target_unit].is_active[bound->target_node])
				continue;
			*is_active = NODE_FOLLOWS;
			goes_on = true;
		}
	}
}

/* ---- first colours ---- */

/* The class, or one that all declarations of a name share. */
static uint32_t colour_class(const struct residue *residue, uint32_t class_index)
{
	const struct name_group *group =
		&residue->groups->groups.items[residue->groups->of_class[class_index]];
	const struct class_content *content =
		class_entry(residue->dedup->table, class_index)->content;

	return group->lowest_forward && type_is_forward(&content->type) ? group->lowest_forward :
									  class_index;
}

static struct fingerprint colour_step(struct fingerprint colour, uint64_t number,
				      struct fingerprint other)
{
	return (struct fingerprint){
		.a = fingerprint_fold(colour.a ^ number ^ 0xb492b66fbe98f273,
				      other.a ^ 0x9ae16a3b2f90404f),
		.b = fingerprint_fold(colour.b ^ number ^ 0xc949c7defebe6fb2,
				      other.b ^ 0x880355f21e6d1965),
	};
}

static struct fingerprint colour_of_number(uint32_t number)
{
	return fingerprint_of_name(FAMILY_NONE, number);
}

struct reach_search {
	const struct residue *residue;
	const struct residue_unit *graph;
	struct reverse_edges reverse;
	uint32_t *seed_classes; /* distinct, of the unit */
	uint32_t class_count;
	uint64_t *masks; /* per node: seed classes reached, of the 64 looked for */
	uint32_t *stack;
	uint8_t *is_waiting; /* per node: is on the stack */
};

static int compare_u32(const void *left, const void *right)
{
	uint32_t x = *(const uint32_t *)left, y = *(const uint32_t *)right;

	return (x > y) - (x < y);
}

static uint32_t seed_class_number(const struct reach_search *search, uint32_t class_index)
{
	const uint32_t *found = bsearch(&class_index, search->seed_classes, search->class_count,
					sizeof(*search->seed_classes), compare_u32);

	return (uint32_t)(found - search->seed_classes);
}

static bool reach_search_init(struct reach_search *search, const struct refining *refining,
			      const struct residue_unit *graph, struct arena *scratch)
{
	uint32_t count = 0, distinct = 0;

	*search = (struct reach_search){
		.residue = refining->residue,
		.graph = graph,
		.seed_classes = arena_alloc(scratch, graph->seed_count * sizeof(uint32_t)),
		.masks = arena_alloc(scratch, graph->node_count * sizeof(uint64_t)),
		.stack = arena_alloc(scratch, graph->node_count * sizeof(uint32_t)),
		.is_waiting = arena_calloc(scratch, graph->node_count, 1),
	};
	if (!search->seed_classes || !search->masks || !search->stack || !search->is_waiting ||
	    !reverse_edges_init(&search->reverse, graph, scratch))
		return false;
	for (uint32_t node = 0; node < graph->node_count; node++) {
		uint32_t class_index = residue_class(search->residue, graph, node);

		if (is_seed_class(refining, class_index))
			search->seed_classes[count++] = colour_class(search->residue, class_index);
	}
	qsort(search->seed_classes, count, sizeof(uint32_t), compare_u32);
	for (uint32_t i = 0; i < count; i++) {
		if (i == 0 || search->seed_classes[i] != search->seed_classes[i - 1])
			search->seed_classes[distinct++] = search->seed_classes[i];
	}
	search->class_count = distinct;
	return true;
}

/* Sets masks[] for the seed classes first .. first+63. */
static void reach_from(struct reach_search *search, const struct refining *refining, uint32_t first)
{
	const struct residue_unit *graph = search->graph;
	uint32_t depth = 0;

	for (uint32_t node = 0; node < graph->node_count; node++) {
		uint32_t class_index = residue_class(search->residue, graph, node);
		uint32_t number = first + REACH_BITS;

		if (is_seed_class(refining, class_index))
			number = seed_class_number(search,
						   colour_class(search->residue, class_index));
		search->masks[node] = 0;
		if (number < first || number >= first + REACH_BITS)
			continue;
		search->masks[node] = (uint64_t)1 << (number - first);
		search->is_waiting[node] = 1;
		search->stack[depth++] = node;
	}
	while (depth > 0) {
		uint32_t node = search->stack[--depth];

		search->is_waiting[node] = 0;
		if (is_pinned(search->residue, graph, node))
			continue;
		for (uint32_t i = search->reverse.first[node]; i < search->reverse.first[node + 1];
		     i++) {
			uint32_t referrer = search->reverse.nodes[i];

			if ((search->masks[node] & ~search->masks[referrer]) == 0)
				continue;
			search->masks[referrer] |= search->masks[node];
			if (!search->is_waiting[referrer])
				search->stack[depth++] = referrer;
			search->is_waiting[referrer] = 1;
		}
	}
}

/* Adds up what stands for each class of the set, so that the order of classes does not matter. */
static void absorb_reach(struct reach_search *search, const struct refining *refining)
{
	for (uint32_t first = 0; first < search->class_count; first += REACH_BITS) {
		reach_from(search, refining, first);
		for (uint32_t node = 0; node < search->graph->node_count; node++) {
			struct fingerprint *colour = &search->graph->colours[node];

			for (uint64_t mask = search->masks[node]; mask; mask &= mask - 1) {
				uint32_t number = first + (uint32_t)__builtin_ctzll(mask);
				struct fingerprint seed =
					colour_of_number(search->seed_classes[number]);

				colour->a += seed.a;
				colour->b += seed.b;
			}
		}
	}
}

static void first_colours_job(void *argument, uint32_t index, struct worker *worker)
{
	struct refining *refining = argument;
	const struct residue_unit *graph = &refining->residue->units[index];
	struct reach_search search;

	for (uint32_t node = 0; node < graph->node_count; node++)
		graph->colours[node] = (struct fingerprint){ 1, 1 };
	if (refining->uses_reach) {
		arena_reset(&worker->scratch);
		if (!reach_search_init(&search, refining, graph, &worker->scratch)) {
			refining->failed = true;
			return;
		}
		absorb_reach(&search, refining);
	}
	for (uint32_t node = 0; node < graph->node_count; node++) {
		uint32_t class_index = residue_class(refining->residue, graph, node);

		graph->colours[node] =
			colour_step(graph->colours[node], 0,
				    colour_of_number(colour_class(refining->residue, class_index)));
	}
}

/* ---- rounds ---- */

static void next_colours_job(void *argument, uint32_t index, struct worker *worker)
{
	struct refining *refining = argument;
	struct residue *residue = refining->residue;
	struct residue_unit *graph = &residue->units[index];
	struct fingerprint *next;

	arena_reset(&worker->scratch);
	next = arena_alloc(&worker->scratch, graph->node_count * sizeof(*next));
	if (!next) {
		refining->failed = true;
		return;
	}
	for (uint32_t node = 0; node < graph->node_count; node++) {
		next[node] = colour_step(graph->colours[node], 1, (struct fingerprint){ 0, 0 });
		for (uint32_t i = graph->first_edge[node]; i < graph->first_edge[node + 1]; i++) {
			const struct residue_edge *edge = &graph->edges[i];

			if (edge_counts(residue, graph, edge))
				next[node] = colour_step(next[node], (uint64_t)edge->number << 1,
							 graph->colours[edge->target]);
		}
	}
	memcpy(graph->colours, next, graph->node_count * sizeof(*next));
}

/* Declarations look like what they stand for. */
static void colour_bound(struct refining *refining)
{
	struct residue_unit *units = refining->residue->units;

	for (size_t i = 0; i < refining->bound.count; i++) {
		const struct bound_node *bound = &refining->bound.items[i];

		units[bound->unit].colours[bound->node] =
			units[bound->target_unit].colours[bound->target_node];
	}
}

/* ---- versions ---- */

/* The version of a colour, which is added if there is none. NULL when out of memory. */
static struct type_version *version_of_colour(struct refining *refining, uint32_t unit,
					      uint32_t node)
{
	struct residue *residue = refining->residue;
	struct fingerprint colour = residue->units[unit].colours[node];
	struct type_version *version;

	for (uint64_t i = colour.a >> 7;; i++) {
		uint32_t *place = &refining->table[i & refining->table_mask];

		if (*place == 0) {
			version = vector_push(&residue->versions);
			if (!version)
				return NULL;
			*version = (struct type_version){ .unit = unit, .node = node };
			*place = (uint32_t)residue->versions.count;
			return version;
		}
		version = &residue->versions.items[*place - 1];
		if (fingerprint_equal(residue->units[version->unit].colours[version->node], colour))
			return version;
	}
}

/* The class of what a declaration stands for. */
static uint32_t bound_class(const struct residue *residue, uint32_t class_index)
{
	type_position definition =
		residue->groups->groups.items[residue->groups->of_class[class_index]].bound_to;

	return residue->dedup->units[type_position_unit(definition)]
		.classes[type_position_slot(definition)];
}

/* Numbers the colours of active nodes. Their count is that of residue->versions. */
static bool number_versions(struct refining *refining)
{
	struct residue *residue = refining->residue;

	residue->versions.count = 0;
	memset(refining->table, 0, (refining->table_mask + 1) * sizeof(*refining->table));
	for (uint32_t unit = 0; unit < residue->unit_count; unit++) {
		struct residue_unit *graph = &residue->units[unit];

		for (uint32_t node = 0; node < graph->node_count; node++) {
			uint32_t class_index = residue_class(residue, graph, node);
			struct type_version *version;

			graph->versions[node] = 0;
			if (!graph->is_active[node])
				continue;
			version = version_of_colour(refining, unit, node);
			if (!version)
				return false;
			graph->versions[node] = (uint32_t)(version - residue->versions.items) + 1;
			if (version->has_representative)
				continue;
			if (residue_is_bound(residue, class_index)) {
				version->class_index = bound_class(residue, class_index);
				continue;
			}
			*version = (struct type_version){
				.class_index = class_index,
				.unit = unit,
				.node = node,
				.has_representative = true,
			};
		}
	}
	return true;
}

/* ---- all ---- */

/* Finds the node at `position`, a type whose lowest instance counts. */
static bool find_node(const struct residue *residue, type_position position, uint32_t *unit,
		      uint32_t *node)
{
	uint32_t index = residue->index_of_unit[type_position_unit(position)];
	const struct residue_unit *graph;
	const uint32_t slot = type_position_slot(position);
	const uint32_t *found;

	if (index == 0)
		return false;
	graph = &residue->units[index - 1];
	found = bsearch(&slot, graph->slots, graph->lowest_count, sizeof(slot), compare_u32);
	if (!found)
		return false;
	*unit = index - 1;
	*node = (uint32_t)(found - graph->slots);
	return true;
}

static bool list_bound(struct refining *refining)
{
	struct residue *residue = refining->residue;

	for (uint32_t unit = 0; unit < residue->unit_count; unit++) {
		const struct residue_unit *graph = &residue->units[unit];

		for (uint32_t node = 0; node < graph->node_count; node++) {
			uint32_t class_index = residue_class(residue, graph, node);
			uint32_t group = residue->groups->of_class[class_index];
			struct bound_node found = { .unit = unit, .node = node };
			struct bound_node *bound;

			if (!residue_is_bound(residue, class_index))
				continue;
			if (!find_node(residue, residue->groups->groups.items[group].bound_to,
				       &found.target_unit, &found.target_node))
				continue;
			bound = vector_push(&refining->bound);
			if (!bound)
				return false;
			*bound = found;
		}
	}
	return true;
}

static bool refine_init(struct refining *refining)
{
	struct residue *residue = refining->residue;
	uint64_t active = 0, places = 64;
	uint32_t most_seeds = 0;

	if (!list_bound(refining))
		return false;
	activate(refining);
	for (uint32_t unit = 0; unit < residue->unit_count; unit++) {
		active += residue->units[unit].active_count;
		if (most_seeds < residue->units[unit].seed_count)
			most_seeds = residue->units[unit].seed_count;
	}
	/*
	 * What a declaration reaches is known in another unit only: then all nodes start without.
	 */
	refining->uses_reach = refining->bound.count == 0 && most_seeds <= REACH_SEEDS_MAX;
	while (places < active * 2)
		places *= 2;
	refining->table_mask = places - 1;
	refining->table = malloc(places * sizeof(*refining->table));
	return refining->table && !refining->failed;
}

static bool refine(struct refining *refining)
{
	struct residue *residue = refining->residue;
	size_t count = 0;

	if (!refine_init(refining))
		return false;
	worker_pool_run(residue->dedup->pool, first_colours_job, refining, residue->unit_count);
	for (;;) {
		colour_bound(refining);
		if (refining->failed || !number_versions(refining))
			return false;
		/* Colours only split, so as many as before means the same as before. */
		if (residue->versions.count == count)
			return true;
		count = residue->versions.count;
		worker_pool_run(residue->dedup->pool, next_colours_job, refining,
				residue->unit_count);
	}
}

bool residue_refine(struct residue *residue, const uint8_t *is_seed)
{
	struct refining refining = { .residue = residue, .is_seed = is_seed };
	bool done = refine(&refining);

	free(refining.table);
	vector_deinit(&refining.bound);
	return done;
}

uint32_t residue_version_at(const struct residue *residue, type_position position)
{
	uint32_t unit, node;

	if (!residue->index_of_unit || !find_node(residue, position, &unit, &node))
		return 0;
	return residue->units[unit].versions[node];
}
