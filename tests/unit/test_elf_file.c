/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "elf/elf_file.h"
#include "support/elf_builder.h"

/* Both classes and byte orders. */
static const struct shape {
	bool is_64bit;
	bool is_big_endian;
} shapes[] = { { false, false }, { false, true }, { true, false }, { true, true } };

enum { SHAPE_COUNT = 4 };

/* Opens what the builder holds; the file stays readable after its path is gone. */
static struct elf_file *open_built(struct elf_builder *builder)
{
	char *path = elf_builder_write(builder);
	struct elf_file *file = NULL;
	struct smelt_error error;

	if (elf_file_open(path, &file, &error))
		fail_msg("%s", error.text);
	test_file_remove(path);
	elf_builder_deinit(builder);
	return file;
}

static void headers_are_widened_in_any_shape(void **state)
{
	(void)state;
	for (size_t i = 0; i < SHAPE_COUNT; i++) {
		const struct elf_part part = { .name = ".odd",
					       .type = SHT_PROGBITS,
					       .flags = SHF_ALLOC | SHF_EXECINSTR,
					       .address = 0x12345678,
					       .data = "abc",
					       .size = 3,
					       .link = 5,
					       .info = 6,
					       .entry_size = 7,
					       .alignment = 8 };
		struct elf_builder builder;
		const struct elf_section *section;
		const struct elf_header *header;
		struct elf_file *file;
		uint32_t index;

		elf_builder_init(&builder, shapes[i].is_64bit, shapes[i].is_big_endian, ET_EXEC,
				 EM_SPARC);
		index = elf_builder_add(&builder, &part);
		file = open_built(&builder);
		header = elf_file_header(file);
		assert_int_equal(header->is_64bit, shapes[i].is_64bit);
		assert_int_equal(header->is_big_endian, shapes[i].is_big_endian);
		assert_int_equal(header->address_size, shapes[i].is_64bit ? 8 : 4);
		assert_int_equal(header->type, ET_EXEC);
		assert_int_equal(header->machine, EM_SPARC);

		assert_int_equal(elf_file_section_count(file), 3);
		assert_string_equal(elf_file_section(file, 0)->name, "");
		assert_int_equal(elf_file_find_section(file, ".odd"), index);
		section = elf_file_section(file, index);
		assert_string_equal(section->name, ".odd");
		assert_int_equal(section->type, SHT_PROGBITS);
		assert_int_equal(section->flags, SHF_ALLOC | SHF_EXECINSTR);
		assert_int_equal(section->address, 0x12345678);
		assert_int_equal(section->size, 3);
		assert_int_equal(section->link, 5);
		assert_int_equal(section->info, 6);
		assert_int_equal(section->entry_size, 7);
		assert_int_equal(section->alignment, 8);
		assert_int_equal(elf_section_address(file, index), 0x12345678);
		elf_file_close(file);
	}
}

static void sections_are_found_by_name(void **state)
{
	struct elf_builder builder;
	struct elf_file *file;
	uint32_t first, second, old_name;

	(void)state;
	elf_builder_init(&builder, true, false, ET_DYN, EM_X86_64);
	first = elf_builder_add_data(&builder, ".debug_types", "a", 1);
	old_name = elf_builder_add_data(&builder, ".zdebug_info", "b", 1);
	elf_builder_add_data(&builder, ".zdebugger", "b", 1);
	second = elf_builder_add_data(&builder, ".debug_types", "c", 1);
	file = open_built(&builder);

	assert_int_equal(elf_file_find_section(file, ".debug_types"), first);
	assert_int_equal(elf_file_next_section(file, ".debug_types", first), second);
	assert_int_equal(elf_file_next_section(file, ".debug_types", second), 0);
	assert_int_equal(elf_file_find_section(file, ".debug_info"), old_name);
	assert_int_equal(elf_file_find_section(file, ".zdebug_info"), old_name);
	assert_int_equal(elf_file_find_section(file, ".debug_inf"), 0);
	assert_int_equal(elf_file_find_section(file, ".debugger"), 0);
	elf_file_close(file);
}

/* A file with one of each kind of thing this folder decodes. */
static uint8_t *build_everything(const struct shape *shape, bool is_extended, size_t *size)
{
	struct elf_builder builder;
	uint32_t text, info;
	uint8_t *data;

	elf_builder_init(&builder, shape->is_64bit, shape->is_big_endian, ET_REL,
			 shape->is_64bit ? EM_AARCH64 : EM_ARM);
	builder.has_extended_numbering = is_extended;
	text = elf_builder_add(&builder, &(struct elf_part){ .name = ".text",
							     .type = SHT_PROGBITS,
							     .flags = SHF_ALLOC,
							     .size = 16,
							     .alignment = 16 });
	elf_builder_add(&builder,
			&(struct elf_part){ .name = ".bss", .type = SHT_NOBITS, .size = 99 });
	info = elf_builder_add_data(&builder, ".debug_info", "0123456789abcdef", 16);
	elf_builder_add_note(&builder, ".note.gnu.build-id", 4, "GNU", 3, "identity", 8);
	elf_builder_add_symbol(
		&builder, &(struct elf_part_symbol){ .name = "main", .value = 4, .section = text });
	elf_builder_add_relocation(&builder,
				   &(struct elf_part_relocation){
					   .target = info,
					   .offset = 4,
					   .symbol = 1,
					   .type = shape->is_64bit ? R_AARCH64_ABS32 : R_ARM_ABS32,
				   });
	data = elf_builder_finish(&builder, size);
	elf_builder_deinit(&builder);
	return data;
}

/* Opens and reads all there is. Returns the first failure. */
static enum smelt_status read_everything(const char *path, struct smelt_error *error)
{
	struct elf_symbol_table table;
	struct elf_bytes bytes;
	struct elf_file *file;
	enum smelt_status first, status;

	first = elf_file_open(path, &file, error);
	if (first)
		return first;
	for (uint32_t i = 0; i < elf_file_section_count(file); i++) {
		status = elf_section_load(file, i, &bytes, first ? NULL : error);
		if (!first)
			first = status;
		/* The sum makes sure that every byte can be read. */
		for (uint64_t k = 0; !status && k < bytes.size + 16; k++)
			first += bytes.data[k] * 0u;
		elf_section_content_size(file, i);
		elf_section_address(file, i);
	}
	status = elf_symbol_table_load(file, &table, first ? NULL : error);
	for (uint32_t i = 0; !status && i < table.count; i++) {
		struct elf_symbol symbol;

		elf_symbol_table_get(&table, i, &symbol);
		assert_true(symbol.section < elf_file_section_count(file));
		assert_true(strlen(symbol.name) < 1000);
	}
	elf_file_find_note(file, "GNU", 3, &bytes);
	elf_file_close(file);
	return first ? first : status;
}

static void a_whole_file_reads_without_failure(void **state)
{
	(void)state;
	for (size_t i = 0; i < 2 * SHAPE_COUNT; i++) {
		struct smelt_error error;
		size_t size;
		uint8_t *data = build_everything(&shapes[i / 2], i % 2, &size);
		char *path = test_file_create(data, size);

		if (read_everything(path, &error))
			fail_msg("%s", error.text);
		test_file_remove(path);
		free(data);
	}
}

/* The section headers are last in the file: no prefix can be opened. */
static void every_prefix_fails_and_says_which_file(void **state)
{
	(void)state;
	for (size_t i = 0; i < 2 * SHAPE_COUNT; i++) {
		size_t size;
		uint8_t *data = build_everything(&shapes[i / 2], i % 2, &size);
		char *path = test_file_create(data, size);

		for (size_t length = size; length-- > 0;) {
			struct smelt_error error = { 0 };
			enum smelt_status status;

			assert_int_equal(truncate(path, (off_t)length), 0);
			status = read_everything(path, &error);
			assert_int_equal(status, length < SELFMAG ? SMELT_NOT_ELF : SMELT_BAD_DATA);
			assert_int_equal(error.status, status);
			assert_memory_equal(error.text, path, strlen(path));
		}
		test_file_remove(path);
		free(data);
	}
}

/* Whatever one byte says instead, nothing is read out of bounds (sanitizers watch). */
static void every_damaged_byte_is_survived(void **state)
{
	static const uint8_t values[] = { 0x00, 0x01, 0x7f, 0x80, 0xff };

	(void)state;
	for (size_t i = 0; i < SHAPE_COUNT; i++) {
		size_t size;
		uint8_t *data = build_everything(&shapes[i], true, &size);
		char *path = test_file_create(data, size);
		FILE *stream = fopen(path, "r+b");

		assert_non_null(stream);
		setvbuf(stream, NULL, _IONBF, 0);
		for (size_t k = 0; k < size; k++) {
			for (size_t v = 0; v < sizeof(values); v++) {
				struct smelt_error error;

				fseek(stream, (long)k, SEEK_SET);
				fputc(values[v], stream);
				read_everything(path, &error);
			}
			fseek(stream, (long)k, SEEK_SET);
			fputc(data[k], stream);
		}
		fclose(stream);
		test_file_remove(path);
		free(data);
	}
}

static void seventy_thousand_sections(void **state)
{
	enum { COUNT = 70000 };

	(void)state;
	for (size_t i = 0; i < SHAPE_COUNT; i++) {
		struct elf_builder builder;
		struct elf_symbol_table table;
		struct elf_symbol symbol;
		struct smelt_error error;
		struct elf_bytes bytes;
		struct elf_file *file;
		uint32_t last = 0;

		elf_builder_init(&builder, shapes[i].is_64bit, shapes[i].is_big_endian, ET_REL,
				 EM_X86_64);
		for (int k = 0; k < COUNT; k++)
			last = elf_builder_add_data(&builder, k == COUNT - 1 ? ".last" : ".some",
						    "xy", 2);
		elf_builder_add_symbol(&builder,
				       &(struct elf_part_symbol){ .name = "far", .section = last });
		elf_builder_add_symbol(&builder, &(struct elf_part_symbol){ .name = "absolute",
									    .reserved = SHN_ABS });
		file = open_built(&builder);

		assert_true(elf_file_section_count(file) > COUNT);
		assert_int_equal(elf_file_find_section(file, ".last"), last);
		assert_int_equal(elf_section_load(file, last, &bytes, &error), SMELT_OK);
		assert_int_equal(bytes.size, 2);
		assert_memory_equal(bytes.data, "xy", 2);

		assert_int_equal(elf_symbol_table_load(file, &table, &error), SMELT_OK);
		elf_symbol_table_get(&table, 1, &symbol);
		assert_string_equal(symbol.name, "far");
		assert_int_equal(symbol.raw_section, SHN_XINDEX);
		assert_int_equal(symbol.section, last);
		elf_symbol_table_get(&table, 2, &symbol);
		assert_int_equal(symbol.raw_section, SHN_ABS);
		assert_int_equal(symbol.section, 0);
		elf_file_close(file);
	}
}

static void extended_numbering_with_damaged_counts_fails(void **state)
{
	static const struct {
		uint64_t count;
		uint32_t names;
		const char *text;
	} cases[] = {
		{ 1u << 20, 1, "exceed the file size" }, { UINT32_MAX, 1, "exceed the file size" },
		{ UINT64_MAX, 1, "sections" },           { 3, 3, "section names: index 3 of 3" },
		{ 3, UINT32_MAX, "section names" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct elf_builder builder;
		struct smelt_error error;
		struct elf_file *file;
		size_t size, null_header;
		uint8_t *data;
		char *path;

		elf_builder_init(&builder, true, false, ET_REL, EM_X86_64);
		builder.has_extended_numbering = true;
		elf_builder_add_data(&builder, ".data", "x", 1);
		data = elf_builder_finish(&builder, &size);
		null_header = size - 3 * sizeof(Elf64_Shdr);
		put_u64(data + null_header + offsetof(Elf64_Shdr, sh_size), cases[i].count, false);
		put_u32(data + null_header + offsetof(Elf64_Shdr, sh_link), cases[i].names, false);
		path = test_file_create(data, size);
		assert_int_equal(elf_file_open(path, &file, &error), SMELT_BAD_DATA);
		assert_non_null(strstr(error.text, cases[i].text));
		test_file_remove(path);
		free(data);
		elf_builder_deinit(&builder);
	}
}

static void header_without_sections_opens(void **state)
{
	struct elf_builder builder;
	struct elf_symbol_table table;
	struct smelt_error error;
	struct elf_file *file;
	size_t size;
	uint8_t *data;
	char *path;

	(void)state;
	elf_builder_init(&builder, true, false, ET_REL, EM_X86_64);
	data = elf_builder_finish(&builder, &size);
	put_u64(data + offsetof(Elf64_Ehdr, e_shoff), 0, false);
	path = test_file_create(data, sizeof(Elf64_Ehdr));
	assert_int_equal(elf_file_open(path, &file, &error), SMELT_OK);
	assert_int_equal(elf_file_section_count(file), 0);
	assert_string_equal(elf_file_section(file, 0)->name, "");
	assert_int_equal(elf_file_find_section(file, ".text"), 0);
	assert_int_equal(elf_symbol_table_load(file, &table, &error), SMELT_NO_DEBUG_INFO);
	elf_file_close(file);
	test_file_remove(path);
	free(data);
	elf_builder_deinit(&builder);
}

/* A header with one field overwritten is refused with the right status. */
static void unusable_headers_are_told_apart(void **state)
{
	static const struct {
		size_t offset;
		uint8_t value;
		enum smelt_status status;
		const char *text;
	} cases[] = {
		{ EI_MAG1, 'F', SMELT_NOT_ELF, "not an ELF file" },
		{ EI_CLASS, 3, SMELT_BAD_DATA, "unknown class 3" },
		{ EI_DATA, 0, SMELT_BAD_DATA, "unknown byte order 0" },
		{ EI_VERSION, 2, SMELT_BAD_DATA, "unknown version 2" },
		{ offsetof(Elf64_Ehdr, e_type), ET_CORE, SMELT_UNSUPPORTED, "core file" },
		{ offsetof(Elf64_Ehdr, e_type), 77, SMELT_UNSUPPORTED, "ELF type 77" },
		{ offsetof(Elf64_Ehdr, e_shentsize), 40, SMELT_BAD_DATA, "headers of 40 bytes" },
		{ offsetof(Elf64_Ehdr, e_shstrndx), 99, SMELT_BAD_DATA, "index 99 of 2" },
		{ offsetof(Elf64_Ehdr, e_shoff) + 7, 0xff, SMELT_BAD_DATA, "exceed the file size" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct elf_builder builder;
		struct smelt_error error;
		struct elf_file *file;
		size_t size;
		uint8_t *data;
		char *path;

		elf_builder_init(&builder, true, false, ET_REL, EM_X86_64);
		data = elf_builder_finish(&builder, &size);
		data[cases[i].offset] = cases[i].value;
		path = test_file_create(data, size);
		assert_int_equal(elf_file_open(path, &file, &error), cases[i].status);
		assert_memory_equal(error.text, path, strlen(path));
		assert_non_null(strstr(error.text, cases[i].text));
		test_file_remove(path);
		free(data);
		elf_builder_deinit(&builder);
	}
}

static void what_is_no_elf_file_is_told_apart(void **state)
{
	static const struct {
		const char *content;
		enum smelt_status status;
		const char *text;
	} cases[] = {
		{ "", SMELT_NOT_ELF, "not an ELF file (empty)" },
		{ "\177EL", SMELT_NOT_ELF, "not an ELF file" },
		{ "\177ELF", SMELT_BAD_DATA, "4 bytes, too short" },
		{ "#!/bin/sh\n", SMELT_NOT_ELF, "not an ELF file" },
		{ "!<arch>\nrest", SMELT_UNSUPPORTED, "is an archive" },
		{ "!<thin>\nrest", SMELT_UNSUPPORTED, "is an archive" },
	};
	struct smelt_error error;
	struct elf_file *file;
	char *path;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		path = test_file_create(cases[i].content, strlen(cases[i].content));
		assert_int_equal(elf_file_open(path, &file, &error), cases[i].status);
		assert_memory_equal(error.text, path, strlen(path));
		assert_non_null(strstr(error.text, cases[i].text));
		assert_int_equal(elf_file_open(path, &file, NULL), cases[i].status);
		test_file_remove(path);
	}
	assert_int_equal(elf_file_open("/nonexistent/file", &file, &error), SMELT_OS_ERROR);
	assert_non_null(strstr(error.text, "/nonexistent/file: open: No such file"));
	assert_int_equal(elf_file_open("/", &file, &error), SMELT_NOT_ELF);
	assert_string_equal(error.text, "/: is a directory");

	/* Opening must not wait for a writer. */
	path = test_file_create("", 0);
	unlink(path);
	assert_int_equal(mkfifo(path, 0600), 0);
	assert_int_equal(elf_file_open(path, &file, &error), SMELT_NOT_ELF);
	assert_non_null(strstr(error.text, "not a regular file"));
	test_file_remove(path);
}

/* Names: beyond the table, in a table without a NUL at the end, without any table. */
static void missing_names_are_empty(void **state)
{
	struct elf_builder builder;
	struct smelt_error error;
	struct elf_file *file;
	size_t size, first_header, table;
	uint8_t *data;
	char *path;

	(void)state;
	elf_builder_init(&builder, true, false, ET_REL, EM_X86_64);
	elf_builder_add_data(&builder, ".one", "x", 1);
	elf_builder_add_data(&builder, ".two", "x", 1);
	data = elf_builder_finish(&builder, &size);
	first_header = size - 3 * sizeof(Elf64_Shdr);
	put_u32(data + first_header, 0x7fffffff, false);
	/* ".shstrtab" loses its NUL and its last letter. */
	table = size - sizeof(Elf64_Shdr) + offsetof(Elf64_Shdr, sh_size);
	put_u64(data + table, 1 + 5 + 5 + 8, false);
	path = test_file_create(data, size);
	assert_int_equal(elf_file_open(path, &file, &error), SMELT_OK);
	assert_string_equal(elf_file_section(file, 1)->name, "");
	assert_string_equal(elf_file_section(file, 2)->name, ".two");
	assert_string_equal(elf_file_section(file, 3)->name, ".shstrta");
	elf_file_close(file);
	test_file_remove(path);

	/* A table of type SHT_NULL has no bytes, whatever size it claims. */
	put_u32(data + size - sizeof(Elf64_Shdr) + 4, SHT_NULL, false);
	put_u64(data + table, UINT64_MAX / 2, false);
	path = test_file_create(data, size);
	assert_int_equal(elf_file_open(path, &file, &error), SMELT_OK);
	assert_string_equal(elf_file_section(file, 2)->name, "");
	elf_file_close(file);
	test_file_remove(path);

	put_u16(data + offsetof(Elf64_Ehdr, e_shstrndx), 0, false);
	path = test_file_create(data, size);
	assert_int_equal(elf_file_open(path, &file, &error), SMELT_OK);
	assert_string_equal(elf_file_section(file, 2)->name, "");
	elf_file_close(file);
	test_file_remove(path);
	free(data);
	elf_builder_deinit(&builder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(headers_are_widened_in_any_shape),
		cmocka_unit_test(sections_are_found_by_name),
		cmocka_unit_test(a_whole_file_reads_without_failure),
		cmocka_unit_test(every_prefix_fails_and_says_which_file),
		cmocka_unit_test(every_damaged_byte_is_survived),
		cmocka_unit_test(seventy_thousand_sections),
		cmocka_unit_test(extended_numbering_with_damaged_counts_fails),
		cmocka_unit_test(header_without_sections_opens),
		cmocka_unit_test(unusable_headers_are_told_apart),
		cmocka_unit_test(what_is_no_elf_file_is_told_apart),
		cmocka_unit_test(missing_names_are_empty),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
