/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * All descriptions of all functions, brought together by function; functions are numbered in
 * the order of their names, and a bucket is a range of them.
 *
 *   count    ∥ by units    states per bucket
 *   scatter  ∥ by units    each state to its bucket; units keep their order
 *   choose   ∥ by buckets  states of a function: compare, choose one, note its prototype
 *   arenas                 pointers into arenas that a function is the first to need (rare)
 *   measure  ∥ by buckets  how many records, of what size
 */
#include "encode/functions.h"

#include <stdlib.h>
#include <string.h>

#include "base/vector.h"
#include "btf/format.h"
#include "encode/function_choice.h"
#include "encode/kfuncs.h"
#include "encode/signature.h"

enum {
	/* 100 to 200 us per bucket and chunk. */
	FUNCTIONS_PER_BUCKET = 512,
	UNITS_PER_CHUNK = 64,
	TYPES_PER_JOB = 8192,
};

struct function_pass {
	struct encode_run *run;
	const struct dedup_type *types; /* [n - 1] is number n */
	uint32_t chunk_count;
	uint32_t *positions; /* [chunk][bucket]: number of states, then where the next one goes */
};

/* Passes by units: count and scatter. */

typedef void (*state_fn)(struct function_pass *pass, uint32_t *positions,
			 struct state_reference state);

static void visit_chunk(struct function_pass *pass, uint32_t chunk, state_fn visit)
{
	struct encode_run *run = pass->run;
	uint32_t first = chunk * UNITS_PER_CHUNK;
	uint32_t *positions = pass->positions + (size_t)chunk * run->bucket_count;

	for (uint32_t i = 0; i < UNITS_PER_CHUNK && first + i < run->unit_count; i++) {
		const struct unit_record *unit = &run->units[first + i];

		for (uint32_t k = 0; k < unit->function_count; k++)
			visit(pass, positions,
			      (struct state_reference){
				      .unit = first + i,
				      .index = k,
				      .function = run->group_functions[unit->functions[k].group],
			      });
	}
}

static void count_state(struct function_pass *pass, uint32_t *positions,
			struct state_reference state)
{
	(void)pass;
	positions[state.function / FUNCTIONS_PER_BUCKET]++;
}

static void place_state(struct function_pass *pass, uint32_t *positions,
			struct state_reference state)
{
	pass->run->states[positions[state.function / FUNCTIONS_PER_BUCKET]++] = state;
}

static void count_job(void *argument, uint32_t chunk, struct worker *worker)
{
	(void)worker;
	visit_chunk(argument, chunk, count_state);
}

static void scatter_job(void *argument, uint32_t chunk, struct worker *worker)
{
	(void)worker;
	visit_chunk(argument, chunk, place_state);
}

/* Turns counts into positions: by bucket, then by chunk. Returns the number of states. */
static uint32_t place_buckets(struct function_pass *pass)
{
	struct encode_run *run = pass->run;
	uint32_t position = 0;

	for (uint32_t b = 0; b < run->bucket_count; b++) {
		struct function_bucket *bucket = &run->buckets[b];

		bucket->first_function = b * FUNCTIONS_PER_BUCKET;
		bucket->function_count = run->function_count - bucket->first_function;
		if (bucket->function_count > FUNCTIONS_PER_BUCKET)
			bucket->function_count = FUNCTIONS_PER_BUCKET;
		bucket->first_state = position;
		for (uint32_t chunk = 0; chunk < pass->chunk_count; chunk++) {
			uint32_t *count = &pass->positions[(size_t)chunk * run->bucket_count + b];
			uint32_t size = *count;

			*count = position;
			position += size;
		}
		bucket->state_count = position - bucket->first_state;
	}
	return position;
}

/* Choose. */

/* What one bucket's job works with. */
struct bucket_job {
	struct function_pass *pass;
	struct encode_run *run;
	struct function_bucket *bucket;
	struct arena *arena; /* of the worker, for results */

	struct state_reference *states; /* sorted by function */
	const struct function_state **views;
	uint32_t *flags;
	/* Of the function at hand. */
	const struct state_reference *function_states;
	const struct function_state *const *function_views;
	VECTOR(uint32_t) first_types; /* of its first state: numbers of result and parameters */
};

static uint32_t type_number(const struct encode_run *run, uint32_t unit, uint32_t slot)
{
	return slot ? dedup_number_of(run->dedup, unit, slot) : 0;
}

static const struct function_parameter *parameters_of(const struct encode_run *run,
						      struct state_reference state)
{
	const struct unit_record *unit = &run->units[state.unit];

	return unit->parameters + unit->functions[state.index].first_parameter;
}

/* Nearly all descriptions of a function have the same types. */
static bool types_match(const struct bucket_job *job, uint32_t a, uint32_t b)
{
	return a == b || signature_types_match(job->pass->types, a, b);
}

static bool has_first_signature(void *context, uint32_t index)
{
	struct bucket_job *job = context;
	struct encode_run *run = job->run;
	const struct function_state *state = job->function_views[index];
	struct state_reference at = job->function_states[index];
	const struct function_parameter *parameters = parameters_of(run, at);
	const uint32_t *expected = job->first_types.items;

	if (state->parameter_count != job->function_views[0]->parameter_count ||
	    !types_match(job, *expected++, type_number(run, at.unit, state->return_type)))
		return false;
	for (uint32_t i = 0; i < state->parameter_count; i++) {
		if (!types_match(job, *expected++, type_number(run, at.unit, parameters[i].type)))
			return false;
	}
	return true;
}

/* False when out of memory. */
static bool note_first_types(struct bucket_job *job)
{
	struct encode_run *run = job->run;
	const struct function_state *state = job->function_views[0];
	struct state_reference at = job->function_states[0];
	const struct function_parameter *parameters = parameters_of(run, at);
	uint32_t *number;

	if (!vector_reserve(&job->first_types, state->parameter_count + 1ull))
		return false;
	number = job->first_types.items;
	*number++ = type_number(run, at.unit, state->return_type);
	for (uint32_t i = 0; i < state->parameter_count; i++)
		*number++ = type_number(run, at.unit, parameters[i].type);
	return true;
}

/* Replaces a pointer by one into an arena. */
static void mark_arena_pointer(struct bucket_job *job, uint32_t *type, uint32_t function_name)
{
	const struct model_type *pointer = *type ? &job->pass->types[*type - 1].type : NULL;

	if (pointer && pointer->kind == TYPE_POINTER)
		*type = pointer->type | (uint32_t)PROTOTYPE_ARENA_POINTER;
	else
		issue_add(&job->bucket->issues, ISSUE_ARENA_TYPE, function_name);
}

static void mark_arena_pointers(struct bucket_job *job, struct prototype *prototype, uint32_t kfunc,
				uint32_t function_name)
{
	uint32_t none = 0;

	if (kfunc & KFUNC_ARENA_RETURN)
		mark_arena_pointer(job, &prototype->return_type, function_name);
	if (kfunc & KFUNC_ARENA_FIRST)
		mark_arena_pointer(job,
				   prototype->parameter_count > 0 ? &prototype->parameters[0].type :
								    &none,
				   function_name);
	if (kfunc & KFUNC_ARENA_SECOND)
		mark_arena_pointer(job,
				   prototype->parameter_count > 1 ? &prototype->parameters[1].type :
								    &none,
				   function_name);
}

static struct prototype *make_prototype(struct bucket_job *job, struct state_reference at)
{
	struct encode_run *run = job->run;
	const struct function_state *state = &run->units[at.unit].functions[at.index];
	const struct function_parameter *parameters = parameters_of(run, at);
	uint32_t count = state->parameter_count;
	struct prototype *prototype;

	if (count > BTF_VLEN_MAX) {
		issue_add(&job->bucket->issues, ISSUE_TYPE_TOO_LONG, parameters[0].name);
		count = BTF_VLEN_MAX;
	}
	prototype = arena_alloc(job->arena,
				sizeof(*prototype) + count * sizeof(prototype->parameters[0]));
	if (!prototype)
		return NULL;
	prototype->return_type = type_number(run, at.unit, state->return_type);
	prototype->parameter_count = count;
	for (uint32_t i = 0; i < count; i++)
		prototype->parameters[i] = (struct function_parameter){
			.name = parameters[i].name,
			.type = type_number(run, at.unit, parameters[i].type),
		};
	return prototype;
}

/* Tags of the source, then those that kfuncs get. */
static bool make_tags(struct bucket_job *job, struct state_reference at, uint32_t kfunc,
		      struct encoded_function *function)
{
	struct encode_run *run = job->run;
	const struct unit_record *unit = &run->units[at.unit];
	const struct function_state *state = &unit->functions[at.index];
	const struct decl_tag kfunc_tags[] = { { run->text_kfunc, -1 },
					       { run->text_fastcall, -1 } };
	uint32_t kfunc_tag_count = 0;
	struct tag_list *list;

	if (kfunc && run_has(run, SMELT_BTF_DECL_TAG))
		kfunc_tag_count = kfunc & KFUNC_FASTCALL ? 2 : 1;
	if (state->tag_count + kfunc_tag_count == 0)
		return true;
	list = tag_list_create(job->arena, state->tag_count + kfunc_tag_count);
	if (!list ||
	    !tag_list_add(list, unit->tags + state->first_tag, state->tag_count, function->name,
			  &job->bucket->issues) ||
	    !tag_list_add(list, kfunc_tags, kfunc_tag_count, function->name, &job->bucket->issues))
		return false;
	function->tags = list;
	return true;
}

static bool encode_state(struct bucket_job *job, uint32_t number, struct state_reference at,
			 enum function_verdict verdict)
{
	struct encode_run *run = job->run;
	struct encoded_function *function = &run->functions[number];
	uint32_t group = run->function_groups[number];
	const struct run_input *input = input_of_group(run, group);
	uint32_t symbol = run->units[at.unit].functions[at.index].symbol;
	uint32_t kfunc = run->kfuncs[group];
	struct prototype *prototype = make_prototype(job, at);

	function->name = input->groups->groups[group - input->first_group].name;
	if (verdict == FUNCTION_ENCODED_AS_SYMBOL) {
		const char *name = input->groups->symbols[symbol - 1].name;

		function->name = name_table_intern(run->names, name, strlen(name));
		kfunc = 0; /* tags are for the name that the set lists */
	}
	if (!prototype || function->name == UINT32_MAX)
		return false;
	if (run_has(run, SMELT_BTF_ATTRIBUTES))
		mark_arena_pointers(job, prototype, kfunc, function->name);
	function->place = prototype_table_add(run->prototypes, number, prototype);
	return make_tags(job, at, kfunc, function);
}

static void count_verdict(struct smelt_function_counts *counts, enum function_verdict verdict)
{
	switch (verdict) {
	case FUNCTION_NONE:
		break;
	case FUNCTION_ENCODED:
	case FUNCTION_ENCODED_AS_SYMBOL:
		counts->encoded++;
		break;
	case FUNCTION_SKIPPED_REGISTER:
		counts->unexpected_register++;
		break;
	case FUNCTION_SKIPPED_INCONSISTENT:
		counts->inconsistent++;
		break;
	case FUNCTION_SKIPPED_UNCERTAIN:
		counts->uncertain++;
		break;
	case FUNCTION_SKIPPED_REORDERED:
		counts->reordered++;
		break;
	case FUNCTION_SKIPPED_OPTIMIZED:
		counts->optimized++;
		break;
	case FUNCTION_SKIPPED_AMBIGUOUS:
		counts->ambiguous++;
		break;
	}
}

static bool choose_state(struct bucket_job *job, uint32_t number, uint32_t first, uint32_t count)
{
	struct encode_run *run = job->run;
	uint32_t group = run->function_groups[number];
	const struct run_input *input = input_of_group(run, group);
	const struct symbol_group *symbols = &input->groups->groups[group - input->first_group];
	struct function_candidates candidates = {
		.states = job->views + first,
		.count = count,
		.flags = job->flags,
		.symbols = input->groups->symbols + symbols->first_symbol,
		.symbol_count = symbols->symbol_count,
		.is_ambiguous = symbols->is_ambiguous,
		.has_true_signatures = run_has(run, SMELT_BTF_TRUE_SIGNATURE),
		.skips_inconsistent = run_has(run, SMELT_BTF_CONSISTENT_FUNC),
		.has_first_signature = has_first_signature,
		.context = job,
	};
	struct function_choice choice;

	job->function_states = job->states + first;
	job->function_views = job->views + first;
	if (count > 1 && !note_first_types(job))
		return false;
	choice = function_choose(&candidates);
	count_verdict(&job->bucket->counts, choice.verdict);
	if (choice.verdict != FUNCTION_ENCODED && choice.verdict != FUNCTION_ENCODED_AS_SYMBOL)
		return true;
	return encode_state(job, number, job->function_states[choice.state], choice.verdict);
}

/* Sorts the bucket's states by function; they are in the order of units. ends[f]: end of function f. */
static void sort_bucket(struct bucket_job *job, uint32_t *ends)
{
	const struct function_bucket *bucket = job->bucket;
	const struct state_reference *unsorted = job->run->states + bucket->first_state;
	uint32_t start = 0;

	memset(ends, 0, bucket->function_count * sizeof(*ends));
	for (uint32_t i = 0; i < bucket->state_count; i++)
		ends[unsorted[i].function - bucket->first_function]++;
	for (uint32_t f = 0; f < bucket->function_count; f++) {
		uint32_t size = ends[f];

		ends[f] = start;
		start += size;
	}
	for (uint32_t i = 0; i < bucket->state_count; i++)
		job->states[ends[unsorted[i].function - bucket->first_function]++] = unsorted[i];
}

/*
 * States of one function are spread over the memory of all units. Asking for all of a bucket's before the first one is
 * needed halves the time of this pass (18 to 9 ms for 160,000 states).
 */
static void fetch_states(struct bucket_job *job)
{
	const struct unit_record *units = job->run->units;
	uint32_t count = job->bucket->state_count;

	for (uint32_t i = 0; i < count; i++) {
		struct state_reference at = job->states[i];

		job->views[i] = &units[at.unit].functions[at.index];
		__builtin_prefetch(job->views[i]);
	}
	for (uint32_t i = 0; i < count; i++)
		__builtin_prefetch(parameters_of(job->run, job->states[i]));
	for (uint32_t i = 0; i < count; i++) {
		const uint32_t *classes = units[job->states[i].unit].classes;
		const struct function_parameter *parameters =
			parameters_of(job->run, job->states[i]);

		__builtin_prefetch(&classes[job->views[i]->return_type]);
		for (uint32_t k = 0; k < job->views[i]->parameter_count; k++)
			__builtin_prefetch(&classes[parameters[k].type]);
	}
}

static bool choose_in_bucket(struct bucket_job *job, struct arena *scratch)
{
	uint32_t count = job->bucket->state_count;
	uint32_t ends[FUNCTIONS_PER_BUCKET];
	uint32_t first = 0;

	job->states = arena_alloc(scratch, count * sizeof(*job->states));
	job->views = arena_alloc(scratch, count * sizeof(struct function_state *));
	job->flags = arena_alloc(scratch, count * sizeof(*job->flags));
	if (!job->states || !job->views || !job->flags)
		return false;
	sort_bucket(job, ends);
	fetch_states(job);
	for (uint32_t f = 0; f < job->bucket->function_count; f++) {
		if (ends[f] > first &&
		    !choose_state(job, job->bucket->first_function + f, first, ends[f] - first))
			return false;
		first = ends[f];
	}
	return true;
}

static void choose_job(void *argument, uint32_t bucket, struct worker *worker)
{
	struct function_pass *pass = argument;
	struct bucket_job job = {
		.pass = pass,
		.run = pass->run,
		.bucket = &pass->run->buckets[bucket],
		.arena = &pass->run->workers[worker->index].arena,
	};

	arena_reset(&worker->scratch);
	if (!choose_in_bucket(&job, &worker->scratch))
		run_no_memory(pass->run);
	vector_deinit(&job.first_types);
}

static void add_types_job(void *argument, uint32_t job_index, struct worker *worker)
{
	struct function_pass *pass = argument;
	struct prototype_table *prototypes = pass->run->prototypes;
	uint32_t first = job_index * TYPES_PER_JOB;

	(void)worker;
	for (uint32_t i = first; i - first < TYPES_PER_JOB && i < prototypes->type_count; i++) {
		if (pass->types[i].type.kind == TYPE_FUNCTION)
			prototype_table_add_type(prototypes, i + 1);
	}
}

/* Measure. */

/* How many of the records for arena pointers are not in the base, and their size. */
static uint32_t measure_arenas(const struct encode_run *run, struct encoded_function *function)
{
	uint32_t bytes = 0;

	for (uint32_t i = 0; i < function->arena_count; i++) {
		const struct arena_pointer *pointer =
			&run->arena_pointers.items[function->first_arena + i];

		if (pointer->tag_id == 0) {
			function->arena_records++;
			bytes += btf_record_bytes(BTF_KIND_TYPE_TAG, 0);
		}
		if (pointer->pointer_id == 0) {
			function->arena_records++;
			bytes += btf_record_bytes(BTF_KIND_PTR, 0);
		}
	}
	return bytes;
}

static bool measure_function(struct encode_run *run, struct function_bucket *bucket,
			     uint32_t number, struct arena *scratch)
{
	struct encoded_function *function = &run->functions[number];
	const struct prototype *prototype = function_prototype(run, number);
	uint32_t order, tag_count;
	bool is_own;

	if (!prototype)
		return true;
	order = prototype_table_first(run->prototypes, function->place);
	if (run->base && !find_function_in_base(run, number, order, scratch))
		return false;
	function->has_own_prototype =
		order == prototype_order_of_function(run->prototypes, number) &&
		function->prototype_id == 0;
	is_own = function->base_id == 0;
	tag_count = function->tags ? function->tags->count : 0;
	bucket->bytes += measure_arenas(run, function);
	bucket->record_count +=
		function->arena_records + function->has_own_prototype + is_own + tag_count;
	bucket->string_use_count += function->arena_count + 1 + tag_count;
	if (is_own)
		bucket->bytes += btf_record_bytes(BTF_KIND_FUNC, 0);
	bucket->bytes += (uint64_t)tag_count * btf_record_bytes(BTF_KIND_DECL_TAG, 0);
	if (function->has_own_prototype)
		bucket->bytes += btf_record_bytes(BTF_KIND_FUNC_PROTO, prototype->parameter_count);
	return true;
}

static void measure_job(void *argument, uint32_t bucket_index, struct worker *worker)
{
	struct function_pass *pass = argument;
	struct function_bucket *bucket = &pass->run->buckets[bucket_index];

	arena_reset(&worker->scratch);
	for (uint32_t f = 0; f < bucket->function_count; f++) {
		if (!measure_function(pass->run, bucket, bucket->first_function + f,
				      &worker->scratch))
			run_no_memory(pass->run);
	}
}

static void sum_up(struct encode_run *run)
{
	struct smelt_function_counts *total = &run->report->functions;

	for (uint32_t i = 0; i < run->bucket_count; i++) {
		const struct smelt_function_counts *counts = &run->buckets[i].counts;

		total->encoded += counts->encoded;
		total->unexpected_register += counts->unexpected_register;
		total->inconsistent += counts->inconsistent;
		total->uncertain += counts->uncertain;
		total->reordered += counts->reordered;
		total->optimized += counts->optimized;
		total->ambiguous += counts->ambiguous;
		issue_log_merge(&run->issues, &run->buckets[i].issues);
	}
}

static bool allocate(struct function_pass *pass)
{
	struct encode_run *run = pass->run;
	uint32_t function_count = run->function_count;

	run->bucket_count = (function_count + FUNCTIONS_PER_BUCKET - 1) / FUNCTIONS_PER_BUCKET;
	pass->chunk_count = (run->unit_count + UNITS_PER_CHUNK - 1) / UNITS_PER_CHUNK;
	run->buckets = run_calloc(run, run->bucket_count, sizeof(*run->buckets));
	run->functions = run_calloc(run, function_count, sizeof(*run->functions));
	run->prototypes = prototype_table_create(pass->types, dedup_type_count(run->dedup),
						 function_count, run->options->hash_bits);
	pass->positions =
		calloc((size_t)pass->chunk_count * run->bucket_count + 1, sizeof(*pass->positions));
	return run->buckets && run->functions && run->prototypes && pass->positions;
}

static enum smelt_status sort_states(struct function_pass *pass, struct smelt_error *error)
{
	struct encode_run *run = pass->run;
	uint64_t total = 0;

	for (uint32_t unit = 0; unit < run->unit_count; unit++)
		total += run->units[unit].function_count;
	if (total > UINT32_MAX)
		return error_set(error, SMELT_UNSUPPORTED, "more than 2^32 functions");
	run->states = run_alloc(run, total, sizeof(*run->states));
	if (!run->states)
		return error_no_memory(error);
	worker_pool_run(run->pool, count_job, pass, pass->chunk_count);
	place_buckets(pass);
	worker_pool_run(run->pool, scatter_job, pass, pass->chunk_count);
	return SMELT_OK;
}

enum smelt_status choose_functions(struct encode_run *run, struct smelt_error *error)
{
	uint32_t type_count = dedup_type_count(run->dedup);
	struct function_pass pass = {
		.run = run,
		.types = type_count ? dedup_type(run->dedup, 1) : NULL,
	};
	enum smelt_status status;

	status = allocate(&pass) ? sort_states(&pass, error) : error_no_memory(error);
	if (!status) {
		worker_pool_run(run->pool, add_types_job, &pass,
				(type_count + TYPES_PER_JOB - 1) / TYPES_PER_JOB);
		worker_pool_run(run->pool, choose_job, &pass, run->bucket_count);
		status = run_pass_status(run, error);
	}
	free(pass.positions);
	if (!status)
		sum_up(run);
	if (!status && run->input_count > 1)
		status = join_repeated_functions(run, error);
	if (!status && run_has(run, SMELT_BTF_ATTRIBUTES))
		status = number_arena_pointers(run, error);
	if (status)
		return status;
	worker_pool_run(run->pool, measure_job, &pass, run->bucket_count);
	return run_pass_status(run, error);
}
