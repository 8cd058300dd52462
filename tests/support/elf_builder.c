/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#include "support/elf_builder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A growing byte string. */
struct bytes {
	uint8_t *data;
	size_t size;
	size_t capacity;
};

static void *must(void *memory)
{
	if (!memory)
		abort();
	return memory;
}

static void *copy_of(const void *data, size_t size)
{
	void *copy = must(calloc(1, size ? size : 1));

	if (data && size)
		memcpy(copy, data, size);
	return copy;
}

void put_u16(uint8_t *bytes, uint16_t value, bool is_big_endian)
{
	for (int i = 0; i < 2; i++)
		bytes[is_big_endian ? 1 - i : i] = (uint8_t)(value >> (8 * i));
}

void put_u32(uint8_t *bytes, uint32_t value, bool is_big_endian)
{
	for (int i = 0; i < 4; i++)
		bytes[is_big_endian ? 3 - i : i] = (uint8_t)(value >> (8 * i));
}

void put_u64(uint8_t *bytes, uint64_t value, bool is_big_endian)
{
	for (int i = 0; i < 8; i++)
		bytes[is_big_endian ? 7 - i : i] = (uint8_t)(value >> (8 * i));
}

/* Appends zeros and returns where they are. */
static uint8_t *extend(struct bytes *bytes, size_t size)
{
	if (!bytes->data || bytes->capacity < bytes->size + size) {
		bytes->capacity = 2 * bytes->capacity + size + 16;
		bytes->data = must(realloc(bytes->data, bytes->capacity));
	}
	memset(bytes->data + bytes->size, 0, size);
	bytes->size += size;
	return bytes->data + bytes->size - size;
}

static void append_u32(struct bytes *bytes, uint32_t value, bool big)
{
	put_u32(extend(bytes, 4), value, big);
}

/* A field of the size of an address. */
static void append_word(struct bytes *bytes, const struct elf_builder *builder, uint64_t value)
{
	if (builder->is_64bit)
		put_u64(extend(bytes, 8), value, builder->is_big_endian);
	else
		put_u32(extend(bytes, 4), (uint32_t)value, builder->is_big_endian);
}

static uint32_t append_string(struct bytes *strings, const char *text)
{
	uint32_t offset = (uint32_t)strings->size;

	if (strings->size > 0 && *text == '\0')
		return 0;
	strcpy((char *)extend(strings, strlen(text) + 1), text);
	return offset;
}

void elf_builder_init(struct elf_builder *builder, bool is_64bit, bool is_big_endian, uint16_t type,
		      uint16_t machine)
{
	const struct elf_part null_part = { .name = "" };
	const struct elf_part_symbol null_symbol = { .name = "" };

	*builder = (struct elf_builder){
		.is_64bit = is_64bit,
		.is_big_endian = is_big_endian,
		.type = type,
		.machine = machine,
	};
	elf_builder_add(builder, &null_part);
	elf_builder_add_symbol(builder, &null_symbol);
}

void elf_builder_deinit(struct elf_builder *builder)
{
	for (size_t i = 0; i < builder->parts.count; i++) {
		free((char *)builder->parts.items[i].name);
		free((void *)builder->parts.items[i].data);
	}
	for (size_t i = 0; i < builder->symbols.count; i++)
		free((char *)builder->symbols.items[i].name);
	vector_deinit(&builder->parts);
	vector_deinit(&builder->symbols);
	vector_deinit(&builder->relocations);
}

uint32_t elf_builder_add(struct elf_builder *builder, const struct elf_part *part)
{
	struct elf_part *added = must(vector_push(&builder->parts));

	*added = *part;
	added->name = must(strdup(part->name));
	added->data = NULL;
	if (part->type != SHT_NOBITS)
		added->data = copy_of(part->data, (size_t)part->size);
	return (uint32_t)builder->parts.count - 1;
}

uint32_t elf_builder_add_data(struct elf_builder *builder, const char *name, const void *data,
			      size_t size)
{
	const struct elf_part part = {
		.name = name, .type = SHT_PROGBITS, .data = data, .size = size, .alignment = 1
	};

	return elf_builder_add(builder, &part);
}

uint32_t elf_builder_add_symbol(struct elf_builder *builder, const struct elf_part_symbol *symbol)
{
	struct elf_part_symbol *added = must(vector_push(&builder->symbols));

	*added = *symbol;
	added->name = must(strdup(symbol->name));
	return (uint32_t)builder->symbols.count - 1;
}

void elf_builder_add_relocation(struct elf_builder *builder,
				const struct elf_part_relocation *relocation)
{
	struct elf_part_relocation *added = must(vector_push(&builder->relocations));

	*added = *relocation;
}

uint32_t elf_builder_add_note(struct elf_builder *builder, const char *section, uint64_t alignment,
			      const char *owner, uint32_t type, const void *data, size_t size)
{
	bool big = builder->is_big_endian;
	struct bytes note = { 0 };
	struct elf_part part = { .name = section, .type = SHT_NOTE, .alignment = alignment };
	uint32_t index;

	append_u32(&note, (uint32_t)strlen(owner) + 1, big);
	append_u32(&note, (uint32_t)size, big);
	append_u32(&note, type, big);
	strcpy((char *)extend(&note, strlen(owner) + 1), owner);
	extend(&note, -note.size & (size_t)(alignment - 1));
	memcpy(extend(&note, size), data, size);
	extend(&note, -note.size & (size_t)(alignment - 1));
	part.data = note.data;
	part.size = note.size;
	index = elf_builder_add(builder, &part);
	free(note.data);
	return index;
}

static void append_symbol(struct bytes *table, const struct elf_builder *builder,
			  const struct elf_part_symbol *symbol, uint32_t name)
{
	bool big = builder->is_big_endian;
	bool is_extended = symbol->section >= SHN_LORESERVE;
	uint16_t section = is_extended ? SHN_XINDEX : (uint16_t)symbol->section;

	if (symbol->reserved)
		section = symbol->reserved;
	append_u32(table, name, big);
	if (!builder->is_64bit) {
		append_word(table, builder, symbol->value);
		append_word(table, builder, symbol->size);
	}
	extend(table, 2)[0] = symbol->info;
	put_u16(extend(table, 2), section, big);
	if (builder->is_64bit) {
		append_word(table, builder, symbol->value);
		append_word(table, builder, symbol->size);
	}
}

/* Adds .symtab, .strtab and, if needed, .symtab_shndx. Returns the index of .symtab, or 0. */
static uint32_t add_symbol_table(struct elf_builder *builder)
{
	struct bytes table = { 0 }, strings = { 0 }, extended = { 0 };
	struct elf_part part = { .name = ".symtab", .type = SHT_SYMTAB, .alignment = 8 };
	bool needs_extended = false;
	uint32_t index;

	if (builder->symbols.count == 1 && builder->relocations.count == 0)
		return 0;
	for (size_t i = 0; i < builder->symbols.count; i++) {
		const struct elf_part_symbol *symbol = &builder->symbols.items[i];

		append_symbol(&table, builder, symbol, append_string(&strings, symbol->name));
		append_u32(&extended, symbol->section >= SHN_LORESERVE ? symbol->section : 0,
			   builder->is_big_endian);
		needs_extended |= symbol->section >= SHN_LORESERVE;
	}
	part.data = table.data;
	part.size = table.size;
	part.entry_size = builder->is_64bit ? sizeof(Elf64_Sym) : sizeof(Elf32_Sym);
	part.link = (uint32_t)builder->parts.count + 1;
	index = elf_builder_add(builder, &part);
	elf_builder_add(builder, &(struct elf_part){ .name = ".strtab",
						     .type = SHT_STRTAB,
						     .data = strings.data,
						     .size = strings.size });
	if (needs_extended)
		elf_builder_add(builder, &(struct elf_part){ .name = ".symtab_shndx",
							     .type = SHT_SYMTAB_SHNDX,
							     .data = extended.data,
							     .size = extended.size,
							     .link = index,
							     .entry_size = 4 });
	free(table.data);
	free(strings.data);
	free(extended.data);
	return index;
}

static void append_relocation(struct bytes *table, const struct elf_builder *builder,
			      const struct elf_part_relocation *relocation)
{
	bool big = builder->is_big_endian;

	append_word(table, builder, relocation->offset);
	if (builder->is_64bit && builder->machine == EM_MIPS) {
		/* Elf64_Mips_Rela: the four bytes stay in this order in either byte order. */
		append_u32(table, relocation->symbol, big);
		append_u32(table, relocation->type, true);
	} else if (builder->is_64bit) {
		append_word(table, builder, (uint64_t)relocation->symbol << 32 | relocation->type);
	} else {
		append_word(table, builder, relocation->symbol << 8 | relocation->type);
	}
	if (!builder->uses_rel)
		append_word(table, builder, (uint64_t)relocation->addend);
}

/* Adds one relocation section for each section that has relocations. */
static void add_relocation_sections(struct elf_builder *builder, uint32_t symbol_table)
{
	uint32_t count = (uint32_t)builder->parts.count;

	for (uint32_t target = 1; builder->relocations.count > 0 && target < count; target++) {
		struct elf_part part = { .link = symbol_table, .info = target };
		struct bytes table = { 0 };
		char name[100];

		for (size_t i = 0; i < builder->relocations.count; i++)
			if (builder->relocations.items[i].target == target)
				append_relocation(&table, builder, &builder->relocations.items[i]);
		snprintf(name, sizeof(name), "%s%s", builder->uses_rel ? ".rel" : ".rela",
			 builder->parts.items[target].name);
		part.name = name;
		part.type = builder->uses_rel ? SHT_REL : SHT_RELA;
		part.data = table.data;
		part.size = table.size;
		part.entry_size = (builder->uses_rel ? 2 : 3) * (builder->is_64bit ? 8 : 4);
		if (table.size > 0)
			elf_builder_add(builder, &part);
		free(table.data);
	}
}

static void append_section_header(struct bytes *file, const struct elf_builder *builder,
				  const struct elf_part *part, uint32_t name, uint64_t offset)
{
	append_u32(file, name, builder->is_big_endian);
	append_u32(file, part->type, builder->is_big_endian);
	append_word(file, builder, part->flags);
	append_word(file, builder, part->address);
	append_word(file, builder, offset);
	append_word(file, builder, part->size);
	append_u32(file, part->link, builder->is_big_endian);
	append_u32(file, part->info, builder->is_big_endian);
	append_word(file, builder, part->alignment);
	append_word(file, builder, part->entry_size);
}

static void write_file_header(struct bytes *file, const struct elf_builder *builder,
			      uint64_t table_offset, uint16_t count, uint16_t names)
{
	bool big = builder->is_big_endian;
	uint8_t *header = file->data;
	unsigned word = builder->is_64bit ? 8 : 4;
	uint8_t *rest = header + 24 + 3 * word; /* behind e_shoff */

	memcpy(header, ELFMAG, SELFMAG);
	header[EI_CLASS] = builder->is_64bit ? ELFCLASS64 : ELFCLASS32;
	header[EI_DATA] = big ? ELFDATA2MSB : ELFDATA2LSB;
	header[EI_VERSION] = EV_CURRENT;
	put_u16(header + 16, builder->type, big);
	put_u16(header + 18, builder->machine, big);
	put_u32(header + 20, EV_CURRENT, big);
	if (builder->is_64bit)
		put_u64(header + 24 + 2 * word, table_offset, big);
	else
		put_u32(header + 24 + 2 * word, (uint32_t)table_offset, big);
	put_u32(rest, builder->flags, big);
	put_u16(rest + 4, builder->is_64bit ? sizeof(Elf64_Ehdr) : sizeof(Elf32_Ehdr), big);
	put_u16(rest + 10, builder->is_64bit ? sizeof(Elf64_Shdr) : sizeof(Elf32_Shdr), big);
	put_u16(rest + 12, count, big);
	put_u16(rest + 14, names, big);
}

uint8_t *elf_builder_finish(struct elf_builder *builder, size_t *size)
{
	struct bytes file = { 0 }, names = { 0 }, headers = { 0 };
	struct elf_part names_part = { .name = ".shstrtab", .type = SHT_STRTAB };
	uint32_t count, names_index;
	bool is_extended;

	add_relocation_sections(builder, add_symbol_table(builder));
	names_index = elf_builder_add(builder, &names_part);
	count = (uint32_t)builder->parts.count;
	is_extended = builder->has_extended_numbering || count >= SHN_LORESERVE;
	if (is_extended) {
		builder->parts.items[0].size = count;
		builder->parts.items[0].link = names_index;
	}

	extend(&file, builder->is_64bit ? sizeof(Elf64_Ehdr) : sizeof(Elf32_Ehdr));
	for (uint32_t i = 0; i < count; i++) {
		struct elf_part *part = &builder->parts.items[i];
		uint32_t name = append_string(&names, part->name);
		bool has_bytes = part->type != SHT_NOBITS && i > 0;

		if (i == names_index) {
			free((void *)part->data);
			part->data = copy_of(names.data, names.size);
			part->size = names.size;
		}
		append_section_header(&headers, builder, part, name, file.size);
		if (has_bytes)
			memcpy(extend(&file, (size_t)part->size), part->data, (size_t)part->size);
		if (count < 1000)
			extend(&file, -file.size & 7);
	}
	extend(&file, -file.size & 7);
	write_file_header(&file, builder, file.size, is_extended ? 0 : (uint16_t)count,
			  is_extended ? SHN_XINDEX : (uint16_t)names_index);
	memcpy(extend(&file, headers.size), headers.data, headers.size);
	free(names.data);
	free(headers.data);
	*size = file.size;
	return file.data;
}

char *test_file_create(const void *data, size_t size)
{
	const char *folder = getenv("TMPDIR");
	char *path;
	int fd;

	if (asprintf(&path, "%s/smelt-test-XXXXXX", folder ? folder : "/tmp") < 0)
		abort();
	fd = mkstemp(path);
	if (fd < 0)
		abort();
	while (size > 0) {
		ssize_t written = write(fd, data, size);

		if (written <= 0)
			abort();
		data = (const uint8_t *)data + written;
		size -= (size_t)written;
	}
	close(fd);
	return path;
}

void test_file_remove(char *path)
{
	unlink(path);
	free(path);
}

char *elf_builder_write(struct elf_builder *builder)
{
	size_t size;
	uint8_t *data = elf_builder_finish(builder, &size);
	char *path = test_file_create(data, size);

	free(data);
	return path;
}
