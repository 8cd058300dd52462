/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Types by name. All of a name are shown: units, and files, may mean different things by it. */
#include <stdlib.h>

#include "base/error.h"
#include "print/show_parts.h"

struct wanted_name {
	const char *name;
	uint32_t next; /* index + 1 of the next with the same hash */
	bool is_found;
};

struct name_lookup {
	struct wanted_name *names;
	uint32_t count;
	uint32_t *buckets; /* index + 1 into names */
	uint32_t bucket_mask;
};

static uint32_t hash_name(const char *name)
{
	uint32_t hash = 2166136261u; /* FNV-1a */

	for (; *name; name++)
		hash = (hash ^ (uint8_t)*name) * 16777619u;
	return hash;
}

struct name_lookup *name_lookup_create(const char *const *names, size_t count)
{
	struct name_lookup *lookup = calloc(1, sizeof(*lookup));
	uint32_t buckets = 64;

	if (!lookup)
		return NULL;
	while (buckets < count && buckets < UINT32_C(1) << 24)
		buckets *= 2;
	lookup->count = (uint32_t)count;
	lookup->bucket_mask = buckets - 1;
	lookup->names = calloc(count + 1, sizeof(*lookup->names));
	lookup->buckets = calloc(buckets, sizeof(*lookup->buckets));
	if (!lookup->names || !lookup->buckets) {
		name_lookup_destroy(lookup);
		return NULL;
	}
	for (uint32_t i = 0; i < lookup->count; i++) {
		uint32_t *bucket = &lookup->buckets[hash_name(names[i]) & lookup->bucket_mask];

		lookup->names[i] = (struct wanted_name){ .name = names[i], .next = *bucket };
		*bucket = i + 1;
	}
	return lookup;
}

void name_lookup_destroy(struct name_lookup *lookup)
{
	if (!lookup)
		return;
	free(lookup->names);
	free(lookup->buckets);
	free(lookup);
}

bool name_lookup_found(const struct name_lookup *lookup, size_t index)
{
	return lookup->names[index].is_found;
}

/* The lowest index of a wanted name that is this one, or count. */
static uint32_t find_name(const struct name_lookup *lookup, const char *name)
{
	uint32_t found = lookup->count;

	for (uint32_t at = lookup->buckets[hash_name(name) & lookup->bucket_mask]; at;
	     at = lookup->names[at - 1].next)
		if (strcmp(lookup->names[at - 1].name, name) == 0)
			found = at - 1;
	return found;
}

/* A name may be wanted twice. */
static void mark_found(struct name_lookup *lookup, const char *name)
{
	for (uint32_t at = lookup->buckets[hash_name(name) & lookup->bucket_mask]; at;
	     at = lookup->names[at - 1].next)
		if (strcmp(lookup->names[at - 1].name, name) == 0)
			lookup->names[at - 1].is_found = true;
}

static bool can_be_shown(const struct program *program, uint32_t number)
{
	const struct program_type *type = &program->types[number];
	const struct program_type *target = &program->types[type->type];

	switch ((enum type_kind)type->kind) {
	case TYPE_STRUCT:
	case TYPE_UNION:
		return true;
	case TYPE_ENUM:
		return !(type->flags & TYPE_DECLARATION);
	case TYPE_TYPEDEF: /* not just another way to write what is shown anyway */
		return !((type_kind_is_aggregate(target->kind) || target->kind == TYPE_ENUM) &&
			 target->name && strcmp(target->name, type->name) == 0);
	default:
		return false;
	}
}

static int compare_matches(const void *left, const void *right)
{
	const struct name_match *a = left;
	const struct name_match *b = right;

	if (a->name != b->name)
		return a->name < b->name ? -1 : 1;
	return a->type < b->type ? -1 : a->type > b->type;
}

void name_matches_sort(name_matches *matches)
{
	if (matches->count > 1)
		qsort(matches->items, matches->count, sizeof(*matches->items), compare_matches);
}

bool name_lookup_try(struct name_lookup *lookup, const char *name, uint32_t type,
		     name_matches *matches)
{
	uint32_t index = find_name(lookup, name);
	struct name_match *match;

	if (index == lookup->count)
		return true;
	match = vector_push(matches);
	if (!match)
		return false;
	*match = (struct name_match){ index, type };
	mark_found(lookup, name);
	return true;
}

static bool find_named(struct smelt_show *show, const struct program *program,
		       name_matches *matches)
{
	uint32_t count = program->present ? program->present_count : program->type_count;

	for (uint32_t i = 0; i < count; i++) {
		uint32_t type = program->present ? program->present[i] : i;
		const char *name = program->types[type].name;

		if (name && can_be_shown(program, type) &&
		    !name_lookup_try(show->lookup, name, type, matches))
			return false;
	}
	name_matches_sort(matches);
	return true;
}

enum smelt_status show_named(struct smelt_show *show, struct show_run *run,
			     struct smelt_error *error)
{
	name_matches matches = { 0 };
	enum smelt_status status = SMELT_OK;

	if (!find_named(show, run->program, &matches))
		status = error_no_memory(error);
	for (size_t i = 0; i < matches.count && !status; i++)
		status = show_type_or_defer(show, run, matches.items[i].type, error);
	vector_deinit(&matches);
	return status;
}

static bool find_enumerators(struct smelt_show *show, const struct program *program,
			     name_matches *matches)
{
	for (uint32_t number = 1; number < program->type_count; number++) {
		const struct program_type *type = &program->types[number];

		if (type->kind != TYPE_ENUM)
			continue;
		for (uint32_t i = 0; i < type->item_count; i++)
			if (!name_lookup_try(show->lookup,
					     program->enumerators[type->first_item + i].name,
					     number, matches))
				return false;
	}
	name_matches_sort(matches);
	return true;
}

enum smelt_status show_enumerators(struct smelt_show *show, struct show_run *run,
				   struct smelt_error *error)
{
	name_matches matches = { 0 };
	enum smelt_status status = SMELT_OK;

	if (!find_enumerators(show, run->program, &matches))
		status = error_no_memory(error);
	for (size_t i = 0; i < matches.count && !status; i++)
		status = show_type_or_defer(show, run, matches.items[i].type, error);
	vector_deinit(&matches);
	return status;
}

enum smelt_status show_units(struct smelt_show *show, struct show_run *run,
			     struct smelt_error *error)
{
	const struct program *program = run->program;
	name_matches matches = { 0 };
	enum smelt_status status = SMELT_OK;

	if (!find_named(show, program, &matches))
		status = error_no_memory(error);
	for (size_t i = 0; i < matches.count && !status; i++) {
		const char *unit =
			program->units[program_unit_of(program, matches.items[i].type)].name;

		text_string(&show->text, unit);
		text_char(&show->text, '\n');
		status = show_flush(show, false, error);
	}
	vector_deinit(&matches);
	return status;
}
