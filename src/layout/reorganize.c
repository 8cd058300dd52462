/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * If every size is a multiple of its alignment, falling alignments leave no hole, and nothing is smaller than that. For
 * few blocks of other sizes all orders are tried. Then the order is reached with single moves where
 * possible, each the best there is, because what people want to know is which members to move.
 */
#include "layout/reorganize_internal.h"

#include <stdlib.h>
#include <string.h>

enum { MOVES_BLOCKS_MAX = 80 }; /* with more, single moves are not searched: it takes cubic time */

/*
 * Bits up to which the struct is full; `block` comes next. False: a compiler would put its first entry
 * elsewhere, into what is open before the place that the block as a whole needs.
 */
static bool advance(const struct block *block, uint64_t *bits)
{
	uint64_t end = (*bits + 7) / 8;
	uint64_t start = round_up(end, block->alignment);

	if (round_up(end, block->first_alignment) != start ||
	    (block->starts_in_bits && start * 8 != *bits))
		return false;
	*bits = start * 8 + block->bits;
	return true;
}

/* Size with the blocks in this order; UINT64_MAX: it is none. */
static uint64_t measure(const struct search *search, const uint32_t *order)
{
	uint64_t bits = 0;

	for (size_t i = 0; i < search->blocks.count; i++)
		if (!advance(&search->blocks.items[order[i]], &bits))
			return UINT64_MAX;
	return round_up((bits + 7) / 8, search->alignment);
}

/* Bytes lost between the blocks, not at the end. */
static uint64_t measure_holes(const struct search *search, const uint32_t *order)
{
	uint64_t bits = 0;
	uint64_t holes = 0;

	for (size_t i = 0; i < search->blocks.count; i++) {
		const struct block *block = &search->blocks.items[order[i]];

		holes += round_up((bits + 7) / 8, block->alignment) - (bits + 7) / 8;
		if (!advance(block, &bits))
			return UINT64_MAX;
	}
	return holes;
}

static void keep_if_better(struct search *search, const uint32_t *order)
{
	uint64_t size = measure(search, order);

	if (size >= search->best)
		return;
	search->best = size;
	memcpy(search->best_order, order, search->blocks.count * sizeof(*order));
}

/* Whether a block may come at this place in the order. */
static bool fits_place(const struct search *search, uint32_t block, uint32_t place)
{
	const struct block *blocks = search->blocks.items;

	return (blocks[block].is_fixed ? block == place : !blocks[place].is_fixed) &&
	       blocks[block].group == blocks[place].group;
}

static void try_all(struct search *search, uint32_t place, uint64_t bits, uint64_t left)
{
	if (search->best == search->lowest ||
	    round_up((bits + 7) / 8 + left, search->alignment) >= search->best)
		return;
	if (place == search->blocks.count) {
		keep_if_better(search, search->order);
		return;
	}
	for (uint32_t i = 0; i < search->blocks.count; i++) {
		uint64_t next = bits;

		if (search->is_used[i] || !fits_place(search, i, place) ||
		    !advance(&search->blocks.items[i], &next))
			continue;
		search->is_used[i] = true;
		search->order[place] = i;
		try_all(search, place + 1, next, left - search->blocks.items[i].size);
		search->is_used[i] = false;
	}
}

static int compare_blocks(const void *left, const void *right, void *context)
{
	const struct block *blocks = context;
	uint32_t a = *(const uint32_t *)left;
	uint32_t b = *(const uint32_t *)right;

	if (blocks[a].alignment != blocks[b].alignment)
		return blocks[a].alignment > blocks[b].alignment ? -1 : 1;
	if (blocks[a].size % blocks[a].alignment != blocks[b].size % blocks[b].alignment)
		return blocks[a].size % blocks[a].alignment < blocks[b].size % blocks[b].alignment ?
			       -1 :
			       1;
	return a < b ? -1 : a > b;
}

/* Between fixed blocks and within groups, by falling alignment. */
static void sort_stretches(struct search *search)
{
	uint32_t count = (uint32_t)search->blocks.count;
	uint32_t start = 0;

	for (uint32_t i = 0; i < count; i++)
		search->order[i] = i;
	while (start < count) {
		uint32_t end = start + 1;

		if (!search->blocks.items[start].is_fixed)
			while (end < count && fits_place(search, start, end) &&
			       !search->blocks.items[end].is_fixed)
				end++;
		qsort_r(search->order + start, end - start, sizeof(*search->order), compare_blocks,
			search->blocks.items);
		start = end;
	}
	keep_if_better(search, search->order);
}

/* Whether a move between these places shifts one that stays. */
static bool shifts_fixed(const struct search *search, uint32_t a, uint32_t b)
{
	for (uint32_t i = a < b ? a : b; i <= (a < b ? b : a); i++)
		if (search->blocks.items[i].is_fixed)
			return true;
	return false;
}

/* In the order from large to small each block goes to the first hole that it fills no worse than others. */
static void fill_holes(struct search *search)
{
	uint32_t count = (uint32_t)search->blocks.count;
	uint32_t *order = search->order;

	for (uint32_t i = count; i-- > 1;) {
		for (uint32_t to = 0; to < i; to++) {
			uint32_t moved = order[i];
			uint64_t before = measure(search, order);

			if (search->blocks.items[moved].is_fixed ||
			    search->best == search->lowest || !fits_place(search, moved, to))
				break;
			memmove(order + to + 1, order + to, (i - to) * sizeof(*order));
			order[to] = moved;
			if (measure(search, order) < before) {
				keep_if_better(search, order);
				break;
			}
			memmove(order + to, order + to + 1, (i - to) * sizeof(*order));
			order[i] = moved;
		}
	}
}

static void find_best(struct search *search)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < search->blocks.count; i++)
		sum += search->blocks.items[i].size;
	sort_stretches(search);
	if (search->best > search->lowest && search->blocks.count <= REORGANIZE_EXACT_MAX)
		try_all(search, 0, 0, sum);
	else if (search->best > search->lowest && search->blocks.count <= MOVES_BLOCKS_MAX)
		fill_holes(search);
}

static void move_block(uint32_t *order, uint32_t from, uint32_t to)
{
	uint32_t moved = order[from];

	if (from < to)
		memmove(order + from, order + from + 1, (to - from) * sizeof(*order));
	else
		memmove(order + to + 1, order + to, (from - to) * sizeof(*order));
	order[to] = moved;
}

/* The order of the blocks as one of all entries of the body; what is not data keeps its place. */
static bool add_order(const struct search *search, const uint32_t *order,
		      struct reorganized *result)
{
	uint32_t *places;
	uint32_t done = 0;
	uint32_t block = 0, within = 0;

	if (!vector_reserve(&result->orders, result->orders.count + result->entry_count))
		return false;
	places = result->orders.items + result->orders.count;
	result->orders.count += result->entry_count;
	for (uint32_t i = 0; i < result->entry_count; i++) {
		const struct block *at;

		if (search->members[i].kind > MEMBER_BASE) {
			places[done++] = i;
			continue;
		}
		at = &search->blocks.items[order[block]];
		places[done++] = search->entries[at->first + within];
		if (++within == at->count) {
			within = 0;
			block++;
		}
	}
	return true;
}

static uint32_t first_entry(const struct search *search, const uint32_t *order, uint32_t place,
			    bool before)
{
	const struct block *block;

	if (before && place == 0)
		return UINT32_MAX;
	block = &search->blocks.items[order[before ? place - 1 : place]];
	return search->entries[before ? block->first + block->count - 1 : block->first];
}

static bool note_move(const struct search *search, uint32_t *order, uint32_t from, uint32_t to,
		      struct reorganized *result)
{
	struct reorganize_move *move = vector_push(&result->moves);

	if (!move)
		return false;
	move->entry = first_entry(search, order, from, false);
	move->after_before = first_entry(search, order, from, true);
	move_block(order, from, to);
	move->after_now = first_entry(search, order, to, true);
	move->size = measure(search, order);
	move->order = result->orders.count;
	return add_order(search, order, result);
}

/* The single move that gives the smallest size, then the fewest holes; false: none gives less than now. */
static bool find_move(const struct search *search, uint32_t *order, uint32_t *from, uint32_t *to)
{
	uint32_t count = (uint32_t)search->blocks.count;
	uint64_t size = measure(search, order);
	uint64_t holes = measure_holes(search, order);
	bool is_found = false;

	for (uint32_t i = 0; i < count; i++) {
		for (uint32_t k = 0; k < count; k++) {
			uint64_t new_size, new_holes;

			if (i == k || shifts_fixed(search, i, k) ||
			    !fits_place(search, order[i], k))
				continue;
			move_block(order, i, k);
			new_size = measure(search, order);
			new_holes = new_size == UINT64_MAX ? UINT64_MAX :
							     measure_holes(search, order);
			move_block(order, k, i);
			if (new_size > size || (new_size == size && new_holes >= holes))
				continue;
			size = new_size;
			holes = new_holes;
			*from = i;
			*to = k;
			is_found = true;
		}
	}
	return is_found;
}

/* What moves alone do not reach is put in order from the front. */
static bool move_to_best(const struct search *search, uint32_t *order, struct reorganized *result)
{
	uint32_t count = (uint32_t)search->blocks.count;

	for (uint32_t i = 0; i < count; i++) {
		uint32_t from = i;

		while (order[from] != search->best_order[i])
			from++;
		if (from != i && !note_move(search, order, from, i, result))
			return false;
	}
	return true;
}

static bool find_moves(struct search *search, struct reorganized *result)
{
	uint32_t count = (uint32_t)search->blocks.count;
	uint32_t *order = search->order;
	uint32_t from = 0, to = 0;

	for (uint32_t i = 0; i < count; i++)
		order[i] = i;
	while (count <= MOVES_BLOCKS_MAX && measure(search, order) > search->best &&
	       find_move(search, order, &from, &to))
		if (!note_move(search, order, from, to, result))
			return false;
	return measure(search, order) == search->best || move_to_best(search, order, result);
}

/* Whether the order that there is gives the layout that there is: else nothing can be said about others. */
static bool is_understood(const struct search *search)
{
	uint64_t bits = 0;

	if (search->layout->is_packed)
		return false;
	for (size_t i = 0; i < search->blocks.count; i++) {
		const struct block *block = &search->blocks.items[i];
		const struct member_layout *first = reorganize_layout(search, block->first);

		if (!advance(block, &bits) || bits - block->bits != first->offset * 8)
			return false;
	}
	return round_up((bits + 7) / 8, search->alignment) == search->type->size;
}

bool reorganize(struct source_layouts *source, uint32_t type,
		const struct reorganize_options *options, struct reorganized *result)
{
	struct search search = { .source = source };
	bool is_complete = reorganize_search_init(&search, type) &&
			   reorganize_make_blocks(&search, options->keeps_cachelines);

	*result = (struct reorganized){ .entry_count = search.type->item_count,
					.old_size = search.type->size,
					.new_size = search.type->size };
	if (is_complete && is_understood(&search)) {
		search.best = search.type->size;
		find_best(&search);
		result->new_size = search.best;
		if (options->wants_moves && search.best < search.type->size)
			is_complete = find_moves(&search, result);
	}
	reorganize_search_deinit(&search);
	if (!is_complete)
		reorganized_deinit(result);
	return is_complete;
}

void reorganized_deinit(struct reorganized *result)
{
	vector_deinit(&result->moves);
	vector_deinit(&result->orders);
}

/* Finds the block that starts with an entry. */
static const struct block *block_of(const struct search *search, uint32_t entry)
{
	for (size_t i = 0; i < search->blocks.count; i++)
		if (search->entries[search->blocks.items[i].first] == entry)
			return &search->blocks.items[i];
	return NULL;
}

bool reorganize_place(struct source_layouts *source, uint32_t type, const uint32_t *order,
		      uint64_t *offsets)
{
	struct search search = { .source = source };
	bool is_complete = reorganize_search_init(&search, type) &&
			   reorganize_make_blocks(&search, false);
	uint64_t bits = 0;

	for (uint32_t i = 0; i < search.type->item_count && is_complete; i++) {
		const struct block *block = block_of(&search, order[i]);
		uint64_t start, first;

		if (search.members[order[i]].kind > MEMBER_BASE || !block)
			continue;
		(void)advance(block, &bits);
		start = bits - block->bits;
		first = reorganize_layout(&search, block->first)->bit_offset;
		for (uint32_t k = 0; k < block->count; k++) {
			uint32_t entry = search.entries[block->first + k];

			offsets[entry] = start +
					 reorganize_layout(&search, block->first + k)->bit_offset -
					 first;
		}
	}
	reorganize_search_deinit(&search);
	return is_complete;
}
