/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#include "encode/kfuncs.h"
#include "encode/run.h"

/* Index of the last section called so, 0 if there is none. */
static uint32_t find_ids_section(const struct elf_file *file)
{
	uint32_t index = elf_file_find_section(file, ".BTF_ids");

	for (uint32_t next = index; next != 0; next = elf_file_next_section(file, ".BTF_ids", next))
		index = next;
	return index;
}

struct kfunc_notes {
	struct encode_run *run;
	const struct run_input *input;
};

static void note_kfunc(void *context, const char *name, size_t size, uint32_t flags)
{
	const struct kfunc_notes *notes = context;
	uint32_t group = symbol_groups_find_text(notes->input->groups, name, size);

	/* Of several pairs for one function the last counts. */
	if (group != UINT32_MAX)
		notes->run->kfuncs[notes->input->first_group + group] = KFUNC_IS_ONE | flags;
}

static enum smelt_status note_kfuncs(struct encode_run *run, const struct run_input *input,
				     const struct symbol_scan *scan, struct smelt_error *error)
{
	struct kfunc_notes notes = { run, input };
	struct kfunc_section section = {
		.address = elf_file_section(input->file, scan->listed_section)->address,
		.is_big_endian = run->is_big_endian,
	};
	enum smelt_status status =
		elf_section_load(input->file, scan->listed_section, &section.bytes, error);

	if (!status && !kfuncs_visit(scan, &section, note_kfunc, &notes))
		status = error_no_memory(error);
	return status;
}

static enum smelt_status check_input(struct encode_run *run, const struct run_input *input,
				     struct smelt_error *error)
{
	struct symbol_scan scan = {
		.names = run->names,
		.starts = run->starts.numbers.count > 0 ? &run->starts : NULL,
		.first_section = input->first_section,
	};
	enum smelt_status status;

	if (run_has(run, SMELT_BTF_DECL_TAG_KFUNCS))
		scan.listed_section = find_ids_section(input->file);
	if (!scan.starts && scan.listed_section == 0)
		return SMELT_OK;
	status = elf_symbol_table_load(input->symbol_file, &scan.table, error);
	if (status)
		return status;
	if (!symbol_scan_run(&scan, run->pool))
		status = error_no_memory(error);
	if (!status && scan.listed_section)
		status = note_kfuncs(run, input, &scan, error);
	symbol_scan_deinit(&scan);
	return status;
}

enum smelt_status check_symbols(struct encode_run *run, struct smelt_error *error)
{
	run->kfuncs = run_calloc(run, run->group_count, sizeof(*run->kfuncs));
	if (!run->kfuncs)
		return error_no_memory(error);
	for (uint32_t i = 0; i < run->input_count; i++) {
		enum smelt_status status = check_input(run, &run->inputs[i], error);

		if (status)
			return status;
	}
	drop_absent_variables(run);
	return SMELT_OK;
}
