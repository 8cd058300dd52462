/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#include "model/program.h"

#include <stdlib.h>

static bool program_add_firsts(struct program *program)
{
	program->types = arena_calloc(&program->arena, 1, sizeof(*program->types));
	program->scopes = arena_calloc(&program->arena, 1, sizeof(*program->scopes));
	if (!program->types || !program->scopes)
		return false;
	program->type_count = 1;
	program->scope_count = 1;
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
