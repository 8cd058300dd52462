/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#include "model/program.h"

#include <stdlib.h>

static bool program_add_firsts(struct program *program)
{
	program->types = arena_calloc(&program->arena, 1, sizeof(*program->types));
	program->scopes = arena_calloc(&program->arena, 1, sizeof(*program->scopes));
	program->units = arena_calloc(&program->arena, 1, sizeof(*program->units));
	if (!program->types || !program->scopes || !program->units)
		return false;
	program->type_count = 1;
	program->scope_count = 1;
	program->unit_count = 1;
	program->units[0].name = program->path;
	program->units[0].language = LANGUAGE_C;
	return true;
}

struct program *program_create(const char *path)
{
	struct program *program = calloc(1, sizeof(*program));

	if (!program)
		return NULL;
	program->path = path;
	arena_init(&program->arena);
	if (!program_add_firsts(program)) {
		program_destroy(program);
		return NULL;
	}
	return program;
}

void program_destroy(struct program *program)
{
	if (!program)
		return;
	arena_deinit(&program->arena);
	if (program->release)
		program->release(program->backing);
	free(program);
}

static bool has_target(const struct program_type *type)
{
	return type->type != 0 && type->kind != TYPE_ENUM && type->kind != TYPE_FUNCTION;
}

/*
 * Every type has one target at most, so a walk from a type either ends, meets an older walk, or meets
 * itself: the last step was then the one that closed the loop.
 */
bool program_break_loops(struct program *program)
{
	uint32_t *walks = calloc(program->type_count, sizeof(*walks)); /* that came by first */

	if (!walks)
		return false;
	for (uint32_t start = 1; start < program->type_count; start++) {
		uint32_t at = start;

		while (walks[at] == 0) {
			struct program_type *type = &program->types[at];

			walks[at] = start;
			if (!has_target(type))
				break;
			if (walks[type->type] == start) {
				type->type = 0;
				break;
			}
			at = type->type;
		}
	}
	free(walks);
	return true;
}
