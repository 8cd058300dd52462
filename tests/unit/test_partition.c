/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Against the definition: pairs of nodes that differ are marked until no more do. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "dedup/partition.h"

enum { NODES_MAX = 24, EDGES_MAX = 4 * NODES_MAX };

struct example {
	uint32_t first_edge[NODES_MAX + 1];
	struct partition_edge edges[EDGES_MAX];
	uint32_t colours[NODES_MAX];
	struct partition_graph graph;
};

static uint32_t next_random(uint64_t *state)
{
	*state = *state * UINT64_C(6364136223846793005) + 1442695040888963407;
	return (uint32_t)(*state >> 33);
}

/* Few colours and few edges: nodes often look alike for a while. */
static void make_example(struct example *example, uint64_t *state)
{
	uint32_t nodes = 1 + next_random(state) % NODES_MAX, edges = 0;
	uint32_t colours = 1 + next_random(state) % 3, most_edges = 1 + next_random(state) % 4;

	for (uint32_t node = 0; node < nodes; node++) {
		example->colours[node] = next_random(state) % colours;
		example->first_edge[node] = edges;
		for (uint32_t number = 0; number < most_edges; number++) {
			if (next_random(state) % 3 != 0)
				example->edges[edges++] = (struct partition_edge){
					.number = number,
					.target = next_random(state) % nodes,
				};
		}
	}
	example->first_edge[nodes] = edges;
	example->graph = (struct partition_graph){ nodes, example->first_edge, example->edges };
}

/* Whether x and y have different edges, or edges of one number to nodes known to differ. */
static bool edges_differ(const struct example *example, uint32_t x, uint32_t y,
			 bool differ[NODES_MAX][NODES_MAX])
{
	uint32_t i = example->first_edge[x], k = example->first_edge[y];

	if (example->first_edge[x + 1] - i != example->first_edge[y + 1] - k)
		return true;
	for (; i < example->first_edge[x + 1]; i++, k++) {
		if (example->edges[i].number != example->edges[k].number ||
		    differ[example->edges[i].target][example->edges[k].target])
			return true;
	}
	return false;
}

static void find_differences(const struct example *example, bool differ[NODES_MAX][NODES_MAX])
{
	const uint32_t count = example->graph.node_count;
	bool is_new = true;

	for (uint32_t x = 0; x < count; x++) {
		for (uint32_t y = 0; y < count; y++)
			differ[x][y] = example->colours[x] != example->colours[y];
	}
	while (is_new) {
		is_new = false;
		for (uint32_t x = 0; x < count; x++) {
			for (uint32_t y = 0; y < count; y++) {
				if (differ[x][y] || !edges_differ(example, x, y, differ))
					continue;
				differ[x][y] = true;
				is_new = true;
			}
		}
	}
}

static void blocks_are_those_of_the_definition(void **state)
{
	uint64_t seed = 1;

	(void)state;
	for (unsigned run = 0; run < 3000; run++) {
		bool differ[NODES_MAX][NODES_MAX];
		uint32_t blocks[NODES_MAX], block_count = 0, used = 0;
		struct example example;

		make_example(&example, &seed);
		find_differences(&example, differ);
		assert_true(partition_find(&example.graph, example.colours, blocks, &block_count));
		for (uint32_t x = 0; x < example.graph.node_count; x++) {
			assert_true(blocks[x] < block_count);
			used |= UINT32_C(1) << blocks[x];
			for (uint32_t y = 0; y < example.graph.node_count; y++)
				assert_int_equal(blocks[x] != blocks[y], differ[x][y]);
		}
		assert_int_equal(used, (UINT32_C(1) << block_count) - 1);
	}
}

/* Long chains are what makes rounds over all nodes slow: each node is split off by itself. */
static void chains_take_no_time(void **state)
{
	enum { LENGTH = 200 * 1000 };
	uint32_t *first_edge = malloc((LENGTH + 1) * sizeof(*first_edge));
	struct partition_edge *edges = malloc(LENGTH * sizeof(*edges));
	uint32_t *colours = calloc(LENGTH, sizeof(*colours));
	uint32_t *blocks = malloc(LENGTH * sizeof(*blocks));
	struct partition_graph graph = { LENGTH, first_edge, edges };
	uint32_t block_count = 0;

	(void)state;
	assert_true(first_edge && edges && colours && blocks);
	for (uint32_t node = 0; node < LENGTH; node++) {
		first_edge[node] = node;
		edges[node] = (struct partition_edge){ 0, node + 1 };
	}
	first_edge[LENGTH] = LENGTH - 1;
	assert_true(partition_find(&graph, colours, blocks, &block_count));
	assert_int_equal(block_count, LENGTH);

	/* a ring: all alike, then all different */
	first_edge[LENGTH] = LENGTH;
	edges[LENGTH - 1].target = 0;
	assert_true(partition_find(&graph, colours, blocks, &block_count));
	assert_int_equal(block_count, 1);
	colours[LENGTH / 2] = 1;
	assert_true(partition_find(&graph, colours, blocks, &block_count));
	assert_int_equal(block_count, LENGTH);
	free(first_edge);
	free(edges);
	free(colours);
	free(blocks);
}

static void nothing_has_no_blocks(void **state)
{
	uint32_t first_edge[1] = { 0 }, none = 0, block_count = 99;
	const struct partition_graph graph = { 0, first_edge, NULL };

	(void)state;
	assert_true(partition_find(&graph, &none, &none, &block_count));
	assert_int_equal(block_count, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(blocks_are_those_of_the_definition),
		cmocka_unit_test(chains_take_no_time),
		cmocka_unit_test(nothing_has_no_blocks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
