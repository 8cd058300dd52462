/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Sections that are added, replaced and removed, in each class and byte order. Other programs judge
 * the files in tests/property/test_elf_sections.py; here are shapes that no compiler makes.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "elf/elf_file.h"
#include "elf/section_writer.h"
#include "support/elf_builder.h"

static const struct shape {
	bool is_64bit;
	bool is_big_endian;
} shapes[] = { { false, false }, { false, true }, { true, false }, { true, true } };

enum { SHAPE_COUNT = 4, SPARE_SECTIONS = SHN_LORESERVE };

static const char text[] = "content of .text";
static const char first_btf[] = "BTF, odd size";
static const char second_btf[] = "another BTF, a longer one that does not fit";

struct file_content {
	uint8_t *data;
	size_t size;
};

static struct file_content read_file(const char *path)
{
	struct file_content content = { 0 };
	FILE *stream = fopen(path, "rb");

	assert_non_null(stream);
	assert_int_equal(fseek(stream, 0, SEEK_END), 0);
	content.size = (size_t)ftell(stream);
	content.data = malloc(content.size + 1);
	assert_non_null(content.data);
	rewind(stream);
	assert_int_equal(fread(content.data, 1, content.size, stream), content.size);
	(void)fclose(stream);
	return content;
}

static void assert_file_is(const char *path, const struct file_content *expected)
{
	struct file_content found = read_file(path);

	assert_int_equal(found.size, expected->size);
	assert_memory_equal(found.data, expected->data, expected->size);
	free(found.data);
}

static struct smelt_elf_section btf_section(const char *data)
{
	return (struct smelt_elf_section){ .name = ".BTF",
					   .data = data,
					   .size = data ? strlen(data) : 0 };
}

static enum smelt_status try_write(const char *path, const char *btf, const char *base,
				   struct smelt_error *error)
{
	const struct smelt_elf_section sections[] = {
		btf_section(btf),
		{ .name = ".BTF.base", .data = base, .size = base ? strlen(base) : 0 },
	};

	return elf_write_sections(path, sections, 2, error);
}

static void write_btf(const char *path, const char *btf, const char *base)
{
	struct smelt_error error;

	if (try_write(path, btf, base, &error))
		fail_msg("%s", error.text);
}

static struct elf_file *open_file(const char *path)
{
	struct elf_file *file = NULL;
	struct smelt_error error;

	if (elf_file_open(path, &file, &error))
		fail_msg("%s", error.text);
	return file;
}

static void assert_section(struct elf_file *file, const char *name, const char *content)
{
	struct elf_bytes bytes;
	struct smelt_error error;
	uint32_t index = elf_file_find_section(file, name);

	if (!content) {
		assert_int_equal(index, 0);
		return;
	}
	assert_int_not_equal(index, 0);
	assert_int_equal(elf_file_next_section(file, name, index), 0);
	if (elf_section_load(file, index, &bytes, &error))
		fail_msg("%s", error.text);
	assert_int_equal(bytes.size, strlen(content));
	assert_memory_equal(bytes.data, content, strlen(content));
}

/* What every test expects of the rest of the file. */
static void assert_contents(const char *path, const char *btf, const char *base)
{
	struct elf_file *file = open_file(path);

	assert_section(file, ".text", text);
	assert_section(file, ".BTF", btf);
	assert_section(file, ".BTF.base", base);
	elf_file_close(file);
}

static void init_builder(struct elf_builder *builder, const struct shape *shape)
{
	elf_builder_init(builder, shape->is_64bit, shape->is_big_endian, ET_REL,
			 shape->is_64bit ? EM_PPC64 : EM_PPC);
	elf_builder_add_data(builder, ".text", text, strlen(text));
}

static char *build_file(const struct shape *shape)
{
	struct elf_builder builder;
	char *path;

	init_builder(&builder, shape);
	elf_builder_add_symbol(&builder, &(struct elf_part_symbol){ .name = "f", .section = 1 });
	path = elf_builder_write(&builder);
	elf_builder_deinit(&builder);
	return path;
}

static void a_new_section_is_last_plain_and_aligned(void **state)
{
	(void)state;
	for (size_t i = 0; i < SHAPE_COUNT; i++) {
		char *path = build_file(&shapes[i]);
		const struct elf_section *section;
		struct elf_file *file;
		uint32_t count;

		file = open_file(path);
		count = elf_file_section_count(file);
		elf_file_close(file);
		write_btf(path, first_btf, NULL);
		assert_contents(path, first_btf, NULL);

		file = open_file(path);
		assert_int_equal(elf_file_section_count(file), count + 1);
		section = elf_file_section(file, count);
		assert_string_equal(section->name, ".BTF");
		assert_int_equal(section->type, SHT_PROGBITS);
		assert_int_equal(section->flags, 0);
		assert_int_equal(section->address, 0);
		assert_int_equal(section->alignment, 4);
		assert_int_equal(section->offset % 4, 0);
		assert_int_equal(section->link, 0);
		elf_file_close(file);
		test_file_remove(path);
	}
}

/* The result depends on what is in the file, not on what was there in between. */
static void replacing_gives_the_bytes_of_a_fresh_file(void **state)
{
	(void)state;
	for (size_t i = 0; i < SHAPE_COUNT; i++) {
		char *path = build_file(&shapes[i]);
		struct file_content fresh;

		write_btf(path, first_btf, NULL);
		fresh = read_file(path);
		write_btf(path, second_btf, NULL);
		assert_contents(path, second_btf, NULL);
		write_btf(path, first_btf, NULL);
		assert_file_is(path, &fresh);
		free(fresh.data);
		test_file_remove(path);
	}
}

static void two_sections_go_in_and_one_comes_out(void **state)
{
	(void)state;
	for (size_t i = 0; i < SHAPE_COUNT; i++) {
		char *path = build_file(&shapes[i]);
		struct file_content both;
		struct elf_file *file;
		uint32_t count;

		write_btf(path, first_btf, second_btf);
		assert_contents(path, first_btf, second_btf);
		both = read_file(path);
		file = open_file(path);
		count = elf_file_section_count(file);
		elf_file_close(file);

		write_btf(path, second_btf, NULL);
		assert_contents(path, second_btf, NULL);
		file = open_file(path);
		assert_int_equal(elf_file_section_count(file), count); /* numbers stay */
		assert_int_equal(elf_file_section(file, count - 1)->type, SHT_NULL);
		elf_file_close(file);

		write_btf(path, first_btf, second_btf);
		assert_file_is(path, &both);
		free(both.data);
		test_file_remove(path);
	}
}

/* A hard link, for one, would be lost by a copy. */
static void in_place_gives_the_same_bytes(void **state)
{
	(void)state;
	for (size_t i = 0; i < SHAPE_COUNT; i++) {
		char *path = build_file(&shapes[i]);
		char *linked = build_file(&shapes[i]);
		char other[64];
		struct stat before, after;
		struct file_content expected;

		(void)snprintf(other, sizeof(other), "%s.link", linked);
		assert_int_equal(link(linked, other), 0);
		assert_int_equal(stat(linked, &before), 0);
		for (int round = 0; round < 3; round++) {
			const char *btf = round == 1 ? second_btf : first_btf;

			write_btf(path, btf, NULL);
			write_btf(linked, btf, NULL);
			expected = read_file(path);
			assert_file_is(linked, &expected);
			assert_file_is(other, &expected);
			free(expected.data);
		}
		assert_int_equal(stat(linked, &after), 0);
		assert_int_equal(before.st_ino, after.st_ino);
		assert_int_equal(after.st_nlink, 2);
		assert_int_equal(unlink(other), 0);
		test_file_remove(linked);
		test_file_remove(path);
	}
}

static void a_file_that_has_them_is_left_alone(void **state)
{
	const struct timespec long_ago[] = { { .tv_sec = 1000 }, { .tv_sec = 1000 } };
	struct stat before, after;
	char *path = build_file(&shapes[2]);

	(void)state;
	write_btf(path, first_btf, second_btf);
	assert_int_equal(utimensat(AT_FDCWD, path, long_ago, 0), 0);
	assert_int_equal(stat(path, &before), 0);
	write_btf(path, first_btf, second_btf);
	assert_int_equal(stat(path, &after), 0);
	assert_int_equal(before.st_ino, after.st_ino);
	assert_int_equal(after.st_mtim.tv_sec, 1000);
	test_file_remove(path);
}

/* As the linker puts it into a kernel: part of a segment, with an address. */
static void a_loaded_section_is_replaced_by_one_that_is_not(void **state)
{
	const struct elf_part loaded = { .name = ".BTF",
					 .type = SHT_PROGBITS,
					 .flags = SHF_ALLOC,
					 .address = 0x1000,
					 .data = "old",
					 .size = 3,
					 .entry_size = 1,
					 .info = 7 };
	struct elf_builder builder;
	const struct elf_section *section;
	struct elf_file *file;
	uint32_t index;
	char *path;

	(void)state;
	init_builder(&builder, &shapes[2]);
	index = elf_builder_add(&builder, &loaded);
	elf_builder_add_data(&builder, ".after", "x", 1);
	path = elf_builder_write(&builder);
	elf_builder_deinit(&builder);

	write_btf(path, first_btf, NULL);
	assert_contents(path, first_btf, NULL);
	file = open_file(path);
	section = elf_file_section(file, index);
	assert_string_equal(section->name, ".BTF"); /* the number is the same */
	assert_int_equal(section->flags, 0);
	assert_int_equal(section->address, 0);
	assert_int_equal(section->info, 0);
	assert_int_equal(section->entry_size, 0);
	assert_section(file, ".after", "x");
	elf_file_close(file);
	test_file_remove(path);
}

static void duplicates_and_relocations_of_what_is_replaced_go(void **state)
{
	(void)state;
	for (size_t i = 0; i < SHAPE_COUNT; i++) {
		struct elf_builder builder;
		struct elf_file *file;
		uint32_t btf;
		char *path;

		init_builder(&builder, &shapes[i]);
		btf = elf_builder_add_data(&builder, ".BTF", "0123456789abcdef", 16);
		elf_builder_add_data(&builder, ".BTF", "twice", 5);
		elf_builder_add_symbol(&builder,
				       &(struct elf_part_symbol){ .name = "v", .section = 1 });
		for (uint32_t target = 1; target <= btf; target++)
			elf_builder_add_relocation(
				&builder, &(struct elf_part_relocation){
						  .target = target,
						  .offset = 4,
						  .symbol = 1,
						  .type = shapes[i].is_64bit ? R_PPC64_ADDR32 :
									       R_PPC_ADDR32 });
		path = elf_builder_write(&builder);
		elf_builder_deinit(&builder);

		write_btf(path, first_btf, NULL);
		file = open_file(path);
		assert_section(file, ".BTF", first_btf);
		assert_int_equal(elf_file_find_section(file, ".BTF"), btf);
		assert_int_equal(elf_file_find_section(file, ".rela.BTF"), 0);
		assert_int_not_equal(elf_file_find_section(file, ".rela.text"), 0);
		elf_file_close(file);
		test_file_remove(path);
	}
}

/* One more than e_shnum can say: the number moves to the null section, and stays there. */
static void section_numbers_become_extended(void **state)
{
	(void)state;
	for (size_t i = 0; i < SHAPE_COUNT; i++) {
		struct elf_builder builder;
		struct elf_file *file;
		char *path;

		init_builder(&builder, &shapes[i]);
		while (builder.parts.count < SPARE_SECTIONS - 2)
			elf_builder_add_data(&builder, ".spare", "", 0);
		path = elf_builder_write(&builder); /* adds .shstrtab: one below the limit */
		elf_builder_deinit(&builder);

		write_btf(path, first_btf, NULL);
		assert_contents(path, first_btf, NULL);
		write_btf(path, second_btf, first_btf);
		assert_contents(path, second_btf, first_btf);
		file = open_file(path);
		assert_int_equal(elf_file_section_count(file), SPARE_SECTIONS + 1);
		elf_file_close(file);
		test_file_remove(path);
	}
}

static void small_numbers_that_are_extended_stay_readable(void **state)
{
	(void)state;
	for (size_t i = 0; i < SHAPE_COUNT; i++) {
		struct elf_builder builder;
		char *path;

		init_builder(&builder, &shapes[i]);
		builder.has_extended_numbering = true;
		path = elf_builder_write(&builder);
		elf_builder_deinit(&builder);
		write_btf(path, first_btf, NULL);
		assert_contents(path, first_btf, NULL);
		test_file_remove(path);
	}
}

/* Overwrites `size` bytes of a file. */
static void patch(const char *path, off_t offset, const void *bytes, size_t size)
{
	int fd = open(path, O_WRONLY);

	assert_true(fd >= 0);
	assert_int_equal(pwrite(fd, bytes, size, offset), size);
	assert_int_equal(close(fd), 0);
}

/* A program header right behind the ELF header would be more usual, but any place will do. */
static char *build_with_segment(const struct shape *shape, uint64_t offset, uint64_t size)
{
	bool big = shape->is_big_endian;
	uint8_t segment[sizeof(Elf64_Phdr)] = { 0 };
	uint8_t field[8] = { 0 };
	struct elf_builder builder;
	struct elf_file *file;
	uint64_t where;
	char *path;

	if (shape->is_64bit) {
		put_u64(segment + offsetof(Elf64_Phdr, p_offset), offset, big);
		put_u64(segment + offsetof(Elf64_Phdr, p_filesz), size, big);
	} else {
		put_u32(segment + offsetof(Elf32_Phdr, p_offset), (uint32_t)offset, big);
		put_u32(segment + offsetof(Elf32_Phdr, p_filesz), (uint32_t)size, big);
	}
	init_builder(&builder, shape);
	elf_builder_add_data(&builder, ".segments", segment,
			     shape->is_64bit ? sizeof(Elf64_Phdr) : sizeof(Elf32_Phdr));
	path = elf_builder_write(&builder);
	elf_builder_deinit(&builder);

	file = open_file(path);
	where = elf_file_section(file, elf_file_find_section(file, ".segments"))->offset;
	elf_file_close(file);
	if (shape->is_64bit)
		put_u64(field, where, big);
	else
		put_u32(field, (uint32_t)where, big);
	patch(path, shape->is_64bit ? offsetof(Elf64_Ehdr, e_phoff) : offsetof(Elf32_Ehdr, e_phoff),
	      field, shape->is_64bit ? 8 : 4);
	put_u16(field, shape->is_64bit ? sizeof(Elf64_Phdr) : sizeof(Elf32_Phdr), big);
	put_u16(field + 2, 1, big);
	patch(path,
	      shape->is_64bit ? offsetof(Elf64_Ehdr, e_phentsize) :
				offsetof(Elf32_Ehdr, e_phentsize),
	      field, 4);
	return path;
}

/* What is in a segment stays, be it in a section or not; what is in neither goes. */
static void segments_are_kept_and_the_rest_behind_them_is_not(void **state)
{
	static const char in_segment[] = "loaded";
	static const char behind[] = "behind";

	(void)state;
	for (size_t i = 0; i < SHAPE_COUNT; i++) {
		char *path = build_with_segment(&shapes[i], 3000, strlen(in_segment));
		struct file_content content;

		patch(path, 3000, in_segment, strlen(in_segment));
		patch(path, 3000 + (off_t)strlen(in_segment), behind, strlen(behind));
		write_btf(path, first_btf, NULL);
		assert_contents(path, first_btf, NULL);
		content = read_file(path);
		assert_memory_equal(content.data + 3000, in_segment, strlen(in_segment));
		assert_null(memmem(content.data, content.size, behind, strlen(behind)));
		free(content.data);
		test_file_remove(path);
	}
}

/* Debug files have segments whose bytes are in another file. */
static void segments_beyond_the_file_do_not_matter(void **state)
{
	(void)state;
	for (size_t i = 0; i < SHAPE_COUNT; i++) {
		char *path = build_with_segment(&shapes[i], 100, UINT64_MAX);

		write_btf(path, first_btf, NULL);
		assert_contents(path, first_btf, NULL);
		test_file_remove(path);
	}
}

static void assert_refused(const char *path, enum smelt_status expected, const char *cause)
{
	struct smelt_error error = { 0 };
	struct file_content before = read_file(path);

	assert_int_equal(try_write(path, first_btf, NULL, &error), expected);
	assert_ptr_equal(strstr(error.text, path), error.text);
	if (!strstr(error.text, cause))
		fail_msg("%s", error.text);
	assert_file_is(path, &before);
	free(before.data);
}

static void impossible_program_headers_are_refused(void **state)
{
	(void)state;
	for (size_t i = 0; i < SHAPE_COUNT; i++) {
		char *path = build_with_segment(&shapes[i], 0, 0);
		uint8_t number[2] = { 0x7f, 0x7f };

		patch(path,
		      shapes[i].is_64bit ? offsetof(Elf64_Ehdr, e_phnum) :
					   offsetof(Elf32_Ehdr, e_phnum),
		      number, 2);
		assert_refused(path, SMELT_BAD_DATA, "program header");
		test_file_remove(path);
	}
}

static void files_without_names_are_refused(void **state)
{
	(void)state;
	for (size_t i = 0; i < SHAPE_COUNT; i++) {
		char *path = build_file(&shapes[i]);
		uint8_t zero[8] = { 0 };
		bool is_64bit = shapes[i].is_64bit;

		patch(path,
		      is_64bit ? offsetof(Elf64_Ehdr, e_shstrndx) :
				 offsetof(Elf32_Ehdr, e_shstrndx),
		      zero, 2);
		assert_refused(path, SMELT_UNSUPPORTED, "section names");
		patch(path,
		      is_64bit ? offsetof(Elf64_Ehdr, e_shoff) : offsetof(Elf32_Ehdr, e_shoff),
		      zero, is_64bit ? 8 : 4);
		assert_refused(path, SMELT_UNSUPPORTED, "section names");
		test_file_remove(path);
	}
}

/* Names that mean something else once there are more of them. */
static void odd_section_names_are_refused(void **state)
{
	(void)state;
	for (size_t i = 0; i < SHAPE_COUNT; i++) {
		const size_t entry_size = shapes[i].is_64bit ? sizeof(Elf64_Shdr) :
							       sizeof(Elf32_Shdr);
		char *path = build_file(&shapes[i]);
		struct file_content sound = read_file(path);
		struct elf_file *file = open_file(path);
		uint32_t index = elf_file_find_section(file, ".shstrtab");
		off_t names = (off_t)elf_file_section(file, index)->offset;
		off_t table = (off_t)(sound.size - elf_file_section_count(file) * entry_size);
		off_t entry = table + (off_t)(index * entry_size);
		const uint8_t far[4] = { 0x7f, 0xff, 0xff, 0x7f };

		elf_file_close(file);
		patch(path, names, "x", 1);
		assert_refused(path, SMELT_BAD_DATA, "does not start with an empty name");
		patch(path, 0, sound.data, sound.size);
		patch(path, entry + 4, far, 4);
		assert_refused(path, SMELT_BAD_DATA, "no string table");
		patch(path, 0, sound.data, sound.size);
		patch(path, table + (off_t)entry_size, far, 4);
		assert_refused(path, SMELT_BAD_DATA, "outside the section names");
		patch(path, 0, sound.data, sound.size);
		write_btf(path, first_btf, NULL);
		free(sound.data);
		test_file_remove(path);
	}
}

/* Sparse: no disk of 4 GiB is needed. The bytes that matter are those at the start. */
static void a_32bit_file_does_not_outgrow_its_offsets(void **state)
{
	struct elf_builder builder;
	struct smelt_error error = { 0 };
	struct file_content content;
	uint8_t field[4];
	struct stat before, after;
	uint8_t *data;
	size_t size;
	uint32_t table;
	char *path;

	(void)state;
	init_builder(&builder, &shapes[0]);
	elf_builder_add_data(&builder, ".far", "8 bytes.", 8);
	data = elf_builder_finish(&builder, &size);
	elf_builder_deinit(&builder);
	memcpy(&table, data + offsetof(Elf32_Ehdr, e_shoff), 4);
	put_u32(field, 0xfffffff0, false);
	memcpy(data + table + 2 * sizeof(Elf32_Shdr) + offsetof(Elf32_Shdr, sh_offset), field, 4);
	path = test_file_create(data, size);
	free(data);
	content = read_file(path);
	assert_int_equal(truncate(path, 0xfffffff8), 0);
	assert_int_equal(stat(path, &before), 0);

	assert_int_equal(try_write(path, first_btf, NULL, &error), SMELT_UNSUPPORTED);
	assert_non_null(strstr(error.text, "4 GiB"));
	assert_int_equal(stat(path, &after), 0);
	assert_int_equal(before.st_size, after.st_size);
	assert_int_equal(before.st_mtim.tv_nsec, after.st_mtim.tv_nsec);
	assert_int_equal(truncate(path, (off_t)size), 0);
	assert_file_is(path, &content);
	free(content.data);
	test_file_remove(path);
}

static void in_place_one_writer_at_a_time(void **state)
{
	char *path = build_file(&shapes[2]);
	char other[64];
	int fd;

	(void)state;
	(void)snprintf(other, sizeof(other), "%s.link", path);
	assert_int_equal(link(path, other), 0);
	fd = open(path, O_RDONLY);
	assert_int_equal(flock(fd, LOCK_EX), 0);
	assert_refused(path, SMELT_OS_ERROR, "somebody else");
	close(fd);
	write_btf(path, first_btf, NULL);
	assert_contents(other, first_btf, NULL);
	assert_int_equal(unlink(other), 0);
	test_file_remove(path);
}

/* Whatever one byte says instead: refused and unchanged, or the sections are there. */
static void every_damaged_byte_is_survived(void **state)
{
	static const uint8_t values[] = { 0x00, 0x01, 0x7f, 0x80, 0xff };

	(void)state;
	for (size_t i = 0; i < SHAPE_COUNT; i++) {
		char *model = build_with_segment(&shapes[i], 0, 100);
		struct file_content content = read_file(model);
		char *path = test_file_create(content.data, content.size);

		for (size_t k = 0; k < content.size; k++) {
			uint8_t value = values[k % sizeof(values)], sound = content.data[k];
			struct smelt_error error;

			content.data[k] = value;
			patch(path, 0, content.data, content.size);
			assert_int_equal(truncate(path, (off_t)content.size), 0);
			if (try_write(path, first_btf, second_btf, &error)) {
				assert_file_is(path, &content);
			} else {
				struct elf_file *file = open_file(path);

				assert_section(file, ".BTF", first_btf);
				assert_section(file, ".BTF.base", second_btf);
				elf_file_close(file);
			}
			content.data[k] = sound;
		}
		free(content.data);
		test_file_remove(path);
		test_file_remove(model);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_new_section_is_last_plain_and_aligned),
		cmocka_unit_test(replacing_gives_the_bytes_of_a_fresh_file),
		cmocka_unit_test(two_sections_go_in_and_one_comes_out),
		cmocka_unit_test(in_place_gives_the_same_bytes),
		cmocka_unit_test(a_file_that_has_them_is_left_alone),
		cmocka_unit_test(a_loaded_section_is_replaced_by_one_that_is_not),
		cmocka_unit_test(duplicates_and_relocations_of_what_is_replaced_go),
		cmocka_unit_test(section_numbers_become_extended),
		cmocka_unit_test(small_numbers_that_are_extended_stay_readable),
		cmocka_unit_test(segments_are_kept_and_the_rest_behind_them_is_not),
		cmocka_unit_test(segments_beyond_the_file_do_not_matter),
		cmocka_unit_test(impossible_program_headers_are_refused),
		cmocka_unit_test(files_without_names_are_refused),
		cmocka_unit_test(odd_section_names_are_refused),
		cmocka_unit_test(a_32bit_file_does_not_outgrow_its_offsets),
		cmocka_unit_test(in_place_one_writer_at_a_time),
		cmocka_unit_test(every_damaged_byte_is_survived),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
