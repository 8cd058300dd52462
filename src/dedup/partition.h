/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The coarsest partition of a graph's nodes into blocks in which all nodes look alike: they have the same colour, and their edges
 * of the same number lead to nodes that look alike (bisimilarity).
 *
 * Found by splitting: blocks start as the colours. A node whose successor got into a new block is looked at again, and
 * a block whose nodes then differ is split. Its largest part keeps the number, so a node gets a new one
 * at most log n times, and all in all each edge is followed as often.
 */
#ifndef DEDUP_PARTITION_H
#define DEDUP_PARTITION_H

#include <stdbool.h>
#include <stdint.h>

struct partition_edge {
	uint32_t number; /* among the node's; what a block has in common */
	uint32_t target;
};

/* Edges of node n are edges[first_edge[n]] to edges[first_edge[n + 1]]. */
struct partition_graph {
	uint32_t node_count;
	uint32_t *first_edge;
	struct partition_edge *edges;
};

/*
 * Sets per node which block it is in; blocks are numbered from 0 up without gaps, in no particular order. False
 * when out of memory.
 */
bool partition_find(const struct partition_graph *graph, const uint32_t *colours, uint32_t *blocks,
		    uint32_t *block_count);

#endif
