/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* ctest-labels: thread */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <elf.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "elf/elf_file.h"
#include "support/elf_builder.h"

/* One file with sections of each sort, kept on disk for the tests that change it. */
struct fixture {
	char *path;
	struct elf_file *file;
	uint32_t plain;
	uint32_t relocated;
	uint32_t no_bytes;
	uint32_t empty;
	uint64_t plain_offset;
};

static int set_up(void **state)
{
	struct fixture *fixture = calloc(1, sizeof(*fixture));
	struct elf_builder builder;
	struct smelt_error error;

	elf_builder_init(&builder, true, false, ET_REL, EM_X86_64);
	fixture->plain = elf_builder_add_data(&builder, ".debug_abbrev", "0123456789", 10);
	fixture->relocated = elf_builder_add_data(&builder, ".debug_info", NULL, 8);
	fixture->no_bytes = elf_builder_add(
		&builder, &(struct elf_part){ .name = ".bss", .type = SHT_NOBITS, .size = 4096 });
	fixture->empty = elf_builder_add_data(&builder, ".empty", NULL, 0);
	elf_builder_add_relocation(&builder,
				   &(struct elf_part_relocation){ .target = fixture->relocated,
								  .offset = 2,
								  .type = R_X86_64_32,
								  .addend = 0x01020304 });
	fixture->path = elf_builder_write(&builder);
	elf_builder_deinit(&builder);
	if (elf_file_open(fixture->path, &fixture->file, &error))
		return -1;
	fixture->plain_offset = elf_file_section(fixture->file, fixture->plain)->offset;
	*state = fixture;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *fixture = *state;

	elf_file_close(fixture->file);
	test_file_remove(fixture->path);
	free(fixture);
	return 0;
}

static void loading_gives_content_and_padding(void **state)
{
	static const uint8_t zeros[16];
	static const uint8_t relocated[8] = { 0, 0, 4, 3, 2, 1, 0, 0 };
	struct fixture *fixture = *state;
	struct smelt_error error;
	struct elf_bytes bytes, again;

	assert_int_equal(elf_section_load(fixture->file, fixture->plain, &bytes, &error), 0);
	assert_int_equal(bytes.size, 10);
	assert_memory_equal(bytes.data, "0123456789", 10);
	assert_memory_equal(bytes.data + 10, zeros, 16);
	assert_int_equal(elf_section_load(fixture->file, fixture->plain, &again, &error), 0);
	assert_ptr_equal(bytes.data, again.data);

	assert_int_equal(elf_section_load(fixture->file, fixture->relocated, &bytes, &error), 0);
	assert_int_equal(bytes.size, 8);
	assert_memory_equal(bytes.data, relocated, 8);
	assert_memory_equal(bytes.data + 8, zeros, 16);

	assert_int_equal(elf_section_load(fixture->file, fixture->no_bytes, &bytes, &error), 0);
	assert_int_equal(bytes.size, 0);
	assert_memory_equal(bytes.data, zeros, 16);
	assert_int_equal(elf_section_load(fixture->file, fixture->empty, &bytes, &error), 0);
	assert_int_equal(bytes.size, 0);
	assert_memory_equal(bytes.data, zeros, 16);
}

static void plain_and_size_are_known_without_loading(void **state)
{
	struct fixture *fixture = *state;
	struct elf_file *file = fixture->file;

	assert_true(elf_section_is_plain(file, fixture->plain));
	assert_false(elf_section_is_plain(file, fixture->relocated));
	assert_int_equal(elf_section_content_size(file, fixture->plain), 10);
	assert_int_equal(elf_section_content_size(file, fixture->relocated), 8);
	assert_int_equal(elf_section_content_size(file, fixture->no_bytes), 0);
}

static void reading_stays_within_the_section(void **state)
{
	static const struct {
		uint64_t offset;
		size_t size;
		bool is_inside;
	} cases[] = {
		{ 0, 10, true }, { 3, 4, true },   { 10, 0, true },          { 0, 11, false },
		{ 9, 2, false }, { 11, 0, false }, { UINT64_MAX, 2, false }, { 2, SIZE_MAX, false },
	};
	struct fixture *fixture = *state;
	struct smelt_error error;
	char buffer[16];

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		enum smelt_status status = elf_section_read(fixture->file, fixture->plain,
							    cases[i].offset, buffer, cases[i].size,
							    &error);

		assert_int_equal(status, cases[i].is_inside ? SMELT_OK : SMELT_BAD_DATA);
		if (!status)
			assert_memory_equal(buffer, "0123456789" + cases[i].offset, cases[i].size);
		else
			assert_non_null(strstr(error.text, ": section .debug_abbrev: "));
	}
	assert_int_equal(elf_section_read(fixture->file, fixture->no_bytes, 0, buffer, 1, &error),
			 SMELT_BAD_DATA);
	assert_int_equal(elf_section_read(fixture->file, fixture->relocated, 0, buffer, 1, &error),
			 SMELT_BAD_ARGUMENT);
}

/* An error, not a signal, and the message names section and offset. */
static void a_file_that_shrinks_is_an_error(void **state)
{
	struct fixture *fixture = *state;
	struct smelt_error error;
	struct elf_bytes bytes;
	char buffer[16];

	assert_int_equal(truncate(fixture->path, (off_t)fixture->plain_offset + 4), 0);
	assert_int_equal(elf_section_read(fixture->file, fixture->plain, 0, buffer, 4, &error), 0);
	assert_int_equal(elf_section_read(fixture->file, fixture->plain, 2, buffer, 4, &error),
			 SMELT_BAD_DATA);
	assert_non_null(strstr(error.text, ": section .debug_abbrev: file ends at offset 0x"));
	assert_int_equal(elf_section_load(fixture->file, fixture->plain, &bytes, &error),
			 SMELT_BAD_DATA);
	assert_non_null(strstr(error.text, ": section .debug_abbrev: file ends at offset 0x"));
}

/* Opening does not mind; wanting the bytes does. */
static void a_section_outside_of_the_file_fails_when_loaded(void **state)
{
	static const struct {
		uint64_t offset, size;
	} cases[] = {
		{ 0, 1 << 20 },
		{ 1 << 20, 1 },
		{ UINT64_MAX, 2 },
		{ 2, UINT64_MAX },
		{ UINT64_MAX, UINT64_MAX },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct elf_builder builder;
		struct smelt_error error;
		struct elf_bytes bytes;
		struct elf_file *file;
		size_t size, header;
		uint8_t *data;
		char buffer[1];
		char *path;

		elf_builder_init(&builder, true, false, ET_EXEC, EM_X86_64);
		elf_builder_add_data(&builder, ".debug_str", "x", 1);
		data = elf_builder_finish(&builder, &size);
		header = size - 2 * sizeof(Elf64_Shdr);
		put_u64(data + header + offsetof(Elf64_Shdr, sh_offset), cases[i].offset, false);
		put_u64(data + header + offsetof(Elf64_Shdr, sh_size), cases[i].size, false);
		path = test_file_create(data, size);
		assert_int_equal(elf_file_open(path, &file, &error), SMELT_OK);
		assert_int_equal(elf_section_load(file, 1, &bytes, &error), SMELT_BAD_DATA);
		assert_non_null(strstr(error.text, ": section .debug_str: offset 0x"));
		assert_int_equal(elf_section_read(file, 1, 0, buffer, 1, &error), SMELT_BAD_DATA);
		elf_file_close(file);
		test_file_remove(path);
		free(data);
		elf_builder_deinit(&builder);
	}
}

/* The kernels of Debian 6.1 are linked and keep .rela.debug_*, already applied. */
static void linked_files_are_not_relocated_again(void **state)
{
	static const uint16_t types[] = { ET_EXEC, ET_DYN };

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct elf_builder builder;
		struct smelt_error error;
		struct elf_bytes bytes;
		struct elf_file *file;
		uint32_t info;
		char *path;

		elf_builder_init(&builder, true, false, types[i], EM_X86_64);
		info = elf_builder_add_data(&builder, ".debug_info", "final", 5);
		elf_builder_add_relocation(
			&builder, &(struct elf_part_relocation){
					  .target = info, .type = R_X86_64_32, .addend = 7 });
		path = elf_builder_write(&builder);
		assert_int_equal(elf_file_open(path, &file, &error), SMELT_OK);
		assert_true(elf_section_is_plain(file, info));
		assert_int_equal(elf_section_load(file, info, &bytes, &error), SMELT_OK);
		assert_memory_equal(bytes.data, "final", 5);
		elf_file_close(file);
		test_file_remove(path);
		elf_builder_deinit(&builder);
	}
}

/* Large enough to be mapped: content, and padding in the middle and at the end of the file. */
static void large_sections_read_the_same(void **state)
{
	enum { SIZE = (64 << 20) + 123 };
	uint8_t *content = calloc(1, SIZE);
	struct elf_builder builder;
	struct smelt_error error;
	struct elf_bytes bytes;
	struct elf_file *file;
	uint8_t *data;
	size_t size;
	char *path;

	(void)state;
	for (size_t i = 0; i < SIZE; i += 4096)
		content[i] = (uint8_t)(i >> 12);
	elf_builder_init(&builder, true, false, ET_EXEC, EM_X86_64);
	elf_builder_add_data(&builder, ".debug_info", content, SIZE);
	data = elf_builder_finish(&builder, &size);
	path = test_file_create(data, size);
	assert_int_equal(elf_file_open(path, &file, &error), SMELT_OK);
	assert_int_equal(elf_section_load(file, 1, &bytes, &error), SMELT_OK);
	assert_int_equal(bytes.size, SIZE);
	assert_memory_equal(bytes.data, content, SIZE);
	for (int i = 0; i < 16; i++)
		assert_in_range(bytes.data[SIZE + i], 0, 255);
	elf_file_close(file);

	/* The same section up to the last byte of the file, and that of a page. */
	put_u64(data + size - 2 * sizeof(Elf64_Shdr) + offsetof(Elf64_Shdr, sh_offset), 0, false);
	put_u64(data + size - 2 * sizeof(Elf64_Shdr) + offsetof(Elf64_Shdr, sh_size), size, false);
	test_file_remove(path);
	path = test_file_create(data, size);
	for (off_t end = (off_t)size; end < (off_t)size + 4096; end += 1) {
		if (end % 4096 != 0 && end % 4096 < 4096 - 20 && end != (off_t)size)
			continue;
		assert_int_equal(truncate(path, end), 0);
		assert_int_equal(elf_file_open(path, &file, &error), SMELT_OK);
		assert_int_equal(elf_section_load(file, 1, &bytes, &error), SMELT_OK);
		for (size_t i = size - 16; i < size + 16; i++)
			assert_in_range(bytes.data[i], 0, 255);
		elf_file_close(file);
	}
	test_file_remove(path);
	free(data);
	free(content);
	elf_builder_deinit(&builder);
}

struct loader {
	struct fixture *fixture;
	const uint8_t *seen[3];
};

static void *load_in_thread(void *argument)
{
	struct loader *loader = argument;
	const uint32_t indexes[] = { loader->fixture->plain, loader->fixture->relocated,
				     loader->fixture->no_bytes };

	for (int i = 0; i < 3; i++) {
		struct elf_bytes bytes;

		if (!elf_section_load(loader->fixture->file, indexes[i], &bytes, NULL))
			loader->seen[i] = bytes.data;
	}
	return NULL;
}

static void threads_get_the_same_bytes(void **state)
{
	enum { COUNT = 8 };
	struct loader loaders[COUNT] = { 0 };
	pthread_t threads[COUNT];

	for (int i = 0; i < COUNT; i++) {
		loaders[i].fixture = *state;
		assert_int_equal(pthread_create(&threads[i], NULL, load_in_thread, &loaders[i]), 0);
	}
	for (int i = 0; i < COUNT; i++)
		pthread_join(threads[i], NULL);
	for (int i = 0; i < COUNT; i++) {
		for (int k = 0; k < 3; k++) {
			assert_non_null(loaders[i].seen[k]);
			assert_ptr_equal(loaders[i].seen[k], loaders[0].seen[k]);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(loading_gives_content_and_padding, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(plain_and_size_are_known_without_loading, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(reading_stays_within_the_section, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(a_file_that_shrinks_is_an_error, set_up, tear_down),
		cmocka_unit_test(a_section_outside_of_the_file_fails_when_loaded),
		cmocka_unit_test(linked_files_are_not_relocated_again),
		cmocka_unit_test(large_sections_read_the_same),
		cmocka_unit_test_setup_teardown(threads_get_the_same_bytes, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
