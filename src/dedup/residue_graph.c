/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Which slots belong to the residue, and what they refer to among themselves. A unit is loaded
 * again, its references are turned around, and what leads to a seed is kept as a small graph;
 * the unit's types are dropped, since the classes know the rest.
 */
#include "dedup/residue.h"

#include <stdlib.h>
#include <string.h>

#include "dedup/finish_order.h"
#include "dedup/type_family.h"

struct build_job {
	struct residue *residue;
	const uint8_t *is_seed;
	dedup_reload_fn reload;
	void *context;
	const struct class_scan *scan;
	struct smelt_error *errors; /* per residue unit */
};

/* References of a unit, from target to referrer. */
struct reverse_references {
	uint32_t *first; /* per slot, and the end */
	uint32_t *referrers;
};

static bool reverse_references_init(struct reverse_references *reverse,
				    const struct model_unit *unit, struct arena *scratch)
{
	uint32_t total = 0;

	reverse->first = arena_calloc(scratch, (size_t)unit->type_count + 2, sizeof(uint32_t));
	if (!reverse->first)
		return false;
	for (uint32_t slot = 1; slot < unit->type_count; slot++) {
		const struct model_type *type = &unit->types[slot];

		for (uint32_t i = 0; i < type_reference_count(type); i++)
			reverse->first[type_reference_at(unit, type, i) + 1]++;
		total += type_reference_count(type);
	}
	reverse->referrers = arena_alloc(scratch, (size_t)total * sizeof(uint32_t));
	if (!reverse->referrers)
		return false;
	for (uint32_t slot = 1; slot <= unit->type_count; slot++)
		reverse->first[slot] += reverse->first[slot - 1];
	for (uint32_t slot = 1; slot < unit->type_count; slot++) {
		const struct model_type *type = &unit->types[slot];

		for (uint32_t i = 0; i < type_reference_count(type); i++)
			reverse->referrers[reverse->first[type_reference_at(unit, type, i)]++] =
				slot;
	}
	memmove(reverse->first + 1, reverse->first, unit->type_count * sizeof(uint32_t));
	reverse->first[0] = 0;
	return true;
}

/* Per slot: 1 if it reaches a seed. NULL when out of memory. */
static uint8_t *mark_residue(const struct build_job *job, uint32_t unit_index,
			     const struct model_unit *unit, struct arena *scratch, uint32_t *count)
{
	const uint32_t *classes = job->residue->dedup->units[unit_index].classes;
	struct reverse_references reverse;
	uint8_t *marks = arena_calloc(scratch, unit->type_count, sizeof(*marks));
	uint32_t *stack = arena_alloc(scratch, unit->type_count * sizeof(*stack));
	uint32_t depth = 0;

	if (!marks || !stack || !reverse_references_init(&reverse, unit, scratch))
		return NULL;
	*count = 0;
	for (uint32_t slot = 1; slot < unit->type_count; slot++) {
		if (job->is_seed[classes[slot]]) {
			marks[slot] = 1;
			stack[depth++] = slot;
		}
	}
	while (depth > 0) {
		uint32_t slot = stack[--depth];

		++*count;
		for (uint32_t i = reverse.first[slot]; i < reverse.first[slot + 1]; i++) {
			uint32_t referrer = reverse.referrers[i];

			if (marks[referrer] || classes[referrer] == 0)
				continue;
			marks[referrer] = 1;
			stack[depth++] = referrer;
		}
	}
	return marks;
}

/* Lists the nodes and tells each marked slot its node + 1. */
static bool number_nodes(struct residue_unit *graph, const struct model_unit *unit,
			 const uint8_t *marks, uint32_t *node_of, struct arena *scratch)
{
	uint32_t order_count;
	const uint32_t *order = finish_order(unit, scratch, &order_count);
	uint32_t count = 0;

	if (!order)
		return false;
	for (uint32_t slot = 1; slot < unit->type_count; slot++) {
		if (!marks[slot] || type_is_reference(&unit->types[slot]))
			continue;
		graph->slots[count] = slot;
		node_of[slot] = ++count;
	}
	graph->lowest_count = count;
	for (uint32_t i = 0; i < order_count; i++) {
		if (!marks[order[i]])
			continue;
		graph->slots[count] = order[i];
		node_of[order[i]] = ++count;
	}
	return true;
}

static uint32_t node_edges(const struct model_unit *unit, uint32_t slot, const uint32_t *node_of,
			   struct residue_edge *edges)
{
	const struct model_type *type = &unit->types[slot];
	uint32_t count = 0;

	for (uint32_t i = 0; i < type_reference_count(type); i++) {
		uint32_t node = node_of[type_reference_at(unit, type, i)];

		if (node == 0)
			continue;
		if (edges)
			edges[count] = (struct residue_edge){ .number = i, .target = node - 1 };
		count++;
	}
	return count;
}

static bool fill_edges(struct residue_unit *graph, const struct model_unit *unit,
		       const uint32_t *node_of, struct arena *kept)
{
	uint32_t count = 0;

	for (uint32_t node = 0; node < graph->node_count; node++) {
		graph->first_edge[node] = count;
		count += node_edges(unit, graph->slots[node], node_of, NULL);
	}
	graph->first_edge[graph->node_count] = count;
	graph->edge_count = count;
	graph->edges = arena_alloc(kept, count * sizeof(*graph->edges));
	if (!graph->edges)
		return false;
	for (uint32_t node = 0; node < graph->node_count; node++)
		node_edges(unit, graph->slots[node], node_of,
			   &graph->edges[graph->first_edge[node]]);
	return true;
}

static bool build_graph(const struct build_job *job, struct residue_unit *graph,
			const struct model_unit *unit, struct arena *scratch, struct arena *kept)
{
	uint32_t count;
	const uint8_t *marks = mark_residue(job, graph->unit, unit, scratch, &count);
	uint32_t *node_of = arena_calloc(scratch, unit->type_count, sizeof(*node_of));

	if (!marks || !node_of)
		return false;
	graph->node_count = count;
	graph->slots = arena_alloc(kept, count * sizeof(*graph->slots));
	graph->first_edge = arena_alloc(kept, ((size_t)count + 1) * sizeof(*graph->first_edge));
	graph->is_active = arena_alloc(kept, count * sizeof(*graph->is_active));
	graph->active_slots = arena_alloc(kept, ((size_t)unit->type_count / 64 + 1) *
							sizeof(*graph->active_slots));
	graph->versions = arena_calloc(kept, count, sizeof(*graph->versions));
	return graph->slots && graph->first_edge && graph->is_active && graph->active_slots &&
	       graph->versions && number_nodes(graph, unit, marks, node_of, scratch) &&
	       fill_edges(graph, unit, node_of, kept);
}

static void build_unit_job(void *argument, uint32_t index, struct worker *worker)
{
	struct build_job *job = argument;
	struct dedup *dedup = job->residue->dedup;
	struct residue_unit *graph = &job->residue->units[index];
	struct smelt_error *error = &job->errors[index];
	struct model_unit unit;
	enum smelt_status status = job->reload(job->context, graph->unit, worker, &unit, error);

	if (status)
		error->status = status;
	else if (unit.type_count != dedup->units[graph->unit].type_count)
		error_set(error, SMELT_BAD_DATA, "unit %u has changed while it was read",
			  (unsigned)graph->unit);
	else if (!build_graph(job, graph, &unit, &worker->scratch,
			      &job->residue->arenas[worker->index]))
		error_no_memory(error);
}

/* Lists the units with seeds in order. */
static bool list_units(struct residue *residue, const uint8_t *is_seed,
		       const struct class_scan *scan)
{
	struct dedup *dedup = residue->dedup;
	uint32_t count = 0;

	residue->index_of_unit = calloc((size_t)dedup->unit_count + 1, sizeof(uint32_t));
	if (!residue->index_of_unit)
		return false;
	for (uint32_t index = 1; index <= class_table_count(dedup->table); index++) {
		const type_position *places = class_scan_places(scan, index);

		for (uint32_t i = 0; is_seed[index] && i < class_scan_count(scan, index); i++)
			residue->index_of_unit[type_position_unit(places[i])] = 1;
	}
	for (uint32_t unit = 0; unit < dedup->unit_count; unit++)
		count += residue->index_of_unit[unit];
	residue->units = calloc((size_t)count + 1, sizeof(*residue->units));
	if (!residue->units)
		return false;
	for (uint32_t unit = 0; unit < dedup->unit_count; unit++) {
		if (residue->index_of_unit[unit] == 0)
			continue;
		residue->units[residue->unit_count].unit = unit;
		residue->index_of_unit[unit] = ++residue->unit_count;
	}
	return true;
}

static enum smelt_status build_units(struct build_job *job, struct smelt_error *error)
{
	struct residue *residue = job->residue;

	if (!list_units(residue, job->is_seed, job->scan))
		return error_no_memory(error);
	job->errors = calloc((size_t)residue->unit_count + 1, sizeof(*job->errors));
	if (!job->errors)
		return error_no_memory(error);
	worker_pool_run(residue->dedup->pool, build_unit_job, job, residue->unit_count);
	for (uint32_t i = 0; i < residue->unit_count; i++) {
		enum smelt_status status = job->errors[i].status;

		if (!status)
			continue;
		if (error)
			*error = job->errors[i];
		return status;
	}
	return SMELT_OK;
}

enum smelt_status residue_build(struct residue *residue, struct dedup *dedup,
				struct name_groups *groups, const uint8_t *is_seed,
				const struct class_scan *scan, dedup_reload_fn reload,
				void *context, struct smelt_error *error)
{
	struct build_job job = {
		.residue = residue,
		.is_seed = is_seed,
		.reload = reload,
		.context = context,
		.scan = scan,
	};
	enum smelt_status status;

	residue_deinit(residue);
	residue->dedup = dedup;
	residue->groups = groups;
	residue->arenas = calloc(dedup->worker_count, sizeof(*residue->arenas));
	status = residue->arenas ? build_units(&job, error) : error_no_memory(error);
	free(job.errors);
	return status;
}

void residue_deinit(struct residue *residue)
{
	for (unsigned i = 0; residue->arenas && i < residue->dedup->worker_count; i++)
		arena_deinit(&residue->arenas[i]);
	free(residue->arenas);
	free(residue->units);
	free(residue->index_of_unit);
	vector_deinit(&residue->versions);
	*residue = (struct residue){ 0 };
}
