/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * DWARF sections as they are, in an ELF file without faults, through the loader, in both of its modes. What
 * the loader hands over must be in itself sound, because nothing behind it looks again.
 *
 * Input: flags (1: 32-bit ELF, 2: big endian, 4: all options), sizes of the SECTION_COUNT sections
 * below (2 bytes each, little endian), those sections, .debug_info.
 */
#include <elf.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/worker_pool.h"
#include "load/dwarf_load.h"
#include "load/symbol_groups.h"
#include "support/elf_builder.h"

static const char *const section_names[] = {
	".debug_abbrev", ".debug_str",      ".debug_line_str", ".debug_str_offsets",
	".debug_addr",   ".debug_loclists", ".debug_loc",      ".debug_types",
};
enum { SECTION_COUNT = sizeof(section_names) / sizeof(section_names[0]) };
enum { HEADER_BYTES = 1 + 2 * SECTION_COUNT };
enum { UNITS_MAX = 64, TEXT_ADDRESS = 0x1000, TEXT_BYTES = 0x1000 };
enum { FLAG_32BIT = 1, FLAG_BIG_ENDIAN = 2, FLAG_ALL_OPTIONS = 4 };

/* Functions have to be in .symtab to be looked at; seeds use these names. */
static const char *const function_names[] = { "main", "f", "g.isra.0", "h", "use.constprop.0" };

struct fuzz_run {
	struct dwarf_loader *loader;
	struct symbol_groups *groups;
	struct unit_record *records;
};

static void add_symbols(struct elf_builder *builder, uint32_t text)
{
	for (uint32_t i = 0; i < sizeof(function_names) / sizeof(function_names[0]); i++) {
		const struct elf_part_symbol symbol = {
			.name = function_names[i],
			.value = TEXT_ADDRESS + 16 * i,
			.size = 16,
			.info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC),
			.section = text,
		};

		elf_builder_add_symbol(builder, &symbol);
	}
}

static uint8_t *build_file(const uint8_t *data, size_t size, size_t *file_size)
{
	const uint8_t *header = data;
	const struct elf_part text = {
		.name = ".text",
		.type = SHT_NOBITS,
		.flags = SHF_ALLOC | SHF_EXECINSTR,
		.address = TEXT_ADDRESS,
		.size = TEXT_BYTES,
	};
	struct elf_builder builder;
	uint8_t *file;

	elf_builder_init(&builder, !(header[0] & FLAG_32BIT), (header[0] & FLAG_BIG_ENDIAN) != 0,
			 ET_EXEC, header[0] & FLAG_32BIT ? EM_386 : EM_X86_64);
	add_symbols(&builder, elf_builder_add(&builder, &text));
	data += HEADER_BYTES;
	size -= HEADER_BYTES;
	for (unsigned i = 0; i < SECTION_COUNT; i++) {
		size_t section_size = (size_t)header[1 + 2 * i] | (size_t)header[2 + 2 * i] << 8;

		if (section_size > size)
			section_size = size;
		if (section_size > 0)
			elf_builder_add_data(&builder, section_names[i], data, section_size);
		data += section_size;
		size -= section_size;
	}
	elf_builder_add_data(&builder, ".debug_info", data, size);
	file = elf_builder_finish(&builder, file_size);
	elf_builder_deinit(&builder);
	return file;
}

static void require(bool holds)
{
	if (!holds)
		abort();
}

static void check_types(const struct model_unit *unit)
{
	for (uint32_t i = 1; i < unit->type_count; i++) {
		const struct model_type *type = &unit->types[i];

		require(type->kind > TYPE_VOID && type->kind < TYPE_KIND_COUNT);
		require(type->type < unit->type_count);
		if (type->item_count == 0)
			continue;
		require(type->first_item <= unit->item_count &&
			type->item_count <= unit->item_count - type->first_item);
		for (uint32_t j = 0; j < type->item_count; j++)
			require(unit->items[type->first_item + j].type < unit->type_count);
	}
}

static void check_record(const struct unit_record *record, const struct symbol_groups *groups)
{
	for (uint32_t i = 0; i < record->function_count; i++) {
		const struct function_state *function = &record->functions[i];

		require(function->group < groups->group_count);
		require(function->return_type < record->type_count);
		for (uint32_t j = 0; j < function->parameter_count; j++)
			require(record->parameters[function->first_parameter + j].type <
				record->type_count);
	}
	for (uint32_t i = 0; i < record->variable_count; i++)
		require(record->variables[i].type < record->type_count);
	for (uint32_t i = 0; i < record->type_tag_count; i++)
		require(record->type_tags[i].type < record->type_count);
}

static void load_job(void *argument, uint32_t unit, struct worker *worker)
{
	struct fuzz_run *run = argument;
	struct unit_record *record = &run->records[unit];
	struct model_unit types = { 0 };
	struct smelt_error error;

	arena_reset(&worker->scratch);
	if (dwarf_loader_load_unit(run->loader, unit, run->groups, worker, &types, record, &error))
		return;
	if (record->is_excluded || record->type_count == 0)
		return;
	require(types.type_count == record->type_count);
	check_types(&types);
	check_record(record, run->groups);
}

static void load_units(struct fuzz_run *run, struct worker_pool *pool)
{
	uint32_t count = dwarf_loader_unit_count(run->loader);

	if (count > UNITS_MAX)
		return;
	run->records = calloc(count ? count : 1, sizeof(*run->records));
	require(run->records != NULL);
	worker_pool_run(pool, load_job, run, count);
	free(run->records);
}

static void load_file(struct elf_file *file, bool all_options, struct worker_pool *pool)
{
	const struct dwarf_load_options options = {
		.floats = all_options,
		.wide_enums = all_options,
		.type_tags = all_options,
		.decl_tags = all_options,
		.variables = all_options,
		.true_signatures = all_options,
		.fixup_silly_bitfields = all_options,
	};
	struct fuzz_run run = { 0 };
	struct load_context *context;
	struct smelt_error error;

	require(load_context_create(&context, &error) == SMELT_OK);
	if (dwarf_loader_create(context, file, &options, &run.loader, &error)) {
		load_context_destroy(context);
		return;
	}
	if (symbol_groups_create(file, dwarf_loader_names(run.loader), pool, &run.groups, &error))
		abort();
	load_units(&run, pool);
	while (dwarf_loader_needs_reload(run.loader) &&
	       !dwarf_loader_prepare_reload(run.loader, &error))
		load_units(&run, pool);
	symbol_groups_destroy(run.groups);
	dwarf_loader_destroy(run.loader);
	load_context_destroy(context);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct worker_pool *pool = NULL;
	struct smelt_error error;
	struct elf_file *file;
	size_t file_size = 0;
	uint8_t *bytes;
	char path[40];
	int fd;

	if (size < HEADER_BYTES)
		return 0;
	fd = memfd_create("fuzz", MFD_CLOEXEC);
	bytes = build_file(data, size, &file_size);
	require(fd >= 0 && write(fd, bytes, file_size) == (ssize_t)file_size);
	free(bytes);
	(void)snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	require(worker_pool_create(1, &pool, &error) == SMELT_OK);
	require(elf_file_open(path, &file, &error) == SMELT_OK);
	load_file(file, (data[0] & FLAG_ALL_OPTIONS) != 0, pool);
	elf_file_close(file);
	worker_pool_destroy(pool);
	close(fd);
	return 0;
}
