/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Compressed sections: SHF_COMPRESSED with an Elf32_Chdr or Elf64_Chdr in front (zlib or
 * zstd), and the older .zdebug_* with "ZLIB" and a big-endian 64-bit size in front.
 * The size is a claim of the file. It is believed up to what the compressed bytes could
 * possibly (zlib) or reasonably (zstd) hold, so that a few bytes cannot ask for all memory.
 * gABI chapter 4, "Compression".
 */
#include <elf.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

#include "elf/elf_internal.h"
#include "elf/endian_bytes.h"

/* In the file format, but newer than some <elf.h>. */
enum { COMPRESSION_ZLIB = 1, COMPRESSION_ZSTD = 2 };

enum {
	/* Deflate needs at least two bits per 258 bytes: 1032. */
	ZLIB_RATIO_MAX = 1032,
	/* zstd needs 4 bytes per 128 KB of one repeated byte. */
	ZSTD_RATIO_MAX = 32768,
	/* Above this size even zstd is held to 1032: debug information compresses to a third. */
	LARGE_CONTENT_BYTES = 256 << 20,
	/* Always believed. */
	SMALL_CONTENT_BYTES = 256 << 10,
};

static const char zdebug_magic[4] = "ZLIB";
enum { ZDEBUG_HEADER_BYTES = 12 };

struct compression_header {
	uint32_t type;        /* COMPRESSION_* or unknown */
	uint64_t size;        /* of the content */
	uint32_t header_size; /* the stream starts behind it */
};

static bool is_zdebug(const struct elf_section *section)
{
	return strncmp(section->name, ".zdebug", 7) == 0;
}

bool elf_section_is_compressed(const struct elf_file *file, uint32_t index)
{
	const struct elf_section *section = &file->sections[index];

	return section->flags & SHF_COMPRESSED || is_zdebug(section);
}

static enum smelt_status read_header(const struct elf_file *file, uint32_t index,
				     struct compression_header *header, struct smelt_error *error)
{
	const struct elf_section *section = &file->sections[index];
	bool is_chdr = section->flags & SHF_COMPRESSED;
	bool is_64bit = file->header.is_64bit;
	bool big = file->header.is_big_endian;
	uint8_t bytes[sizeof(Elf64_Chdr)];
	enum smelt_status status;

	header->header_size = ZDEBUG_HEADER_BYTES;
	if (is_chdr)
		header->header_size = is_64bit ? sizeof(Elf64_Chdr) : sizeof(Elf32_Chdr);
	status = elf_section_check_range(file, index, error);
	if (status)
		return status;
	if (section->size < header->header_size)
		return elf_section_error(file, index, SMELT_BAD_DATA, error,
					 "too short for a compression header");
	status = elf_file_read_at(file, index, section->offset, bytes, header->header_size, error);
	if (status)
		return status;
	if (is_chdr) {
		size_t size_at = is_64bit ? offsetof(Elf64_Chdr, ch_size) :
					    offsetof(Elf32_Chdr, ch_size);

		header->type = load_u32(bytes, big);
		header->size = load_word(bytes + size_at, is_64bit, big);
		return SMELT_OK;
	}
	if (memcmp(bytes, zdebug_magic, sizeof(zdebug_magic)) != 0)
		return elf_section_error(file, index, SMELT_BAD_DATA, error,
					 "no compression header");
	header->type = COMPRESSION_ZLIB;
	header->size = load_u64(bytes + sizeof(zdebug_magic), true);
	return SMELT_OK;
}

/* Reads the header and checks its claims. */
static enum smelt_status check_header(const struct elf_file *file, uint32_t index,
				      struct compression_header *header, struct smelt_error *error)
{
	enum smelt_status status = read_header(file, index, header, error);
	uint64_t stream_size, ratio;

	if (status)
		return status;
	if (header->type != COMPRESSION_ZLIB && header->type != COMPRESSION_ZSTD)
		return elf_section_error(file, index, SMELT_UNSUPPORTED, error,
					 "unknown compression type %" PRIu32, header->type);
	stream_size = file->sections[index].size - header->header_size;
	ratio = ZLIB_RATIO_MAX;
	if (header->type == COMPRESSION_ZSTD && header->size <= LARGE_CONTENT_BYTES)
		ratio = ZSTD_RATIO_MAX;
	/* Divided, since the product could wrap. */
	if (header->size > SMALL_CONTENT_BYTES && header->size / ratio > stream_size)
		return elf_section_error(file, index, SMELT_BAD_DATA, error,
					 "%" PRIu64 " compressed bytes claim to hold %" PRIu64,
					 stream_size, header->size);
	return SMELT_OK;
}

enum smelt_status elf_section_uncompressed_size(const struct elf_file *file, uint32_t index,
						uint64_t *size, struct smelt_error *error)
{
	struct compression_header header = { 0 };
	enum smelt_status status = check_header(file, index, &header, error);

	if (!status)
		*size = header.size;
	return status;
}

/* zlib counts in unsigned int. */
static unsigned clamp_to_uint(uint64_t size)
{
	return size < UINT_MAX ? (unsigned)size : UINT_MAX;
}

/*
 * Inflates until `size` bytes are there. Some writers compress in parallel and put several
 * streams one after the other. Returns what is wrong, or NULL.
 */
static const char *inflate_all(const uint8_t *source, uint64_t source_size, uint8_t *buffer,
			       uint64_t size)
{
	const uint8_t *source_end = source + source_size;
	uint8_t *buffer_end = buffer + size;
	z_stream stream = { 0 };
	int result;

	if (inflateInit(&stream) != Z_OK)
		return "zlib: no memory";
	stream.next_in = (uint8_t *)source;
	stream.next_out = buffer;
	do {
		stream.avail_in = clamp_to_uint((uint64_t)(source_end - stream.next_in));
		stream.avail_out = clamp_to_uint((uint64_t)(buffer_end - stream.next_out));
		result = inflate(&stream, Z_NO_FLUSH);
		if (result == Z_STREAM_END && stream.next_out < buffer_end &&
		    stream.next_in < source_end)
			result = inflateReset(&stream);
	} while (result == Z_OK);
	inflateEnd(&stream);
	if (result == Z_MEM_ERROR)
		return "zlib: no memory";
	if (result == Z_DATA_ERROR || result == Z_NEED_DICT)
		return "zlib: bad compressed data";
	if (stream.next_out != buffer_end)
		return "zlib: compressed data holds less than it claims";
	/* Z_BUF_ERROR: there is more than fits. */
	return result == Z_STREAM_END ? NULL : "zlib: compressed data holds more than it claims";
}

static const char *decompress_stream(uint32_t type, const uint8_t *source, uint64_t source_size,
				     uint8_t *buffer, uint64_t size)
{
	size_t result;

	if (type == COMPRESSION_ZLIB)
		return inflate_all(source, source_size, buffer, size);
	result = ZSTD_decompress(buffer, (size_t)size, source, (size_t)source_size);
	if (ZSTD_isError(result))
		return ZSTD_getErrorName(result);
	return result == size ? NULL : "zstd: compressed data holds less than it claims";
}

enum smelt_status elf_section_decompress(const struct elf_file *file, uint32_t index, void *buffer,
					 uint64_t size, struct smelt_error *error)
{
	struct compression_header header = { 0 };
	enum smelt_status status = check_header(file, index, &header, error);
	uint64_t stream_size;
	const char *fault;
	uint8_t *source;

	if (status)
		return status;
	/* The header was read twice; the file may have been written to in between. */
	if (header.size != size)
		return elf_section_error(file, index, SMELT_BAD_DATA, error,
					 "changed while it was read");
	stream_size = file->sections[index].size - header.header_size;
	source = malloc(stream_size ? (size_t)stream_size : 1);
	if (!source)
		return error_no_memory(error);
	status = elf_file_read_at(file, index, file->sections[index].offset + header.header_size,
				  source, (size_t)stream_size, error);
	if (!status) {
		fault = decompress_stream(header.type, source, stream_size, buffer, size);
		if (fault)
			status = elf_section_error(file, index, SMELT_BAD_DATA, error, "%s", fault);
	}
	free(source);
	return status;
}
