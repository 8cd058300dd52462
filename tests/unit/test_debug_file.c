/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <elf.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "elf/elf_file.h"
#include "support/elf_builder.h"

/* The build-ids in use; their file names are .build-id/01/020304.debug and so on. */
static const uint8_t id_one[] = { 1, 2, 3, 4 };
static const uint8_t id_two[] = { 0xab, 0xcd, 0xef, 0x10 };

/* A folder of files, which becomes the current one. */
static char *folder;

static int set_up(void **state)
{
	static char template[PATH_MAX];

	(void)state;
	snprintf(template, sizeof(template), "%s/smelt-test-XXXXXX",
		 getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp");
	folder = mkdtemp(template);
	if (!folder || chdir(folder) != 0)
		return -1;
	/* Nothing from the system takes part. */
	return setenv("SMELT_DEBUG_PATH", "/nonexistent::roots", 1);
}

static int tear_down(void **state)
{
	char command[PATH_MAX + 20];

	(void)state;
	if (chdir("/") != 0)
		return -1;
	snprintf(command, sizeof(command), "rm -rf '%s'", folder);
	return system(command);
}

/* Makes the folders of a path. */
static void make_folders(const char *path)
{
	char copy[PATH_MAX];

	snprintf(copy, sizeof(copy), "%s", path);
	for (char *slash = strchr(copy + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		mkdir(copy, 0777);
		*slash = '/';
	}
}

static void write_file(const char *path, const void *data, size_t size)
{
	FILE *stream;

	make_folders(path);
	stream = fopen(path, "wb");
	assert_non_null(stream);
	assert_int_equal(fwrite(data, 1, size, stream), size);
	assert_int_equal(fclose(stream), 0);
}

/* What a file is made of; all of it may be missing. */
struct content {
	const uint8_t *build_id; /* 4 bytes */
	const char *debuglink;
	uint32_t crc;
	const char *altlink; /* for id_two */
	const char *sup;     /* name in .debug_sup; checksum is id_two */
	bool is_supplementary;
	const char *filler; /* makes the file differ from others */
};

static void add_links(struct elf_builder *builder, const struct content *content)
{
	uint8_t bytes[200] = { 0 };
	size_t size;

	if (content->debuglink) {
		size = (strlen(content->debuglink) + 4) & ~(size_t)3;
		strcpy((char *)bytes, content->debuglink);
		put_u32(bytes + size, content->crc, builder->is_big_endian);
		elf_builder_add_data(builder, ".gnu_debuglink", bytes, size + 4);
	}
	if (content->altlink) {
		size = strlen(content->altlink) + 1;
		strcpy((char *)bytes, content->altlink);
		memcpy(bytes + size, id_two, sizeof(id_two));
		elf_builder_add_data(builder, ".gnu_debugaltlink", bytes, size + sizeof(id_two));
	}
	if (content->sup) {
		size = 3 + strlen(content->sup) + 1;
		put_u16(bytes, 5, builder->is_big_endian);
		bytes[2] = content->is_supplementary;
		strcpy((char *)bytes + 3, content->sup);
		bytes[size] = sizeof(id_two);
		memcpy(bytes + size + 1, id_two, sizeof(id_two));
		elf_builder_add_data(builder, ".debug_sup", bytes, size + 1 + sizeof(id_two));
	}
}

/* Writes the file and returns its CRC. */
static uint32_t write_elf(const char *path, const struct content *content)
{
	struct elf_builder builder;
	uint32_t crc;
	uint8_t *data;
	size_t size;

	elf_builder_init(&builder, true, true, ET_EXEC, EM_S390);
	if (content->build_id)
		elf_builder_add_note(&builder, ".note.gnu.build-id", 4, "GNU", 3, content->build_id,
				     4);
	if (content->filler)
		elf_builder_add_data(&builder, ".filler", content->filler, strlen(content->filler));
	add_links(&builder, content);
	data = elf_builder_finish(&builder, &size);
	write_file(path, data, size);
	crc = (uint32_t)crc32(0, data, (uInt)size);
	free(data);
	elf_builder_deinit(&builder);
	return crc;
}

static struct elf_file *open_elf(const char *path)
{
	struct elf_file *file = NULL;
	struct smelt_error error;

	if (elf_file_open(path, &file, &error))
		fail_msg("%s", error.text);
	return file;
}

/* The debug file of `path` is `expected` (compared from its end), or there is none (NULL). */
static void assert_debug_file(const char *path, const char *expected)
{
	struct elf_file *file = open_elf(path), *debug = (struct elf_file *)1;
	struct smelt_error error;

	assert_int_equal(elf_file_open_debug(file, &debug, &error), SMELT_OK);
	if (expected) {
		assert_non_null(debug);
		assert_true(strlen(elf_file_path(debug)) >= strlen(expected));
		assert_string_equal(elf_file_path(debug) + strlen(elf_file_path(debug)) -
					    strlen(expected),
				    expected);
	} else {
		assert_null(debug);
	}
	elf_file_close(debug);
	elf_file_close(file);
}

static void build_id_names_the_debug_file(void **state)
{
	static const char by_id[] = "roots/.build-id/01/020304.debug";

	(void)state;
	write_elf("bin/program", &(struct content){ .build_id = id_one });
	assert_debug_file("bin/program", NULL);
	write_file(by_id, "not ELF", 7);
	assert_debug_file("bin/program", NULL);
	write_elf(by_id, &(struct content){ .build_id = id_two });
	assert_debug_file("bin/program", NULL);
	write_elf(by_id, &(struct content){ .filler = "no build-id" });
	assert_debug_file("bin/program", NULL);
	write_elf(by_id, &(struct content){ .build_id = id_one, .filler = "debug" });
	assert_debug_file("bin/program", by_id);

	/* The second root after one that has it is not needed; an empty list is no list. */
	setenv("SMELT_DEBUG_PATH", "roots:/nonexistent", 1);
	assert_debug_file("bin/program", by_id);
	setenv("SMELT_DEBUG_PATH", "", 1);
	assert_debug_file("bin/program", NULL);
}

static void debuglink_is_looked_for_in_three_places(void **state)
{
	char below_root[PATH_MAX];
	char *real_folder = realpath(folder, NULL);
	const char *const places[] = { "bin/program.dbg", "bin/.debug/program.dbg", below_root };
	uint32_t crc;

	(void)state;
	snprintf(below_root, sizeof(below_root), "roots%s/bin/program.dbg", real_folder);
	crc = write_elf("sample", &(struct content){ .filler = "debug" });
	unlink("sample");
	write_elf("bin/program", &(struct content){ .debuglink = "program.dbg", .crc = crc });
	assert_debug_file("bin/program", NULL);
	for (size_t i = 0; i < 3; i++) {
		write_elf(places[i], &(struct content){ .filler = "wrong" });
		assert_debug_file("bin/program", NULL);
		write_elf(places[i], &(struct content){ .filler = "debug" });
		assert_debug_file("bin/program", places[i]);
		assert_int_equal(chdir("bin"), 0);
		/* The root is not relative to here. */
		assert_debug_file("program", i < 2 ? places[i] + strlen("bin/") : NULL);
		assert_int_equal(chdir(".."), 0);
		unlink(places[i]);
	}
	free(real_folder);
}

/* A program is often reached through a link; its debug file lies beside its real place. */
static void debuglink_is_found_through_links(void **state)
{
	uint32_t crc;

	(void)state;
	crc = write_elf("real/.debug/program.dbg", &(struct content){ .filler = "debug" });
	write_elf("real/program", &(struct content){ .debuglink = "program.dbg", .crc = crc });
	make_folders("links/x");
	assert_int_equal(symlink("../real/program", "links/alias"), 0);
	assert_debug_file("links/alias", "real/.debug/program.dbg");
}

static void build_ids_outrank_the_crc(void **state)
{
	(void)state;
	write_elf(
		"program",
		&(struct content){ .build_id = id_one, .debuglink = "program.dbg", .crc = 12345 });
	write_elf("program.dbg", &(struct content){ .build_id = id_two });
	assert_debug_file("program", NULL);
	write_elf("program.dbg", &(struct content){ .build_id = id_one, .filler = "debug" });
	assert_debug_file("program", "program.dbg");
}

/* A name that leads back to the file or out of the folder, and damaged sections. */
static void strange_debuglinks_are_ignored(void **state)
{
	static const struct {
		const char *data;
		size_t size;
	} cases[] = {
		{ "", 0 },
		{ "name", 4 },
		{ "name\0\0\0\0", 8 },
		{ "name\0\0\0\0\1\2\3", 11 },
		{ "\0\0\0\0\1\2\3\4", 8 },
		{ "dir/\0\0\0\0\1\2\3\4", 12 },
	};
	uint32_t crc;

	(void)state;
	write_elf("program", &(struct content){ .build_id = id_one, .debuglink = "program" });
	assert_debug_file("program", NULL);
	crc = write_elf("elsewhere.dbg", &(struct content){ .filler = "debug" });
	write_elf("bin/program", &(struct content){ .debuglink = "../elsewhere.dbg", .crc = crc });
	assert_debug_file("bin/program", NULL);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct elf_builder builder;
		uint8_t *data;
		size_t size;

		elf_builder_init(&builder, true, false, ET_EXEC, EM_X86_64);
		elf_builder_add_data(&builder, ".gnu_debuglink", cases[i].data, cases[i].size);
		data = elf_builder_finish(&builder, &size);
		write_file("damaged", data, size);
		assert_debug_file("damaged", NULL);
		free(data);
		elf_builder_deinit(&builder);
	}
}

/* As assert_debug_file; `text` is part of the expected error if there is one. */
static void assert_alternate(const char *path, const char *expected, const char *text)
{
	struct elf_file *file = open_elf(path), *alternate = NULL;
	struct smelt_error error = { 0 };
	enum smelt_status status = elf_file_open_alternate(file, &alternate, &error);

	if (text) {
		assert_int_not_equal(status, SMELT_OK);
		assert_memory_equal(error.text, path, strlen(path));
		assert_non_null(strstr(error.text, text));
	} else {
		assert_int_equal(status, SMELT_OK);
	}
	if (expected) {
		assert_non_null(alternate);
		assert_string_equal(elf_file_path(alternate) + strlen(elf_file_path(alternate)) -
					    strlen(expected),
				    expected);
	} else {
		assert_null(alternate);
	}
	elf_file_close(alternate);
	elf_file_close(file);
}

static void alternate_file_is_relative_to_the_file(void **state)
{
	(void)state;
	write_elf("bin/one", &(struct content){ .altlink = "../common.debug" });
	assert_alternate("bin/one", NULL, "../common.debug: open alternate debug file: No such");
	write_elf("common.debug", &(struct content){ .build_id = id_one });
	assert_alternate("bin/one", NULL, "has another build-id");
	write_elf("common.debug", &(struct content){ .build_id = id_two });
	assert_alternate("bin/one", "/common.debug", NULL);
	write_elf("plain", &(struct content){ .build_id = id_two });
	assert_alternate("plain", NULL, NULL);
}

static void absolute_alternate_file_is_looked_for_below_other_roots(void **state)
{
	static const char name[] = "/usr/lib/debug/.dwz/common-of-the-test.debug";
	static const char *const places[] = {
		"tree/usr/lib/debug/.dwz/common-of-the-test.debug",  /* beside the file */
		"roots/.dwz/common-of-the-test.debug",               /* another root */
		"roots/usr/lib/debug/.dwz/common-of-the-test.debug", /* a root like a sysroot */
		"roots/.build-id/ab/cdef10.debug",                   /* by build-id */
	};
	static const char path[] = "tree/usr/lib/debug/.build-id/01/020304.debug";

	(void)state;
	write_elf(path, &(struct content){ .altlink = name });
	assert_alternate(path, NULL, name);
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		write_elf(places[i], &(struct content){ .build_id = id_two });
		assert_alternate(path, places[i], NULL);
		unlink(places[i]);
	}
}

static void supplementary_file_of_dwarf_5(void **state)
{
	(void)state;
	write_elf("one", &(struct content){ .sup = "common.debug" });
	assert_alternate("one", NULL, "common.debug");
	write_elf("common.debug", &(struct content){ .filler = "no checksum" });
	assert_alternate("one", NULL, "another build-id");
	write_elf("common.debug", &(struct content){ .sup = "", .is_supplementary = true });
	assert_alternate("one", "common.debug", NULL);
	/* The common file itself names none. */
	assert_alternate("common.debug", NULL, NULL);
}

static void damaged_alternate_links_are_errors(void **state)
{
	static const struct {
		const char *section;
		const char *data;
		size_t size;
	} cases[] = {
		{ ".gnu_debugaltlink", "", 0 },
		{ ".gnu_debugaltlink", "no NUL", 6 },
		{ ".debug_sup", "", 0 },
		{ ".debug_sup", "\5\0\0name", 7 },
		{ ".debug_sup", "\5\0\0name", 8 },
		{ ".debug_sup", "\5\0\0name\0\4abc", 12 },
		{ ".debug_sup", "\5\0\0name\0\xff", 9 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct elf_builder builder;
		uint8_t *data;
		size_t size;

		elf_builder_init(&builder, true, false, ET_EXEC, EM_X86_64);
		elf_builder_add_data(&builder, cases[i].section, cases[i].data, cases[i].size);
		data = elf_builder_finish(&builder, &size);
		write_file("damaged", data, size);
		assert_alternate("damaged", NULL, "no name of an alternate debug file");
		free(data);
		elf_builder_deinit(&builder);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(build_id_names_the_debug_file, set_up, tear_down),
		cmocka_unit_test_setup_teardown(debuglink_is_looked_for_in_three_places, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(debuglink_is_found_through_links, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(build_ids_outrank_the_crc, set_up, tear_down),
		cmocka_unit_test_setup_teardown(strange_debuglinks_are_ignored, set_up, tear_down),
		cmocka_unit_test_setup_teardown(alternate_file_is_relative_to_the_file, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(
			absolute_alternate_file_is_looked_for_below_other_roots, set_up, tear_down),
		cmocka_unit_test_setup_teardown(supplementary_file_of_dwarf_5, set_up, tear_down),
		cmocka_unit_test_setup_teardown(damaged_alternate_links_are_errors, set_up,
						tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
