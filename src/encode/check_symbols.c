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

static void note_kfunc(void *context, const char *name, size_t size, uint32_t flags)
{
	struct encode_run *run = context;
	uint32_t group = symbol_groups_find_text(run->groups, name, size);

	/* Of several pairs for one function the last counts. */
	if (group != UINT32_MAX)
		run->kfuncs[group] = KFUNC_IS_ONE | flags;
}

static enum smelt_status note_kfuncs(struct encode_run *run, const struct symbol_scan *scan,
				     struct smelt_error *error)
{
	struct kfunc_section section = {
		.address = elf_file_section(run->file, scan->listed_section)->address,
		.is_big_endian = elf_file_header(run->file)->is_big_endian,
	};
	enum smelt_status status =
		elf_section_load(run->file, scan->listed_section, &section.bytes, error);

	if (!status && !kfuncs_visit(scan, &section, note_kfunc, run))
		status = error_no_memory(error);
	return status;
}

enum smelt_status check_symbols(struct encode_run *run, struct smelt_error *error)
{
	bool has_starts = run->starts.numbers.count > 0;
	struct symbol_scan scan = {
		.names = run->names,
		.starts = has_starts ? &run->starts : NULL,
	};
	enum smelt_status status;

	run->kfuncs = run_calloc(run, run->groups->group_count, sizeof(*run->kfuncs));
	if (!run->kfuncs)
		return error_no_memory(error);
	if (run_has(run, SMELT_BTF_DECL_TAG_KFUNCS))
		scan.listed_section = find_ids_section(run->file);
	if (!has_starts && scan.listed_section == 0)
		return SMELT_OK;

	status = elf_symbol_table_load(run->file, &scan.table, error);
	if (status)
		return status;
	if (!symbol_scan_run(&scan, run->pool))
		status = error_no_memory(error);
	if (!status && has_starts)
		drop_absent_variables(run);
	if (!status && scan.listed_section)
		status = note_kfuncs(run, &scan, error);
	symbol_scan_deinit(&scan);
	return status;
}
