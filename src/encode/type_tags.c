/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Declaration tags of structs, unions and typedefs. A type's tags come with each unit that has it, and count
 * once. Serial: kernels have none or a few dozen.
 */
#include "base/key_map.h"
#include "encode/run.h"
#include "encode/type_record.h"

/* Tags of members follow the members that are kept; false if the member is not. */
static bool adjust_component(const struct encode_run *run, struct encoded_type_tag *tag)
{
	int64_t index;

	if (tag->tag.component < 0)
		return true;
	index = type_record_member_index(dedup_type(run->dedup, tag->type),
					 (uint32_t)tag->tag.component);
	if (index < 0)
		return false;
	tag->tag.component = (int32_t)index;
	return true;
}

static bool is_in_base(const struct encode_run *run, const struct encoded_type_tag *tag)
{
	uint32_t owner = dedup_type(run->dedup, tag->type)->base_id;

	return owner != 0 && base_decl_tag(run, &tag->tag, owner) != 0;
}

/* Adds a record's tag to run->type_tags; returns false when out of memory. */
static bool add_tag(struct encode_run *run, uint32_t unit, const struct type_tag_record *record,
		    struct key_map *known, uint32_t *count)
{
	struct encoded_type_tag tag = {
		.type = dedup_number_of(run->dedup, unit, record->type),
		.tag = record->tag,
	};
	uint32_t type_name;
	bool is_new;

	if (tag.type == 0)
		return true;
	type_name = dedup_type(run->dedup, tag.type)->type.name;
	if (tag.tag.value == 0) {
		issue_add(&run->issues, ISSUE_TAG_EMPTY, type_name);
		return true;
	}
	if (key_map_add(known,
			(struct map_key){ tag.type, tag.tag.value, (uint32_t)tag.tag.component }, 0,
			&is_new) == UINT32_MAX)
		return false;
	if (!is_new)
		return true;
	if (!adjust_component(run, &tag))
		issue_add(&run->issues, ISSUE_TAG_MEMBER, type_name);
	else if (!is_in_base(run, &tag))
		run->type_tags[(*count)++] = tag;
	return true;
}

static bool add_unit_tags(struct encode_run *run, uint32_t unit, struct key_map *known,
			  uint32_t *count)
{
	const struct unit_record *record = &run->units[unit];
	struct unit_extras *extras = &run->extras[unit];

	extras->first_tag = *count;
	for (uint32_t i = 0; i < record->type_tag_count; i++) {
		if (!add_tag(run, unit, &record->type_tags[i], known, count))
			return false;
	}
	extras->tag_count = *count - extras->first_tag;
	return true;
}

enum smelt_status collect_type_tags(struct encode_run *run, struct smelt_error *error)
{
	struct key_map known = { 0 };
	bool has_memory = true;
	uint64_t total = 0;
	uint32_t count = 0;

	for (uint32_t unit = 0; unit < run->unit_count; unit++)
		total += run->units[unit].type_tag_count;
	if (total == 0)
		return SMELT_OK;
	if (total > UINT32_MAX)
		return error_set(error, SMELT_UNSUPPORTED, "more than 2^32 declaration tags");
	run->type_tags = run_alloc(run, total, sizeof(*run->type_tags));
	if (!run->type_tags)
		return error_no_memory(error);
	for (uint32_t unit = 0; unit < run->unit_count && has_memory; unit++)
		has_memory = add_unit_tags(run, unit, &known, &count);
	key_map_deinit(&known);
	return has_memory ? SMELT_OK : error_no_memory(error);
}
