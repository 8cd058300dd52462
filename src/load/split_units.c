/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Split DWARF: a unit of the file is only a skeleton that names a .dwo file, made by the compiler beside the
 * object, or has its place in a .dwp file, which holds many of these. DWARF 5, 3.1.2, 3.1.3, 7.3.2; GNU tools had it before, for
 * DWARF 4, in nearly the same form.
 *
 * That a unit is a skeleton shows when it is loaded, so files without any pay nothing. Then the units are put in the
 * skeletons' places and loaded again. There may be thousands of .dwo files: each is opened when one of its units is loaded and
 * closed at the worker's next one, a .dwp file stays open.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "dwarf/constants.h"
#include "dwarf/package_index.h"
#include "load/load_internal.h"

/* ---- Skeletons ---- */

static const char *copy_text(struct unit_load *load, const struct die_values *values,
			     enum die_attr attr)
{
	const char *text = values_have(values, attr) ? load_text(load, &values->values[attr]) : "";
	const char *copy =
		arena_strndup(&load->worker->results, text ? text : "", text ? strlen(text) : 0);

	if (copy == NULL)
		walk_no_memory(load);
	return copy;
}

void split_note_skeleton(struct unit_load *load, const struct die_values *values)
{
	struct dwarf_loader *loader = load->loader;
	size_t number = (size_t)(load->unit - loader->units.items);
	struct skeleton *skeleton;

	if (loader->split.is_done)
		return;
	skeleton = arena_alloc(&load->worker->results, sizeof(*skeleton));
	if (skeleton == NULL) {
		walk_no_memory(load);
		return;
	}
	*skeleton = (struct skeleton){
		.folder = copy_text(load, values, ATTR_COMP_DIR),
		.name = copy_text(load, values, ATTR_DWO_NAME),
		.id = load->unit->header.version >= 5 ? load->unit->header.signature :
							(uint64_t)load_number(values, ATTR_DWO_ID),
		.addr_base = load->addr_base,
	};
	if (load->out_of_memory)
		return;
	loader->units.items[number].skeleton = skeleton;
	atomic_store(&loader->has_skeletons, true);
}

/* ---- The file a worker is at ---- */

void dwo_file_close(struct dwo_file *dwo)
{
	elf_file_close(dwo->file);
	*dwo = (struct dwo_file){ 0 };
}

/* What a worker keeps of the sections of the file it leaves. */
static void forget_sections(struct load_worker *worker)
{
	for (unsigned i = 0; i < ABBREV_TABLES; i++) {
		if (worker->abbrev_owner[i] == &worker->dwo.sections)
			worker->abbrev_owner[i] = NULL;
	}
	if (worker->list_sections == &worker->dwo.sections)
		worker->list_sections = NULL;
}

static enum smelt_status open_dwo(const struct dwarf_loader *loader, const char *path,
				  struct dwo_file *dwo, struct smelt_error *error)
{
	const struct elf_header *header;
	enum smelt_status status = elf_file_open(path, &dwo->file, error);

	if (status)
		return status;
	header = elf_file_header(dwo->file);
	if (header->machine != loader->machine || header->is_big_endian != loader->is_big_endian)
		return error_set(error, SMELT_BAD_DATA, "%s: is for another machine", path);
	dwo->path = path;
	status = load_sections(dwo->file, ".dwo", &dwo->sections, error);
	dwo->sections.addr = loader->sections[0].addr;
	return status;
}

enum smelt_status split_sections(struct unit_load *load, const struct info_section *section,
				 const struct dwarf_sections **sections, struct smelt_error *error)
{
	struct dwo_file *dwo = &load->worker->dwo;
	enum smelt_status status;

	*sections = section->sections;
	if (section->dwo_path == NULL)
		return SMELT_OK;
	*sections = &dwo->sections;
	if (dwo->path == section->dwo_path)
		return SMELT_OK;
	forget_sections(load->worker);
	dwo_file_close(dwo);
	status = open_dwo(load->loader, section->dwo_path, dwo, error);
	if (!status && (section->index >= elf_file_section_count(dwo->file) ||
			elf_section_content_size(dwo->file, section->index) != section->size))
		status = error_set(error, SMELT_BAD_DATA, "%s: changed while it was read",
				   section->dwo_path);
	if (status)
		dwo_file_close(dwo);
	return status;
}

/* ---- Finding units ---- */

/* What the search for the units goes through, skeleton by skeleton. */
struct split_search {
	struct dwarf_loader *loader;
	struct package_index units;
	struct package_index type_units;
	uint32_t package_section;       /* of units; in info_sections */
	uint32_t package_types_section; /* of type units */
};

static bool is_type_unit(const struct file_unit *unit)
{
	return unit->header.unit_type == DW_UT_type || unit->header.unit_type == DW_UT_split_type;
}

static struct split_unit *add_split(struct dwarf_loader *loader, struct file_unit *unit,
				    const struct skeleton *skeleton)
{
	struct split_unit *split = arena_calloc(&loader->split.arena, 1, sizeof(*split));

	unit->split = split;
	if (split != NULL && skeleton != NULL) {
		split->id = skeleton->id;
		split->addr_base = skeleton->addr_base;
		split->folder = skeleton->folder;
	}
	return split;
}

/* Keeps of the units from `first` on the skeleton's own and the type units. */
static enum smelt_status keep_units(struct dwarf_loader *loader, size_t first,
				    const struct skeleton *skeleton, bool *found,
				    struct smelt_error *error)
{
	struct file_unit *units = loader->units.items;
	size_t kept = first;

	for (size_t i = first; i < loader->units.count; i++) {
		bool is_type = is_type_unit(&units[i]);

		/* The id of DWARF 4 is in the root entry: it is looked at when the unit is loaded. */
		if (!is_type && (*found || (units[i].header.version >= 5 &&
					    units[i].header.signature != skeleton->id)))
			continue;
		*found |= !is_type;
		units[kept] = units[i];
		if (add_split(loader, &units[kept++], is_type ? NULL : skeleton) == NULL)
			return error_no_memory(error);
	}
	loader->units.count = kept;
	return SMELT_OK;
}

static enum smelt_status add_dwo(struct dwarf_loader *loader, const struct skeleton *skeleton,
				 const char *path, bool *found, struct smelt_error *error)
{
	struct dwo_file dwo = { 0 };
	uint32_t first_section = (uint32_t)loader->info_sections.count;
	size_t first_unit = loader->units.count;
	enum smelt_status status = open_dwo(loader, path, &dwo, error);

	*found = false;
	if (!status)
		status = add_info_sections(loader, &dwo.sections, error);
	for (uint32_t i = first_section; i < loader->info_sections.count && !status; i++)
		status = index_section(loader, i, error);
	for (uint32_t i = first_section; i < loader->info_sections.count; i++) {
		struct info_section *section = &loader->info_sections.items[i];

		section->dwo_path = path;
		section->sections = NULL;
		section->bytes = (struct elf_bytes){ 0 };
	}
	dwo_file_close(&dwo);
	if (!status)
		status = keep_units(loader, first_unit, skeleton, found, error);
	if (!*found)
		loader->units.count = first_unit;
	if (!status && !*found)
		status = error_set(error, SMELT_BAD_DATA,
				   "%s: has no unit with the id 0x%" PRIx64
				   " that the program asks for: they are from different builds",
				   path, skeleton->id);
	return status;
}

static bool is_absence(enum smelt_status status, const struct smelt_error *error)
{
	return status == SMELT_OS_ERROR &&
	       (error->os_errno == ENOENT || error->os_errno == ENOTDIR);
}

/*
 * Looks for the file of a skeleton in all places. That it is in none of them is no failure, but a file that cannot be
 * read or belongs to another build is, unless a later place has the right one.
 */
static enum smelt_status search_dwo(struct dwarf_loader *loader, const struct skeleton *skeleton,
				    bool *found, struct smelt_error *error)
{
	struct split_state *split = &loader->split;
	enum smelt_status result = SMELT_OK;

	*found = false;
	for (unsigned place = 0; !*found; place++) {
		struct smelt_error cause;
		enum smelt_status status;
		char *path, *kept;

		if (!elf_file_split_path(loader->sections[0].file, skeleton->folder, skeleton->name,
					 place, &path))
			return error_no_memory(error);
		if (path == NULL)
			break;
		kept = arena_strndup(&split->arena, path, strlen(path));
		free(path);
		if (kept == NULL)
			return error_no_memory(error);
		status = add_dwo(loader, skeleton, kept, found, &cause);
		if (status == SMELT_NO_MEMORY)
			return error_no_memory(error);
		if (is_absence(status, &cause)) {
			if (split->missing_count == 0 && place == 0)
				split->missing_cause = cause;
		} else if (status && !result) {
			result = status;
			if (error)
				*error = cause;
		}
	}
	split->missing_count += !*found && !result;
	return *found ? SMELT_OK : result;
}

static enum smelt_status add_package_unit(struct split_search *search,
					  const struct package_index *index, uint32_t row,
					  uint32_t section, const struct skeleton *skeleton,
					  struct smelt_error *error)
{
	struct dwarf_loader *loader = search->loader;
	struct file_unit *unit = vector_push(&loader->units);
	struct split_unit *split;
	enum smelt_status status;

	if (unit == NULL)
		return error_no_memory(error);
	status = read_unit(loader, section, package_index_offset(index, row, PACKAGE_INFO), unit,
			   error);
	if (status)
		return status;
	split = add_split(loader, unit, skeleton);
	if (split == NULL)
		return error_no_memory(error);
	unit->header.abbrev_offset += package_index_offset(index, row, PACKAGE_ABBREV);
	split->str_offsets_start = package_index_offset(index, row, PACKAGE_STR_OFFSETS);
	split->lists_start = package_index_offset(index, row, PACKAGE_LISTS);
	return SMELT_OK;
}

/* Puts what stands for a unit of the file after the loader's units. */
static enum smelt_status replace_unit(struct split_search *search, const struct file_unit *unit,
				      struct smelt_error *error)
{
	struct dwarf_loader *loader = search->loader;
	struct file_unit *copy;
	uint32_t row;

	if (unit->skeleton != NULL) {
		enum smelt_status status;
		bool found;

		if (package_index_find(&search->units, unit->skeleton->id, &row))
			return add_package_unit(search, &search->units, row,
						search->package_section, unit->skeleton, error);
		status = search_dwo(loader, unit->skeleton, &found, error);
		if (status || found)
			return status;
	}
	copy = vector_push(&loader->units);
	if (copy == NULL)
		return error_no_memory(error);
	*copy = *unit;
	return SMELT_OK;
}

static enum smelt_status read_package_index(struct elf_file *package, const char *name,
					    struct package_index *index, bool swap,
					    struct smelt_error *error)
{
	uint32_t section = elf_file_find_section(package, name);
	struct elf_bytes bytes;
	enum smelt_status status;

	if (section == 0)
		return SMELT_OK;
	status = elf_section_load(package, section, &bytes, error);
	if (!status && !package_index_read(index, bytes.data, bytes.size, swap))
		status = error_set(error, SMELT_BAD_DATA, "%s: %s: not an index of a known form",
				   elf_file_path(package), name);
	return status;
}

/* Opens FILE.dwp, if there is one, and indexes it. */
static enum smelt_status open_package(struct split_search *search, struct smelt_error *error)
{
	struct dwarf_loader *loader = search->loader;
	struct split_state *split = &loader->split;
	enum smelt_status status = elf_file_open_package(loader->file, &split->package, error);

	if (!status && split->package == NULL && loader->debug_file != NULL)
		status = elf_file_open_package(loader->debug_file, &split->package, error);
	if (status || split->package == NULL)
		return status;
	status = load_sections(split->package, ".dwo", &split->package_sections, error);
	split->package_sections.addr = loader->sections[0].addr;
	search->package_section = (uint32_t)loader->info_sections.count;
	if (!status)
		status = add_info_sections(loader, &split->package_sections, error);
	search->package_types_section = (uint32_t)loader->info_sections.count - 1;
	if (!status)
		status = read_package_index(split->package, ".debug_cu_index", &search->units,
					    loader->swap, error);
	if (!status)
		status = read_package_index(split->package, ".debug_tu_index", &search->type_units,
					    loader->swap, error);
	if (!status && search->package_section == loader->info_sections.count)
		status = error_set(error, SMELT_BAD_DATA, "%s: no .debug_info.dwo",
				   elf_file_path(split->package));
	return status;
}

enum smelt_status split_open_units(struct dwarf_loader *loader, struct smelt_error *error)
{
	struct split_search search = { .loader = loader };
	__typeof__(loader->units) units = loader->units;
	enum smelt_status status;

	loader->split.is_done = true;
	memset(&loader->units, 0, sizeof(loader->units));
	status = open_package(&search, error);
	for (size_t i = 0; i < units.count && !status; i++)
		status = replace_unit(&search, &units.items[i], error);
	for (uint32_t row = 0; row < search.type_units.row_count && !status; row++)
		status = add_package_unit(&search, &search.type_units, row,
					  search.package_types_section, NULL, error);
	if (!status && loader->split.missing_count == units.count) {
		status = loader->split.missing_cause.status;
		if (error)
			*error = loader->split.missing_cause;
		error_prefix(
			error,
			"%s: the DWARF of its %zu units is in .dwo files, the first of which cannot be read",
			elf_file_path(loader->file), units.count);
	}
	vector_deinit(&units);
	return status;
}

void split_deinit(struct split_state *split)
{
	elf_file_close(split->package);
	arena_deinit(&split->arena);
}
