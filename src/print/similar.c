/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#include "print/similar.h"

#include <ctype.h>
#include <string.h>

enum { NAME_MAX_BYTES = 64 }; /* longer names are not mistyped, they are pasted */

static unsigned min3(unsigned a, unsigned b, unsigned c)
{
	unsigned least = a < b ? a : b;

	return least < c ? least : c;
}

/* Letters to insert, delete or replace, upper and lower case being the same; at most `limit`, or more. */
static unsigned distance(const char *a, size_t a_length, const char *b, size_t b_length,
			 unsigned limit)
{
	unsigned row[NAME_MAX_BYTES + 1];

	for (unsigned j = 0; j <= b_length; j++)
		row[j] = j;
	for (unsigned i = 1; i <= a_length; i++) {
		unsigned diagonal = row[0];
		unsigned least = row[0] = i;

		for (unsigned j = 1; j <= b_length; j++) {
			unsigned above = row[j];
			bool differ = tolower((unsigned char)a[i - 1]) !=
				      tolower((unsigned char)b[j - 1]);

			row[j] = min3(above + 1, row[j - 1] + 1, diagonal + differ);
			least = row[j] < least ? row[j] : least;
			diagonal = above;
		}
		if (least > limit)
			return least;
	}
	return row[b_length];
}

static bool has_shown_kind(const struct program_type *type)
{
	return type_kind_is_aggregate(type->kind) || type->kind == TYPE_ENUM ||
	       type->kind == TYPE_TYPEDEF;
}

const char *similar_name(const struct program *program, const char *name)
{
	size_t length = strlen(name);
	unsigned limit = length < 4 ? length == 3 : (unsigned)length / 4;
	const char *best = NULL;

	if (limit == 0 || length > NAME_MAX_BYTES)
		return NULL;
	for (uint32_t i = 1; i < program->type_count; i++) {
		const char *candidate = program->types[i].name;
		size_t candidate_length = candidate ? strnlen(candidate, NAME_MAX_BYTES + 1) : 0;
		unsigned changes;

		if (!candidate || !has_shown_kind(&program->types[i]) ||
		    candidate_length > NAME_MAX_BYTES || candidate_length > length + limit ||
		    candidate_length + limit < length)
			continue;
		changes = distance(name, length, candidate, candidate_length, limit);
		if (changes > limit || (changes == limit && best))
			continue;
		best = candidate;
		limit = changes;
	}
	return best;
}
