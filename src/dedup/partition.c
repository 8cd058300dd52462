/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#include "dedup/partition.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "dedup/fingerprint_internal.h"

/* A block's nodes are neighbours in `order`; those that have to be looked at come first. */
struct block {
	uint32_t start;
	uint32_t end;
	uint32_t dirty_count;
};

/* A node that has to be looked at, and what it looks like now: 128 bits stand for all of it. */
struct dirty_node {
	struct fingerprint look;
	uint32_t node;
};

struct partition {
	const struct partition_graph *graph;
	struct arena arena;
	uint32_t *first_referrer; /* edges the other way round */
	uint32_t *referrers;
	uint32_t *order; /* nodes, by block */
	uint32_t *place; /* per node: where in `order` */
	uint32_t *block_of;
	struct block *blocks; /* room for one per node */
	uint32_t block_count;
	uint32_t *dirty_blocks; /* those with dirty nodes */
	uint32_t dirty_block_count;
	uint32_t *moved; /* nodes that got into a new block in this round */
	uint32_t moved_count;
	struct dirty_node *dirty; /* of one block */
};

static bool allocate(struct partition *partition, uint32_t edge_count)
{
	size_t count = (size_t)partition->graph->node_count + 2;
	struct arena *arena = &partition->arena;

	partition->first_referrer = arena_calloc(arena, count, sizeof(uint32_t));
	partition->referrers = arena_alloc(arena, (size_t)edge_count * sizeof(uint32_t));
	partition->order = arena_alloc(arena, count * sizeof(uint32_t));
	partition->place = arena_alloc(arena, count * sizeof(uint32_t));
	partition->blocks = arena_alloc(arena, count * sizeof(*partition->blocks));
	partition->dirty_blocks = arena_alloc(arena, count * sizeof(uint32_t));
	partition->moved = arena_alloc(arena, count * sizeof(uint32_t));
	partition->dirty = arena_alloc(arena, count * sizeof(*partition->dirty));
	return partition->first_referrer && partition->referrers && partition->order &&
	       partition->place && partition->blocks && partition->dirty_blocks &&
	       partition->moved && partition->dirty;
}

static void turn_edges(struct partition *partition, uint32_t edge_count)
{
	const struct partition_graph *graph = partition->graph;
	uint32_t *first = partition->first_referrer;

	for (uint32_t i = 0; i < edge_count; i++)
		first[graph->edges[i].target + 1]++;
	for (uint32_t node = 0; node < graph->node_count; node++)
		first[node + 1] += first[node];
	for (uint32_t node = 0; node < graph->node_count; node++) {
		for (uint32_t i = graph->first_edge[node]; i < graph->first_edge[node + 1]; i++)
			partition->referrers[first[graph->edges[i].target]++] = node;
	}
	memmove(first + 1, first, graph->node_count * sizeof(*first));
	first[0] = 0;
}

/* ---- blocks ---- */

static void mark_dirty(struct partition *partition, uint32_t node)
{
	uint32_t number = partition->block_of[node];
	struct block *block = &partition->blocks[number];
	uint32_t from = partition->place[node], to = block->start + block->dirty_count;
	uint32_t other = partition->order[to];

	if (from < to)
		return; /* it is already */
	if (block->dirty_count++ == 0)
		partition->dirty_blocks[partition->dirty_block_count++] = number;
	partition->order[to] = node;
	partition->place[node] = to;
	partition->order[from] = other;
	partition->place[other] = from;
}

static int compare_colours(const void *left, const void *right, void *colours)
{
	uint32_t x = *(const uint32_t *)left, y = *(const uint32_t *)right;
	uint32_t first = ((const uint32_t *)colours)[x], second = ((const uint32_t *)colours)[y];

	if (first != second)
		return first < second ? -1 : 1;
	return (x > y) - (x < y);
}

/* Makes a block of order[start .. end). */
static void add_block(struct partition *partition, uint32_t start, uint32_t end)
{
	uint32_t number = partition->block_count++;

	partition->blocks[number] = (struct block){ .start = start, .end = end };
	for (uint32_t i = start; i < end; i++)
		partition->block_of[partition->order[i]] = number;
}

/* A block per colour, all of whose nodes have to be looked at. */
static void start_blocks(struct partition *partition, const uint32_t *colours)
{
	uint32_t count = partition->graph->node_count, start = 0;
	uint32_t *order = partition->order;

	for (uint32_t node = 0; node < count; node++)
		order[node] = node;
	qsort_r(order, count, sizeof(*order), compare_colours, (void *)colours);
	for (uint32_t i = 0; i < count; i++) {
		partition->place[order[i]] = i;
		if (i + 1 < count && colours[order[i]] == colours[order[i + 1]])
			continue;
		add_block(partition, start, i + 1);
		start = i + 1;
	}
	for (uint32_t number = 0; number < partition->block_count; number++) {
		struct block *block = &partition->blocks[number];

		block->dirty_count = block->end - block->start;
		partition->dirty_blocks[number] = number;
	}
	partition->dirty_block_count = partition->block_count;
}

/* ---- splitting ---- */

static struct fingerprint look_of(const struct partition *partition, uint32_t node)
{
	const struct partition_graph *graph = partition->graph;
	struct fingerprint look = { 1, 1 };

	for (uint32_t i = graph->first_edge[node]; i < graph->first_edge[node + 1]; i++) {
		const struct partition_edge *edge = &graph->edges[i];
		uint64_t label = (uint64_t)edge->number << 32 | partition->block_of[edge->target];

		look.a = fingerprint_fold(look.a ^ label ^ 0xb492b66fbe98f273, 0x9ae16a3b2f90404f);
		look.b = fingerprint_fold(look.b ^ label ^ 0xc949c7defebe6fb2, 0x880355f21e6d1965);
	}
	return look;
}

static int compare_looks(const void *left, const void *right)
{
	const struct dirty_node *x = left, *y = right;

	if (x->look.a != y->look.a)
		return x->look.a < y->look.a ? -1 : 1;
	if (x->look.b != y->look.b)
		return x->look.b < y->look.b ? -1 : 1;
	return (x->node > y->node) - (x->node < y->node);
}

/* Puts the block's dirty nodes into the order of their looks; returns whether all look the same. */
static bool sort_dirty(struct partition *partition, const struct block *block)
{
	struct dirty_node *dirty = partition->dirty;
	uint32_t count = block->dirty_count;
	bool is_same = true;

	for (uint32_t i = 0; i < count; i++) {
		uint32_t node = partition->order[block->start + i];

		dirty[i] = (struct dirty_node){ look_of(partition, node), node };
		is_same &= fingerprint_equal(dirty[i].look, dirty[0].look);
	}
	if (is_same)
		return true;
	qsort(dirty, count, sizeof(*dirty), compare_looks);
	for (uint32_t i = 0; i < count; i++) {
		partition->order[block->start + i] = dirty[i].node;
		partition->place[dirty[i].node] = block->start + i;
	}
	return false;
}

/* Where the part of a split block that starts at `start` ends. The nodes that were not dirty are the last part. */
static uint32_t part_end(const struct partition *partition, const struct block *block,
			 uint32_t start)
{
	const struct dirty_node *dirty = partition->dirty;
	uint32_t i = start - block->start;

	if (i >= block->dirty_count)
		return block->end;
	while (i + 1 < block->dirty_count && fingerprint_equal(dirty[i].look, dirty[i + 1].look))
		i++;
	return block->start + i + 1;
}

/* Its nodes that were not dirty look as before, and so like no dirty one: these see a block that is new. */
static void split_block(struct partition *partition, uint32_t number)
{
	struct block block = partition->blocks[number];
	bool is_same = sort_dirty(partition, &block);
	uint32_t largest = block.start, largest_end = block.start;

	partition->blocks[number].dirty_count = 0;
	if (is_same && block.dirty_count == block.end - block.start)
		return;
	for (uint32_t start = block.start, end; start < block.end; start = end) {
		end = part_end(partition, &block, start);
		if (end - start > largest_end - largest) {
			largest = start;
			largest_end = end;
		}
	}
	for (uint32_t start = block.start, end; start < block.end; start = end) {
		end = part_end(partition, &block, start);
		if (start == largest)
			continue;
		add_block(partition, start, end);
		memcpy(partition->moved + partition->moved_count, partition->order + start,
		       (end - start) * sizeof(uint32_t));
		partition->moved_count += end - start;
	}
	partition->blocks[number].start = largest;
	partition->blocks[number].end = largest_end;
}

static void split_all(struct partition *partition)
{
	while (partition->dirty_block_count > 0) {
		uint32_t number = partition->dirty_blocks[--partition->dirty_block_count];

		partition->moved_count = 0;
		split_block(partition, number);
		for (uint32_t i = 0; i < partition->moved_count; i++) {
			uint32_t node = partition->moved[i];

			for (uint32_t k = partition->first_referrer[node];
			     k < partition->first_referrer[node + 1]; k++)
				mark_dirty(partition, partition->referrers[k]);
		}
	}
}

bool partition_find(const struct partition_graph *graph, const uint32_t *colours, uint32_t *blocks,
		    uint32_t *block_count)
{
	uint32_t edge_count = graph->first_edge[graph->node_count];
	struct partition partition = { .graph = graph, .block_of = blocks };
	bool done;

	arena_init(&partition.arena);
	done = allocate(&partition, edge_count);
	if (done) {
		turn_edges(&partition, edge_count);
		start_blocks(&partition, colours);
		split_all(&partition);
		*block_count = partition.block_count;
	}
	arena_deinit(&partition.arena);
	return done;
}
