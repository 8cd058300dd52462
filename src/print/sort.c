/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#include <stdlib.h>

#include "print/show_parts.h"

static int compare_numbers(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

static const struct program_type *type_of(const struct show_entry *entry)
{
	return &entry->run->program->types[entry->type];
}

static int compare_names(const char *a, const char *b)
{
	return strcmp(a ? a : "", b ? b : "");
}

/* Types are compared as they are spelt. */
static int compare_spelling(struct smelt_show *show, const struct show_entry *a, uint32_t a_type,
			    const struct show_entry *b, uint32_t b_type)
{
	struct text *spelt = &show->scratch;
	size_t middle, shorter;
	int order;

	text_reset(spelt);
	print_type_name(&a->run->printer, a_type);
	middle = spelt->size;
	print_type_name(&b->run->printer, b_type);
	if (spelt->failed) /* the same will happen again where it can be reported */
		return 0;
	shorter = spelt->size - middle < middle ? spelt->size - middle : middle;
	order = memcmp(spelt->data, spelt->data + middle, shorter);
	return order ? order : compare_numbers(middle, spelt->size - middle);
}

static int compare_members(struct smelt_show *show, const struct show_entry *a,
			   const struct show_entry *b)
{
	const struct program_type *a_type = type_of(a);
	const struct program_type *b_type = type_of(b);
	const struct program_member *a_members = program_members(a->run->program, a_type);
	const struct program_member *b_members = program_members(b->run->program, b_type);
	uint32_t count = a_type->item_count < b_type->item_count ? a_type->item_count :
								   b_type->item_count;
	int order = 0;

	for (uint32_t i = 0; i < count && order == 0; i++) {
		order = compare_names(a_members[i].name, b_members[i].name);
		if (order == 0)
			order = compare_numbers(a_members[i].bit_offset, b_members[i].bit_offset);
		if (order == 0)
			order = compare_numbers(a_members[i].bit_size, b_members[i].bit_size);
		if (order == 0 && a_members[i].kind <= MEMBER_BASE &&
		    b_members[i].kind <= MEMBER_BASE)
			order = compare_spelling(show, a, a_members[i].type, b, b_members[i].type);
	}
	return order ? order : compare_numbers(a_type->item_count, b_type->item_count);
}

/* By name, then by members; the order of files and units counts only where nothing else differs. */
static int compare_entries(const void *left, const void *right, void *context)
{
	const struct show_entry *a = left;
	const struct show_entry *b = right;
	int order = compare_names(type_of(a)->name, type_of(b)->name);

	if (order == 0 && type_kind_is_aggregate(type_of(a)->kind) &&
	    type_kind_is_aggregate(type_of(b)->kind))
		order = compare_members(context, a, b);
	if (order == 0)
		order = compare_numbers(type_of(a)->size, type_of(b)->size);
	return order ? order : compare_numbers(a->number, b->number);
}

void show_sort(struct smelt_show *show)
{
	if (show->entries.count > 1)
		qsort_r(show->entries.items, show->entries.count, sizeof(*show->entries.items),
			compare_entries, show);
}
