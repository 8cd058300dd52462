/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#include "dedup/class_referrers.h"

#include <stdlib.h>

#include "dedup/type_family.h"

static uint32_t reference_at(const struct class_content *content, uint32_t number)
{
	return number == 0 ? content->type.type : content->items[number - 1].type;
}

static bool referrers_fill(struct class_referrers *referrers)
{
	struct class_table *table = referrers->table;
	const uint32_t count = class_table_count(table);
	uint64_t total = 0;

	referrers->first = calloc((size_t)count + 3, sizeof(*referrers->first));
	referrers->seen = calloc((size_t)count + 1, sizeof(*referrers->seen));
	if (!referrers->first || !referrers->seen)
		return false;
	for (uint32_t index = 1; index <= count; index++) {
		const struct class_content *content = class_entry(table, index)->content;
		uint32_t references = type_reference_count(&content->type);

		for (uint32_t i = 0; i < references; i++)
			referrers->first[reference_at(content, i) + 1]++;
		total += references;
	}
	if (total > UINT32_MAX)
		return false;
	referrers->referrers = malloc((total + 1) * sizeof(*referrers->referrers));
	if (!referrers->referrers)
		return false;
	for (uint32_t index = 0; index <= count; index++)
		referrers->first[index + 1] += referrers->first[index];
	for (uint32_t index = 1; index <= count; index++) {
		const struct class_content *content = class_entry(table, index)->content;

		for (uint32_t i = 0; i < type_reference_count(&content->type); i++)
			referrers->referrers[referrers->first[reference_at(content, i)]++] = index;
	}
	for (uint32_t index = count + 1; index > 0; index--)
		referrers->first[index] = referrers->first[index - 1];
	referrers->first[0] = 0;
	return true;
}

void class_referrers_init(struct class_referrers *referrers, struct class_table *table,
			  const struct name_groups *groups)
{
	*referrers = (struct class_referrers){ .table = table, .groups = groups };
}

void class_referrers_deinit(struct class_referrers *referrers)
{
	free(referrers->first);
	free(referrers->referrers);
	free(referrers->seen);
}

static bool push(struct class_list *list, uint32_t index)
{
	uint32_t *place = vector_push(&list->classes);

	if (place)
		*place = index;
	return place != NULL;
}

/* Lists what refers to `index`, and in `through` what has to be followed further. */
static bool visit_referrers(struct class_referrers *referrers, uint32_t index,
			    struct class_list *found, struct class_list *through)
{
	for (uint32_t i = referrers->first[index]; i < referrers->first[index + 1]; i++) {
		uint32_t referrer = referrers->referrers[i];
		const struct model_type *type =
			&class_entry(referrers->table, referrer)->content->type;

		if (referrers->seen[referrer] == referrers->search)
			continue;
		referrers->seen[referrer] = referrers->search;
		if ((type->kind == TYPE_STRUCT || type->kind == TYPE_UNION ||
		     type->kind == TYPE_TYPEDEF) &&
		    !push(found, referrer))
			return false;
		if (type_family_of(type) == FAMILY_NONE && !push(through, referrer))
			return false;
	}
	return true;
}

bool class_referrers_of(struct class_referrers *referrers, const struct name_group *group,
			struct class_list *found)
{
	struct class_list through = { 0 };
	bool done = referrers->referrers || referrers_fill(referrers);

	referrers->search++;
	for (uint32_t index = group->first_class; done && index != 0;
	     index = referrers->groups->next[index])
		done = visit_referrers(referrers, index, found, &through);
	while (done && through.classes.count > 0)
		done = visit_referrers(referrers, through.classes.items[--through.classes.count],
				       found, &through);
	vector_deinit(&through.classes);
	return done;
}
