/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Which strings the blob has, and in what order: that of their first use if every unit wrote all
 * its records. Types that other units have too, and functions that are left out in the end, leave their
 * names behind:
 *
 *   for each unit   of each type its name, then those of its members, enumerators, parameters;
 *                   texts of the tags of types;
 *                   names of parameters and texts of tags of all its functions;
 *                   of each variable its name, then the texts of its tags
 *   for each function, by name     of the function (and of what only kfuncs have)
 *   for each section               its name
 *
 * A share is a stretch of units or a bucket of functions.
 */
#include <stdlib.h>

#include "btf/writer.h"
#include "encode/datasec.h"
#include "encode/functions.h"
#include "encode/run.h"
#include "encode/variables.h"

/* About 100 us of work. */
enum { USES_PER_SHARE = 8192 };

struct unit_share {
	uint32_t first_unit;
	uint32_t end_unit;
	uint32_t first_use; /* index into the deduplicator's first uses */
	uint32_t end_use;
};

struct string_pass {
	struct encode_run *run;
	const struct dedup_first_use *first_uses;
	uint32_t first_use_count;

	struct unit_share *units;
	uint32_t unit_share_count;
	struct string_share *shares; /* of units, then of functions, then the rest */
	uint32_t share_count;
	uint64_t position;
	uint8_t *section;
};

static void use_tags(struct string_pass *pass, struct string_share *share,
		     const struct tag_list *tags)
{
	for (uint32_t i = 0; tags && i < tags->count; i++)
		string_share_use(share, &pass->run->strings, tags->tags[i].value);
}

static void use_in_unit(struct string_pass *pass, struct string_share *share, uint32_t unit)
{
	struct encode_run *run = pass->run;
	const struct unit_record *record = &run->units[unit];
	const struct unit_extras *extras = &run->extras[unit];

	for (uint32_t i = 0; i < extras->tag_count; i++)
		string_share_use(share, &run->strings,
				 run->type_tags[extras->first_tag + i].tag.value);
	for (uint32_t i = 0; i < record->function_name_count; i++)
		string_share_use(share, &run->strings, record->function_names[i]);
	for (uint32_t i = 0; i < extras->variable_count; i++) {
		string_share_use(share, &run->strings, extras->variables[i].name);
		use_tags(pass, share, extras->variables[i].tags);
	}
}

static uint32_t unit_of(const struct dedup_first_use *use)
{
	return (uint32_t)(use->position >> 32);
}

static void use_in_units(struct string_pass *pass, struct string_share *share,
			 const struct unit_share *units)
{
	uint32_t next = units->first_use;

	for (uint32_t unit = units->first_unit; unit < units->end_unit; unit++) {
		for (; next < units->end_use && unit_of(&pass->first_uses[next]) == unit; next++) {
			const struct dedup_first_use *use = &pass->first_uses[next];

			string_share_use(share, &pass->run->strings, use->name);
			for (uint32_t i = 0; i < use->item_count; i++)
				string_share_use(share, &pass->run->strings, use->items[i].name);
		}
		use_in_unit(pass, share, unit);
	}
}

static void use_in_bucket(struct string_pass *pass, struct string_share *share,
			  const struct function_bucket *bucket)
{
	struct encode_run *run = pass->run;

	for (uint32_t i = 0; i < bucket->function_count; i++) {
		const struct encoded_function *function =
			&run->functions[bucket->first_function + i];

		if (function->name == 0)
			continue;
		if (function->arena_count)
			string_share_use(share, &run->strings, run->text_arena);
		/* The names of its parameters are used since its unit. */
		string_share_use(share, &run->strings, function->name);
		use_tags(pass, share, function->tags);
	}
}

static void use_the_rest(struct string_pass *pass, struct string_share *share)
{
	struct encode_run *run = pass->run;

	for (uint32_t i = 0; i < run->datasec_count; i++)
		string_share_use(share, &run->strings, run->datasecs[i].name);
	string_share_use(share, &run->strings, run->text_unnamed);
}

static void use_job(void *argument, uint32_t job_index, struct worker *worker)
{
	struct string_pass *pass = argument;
	struct string_share *share = &pass->shares[job_index];

	(void)worker;
	if (job_index < pass->unit_share_count)
		use_in_units(pass, share, &pass->units[job_index]);
	else if (job_index < pass->share_count - 1)
		use_in_bucket(pass, share, &pass->run->buckets[job_index - pass->unit_share_count]);
	else
		use_the_rest(pass, share);
}

static void settle_job(void *argument, uint32_t job_index, struct worker *worker)
{
	struct string_pass *pass = argument;

	(void)worker;
	string_share_settle(&pass->shares[job_index], &pass->run->strings);
}

static void write_job(void *argument, uint32_t job_index, struct worker *worker)
{
	struct string_pass *pass = argument;

	(void)worker;
	string_share_write(&pass->shares[job_index], &pass->run->strings, pass->section);
}

static void start_share(struct string_pass *pass, uint64_t use_count)
{
	string_share_init(&pass->shares[pass->share_count++], (uint32_t)pass->position);
	pass->position += use_count;
}

/* Cuts the units into shares of about equal work. */
static void share_units(struct string_pass *pass)
{
	struct encode_run *run = pass->run;
	struct unit_share *share = &pass->units[0];
	uint64_t use_count = 0;
	uint32_t next_use = 0;

	*share = (struct unit_share){ 0 };
	for (uint32_t unit = 0; unit < run->unit_count; unit++) {
		for (; next_use < pass->first_use_count &&
		       unit_of(&pass->first_uses[next_use]) == unit;
		     next_use++)
			use_count += 1ull + pass->first_uses[next_use].item_count;
		use_count +=
			run->units[unit].function_name_count + run->extras[unit].string_use_count;
		share->end_unit = unit + 1;
		share->end_use = next_use;
		if (use_count < USES_PER_SHARE && unit + 1 < run->unit_count)
			continue;
		start_share(pass, use_count);
		use_count = 0;
		share = &pass->units[++pass->unit_share_count];
		*share = (struct unit_share){ .first_unit = unit + 1, .first_use = next_use };
	}
}

static void share_the_rest(struct string_pass *pass)
{
	const struct encode_run *run = pass->run;

	for (uint32_t i = 0; i < run->bucket_count; i++)
		start_share(pass, run->buckets[i].string_use_count);
	start_share(pass, run->datasec_count + 1ull);
}

static bool allocate(struct string_pass *pass)
{
	struct encode_run *run = pass->run;

	pass->first_uses = dedup_first_uses(run->dedup, &pass->first_use_count);
	pass->units = run_alloc(run, run->unit_count + 1ull, sizeof(*pass->units));
	pass->shares =
		run_alloc(run, run->unit_count + 1ull + run->bucket_count, sizeof(*pass->shares));
	return pass->units && pass->shares;
}

static enum smelt_status find_strings(struct string_pass *pass, struct smelt_error *error)
{
	struct encode_run *run = pass->run;

	share_units(pass);
	share_the_rest(pass);
	if (pass->position >= UINT32_MAX)
		return error_set(error, SMELT_UNSUPPORTED, "more than 2^32 names");
	worker_pool_run(run->pool, use_job, pass, pass->share_count);
	worker_pool_run(run->pool, settle_job, pass, pass->share_count);
	return string_table_place(&run->strings, pass->shares, pass->share_count, error);
}

/* All sizes are known now, so the blob is made here and the strings go where they stay. */
static enum smelt_status write_strings(struct string_pass *pass, struct smelt_error *error)
{
	struct encode_run *run = pass->run;
	uint32_t string_bytes = string_table_bytes(&run->strings);

	run->blob.size =
		BTF_HEADER_BYTES + (size_t)run->type_bytes + run_layout_bytes(run) + string_bytes;
	run->blob.data = malloc(run->blob.size);
	if (!run->blob.data)
		return error_no_memory(error);
	pass->section = run->blob.data + run->blob.size - string_bytes;
	if (!run->base)
		pass->section[0] = '\0';
	worker_pool_run(run->pool, write_job, pass, pass->share_count);
	return SMELT_OK;
}

enum smelt_status collect_strings(struct encode_run *run, struct smelt_error *error)
{
	struct string_pass pass = { .run = run };
	enum smelt_status status;

	if (run->issues.issues[ISSUE_TYPE_UNNAMED].count == 0)
		run->text_unnamed = 0;
	status = string_table_init(&run->strings, run->names, run->base ? run->base->texts : NULL,
				   run->base ? run->base->view->string_end : 0, error);
	if (!status)
		status = allocate(&pass) ? find_strings(&pass, error) : error_no_memory(error);
	if (!status)
		status = write_strings(&pass, error);
	for (uint32_t i = 0; i < pass.share_count; i++)
		string_share_deinit(&pass.shares[i]);
	return status;
}
