/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Of the variables that have an address, those that lie in a section whose variables are wanted
 * (the per-CPU data of a kernel, or all sections) and that BTF can describe.
 */
#include "encode/variables.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "base/vector.h"
#include "encode/run.h"

enum {
	UNITS_PER_JOB = 16,
	VARIABLE_NAME_MAX = 128,
};

static const char PERCPU_SECTION[] = ".data..percpu";

bool variable_name_is_internal(const char *name)
{
	static const char *const prefixes[] = {
		"__UNIQUE_ID",
		"__tpstrtab_",
		"__exitcall_",
		"__gendwarfksyms_ptr_",
		"__func_stack_frame_non_standard_",
	};

	if (name[0] != '_' || name[1] != '_')
		return false;
	for (size_t i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++) {
		if (strncmp(name, prefixes[i], strlen(prefixes[i])) == 0)
			return true;
	}
	return false;
}

/* Not isalpha(): what is valid must not depend on the caller's locale. */
static bool is_name_character(char c, bool is_first)
{
	if (c == '_' || c == '.' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'))
		return true;
	return !is_first && c >= '0' && c <= '9';
}

bool variable_name_is_valid(const char *name)
{
	size_t size = 0;

	for (; name[size] != '\0' && size <= VARIABLE_NAME_MAX; size++) {
		if (!is_name_character(name[size], size == 0))
			return false;
	}
	return size >= 1 && size <= VARIABLE_NAME_MAX;
}

/* One job: a stretch of units. */
struct variable_job {
	struct issue_log issues;
	VECTOR(struct map_key) starts; /* (section, name) of variables at offset 0 */
};

struct variable_pass {
	struct encode_run *run;
	struct variable_job *jobs;
	uint32_t job_count;
};

/* False: not wanted. */
static bool describe_variable(struct encode_run *run, uint32_t unit,
			      const struct variable_record *record, struct issue_log *issues,
			      struct encoded_variable *variable)
{
	const struct run_input *input = input_of_unit(run, unit);
	uint32_t section = section_map_find(&input->sections, record->address);
	const char *name = name_table_text(run->names, record->name);
	uint64_t offset;

	if (section == 0 || record->name == 0 || variable_name_is_internal(name))
		return false;
	if (!variable_name_is_valid(name)) {
		issue_add(issues, ISSUE_VARIABLE_NAME, record->name);
		return false;
	}
	*variable = (struct encoded_variable){
		.name = record->name,
		.type = dedup_number_of(run->dedup, unit, record->type),
		.section = input->first_section + section,
		.is_external = record->is_external,
	};
	if (variable->type == 0) {
		issue_add(issues, ISSUE_VARIABLE_VOID, record->name);
		return false;
	}
	offset = record->address - elf_section_address(input->file, section);
	if (record->size == 0 || record->size > UINT32_MAX || offset > UINT32_MAX)
		return false;
	variable->offset = (uint32_t)offset;
	variable->size = (uint32_t)record->size;
	return true;
}

static bool add_tags(struct arena *arena, const struct unit_record *unit,
		     const struct variable_record *record, struct encoded_variable *variable,
		     struct issue_log *issues)
{
	struct tag_list *list;

	if (record->tag_count == 0)
		return true;
	list = tag_list_create(arena, record->tag_count);
	if (!list || !tag_list_add(list, unit->tags + record->first_tag, record->tag_count,
				   record->name, issues))
		return false;
	variable->tags = list;
	return true;
}

static bool choose_in_unit(struct encode_run *run, uint32_t unit, struct variable_job *job,
			   struct arena *arena)
{
	const struct unit_record *record = &run->units[unit];
	struct unit_extras *extras = &run->extras[unit];

	for (uint32_t i = 0; i < record->variable_count; i++) {
		struct encoded_variable variable;
		struct map_key *start;

		if (!describe_variable(run, unit, &record->variables[i], &job->issues, &variable))
			continue;
		/* Most units have none, so the array is made when the first is met. */
		if (!extras->variables)
			extras->variables =
				arena_alloc(arena, (record->variable_count - i) * sizeof(variable));
		if (!extras->variables ||
		    !add_tags(arena, record, &record->variables[i], &variable, &job->issues))
			return false;
		extras->variables[extras->variable_count++] = variable;
		if (variable.offset != 0)
			continue;
		start = vector_push(&job->starts);
		if (!start)
			return false;
		*start = (struct map_key){ variable.section, variable.name, 0 };
		extras->unconfirmed_count++;
	}
	return true;
}

static void choose_job(void *argument, uint32_t job_index, struct worker *worker)
{
	struct variable_pass *pass = argument;
	struct encode_run *run = pass->run;
	uint32_t first = 1 + job_index * UNITS_PER_JOB;

	for (uint32_t i = 0; i < UNITS_PER_JOB && first + i < run->unit_count; i++) {
		if (!choose_in_unit(run, first + i, &pass->jobs[job_index],
				    &run->workers[worker->index].arena))
			run_no_memory(run);
	}
}

static bool section_is_included(const struct encode_run *run, const struct elf_section *section)
{
	return run_has(run, SMELT_BTF_GLOBAL_VAR) ||
	       (run_has(run, SMELT_BTF_VAR) && strcmp(section->name, PERCPU_SECTION) == 0);
}

/*
 * Sections that hold variables, in order of index; those that are not wanted have number 0 but still take
 * their addresses. Only what is loaded has addresses at all.
 */
static bool map_sections(const struct encode_run *run, struct run_input *input, bool *has_any)
{
	uint32_t section_count = elf_file_section_count(input->file);
	struct section_range *ranges = malloc((section_count + 1ull) * sizeof(*ranges));
	uint32_t count = 0;
	bool has_memory;

	if (!ranges)
		return false;
	for (uint32_t i = 1; i < section_count; i++) {
		const struct elf_section *section = elf_file_section(input->file, i);

		if (!(section->flags & SHF_ALLOC) || section->size == 0 ||
		    (section->type != SHT_PROGBITS && section->type != SHT_NOBITS))
			continue;
		ranges[count++] = (struct section_range){
			.start = elf_section_address(input->file, i),
			.size = section->size,
			.section = section_is_included(run, section) ? i : UINT32_MAX,
		};
		*has_any |= ranges[count - 1].section == i;
	}
	has_memory = section_map_init(&input->sections, ranges, count);
	for (uint32_t i = 0; has_memory && i < input->sections.count; i++) {
		if (input->sections.ranges[i].section == UINT32_MAX)
			input->sections.ranges[i].section = 0;
	}
	free(ranges);
	return has_memory;
}

/* Names at the start of sections, from all jobs. */
static bool collect_starts(struct variable_pass *pass)
{
	struct encode_run *run = pass->run;
	struct section_starts *starts = &run->starts;
	size_t total = 0;

	for (uint32_t i = 0; i < pass->job_count; i++)
		total += pass->jobs[i].starts.count;
	if (total == 0)
		return true;
	starts->is_there = run_calloc(run, total, sizeof(*starts->is_there));
	starts->has_any = run_calloc(run, run->section_count, 1);
	if (!starts->is_there || !starts->has_any)
		return false;
	for (uint32_t i = 0; i < pass->job_count; i++) {
		for (size_t k = 0; k < pass->jobs[i].starts.count; k++) {
			struct map_key key = pass->jobs[i].starts.items[k];
			bool is_new;

			starts->has_any[key.a] = 1;
			if (key_map_add(&starts->numbers, key, starts->numbers.count, &is_new) ==
			    UINT32_MAX)
				return false;
		}
	}
	return true;
}

static void run_choose_jobs(struct variable_pass *pass)
{
	struct encode_run *run = pass->run;

	worker_pool_run(run->pool, choose_job, pass, pass->job_count);
	for (uint32_t i = 0; i < pass->job_count; i++)
		issue_log_merge(&run->issues, &pass->jobs[i].issues);
	if (!collect_starts(pass))
		run_no_memory(run);
	for (uint32_t i = 0; i < pass->job_count; i++)
		vector_deinit(&pass->jobs[i].starts);
}

enum smelt_status choose_variables(struct encode_run *run, struct smelt_error *error)
{
	struct variable_pass pass = {
		.run = run,
		.job_count = (run->unit_count + UNITS_PER_JOB - 1) / UNITS_PER_JOB,
	};
	bool has_any = false;

	for (uint32_t i = 0; i < run->input_count; i++) {
		if (!map_sections(run, &run->inputs[i], &has_any))
			return error_no_memory(error);
	}
	if (!has_any)
		return SMELT_OK;
	pass.jobs = calloc(pass.job_count, sizeof(*pass.jobs));
	if (!pass.jobs)
		return error_no_memory(error);
	run_choose_jobs(&pass);
	free(pass.jobs);
	return run_pass_status(run, error);
}

static bool is_confirmed(const struct section_starts *starts,
			 const struct encoded_variable *variable)
{
	uint32_t number = key_map_find(&starts->numbers,
				       (struct map_key){ variable->section, variable->name, 0 });

	return atomic_load_explicit(&starts->is_there[number], memory_order_relaxed);
}

void drop_absent_variables(struct encode_run *run)
{
	for (uint32_t unit = 1; unit < run->unit_count; unit++) {
		struct unit_extras *extras = &run->extras[unit];
		uint32_t kept = 0;

		if (extras->unconfirmed_count == 0)
			continue;
		for (uint32_t i = 0; i < extras->variable_count; i++) {
			const struct encoded_variable *variable = &extras->variables[i];

			if (variable->offset != 0 || is_confirmed(&run->starts, variable))
				extras->variables[kept++] = *variable;
		}
		extras->variable_count = kept;
	}
}
