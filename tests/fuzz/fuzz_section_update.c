/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Any bytes as an ELF file that gets sections: it is refused, or the result is a file with these
 * sections, in which all others are what and where they were. For a tail at the end of the
 * content and for one further behind.
 */
#include <elf.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "elf/elf_internal.h"
#include "elf/section_update.h"

enum { CONTENT_MAX = 1 << 20 };

static void must(bool holds)
{
	if (!holds)
		abort();
}

static struct elf_file *open_descriptor(int fd)
{
	struct smelt_error error;
	struct elf_file *file = NULL;
	char path[40];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	return elf_file_open(path, &file, &error) ? NULL : file;
}

static bool is_one_of(const struct elf_update *update, const char *name)
{
	for (size_t i = 0; i < update->count; i++)
		if (strcmp(update->sections[i].name, name) == 0)
			return true;
	return false;
}

/* What relocates an old section, or one in whose place there is a new one now. */
static bool relocates_one(const struct elf_update *update, uint32_t target)
{
	for (size_t i = 0; i < update->count; i++)
		if (target != 0 && update->slots[i] == target)
			return true;
	return target < elf_file_section_count(update->file) &&
	       is_one_of(update, elf_file_section(update->file, target)->name);
}

/* Headers of sections that have nothing to do with those that are replaced. */
static void compare_others(const struct elf_update *update, const struct elf_file *result)
{
	const struct elf_file *file = update->file;

	for (uint32_t i = 1; i < elf_file_section_count(file); i++) {
		const struct elf_section *old = elf_file_section(file, i);
		const struct elf_section *new = elf_file_section(result, i);
		bool is_dropped = (old->type == SHT_REL || old->type == SHT_RELA) &&
				  new->type == SHT_NULL &&relocates_one(update, old->info);

		if (old->type == SHT_NULL || i == file->names_section || is_dropped ||
		    is_one_of(update, old->name) || is_one_of(update, new->name))
			continue;
		must(strcmp(old->name, new->name) == 0 && old->type == new->type &&
		     old->address == new->address && old->offset == new->offset &&
		     old->size == new->size && old->flags == new->flags && old->link == new->link &&
		     old->info == new->info);
	}
}

static void compare_new(const struct elf_update *update, struct elf_file *result)
{
	for (size_t i = 0; i < update->count; i++) {
		const struct smelt_elf_section *wanted = &update->sections[i];
		uint32_t index = elf_file_find_section(result, wanted->name);
		struct smelt_error error;
		struct elf_bytes bytes;

		if (!wanted->data) {
			must(index == 0);
			continue;
		}
		must(index == update->slots[i]);
		must(elf_section_load(result, index, &bytes, &error) == SMELT_OK);
		must(bytes.size == wanted->size &&
		     memcmp(bytes.data, wanted->data, wanted->size) == 0);
	}
}

/* The file as a writer leaves it. */
static void check_tail(const struct elf_update *update, const uint8_t *data, uint64_t offset,
		       bool is_temporary)
{
	struct elf_tail tail;
	struct smelt_error error;
	struct elf_file *result;
	int fd = memfd_create("result", MFD_CLOEXEC);

	must(fd >= 0 && elf_update_build(update, offset, is_temporary, &tail, &error) == SMELT_OK);
	must(pwrite(fd, data, update->content_end, 0) == (ssize_t)update->content_end);
	must(pwrite(fd, tail.data, tail.size, (off_t)offset) == (ssize_t)tail.size);
	must(pwrite(fd, tail.header, update->header_size, 0) == (ssize_t)update->header_size);
	elf_tail_deinit(&tail);
	result = open_descriptor(fd);
	must(result && elf_file_section_count(result) == update->table_count);
	compare_others(update, result);
	compare_new(update, result);
	elf_file_close(result);
	close(fd);
}

static void check(const struct elf_file *file, const uint8_t *data, bool with_base)
{
	const struct smelt_elf_section sections[] = {
		{ .name = ".BTF", .data = "some BTF", .size = 8 },
		{ .name = ".BTF.base", .data = with_base ? "its base" : NULL, .size = 8 },
	};
	struct elf_update update;
	struct smelt_error error;

	if (elf_update_init(&update, file, sections, 2, &error) == SMELT_OK && update.is_needed) {
		check_tail(&update, data, update.content_end, false);
		check_tail(&update, data, update.content_end + 1001, true);
	}
	elf_update_deinit(&update);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	int fd = memfd_create("fuzz", MFD_CLOEXEC);
	struct elf_file *file;

	must(fd >= 0 && (size == 0 || write(fd, data, size) == (ssize_t)size));
	file = size < CONTENT_MAX ? open_descriptor(fd) : NULL;
	if (file) {
		check(file, data, true);
		check(file, data, false);
		elf_file_close(file);
	}
	close(fd);
	return 0;
}
