/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Versions: which residue nodes of one class are the same type.
 *
 * Two nodes are one type when their classes are equal and their references lead to equal types, see
 * partition.h. A declaration that stands for a definition is that definition to what refers to it.
 *
 * A node that is not in the residue needs no version: by construction it reaches only what its
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

#include "dedup/partition.h"
#include "dedup/type_family.h"

/* A declaration and the definition it stands for, as index into residue.units and node. */
struct bound_node {
	uint32_t unit, node;
	uint32_t target_unit, target_node;
};

struct refining {
	struct residue *residue;
	const uint8_t *is_seed;
	_Atomic bool failed;
	VECTOR(struct bound_node) bound;
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
	memset(graph->active_slots, 0, ((size_t)type_count / 64 + 1) * sizeof(uint64_t));
	while (depth > 0) {
		uint32_t node = stack[--depth];
		uint32_t slot = graph->slots[node];

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

/* ---- versions ---- */

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

/* The active nodes of all units as one graph. */
struct active_graph {
	struct arena arena;
	struct partition_graph graph;
	uint32_t *colours;
	uint32_t *blocks;
	uint32_t block_count;
};

/*
 * Numbers the active nodes from 1 up, in `versions` as long as these are not known. Declarations that stand for an active
 * definition have its number. Returns the count; *edge_count is at least that of the edges.
 */
static uint32_t number_active(struct refining *refining, uint32_t *edge_count)
{
	struct residue *residue = refining->residue;
	uint32_t count = 0;

	*edge_count = 0;
	for (uint32_t unit = 0; unit < residue->unit_count; unit++) {
		struct residue_unit *graph = &residue->units[unit];

		for (uint32_t node = 0; node < graph->node_count; node++)
			graph->versions[node] = graph->is_active[node] == 1 ? ++count : 0;
		*edge_count += graph->edge_count;
	}
	for (size_t i = 0; i < refining->bound.count; i++) {
		const struct bound_node *bound = &refining->bound.items[i];
		const struct residue_unit *graph = &residue->units[bound->unit];

		if (graph->is_active[bound->node])
			graph->versions[bound->node] =
				residue->units[bound->target_unit].versions[bound->target_node];
	}
	return count;
}

static bool active_graph_init(struct active_graph *active, uint32_t node_count, uint32_t edge_count)
{
	struct arena *arena = &active->arena;
	size_t count = (size_t)node_count + 1;

	arena_init(arena);
	active->graph.node_count = node_count;
	active->graph.first_edge = arena_alloc(arena, count * sizeof(uint32_t));
	active->graph.edges = arena_alloc(arena, edge_count * sizeof(*active->graph.edges));
	active->colours = arena_alloc(arena, count * sizeof(uint32_t));
	active->blocks = arena_alloc(arena, count * sizeof(uint32_t));
	return active->graph.first_edge && active->graph.edges && active->colours && active->blocks;
}

static void fill_active_graph(const struct residue *residue, struct active_graph *active)
{
	uint32_t number = 0, edge_count = 0;

	for (uint32_t unit = 0; unit < residue->unit_count; unit++) {
		const struct residue_unit *graph = &residue->units[unit];

		for (uint32_t node = 0; node < graph->node_count; node++) {
			if (graph->is_active[node] != 1)
				continue;
			active->colours[number] =
				colour_class(residue, residue_class(residue, graph, node));
			active->graph.first_edge[number++] = edge_count;
			for (uint32_t i = graph->first_edge[node]; i < graph->first_edge[node + 1];
			     i++) {
				const struct residue_edge *edge = &graph->edges[i];

				if (!edge_counts(residue, graph, edge))
					continue;
				active->graph.edges[edge_count++] = (struct partition_edge){
					.number = edge->number,
					.target = graph->versions[edge->target] - 1,
				};
			}
		}
	}
	active->graph.first_edge[number] = edge_count;
}

/* The class of what a declaration stands for. */
static uint32_t bound_class(const struct residue *residue, uint32_t class_index)
{
	type_position definition =
		residue->groups->groups.items[residue->groups->of_class[class_index]].bound_to;

	return residue->dedup->units[type_position_unit(definition)]
		.classes[type_position_slot(definition)];
}

/* Makes a version of each block, in the order of its first node. */
static bool number_versions(struct residue *residue, struct active_graph *active)
{
	uint32_t *of_block = arena_calloc(&active->arena, active->block_count, sizeof(*of_block));

	if (!of_block)
		return false;
	residue->versions.count = 0;
	for (uint32_t unit = 0; unit < residue->unit_count; unit++) {
		struct residue_unit *graph = &residue->units[unit];

		for (uint32_t node = 0; node < graph->node_count; node++) {
			uint32_t class_index = residue_class(residue, graph, node);
			struct type_version *version;
			uint32_t *number;

			if (graph->versions[node] == 0)
				continue;
			number = &of_block[active->blocks[graph->versions[node] - 1]];
			if (*number == 0) {
				version = vector_push(&residue->versions);
				if (!version)
					return false;
				*version = (struct type_version){ .unit = unit, .node = node };
				*number = (uint32_t)residue->versions.count;
			}
			graph->versions[node] = *number;
			version = &residue->versions.items[*number - 1];
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

static bool find_versions(struct refining *refining)
{
	struct active_graph active = { 0 };
	uint32_t edge_count, node_count = number_active(refining, &edge_count);
	bool done = active_graph_init(&active, node_count, edge_count);

	if (done)
		fill_active_graph(refining->residue, &active);
	done = done &&
	       partition_find(&active.graph, active.colours, active.blocks, &active.block_count) &&
	       number_versions(refining->residue, &active);
	arena_deinit(&active.arena);
	return done;
}

/* ---- all ---- */

static int compare_u32(const void *left, const void *right)
{
	uint32_t x = *(const uint32_t *)left, y = *(const uint32_t *)right;

	return (x > y) - (x < y);
}

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

bool residue_refine(struct residue *residue, const uint8_t *is_seed)
{
	struct refining refining = { .residue = residue, .is_seed = is_seed };
	bool done = list_bound(&refining);

	if (done) {
		activate(&refining);
		done = !refining.failed && find_versions(&refining);
	}
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
