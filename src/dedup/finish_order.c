/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Depth first with a stack of its own; a type that waits for itself is taken as finished. */
#include "dedup/finish_order.h"

#include <stdbool.h>

#include "dedup/type_family.h"

struct waiting {
	uint32_t slot;
	uint32_t next_reference;
};

struct finish_walk {
	const struct model_unit *unit;
	bool *visited;
	struct waiting *stack;
	uint32_t *order;
	uint32_t count;
};

static void finish_from(struct finish_walk *walk, uint32_t start)
{
	uint32_t depth = 1;

	walk->stack[0] = (struct waiting){ .slot = start };
	walk->visited[start] = true;
	while (depth > 0) {
		struct waiting *top = &walk->stack[depth - 1];
		const struct model_type *type = &walk->unit->types[top->slot];
		uint32_t target;

		if (top->next_reference == type_reference_count(type)) {
			walk->order[walk->count++] = top->slot;
			depth--;
			continue;
		}
		target = type_reference_at(walk->unit, type, top->next_reference++);
		if (walk->visited[target] || !type_is_reference(&walk->unit->types[target]))
			continue;
		walk->visited[target] = true;
		walk->stack[depth++] = (struct waiting){ .slot = target };
	}
}

uint32_t *finish_order(const struct model_unit *unit, struct arena *arena, uint32_t *count)
{
	struct finish_walk walk = { .unit = unit };
	uint32_t references = 0;

	for (uint32_t slot = 1; slot < unit->type_count; slot++)
		references += type_is_reference(&unit->types[slot]);
	walk.visited = arena_calloc(arena, unit->type_count, sizeof(*walk.visited));
	walk.stack = arena_alloc(arena, references * sizeof(*walk.stack));
	walk.order = arena_alloc(arena, references * sizeof(*walk.order));
	if (!walk.visited || !walk.stack || !walk.order)
		return NULL;
	for (uint32_t slot = 1; slot < unit->type_count; slot++) {
		if (!walk.visited[slot] && type_is_reference(&unit->types[slot]))
			finish_from(&walk, slot);
	}
	*count = walk.count;
	return walk.order;
}
