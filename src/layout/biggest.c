/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#include "layout/layout.h"

/* Members looked at in all: aggregates that hold each other many times multiply. */
enum { VISIT_MAX = 100000, DEPTH_MAX = 100 };

struct biggest_search {
	struct layouts *layouts;
	struct biggest_member best;
	uint32_t visits;
};

static bool is_larger_than_address(const struct biggest_search *search)
{
	return search->best.size > search->layouts->program->address_size;
}

static void search_type(struct biggest_search *search, uint32_t number, uint64_t base,
			unsigned depth)
{
	const struct program *program = search->layouts->program;
	const struct program_type *type = &program->types[number];
	const struct program_member *members = program_members(program, type);
	const struct aggregate_layout *layout = layout_of(search->layouts, number);

	for (uint32_t i = 0; layout && i < type->item_count; i++) {
		const struct member_layout *place = &layout->members[i];
		const struct type_facts *facts;

		if (is_larger_than_address(search) || ++search->visits > VISIT_MAX)
			return;
		if (members[i].kind > MEMBER_BASE)
			continue;
		facts = facts_of(&search->layouts->facts, members[i].type);
		while (program->types[facts->base].kind == TYPE_ARRAY)
			facts = facts_of(&search->layouts->facts, program->types[facts->base].type);
		if (type_kind_is_aggregate(program->types[facts->base].kind)) {
			if (depth < DEPTH_MAX)
				search_type(search, facts->base, base + place->offset, depth + 1);
		} else if (facts->size > search->best.size && members[i].name) {
			search->best = (struct biggest_member){ .name = members[i].name,
								.offset = base + place->offset,
								.size = facts->size };
		}
	}
}

struct biggest_member layout_biggest_member(struct layouts *layouts, uint32_t type)
{
	struct biggest_search search = { .layouts = layouts };

	search_type(&search, type, 0, 0);
	return search.best;
}
