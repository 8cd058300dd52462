/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#include <stdlib.h>

#include "layout/reorganize_internal.h"

bool reorganize_search_init(struct search *search, uint32_t number)
{
	struct layouts *layouts = search->source->layouts;
	uint32_t count;

	search->type = &layouts->program->types[number];
	search->members = program_members(layouts->program, search->type);
	search->layout = layout_of(layouts, number);
	count = search->type->item_count;
	search->entries = calloc(count + 1u, sizeof(*search->entries));
	search->order = calloc(count + 1u, sizeof(*search->order));
	search->best_order = calloc(count + 1u, sizeof(*search->best_order));
	search->is_used = calloc(count + 1u, sizeof(*search->is_used));
	if (!search->layout || !search->entries || !search->order || !search->best_order ||
	    !search->is_used)
		return false;
	for (uint32_t i = 0; i < count; i++) {
		uint32_t entry = layout_entry(search->layout, i);

		if (search->members[entry].kind <= MEMBER_BASE)
			search->entries[search->entry_count++] = entry;
	}
	return true;
}

void reorganize_search_deinit(struct search *search)
{
	vector_deinit(&search->blocks);
	free(search->entries);
	free(search->order);
	free(search->best_order);
	free(search->is_used);
}

/*
 * What a member wants; not more than the place where it lies has, as wherever it may lie now is fine. In
 * a union at 0 that says nothing, so only what is recorded or natural counts there.
 */
static uint64_t wanted_alignment(struct search *search, uint32_t place)
{
	const struct program_member *member = &search->members[search->entries[place]];
	const struct member_layout *layout = reorganize_layout(search, place);
	uint64_t wanted = source_layouts_alignment(search->source, member->type);
	uint64_t had = layout->offset & -layout->offset;

	if (layout->alignment > wanted)
		wanted = layout->alignment;
	return had && had < wanted ? had : wanted;
}

/* Whether an entry cannot be told to go elsewhere. */
static bool stays(const struct search *search, uint32_t place)
{
	const struct program_member *member = &search->members[search->entries[place]];
	bool is_last = place == search->entry_count - 1;

	return member->kind == MEMBER_BASE || member->flags & MEMBER_IS_ARTIFICIAL ||
	       (is_last && reorganize_layout(search, place)->size == 0);
}

/* The last place of the run of bit fields that starts here. */
static uint32_t run_end(const struct search *search, uint32_t place)
{
	while (place + 1 < search->entry_count && reorganize_layout(search, place + 1)->bit_size)
		place++;
	return place;
}

static struct block *push_block(struct search *search, uint32_t place)
{
	struct block *block = vector_push(&search->blocks);

	if (block)
		*block = (struct block){ .first = place, .alignment = 1 };
	return block;
}

/* Adds an entry to the end of a block that starts at `start`. */
static void extend(struct search *search, struct block *block, uint32_t place, uint64_t start)
{
	const struct member_layout *layout = reorganize_layout(search, place);
	uint64_t alignment = layout->bit_size ? layout->size : wanted_alignment(search, place);
	uint64_t end =
		layout->bit_offset + (layout->bit_size ? layout->bit_size : layout->size * 8);

	if (block->count++ == 0)
		block->first_alignment = layout->bit_size ? 1 : alignment;
	block->is_fixed |= stays(search, place);
	if (alignment > block->alignment)
		block->alignment = alignment;
	if (end > start * 8 + block->bits)
		block->bits = end - start * 8;
	block->size = (block->bits + 7) / 8;
}

/*
 * Where the storage of a run of bit fields begins. What lies there already before the run belongs
 * to the same block.
 */
static uint64_t run_start(const struct search *search, uint32_t first, uint32_t last)
{
	uint64_t unit = 1;

	for (uint32_t i = first; i <= last; i++)
		if (reorganize_layout(search, i)->size > unit)
			unit = reorganize_layout(search, i)->size;
	return reorganize_layout(search, first)->bit_offset / 8 / unit * unit;
}

/* Ordinary members whose bytes are in the storage of the run join its block. */
static uint32_t take_back(struct search *search, uint64_t start, uint32_t place)
{
	while (search->blocks.count > 0) {
		const struct block *last = &search->blocks.items[search->blocks.count - 1];
		const struct member_layout *end =
			reorganize_layout(search, last->first + last->count - 1);

		if (end->offset + end->size <= start && !end->bit_size)
			break;
		place = last->first;
		search->blocks.count--;
	}
	return place;
}

static bool add_run(struct search *search, uint32_t *place)
{
	uint32_t last = run_end(search, *place);
	uint64_t start = run_start(search, *place, last);
	uint32_t first = take_back(search, start, *place);
	struct block *block = push_block(search, first);

	if (!block)
		return false;
	if (reorganize_layout(search, first)->offset < start)
		start = reorganize_layout(search, first)->offset;
	block->starts_in_bits = reorganize_layout(search, first)->bit_size > 0;
	for (uint32_t i = first; i <= last; i++)
		extend(search, block, i, start);
	/* Its first bit is not where its storage starts: only its own place is sure to do. */
	if (reorganize_layout(search, first)->bit_offset != start * 8)
		block->is_fixed = true;
	*place = last + 1;
	return true;
}

static bool add_member(struct search *search, uint32_t *place)
{
	struct block *block = push_block(search, *place);
	uint64_t start = reorganize_layout(search, *place)->offset;

	if (!block)
		return false;
	/* Members without size mark the place of what follows. */
	do
		extend(search, block, *place, start);
	while (reorganize_layout(search, (*place)++)->size == 0 && *place < search->entry_count &&
	       !reorganize_layout(search, *place)->bit_size &&
	       reorganize_layout(search, *place)->offset == start);
	return true;
}

/* Members from a forced cache line on are a group. */
static void set_groups(struct search *search)
{
	uint32_t group = 0;

	for (size_t i = 0; i < search->blocks.count; i++) {
		struct block *block = &search->blocks.items[i];

		if (block->alignment >= search->source->layouts->cacheline_size && i > 0) {
			group++;
			block->is_fixed = true;
		}
		block->group = group;
	}
}

bool reorganize_make_blocks(struct search *search, bool keeps_cachelines)
{
	uint32_t place = 0;
	uint64_t sum = 0;

	while (place < search->entry_count)
		if (!(reorganize_layout(search, place)->bit_size ? add_run(search, &place) :
								   add_member(search, &place)))
			return false;
	if (keeps_cachelines)
		set_groups(search);
	search->alignment = search->layout->alignment ? search->layout->alignment : 1;
	for (size_t i = 0; i < search->blocks.count; i++) {
		sum += search->blocks.items[i].size;
		if (search->blocks.items[i].alignment > search->alignment)
			search->alignment = search->blocks.items[i].alignment;
	}
	/* A size that is no multiple shows that this machine does not insist. */
	while (search->type->size % search->alignment)
		search->alignment /= 2;
	search->lowest = round_up(sum, search->alignment);
	return true;
}
