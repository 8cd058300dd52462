/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "elf/elf_file.h"
#include "support/elf_builder.h"

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

static void notes_are_found_by_owner_and_type(void **state)
{
	(void)state;
	for (int shape = 0; shape < 4; shape++) {
		struct elf_builder builder;
		struct elf_bytes bytes;
		struct elf_file *file;

		elf_builder_init(&builder, shape & 1, shape & 2, ET_EXEC, EM_NONE);
		elf_builder_add_note(&builder, ".note.a", 4, "Linux", 3, "wrong owner", 11);
		elf_builder_add_note(&builder, ".note.b", 4, "GNU", 1, "wrong type", 10);
		elf_builder_add_note(&builder, ".note.c", 8, "GNU", 5, "eight", 5);
		elf_builder_add_note(&builder, ".note.d", 4, "GNU", 3, "\1\2\3\4\5", 5);
		elf_builder_add_note(&builder, ".note.e", 4, "GNU", 3, "second", 6);
		elf_builder_add_note(&builder, ".note.f", 4, "", 9, "", 0);
		file = open_built(&builder);
		assert_true(elf_file_find_note(file, "GNU", 3, &bytes));
		assert_int_equal(bytes.size, 5);
		assert_memory_equal(bytes.data, "\1\2\3\4\5", 5);
		assert_true(elf_file_find_note(file, "GNU", 5, &bytes));
		assert_int_equal(bytes.size, 5);
		assert_memory_equal(bytes.data, "eight", 5);
		assert_true(elf_file_find_note(file, "", 9, &bytes));
		assert_int_equal(bytes.size, 0);
		assert_false(elf_file_find_note(file, "GNU", 4, &bytes));
		assert_false(elf_file_find_note(file, "GN", 3, &bytes));
		assert_false(elf_file_find_note(file, "GNUX", 3, &bytes));
		elf_file_close(file);
	}
}

/* Two notes in one section, the first padded; some writers count no NUL. */
static const uint8_t two_notes[] = {
	3, 0, 0, 0, 5, 0, 0, 0, 7, 0, 0, 0, 'A', 'B', 'C', 0, 1, 2, 3, 4, 5, 0, 0, 0, /**/
	4, 0, 0, 0, 2, 0, 0, 0, 8, 0, 0, 0, 'G', 'N', 'U', 0, 6, 7,
};

static struct elf_file *open_notes(const uint8_t *data, size_t size)
{
	const struct elf_part part = {
		.name = ".note", .type = SHT_NOTE, .data = data, .size = size, .alignment = 4
	};
	struct elf_builder builder;

	elf_builder_init(&builder, true, false, ET_EXEC, EM_NONE);
	elf_builder_add(&builder, &part);
	return open_built(&builder);
}

static void notes_of_one_section_are_walked(void **state)
{
	struct elf_file *file = open_notes(two_notes, sizeof(two_notes));
	struct elf_bytes bytes;

	(void)state;
	assert_true(elf_file_find_note(file, "ABC", 7, &bytes));
	assert_int_equal(bytes.size, 5);
	assert_true(elf_file_find_note(file, "GNU", 8, &bytes));
	assert_int_equal(bytes.size, 2);
	assert_memory_equal(bytes.data, "\6\7", 2);
	elf_file_close(file);
}

static void every_prefix_and_damage_is_survived(void **state)
{
	static const uint8_t values[] = { 0, 1, 0x7f, 0xff };

	(void)state;
	for (size_t size = 0; size < sizeof(two_notes); size++) {
		struct elf_file *file = open_notes(two_notes, size);
		struct elf_bytes bytes;

		assert_false(elf_file_find_note(file, "GNU", 8, &bytes));
		elf_file_close(file);
	}
	for (size_t i = 0; i < sizeof(two_notes); i++) {
		for (size_t v = 0; v < sizeof(values); v++) {
			uint8_t damaged[sizeof(two_notes)];
			struct elf_file *file;
			struct elf_bytes bytes;

			memcpy(damaged, two_notes, sizeof(damaged));
			damaged[i] = values[v];
			file = open_notes(damaged, sizeof(damaged));
			if (elf_file_find_note(file, "GNU", 8, &bytes))
				assert_true(bytes.size <= sizeof(damaged));
			elf_file_close(file);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(notes_are_found_by_owner_and_type),
		cmocka_unit_test(notes_of_one_section_are_walked),
		cmocka_unit_test(every_prefix_and_damage_is_survived),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
