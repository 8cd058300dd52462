/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#include "encode/inputs.h"

#include "encode/run.h"

enum smelt_status open_inputs(struct encode_run *run, const char *const *paths, uint32_t count,
			      struct smelt_error *error)
{
	run->inputs = run_calloc(run, count, sizeof(*run->inputs));
	if (!run->inputs)
		return error_no_memory(error);
	for (uint32_t i = 0; i < count; i++) {
		struct run_input *input = &run->inputs[i];
		enum smelt_status status;

		input->path = paths[i];
		status = elf_file_open(input->path, &input->file, error);
		if (status)
			return status;
		run->input_count++;
		input->first_section = run->section_count;
		run->section_count += elf_file_section_count(input->file);
		if (i == 0)
			run->is_big_endian = elf_file_header(input->file)->is_big_endian;
		else if (elf_file_header(input->file)->is_big_endian != run->is_big_endian)
			return error_set(error, SMELT_UNSUPPORTED,
					 "%s: byte order is not that of %s", input->path,
					 run->inputs[0].path);
	}
	return SMELT_OK;
}

enum smelt_status index_inputs(struct encode_run *run, struct smelt_error *error)
{
	const struct smelt_encode_options *options = run->options;
	const struct dwarf_load_options load = {
		.floats = run_has(run, SMELT_BTF_FLOAT),
		.wide_enums = run_has(run, SMELT_BTF_ENUM64),
		.type_tags = run_has(run, SMELT_BTF_TYPE_TAG),
		.decl_tags = run_has(run, SMELT_BTF_DECL_TAG),
		.variables = run_has(run, SMELT_BTF_VAR | SMELT_BTF_GLOBAL_VAR),
		.true_signatures = run_has(run, SMELT_BTF_TRUE_SIGNATURE),
		.fixup_silly_bitfields = options->fixup_silly_bitfields,
		.languages = options->languages,
		.language_count = options->language_count,
		.languages_excluded = options->languages_excluded,
		.unit_exclude_prefix = options->unit_exclude_prefix,
		.kabi_prefix = options->kabi_prefix,
	};

	for (uint32_t i = 0; i < run->input_count; i++) {
		struct run_input *input = &run->inputs[i];
		enum smelt_status status = dwarf_loader_create(run->loading, input->file, &load,
							       &input->loader, error);

		if (status)
			return status;
	}
	run->names = dwarf_loader_names(run->inputs[0].loader);
	return SMELT_OK;
}

enum smelt_status number_inputs(struct encode_run *run, struct smelt_error *error)
{
	uint64_t next = 1;

	for (uint32_t i = 0; i < run->input_count; i++) {
		run->inputs[i].first_unit = (uint32_t)next;
		next += dwarf_loader_unit_count(run->inputs[i].loader);
		if (next > UINT32_MAX)
			return error_set(error, SMELT_UNSUPPORTED, "%s: too many units",
					 run->inputs[i].path);
	}
	run->unit_count = (uint32_t)next;
	return SMELT_OK;
}

/* A program that was stripped after its debug information had been copied has its symbols there, too. */
static void find_symbols(const struct encode_run *run, struct run_input *input)
{
	struct elf_file *dwarf = dwarf_loader_file(input->loader);

	input->symbol_file = input->file;
	if (elf_file_symbols(dwarf) > elf_file_symbols(input->file))
		input->symbol_file = dwarf;
	if (elf_file_symbols(input->symbol_file) == ELF_SYMBOLS_ELSEWHERE && run->options->warning)
		run->options->warning(
			run->options->context,
			"the symbol table was left in the program that this is the debug information of; no functions encoded");
}

/* Names of function symbols decide which functions are worth recording, so there is no going on without. */
enum smelt_status group_symbols(struct encode_run *run, struct smelt_error *error)
{
	for (uint32_t i = 0; i < run->input_count; i++) {
		struct run_input *input = &run->inputs[i];
		enum smelt_status status;

		find_symbols(run, input);
		status = symbol_groups_create(input->symbol_file, run->names, run->pool,
					      &input->groups, error);

		/* Not the absence of DWARF that callers may take for success. */
		if (status == SMELT_NO_DEBUG_INFO)
			return error_set(error, SMELT_UNSUPPORTED,
					 "%s: no symbol table to tell which functions are there",
					 input->path);
		if (status)
			return status;
		input->first_group = run->group_count;
		run->group_count += input->groups->group_count;
	}
	return SMELT_OK;
}

void close_inputs(struct encode_run *run)
{
	for (uint32_t i = 0; i < run->input_count; i++) {
		struct run_input *input = &run->inputs[i];

		section_map_deinit(&input->sections);
		symbol_groups_destroy(input->groups);
		dwarf_loader_destroy(input->loader);
		elf_file_close(input->file);
	}
}

static uint32_t first_unit(const struct run_input *input)
{
	return input->first_unit;
}

static uint32_t first_group(const struct run_input *input)
{
	return input->first_group;
}

/* The last file whose first number is not above `number`. */
static inline struct run_input *find_input(const struct encode_run *run, uint32_t number,
					   uint32_t (*first_of)(const struct run_input *))
{
	uint32_t low = 0;
	uint32_t high = run->input_count;

	while (high - low > 1) {
		uint32_t middle = low + (high - low) / 2;

		if (first_of(&run->inputs[middle]) <= number)
			low = middle;
		else
			high = middle;
	}
	return &run->inputs[low];
}

struct run_input *input_of_unit(const struct encode_run *run, uint32_t unit)
{
	return find_input(run, unit, first_unit);
}

struct run_input *input_of_group(const struct encode_run *run, uint32_t group)
{
	return find_input(run, group, first_group);
}
