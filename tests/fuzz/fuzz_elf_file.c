/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Any bytes as an ELF file: opens it, loads every section (decompressed and relocated),
 * reads all symbols and a note. Other files that it may name are not opened.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "elf/elf_file.h"

/* Larger content is left alone, so that a few inputs with honest bombs do not end the run. */
enum { CONTENT_MAX = 16 << 20 };

static volatile uint8_t sink;

static void touch(const uint8_t *data, uint64_t size)
{
	uint8_t sum = 0;

	for (uint64_t i = 0; i < size; i++)
		sum ^= data[i];
	sink = sum;
}

/* What is read in parts must be what is loaded. */
static void compare_with_reading(struct elf_file *file, uint32_t index,
				 const struct elf_bytes *bytes)
{
	char buffer[64];
	uint64_t middle = bytes->size / 2;
	size_t size = bytes->size - middle < sizeof(buffer) ? (size_t)(bytes->size - middle) :
							      sizeof(buffer);

	if (!elf_section_is_plain(file, index))
		return;
	if (elf_section_read(file, index, middle, buffer, size, NULL) ||
	    memcmp(buffer, bytes->data + middle, size) != 0)
		abort();
}

static void load_sections(struct elf_file *file)
{
	struct smelt_error error;
	struct elf_bytes bytes, again;

	for (uint32_t i = 0; i < elf_file_section_count(file); i++) {
		const struct elf_section *section = elf_file_section(file, i);
		uint64_t size = elf_section_content_size(file, i);

		if (i > 0 && elf_file_find_section(file, section->name) > i)
			abort();
		if (size > CONTENT_MAX || elf_section_load(file, i, &bytes, &error))
			continue;
		if (bytes.size != size)
			abort();
		touch(bytes.data, bytes.size + 16);
		if (elf_section_load(file, i, &again, &error) || again.data != bytes.data)
			abort();
		compare_with_reading(file, i, &bytes);
		touch((const uint8_t *)section->name, strlen(section->name));
		sink = (uint8_t)elf_section_address(file, i);
	}
}

static void read_symbols(struct elf_file *file)
{
	struct elf_symbol_table table;
	struct elf_symbol symbol;

	if (elf_symbol_table_load(file, &table, NULL))
		return;
	for (uint32_t i = 0; i < table.count; i++) {
		elf_symbol_table_get(&table, i, &symbol);
		touch((const uint8_t *)symbol.name, strlen(symbol.name));
		if (symbol.section != 0 && symbol.section >= elf_file_section_count(file))
			abort();
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	int fd = memfd_create("fuzz", MFD_CLOEXEC);
	struct elf_bytes description;
	struct smelt_error error;
	struct elf_file *file;
	char path[40];

	if (fd < 0 || (size > 0 && write(fd, data, size) != (ssize_t)size))
		abort();
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (elf_file_open(path, &file, &error) == SMELT_OK) {
		load_sections(file);
		read_symbols(file);
		if (elf_file_find_note(file, "GNU", 3, &description))
			touch(description.data, description.size);
		elf_file_close(file);
	}
	close(fd);
	return 0;
}
