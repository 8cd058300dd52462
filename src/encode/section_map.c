/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * All starts and ends cut the addresses into pieces. Sections take the pieces they cover
 * in order of index; a piece that is taken stays so. `next` leads from a piece to the first
 * one not before it that is still free, with paths shortened on the way, so that all of it
 * takes little more than sorting.
 */
#include "encode/section_map.h"

#include <stdlib.h>

struct painter {
	uint64_t *edges; /* ascending; piece i is [edges[i], edges[i + 1]) */
	uint32_t *next;  /* by piece */
	uint32_t *owners;
	uint32_t edge_count;
};

static int compare_edges(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a;
	uint64_t y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* A section at the very top ends with the address space. */
static uint64_t range_end(const struct section_range *range)
{
	uint64_t end;

	return __builtin_add_overflow(range->start, range->size, &end) ? UINT64_MAX : end;
}

static void collect_edges(struct painter *painter, const struct section_range *sections,
			  uint32_t count)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < count; i++) {
		painter->edges[2 * i] = sections[i].start;
		painter->edges[2 * i + 1] = range_end(&sections[i]);
	}
	qsort(painter->edges, 2 * (size_t)count, sizeof(*painter->edges), compare_edges);
	for (uint32_t i = 0; i < 2 * count; i++) {
		if (kept == 0 || painter->edges[i] != painter->edges[kept - 1])
			painter->edges[kept++] = painter->edges[i];
	}
	painter->edge_count = kept;
}

static uint32_t first_free(struct painter *painter, uint32_t piece)
{
	while (painter->next[piece] != piece) {
		painter->next[piece] = painter->next[painter->next[piece]];
		piece = painter->next[piece];
	}
	return piece;
}

/* Piece that starts at `edge`, which is one of the edges. */
static uint32_t find_edge(const struct painter *painter, uint64_t edge)
{
	uint32_t low = 0;
	uint32_t high = painter->edge_count;

	while (high - low > 1) {
		uint32_t middle = low + (high - low) / 2;

		if (painter->edges[middle] <= edge)
			low = middle;
		else
			high = middle;
	}
	return low;
}

static void paint(struct painter *painter, const struct section_range *section)
{
	uint32_t end = find_edge(painter, range_end(section));
	uint32_t piece = first_free(painter, find_edge(painter, section->start));

	while (piece < end) {
		painter->owners[piece] = section->section;
		painter->next[piece] = piece + 1;
		piece = first_free(painter, piece);
	}
}

static void keep_ranges(struct section_map *map, const struct painter *painter)
{
	for (uint32_t piece = 0; piece + 1 < painter->edge_count; piece++) {
		if (painter->owners[piece] == 0)
			continue;
		map->ranges[map->count++] = (struct section_range){
			.start = painter->edges[piece],
			.size = painter->edges[piece + 1] - painter->edges[piece],
			.section = painter->owners[piece],
		};
	}
}

bool section_map_init(struct section_map *map, const struct section_range *sections, uint32_t count)
{
	size_t pieces = 2 * (size_t)count + 1;
	struct painter painter = {
		.edges = malloc(pieces * sizeof(*painter.edges)),
		.next = malloc(pieces * sizeof(*painter.next)),
		.owners = calloc(pieces, sizeof(*painter.owners)),
	};

	*map = (struct section_map){ .ranges = malloc(pieces * sizeof(*map->ranges)) };
	if (!map->ranges || !painter.edges || !painter.next || !painter.owners) {
		section_map_deinit(map);
	} else {
		for (uint32_t i = 0; i < pieces; i++)
			painter.next[i] = i;
		collect_edges(&painter, sections, count);
		for (uint32_t i = 0; i < count; i++)
			paint(&painter, &sections[i]);
		keep_ranges(map, &painter);
	}
	free(painter.edges);
	free(painter.next);
	free(painter.owners);
	return map->ranges != NULL;
}

void section_map_deinit(struct section_map *map)
{
	free(map->ranges);
	*map = (struct section_map){ 0 };
}

uint32_t section_map_find(const struct section_map *map, uint64_t address)
{
	uint32_t low = 0;
	uint32_t high = map->count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		const struct section_range *range = &map->ranges[middle];

		if (address < range->start)
			high = middle;
		else if (address - range->start >= range->size)
			low = middle + 1;
		else
			return range->section;
	}
	return 0;
}
